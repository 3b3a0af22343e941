// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "views/system/drawing_painter.h"

class QAction;
class QLabel;
class QMenu;
class QScrollArea;

namespace p2::views {

class BusiestList;
class EmptyPage;
class InlineMessage;
class PartInspector;
class PartPalette;
class ProblemList;
class Session;
class SystemCanvas;

/// The editor of a system: a palette, the canvas, its problems, and the form of the selection. Every change is one
/// undoable edit of the session.
class SystemEditor : public QWidget {
  Q_OBJECT
 public:
  explicit SystemEditor(Session& session, QWidget* parent = nullptr);
  ~SystemEditor() override;

  /// Shows how busy the links are, and which one is busiest; an empty map takes it away.
  void setLoads(ShownLoads loads);
  /// The form of the selection, for use elsewhere; until it is taken it is shown next to the drawing.
  [[nodiscard]] QWidget* takeForm();
  /// Shows a sentence about the last edit until the next one, before the session's own; an empty one changes nothing.
  void note(const QString& sentence);
  [[nodiscard]] bool hasSelection() const { return !chosen().empty(); }
  /// Clears the selection; false if it was empty.
  bool unselect();
  /// The actions available here, for menus.
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }

 signals:
  /// The selection has changed or is empty.
  void selected(bool anything);
  /// A field of the form is about to get the focus.
  void formWanted();
  /// Text that is no system of ours was pasted; it may be another program's.
  void importWanted(const QString& text);

 private:
  QWidget* makeDrawing();
  QWidget* makeTitle();
  void makeEditActions();
  void makeViewActions();
  void makeEmptyPage();
  QAction* addAction(const QString& name, const QString& text, const QString& tip, const QKeySequence& key,
                     std::function<void()> run);
  void connectParts();
  void refresh();
  void refreshProblems();
  void refreshSelection();
  bool eventFilter(QObject* watched, QEvent* event) override;

  void edit(const QString& what, System next);
  void edit(const QString& what, const Result<System>& next);
  /// Adds a level, or an interconnect of a kind, at a part or at all that is selected.
  void add(std::optional<InterconnectKind> kind, const std::vector<SystemPart>& at);
  void removeSelected();
  void toggleSelected();
  void moveSelected(int by);
  void copySelected();
  void paste();
  void showMenu(QPoint global);
  void fillAddMenu(QMenu& menu);
  void fillConnectMenu(QMenu& menu);
  void exportDrawing();
  void exportFigure();
  [[nodiscard]] std::vector<SystemPart> chosen() const;

  Session& m_session;
  SystemCanvas* m_canvas = nullptr;
  PartPalette* m_palette = nullptr;
  PartInspector* m_inspector = nullptr;
  QScrollArea* m_scroll = nullptr;
  ProblemList* m_problems = nullptr;
  InlineMessage* m_refusal = nullptr;
  QString m_followed;  // the session's sentence about the last edit
  EmptyPage* m_empty = nullptr;
  QLabel* m_summary = nullptr;
  QLabel* m_hover = nullptr;
  BusiestList* m_busiest = nullptr;
  QList<QAction*> m_actions;
  QList<QAction*> m_zoomActions;
};

}  // namespace p2::views
