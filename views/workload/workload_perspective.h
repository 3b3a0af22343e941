// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "step/step_pricer.h"
#include "views/shell/derived.h"
#include "views/shell/perspective.h"
#include "views/workload/ranking_words.h"

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace p2::views {

class EntriesPanel;
class InlineMessage;
class RankingStatus;
class RankingViews;
class Session;
class WorkloadActions;

/// All that a training step communicates, and the placements ranked by it: as bars, as exposed against overlappable
/// time, and over the ratio of two groups of entries. Which of these is shown is remembered.
class WorkloadPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit WorkloadPerspective(Session& session, QWidget* parent = nullptr);
  ~WorkloadPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {kWorkloadPage, tr("Workload"), QStringLiteral("workload")}; }
  [[nodiscard]] static PagePlace place() {
    return {.position = 100,
            .group = kCollectivesGroup,
            .key = "Ctrl+Shift+W",
            .views = {"showRankingAction", "showTradeoffAction", "showBreakEvensAction"}};
  }
  /// That axes of a workload for other devices do not fit: its button fits both.
  [[nodiscard]] bool says(const Error& problem) const override;
  [[nodiscard]] QList<QAction*> viewActions() override { return m_actions; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Asking { AtOnce, InTurn };

  /// The sources of workloads, for the empty page and the menu of the entries.
  QList<QAction*> makeSources();
  void useOneAllReduce();
  QWidget* makeContent(const QList<QAction*>& sources);
  QWidget* makeHeader();
  QWidget* makeExport();
  void makeActions();
  void connectParts();
  void showEntries(bool open);

  void followDocument();
  void ask(Asking asking);
  void follow();
  void showRanking();
  void showState();
  void showProblems();
  void showChosen();
  void showDetail(const QString& text);
  void choose(int placement);
  void activate(int placement);
  void useWorkloadAxes();
  void fixWorkload();
  [[nodiscard]] int chosenPlacement() const;

  Session& m_session;
  Derived<StepQuestion, StepRanking> m_ranked;
  std::shared_ptr<const StepRanking> m_shown;
  std::optional<ReductionWinner> m_winner;
  std::optional<Error> m_misfit;  // why the workload does not fit the system or the document's axes
  bool m_waits = false;
  bool m_isSmall = false;  // too small a page for entries and ranking side by side
  QTimer m_patience;
  QList<QAction*> m_actions;
  WorkloadActions* m_files = nullptr;
  QAction* m_oneAllReduce = nullptr;
  QAction* m_fold = nullptr;
  QStackedWidget* m_pages = nullptr;
  QSplitter* m_splitter = nullptr;
  EntriesPanel* m_entries = nullptr;
  RankingViews* m_views = nullptr;
  RankingStatus* m_status = nullptr;
  QLabel* m_finding = nullptr;
  InlineMessage* m_message = nullptr;
  QPushButton* m_useAxes = nullptr;
  QPushButton* m_fix = nullptr;  // makes the workload fit the cluster
};

}  // namespace p2::views
