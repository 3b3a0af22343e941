// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/perspective.h"
#include "views/start/example_gallery.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace p2::views {

class Session;
class StepGuard;

/// Where one begins: what came out for the document that is open, in one sentence; the four steps that lead there, each
/// with its button; the examples as pictures; the paper.
class StartPerspective : public Perspective {
  Q_OBJECT
 public:
  StartPerspective(Session& session, ExampleGallery::Sketch sketch, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {kStartPage, tr("Start"), QStringLiteral("start")}; }

 signals:
  void exampleWanted(const QString& name);
  /// The plan shall be taken to where it is used.
  void exportWanted();

 protected:
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeSteps();
  /// The finding, or what it means for the whole step where that is asked for, comes first and large.
  void leadWith(QLabel& first);
  void enlargeFinding();
  void writePaper();
  void refresh();
  /// Shows what step `index` has come to, and has its button say it too.
  void tellFact(std::size_t index, const QString& fact);

  Session& m_session;
  QLabel* m_finding = nullptr;
  StepGuard* m_guard = nullptr;
  QLabel* m_lead = nullptr;  // of the two the first
  QLabel* m_paper = nullptr;
  QScrollArea* m_scroll = nullptr;
  std::vector<QLabel*> m_facts;         // what each step has come to
  std::vector<QPushButton*> m_buttons;  // likewise by step
};

}  // namespace p2::views
