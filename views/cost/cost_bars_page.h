// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>

#include "views/cost/cost_series.h"
#include "views/shell/perspective.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QFileDialog;
class QLabel;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace p2::views {

class CostPlot;
class EmptyPage;
class InlineMessage;
class Session;

/// The predicted costs of all programs of all placements, side by side.
class CostPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit CostPerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {QStringLiteral("costs"), tr("Costs"), QStringLiteral("cost")}; }
  [[nodiscard]] QString help() const override;
  [[nodiscard]] QList<QAction*> viewActions() override { return m_actions; }

 private:
  QWidget* makeToolbar();
  void addChoices(QBoxLayout& layout);
  void addZoom(QBoxLayout& layout);
  QAction* makeZoom(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                    void (CostPlot::*slot)());
  QMenu* makeExportMenu();
  void askForFile(const QString& suffix, const QString& description);
  void connectPlot();
  void refresh();
  void showFreshness();
  void rebuild();
  void showSelection();
  void showDetail(int bar);
  void selectBar(int bar);

  Session& m_session;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  CostPlot* m_plot = nullptr;
  QComboBox* m_order = nullptr;
  QCheckBox* m_onlySelected = nullptr;
  QCheckBox* m_stacked = nullptr;
  QCheckBox* m_logarithmic = nullptr;
  QLabel* m_detail = nullptr;
  InlineMessage* m_message = nullptr;
  QPointer<QFileDialog> m_dialog;
  QList<QAction*> m_actions;

  std::shared_ptr<const Exploration> m_shown;
  CostChoice m_choice;
  Count m_leftOut;
};

}  // namespace p2::views
