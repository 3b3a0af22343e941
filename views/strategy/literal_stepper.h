// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "views/literal/literal_run.h"
#include "views/shell/derived.h"

class QComboBox;
class QSpinBox;
class QStackedWidget;

namespace p2::views {

class EmptyPage;
class LiteralPlayer;
class Session;

/// The literal algorithm step by step, on the graph it is given or on a lesson: which vertex is processed, what its
/// table loses, why, and whether the proof's invariant still holds. It opens on the first lesson; a lesson says itself
/// how its ties are broken.
class LiteralStepper : public QWidget {
  Q_OBJECT
 public:
  explicit LiteralStepper(Session& session, QWidget* parent = nullptr);

  /// The graph that is offered next to the lessons; null for none. It is run once the stepper is seen.
  void setProblem(std::shared_ptr<const StrategyProblem> problem);

 signals:
  /// The graph is too large for the literal algorithm, and the user asks for the other one.
  void exactSolverWanted();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Question {
    std::shared_ptr<const StrategyProblem> problem;
    LiteralOptions options;
    friend bool operator==(const Question& a, const Question& b) {
      return a.problem == b.problem && a.options.ties == b.options.ties && a.options.seed == b.options.seed &&
             a.options.rowLimit == b.options.rowLimit;
    }
  };
  QWidget* makeOptions();
  void connectOptions();
  [[nodiscard]] std::shared_ptr<const StrategyProblem> chosenProblem() const;
  [[nodiscard]] LiteralOptions options() const;
  void chooseGraph();
  void showSeed();
  void runAgain();
  void showRun(std::shared_ptr<const LiteralRun> run);
  void showError(const Error& error);
  void follow();

  std::shared_ptr<const StrategyProblem> m_problem;
  Derived<Question, LiteralRun> m_running;
  bool m_due = true;  // a run is, as soon as the stepper is seen

  QComboBox* m_graphs = nullptr;
  QComboBox* m_ties = nullptr;
  QSpinBox* m_seed = nullptr;
  QSpinBox* m_limit = nullptr;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  LiteralPlayer* m_player = nullptr;
};

}  // namespace p2::views
