// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "views/shell/derived.h"
#include "views/strategy/literal_run.h"

class QComboBox;
class QLabel;
class QSpinBox;
class QStackedWidget;
class QVBoxLayout;

namespace p2::views {

class EmptyPage;
class InlineMessage;
class LiteralGraphView;
class LiteralTables;
class Player;
class PlayerBar;
class Session;

/// The literal algorithm step by step, on the graph it is given or on a lesson: which vertex is processed, what its
/// table loses, why, and whether the proof's invariant still holds.
class LiteralStepper : public QWidget {
  Q_OBJECT
 public:
  explicit LiteralStepper(Session& session, QWidget* parent = nullptr);

  /// The graph that is offered beside the lessons; null for none. It is run once the stepper is seen.
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
  QWidget* makeContent();
  void addWords(QVBoxLayout& layout);
  void connectOptions();
  [[nodiscard]] std::shared_ptr<const StrategyProblem> chosenProblem() const;
  [[nodiscard]] LiteralOptions options() const;
  void chooseGraph();
  void showSeed();
  void runAgain();
  void showRun(std::shared_ptr<const LiteralRun> run);
  void showError(const Error& error);
  void follow();
  void showMoment();
  void showTables();

  std::shared_ptr<const StrategyProblem> m_problem;
  Derived<Question, LiteralRun> m_running;
  std::shared_ptr<const LiteralRun> m_run;  // that is shown
  bool m_fallback = false;                  // the lesson stands in for a graph that is missing
  bool m_due = true;                        // a run is, as soon as the stepper is seen
  std::size_t m_moment = 0;

  QComboBox* m_graphs = nullptr;
  QComboBox* m_ties = nullptr;
  QSpinBox* m_seed = nullptr;
  QSpinBox* m_limit = nullptr;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  QWidget* m_content = nullptr;
  Player* m_player = nullptr;
  PlayerBar* m_bar = nullptr;
  LiteralGraphView* m_graph = nullptr;
  LiteralTables* m_tables = nullptr;
  QLabel* m_lines = nullptr;
  QLabel* m_words = nullptr;
  InlineMessage* m_invariant = nullptr;
};

}  // namespace p2::views
