// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/gain_parts.h"
#include "views/shell/derived.h"
#include "views/shell/perspective.h"
#include "views/start/example_gallery.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace p2::views {

class AccuracyMark;
class DoorButton;
class Session;
class StepGuard;

/// The start page: the purpose of the program, and three doors: the first lesson, the race of the best program against
/// the single collective, the way to a decision. Below, the result for the open document in one sentence; the steps of
/// the way to a training job and those about one reduction, each with its button; the examples as pictures; the paper.
class StartPerspective : public Perspective {
  Q_OBJECT
 public:
  StartPerspective(Session& session, ExampleGallery::Sketch sketch, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {kStartPage, tr("Start"), QStringLiteral("start")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 140, .key = "Alt+Home"}; }

 signals:
  void exampleWanted(const QString& name);
  /// The user wants to export the plan.
  void exportWanted();

 protected:
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makePurpose();
  QWidget* makeDoors();
  /// Names the two programs of the race.
  void tellRace();
  /// The steps from `first` to before `end`, in one row.
  QWidget* makeSteps(std::size_t first, std::size_t end);
  /// Shows the plan, else the finding, or with a workload the finding for the step, first and in large letters. With a
  /// plan the others move to the steps about one reduction.
  void leadWith(QLabel& first);
  void enlargeFinding();
  void refresh();
  void refreshPlan();
  /// Shows the state of step `index`, and describes its button with it for screen readers.
  void tellFact(std::size_t index, const QString& fact);

  /// The finding of the current exploration; with bytes as soon as they are counted.
  [[nodiscard]] QString finding(bool alone);

  Session& m_session;
  Derived<std::shared_ptr<const Exploration>, GainParts> m_gain;
  QLabel* m_purpose = nullptr;
  DoorButton* m_race = nullptr;
  QBoxLayout* m_findings = nullptr;
  QBoxLayout* m_reductionFindings = nullptr;  // while the plan leads
  QLabel* m_subject = nullptr;                // document and reduction of the finding
  QLabel* m_finding = nullptr;
  QLabel* m_plan = nullptr;
  AccuracyMark* m_stepMark = nullptr;
  AccuracyMark* m_programMark = nullptr;
  StepGuard* m_guard = nullptr;
  QLabel* m_lead = nullptr;  // the finding that is shown first
  QLabel* m_paper = nullptr;
  QScrollArea* m_scroll = nullptr;
  std::vector<QLabel*> m_facts;         // the state of each step
  std::vector<QPushButton*> m_buttons;  // by step
};

}  // namespace p2::views
