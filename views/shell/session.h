// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>

#include "explore/explore.h"
#include "views/shell/job_queue.h"

namespace p2::inline training {
struct PlannedConfiguration;
}
namespace p2::inline runs {
struct MeasuredProgram;
}

namespace p2::views {

class StepPlanner;

/// Side B of the A|B comparison.
struct PinnedRun {
  ParallelismMatrix matrix;
  Program program;
  friend bool operator==(const PinnedRun&, const PinnedRun&) = default;
};

/// One document, one job queue: where the perspectives meet. The workspace is a value; every edit replaces it and can
/// be undone, the choice of a placement and program like any other. Its question is its system, axes and options. A job
/// explores it; until that has ended the previous answer stays, marked as not current.
class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  [[nodiscard]] std::shared_ptr<const Workspace> workspace() const;
  [[nodiscard]] QUndoStack& undoStack();
  /// Replaces the workspace as one undoable step called `text`. Consecutive edits with the same non-empty `mergeKey`
  /// are undone together (typing in one field). A choice of placement or program that does not fit the next question
  /// goes with the edit, and comes back with its undoing. A workload follows a change of the system, see
  /// followCluster(). Axes or a workload of a plan that are changed are the user's own from then on.
  void edit(const QString& text, Workspace next, const QString& mergeKey = {});
  /// Opens another document: no undo across it, nothing modified, nothing of the last one's selection.
  void reset(Workspace workspace);

  /// The last finished exploration; null before the first.
  [[nodiscard]] std::shared_ptr<const Exploration> exploration() const;
  /// Whether exploration() answers the current workspace. If not, show it greyed.
  [[nodiscard]] bool isCurrent() const;
  /// Why the current workspace cannot be explored, to be shown next to what caused it.
  [[nodiscard]] std::optional<Error> problem() const;
  /// Whether an exploration is on its way. If it is not and there is no problem either, it was cancelled.
  [[nodiscard]] bool isExploring() const;
  /// Starts exploring again, after a cancelled or failed exploration.
  void exploreAgain();
  /// Requests more programs per placement (at the end of the list).
  void wantMorePrograms();

  /// The selected placement and program: chosen in the workspace, else proposed, else the best. Indices into
  /// exploration()->placements and its programs; −1 if there is none.
  [[nodiscard]] int placementIndex() const;
  [[nodiscard]] int programIndex() const;
  [[nodiscard]] const PlacementResult* placement() const;
  [[nodiscard]] const ProgramResult* program() const;
  /// Chooses a placement and its cheapest (or the given) program as an edit; consecutive choices are undone together.
  /// Indices are clamped; the current selection is not chosen again.
  void select(int placementIndex, int programIndex = 0);
  /// The placement to be selected where the workspace chooses none, instead of the best for its one reduction: that for
  /// a whole training step. No edit; an empty matrix proposes none, and one that is not listed is passed over.
  void propose(ParallelismMatrix matrix);
  /// The step of program() that is looked at; none without a program. Another program begins with its first.
  [[nodiscard]] StepId step() const;
  /// Clamped to the steps of program().
  void setStep(StepId step);
  /// The program of a placement that others are compared with, if the user has chosen one. It goes with the document.
  [[nodiscard]] const std::optional<PinnedRun>& pinned() const;
  void pin(std::optional<PinnedRun> run);
  /// Index of the pinned placement in exploration(); −1 if its matrix is not there, or on fewer levels than its
  /// program needs, or if it was pinned for other axes.
  [[nodiscard]] int pinnedPlacement() const;
  /// The workspace including the selection, for export and runs.
  [[nodiscard]] Workspace workspaceWithSelection() const;

  /// The planner of the training step, see trainingChanged().
  [[nodiscard]] StepPlanner& planner();
  /// Chooses a configuration of the planner's answer as an edit, null for the best; consecutive choices are undone
  /// together. Its axes, placement and communication become the document's reduction (withPlan()).
  void chooseConfiguration(const PlannedConfiguration* planned);
  /// Makes the communication of the shown configuration the document's reduction, as an edit.
  void takePlan();
  /// Edits how the model is trained; consecutive edits with the same non-empty `mergeKey` are undone together.
  void editTraining(const QString& text, TrainingChoice training, const QString& mergeKey = {});

  /// The device under the mouse, if any: it lights up everywhere.
  [[nodiscard]] Device hoveredDevice() const;
  void setHoveredDevice(Device device);

  /// The kept runs of programs, the newest first; never null. They are no part of the document.
  [[nodiscard]] std::shared_ptr<const std::vector<MeasuredProgram>> measured() const;
  void setMeasured(std::vector<MeasuredProgram> runs);

  [[nodiscard]] JobQueue& jobs();

 signals:
  void workspaceChanged();    ///< an edit, undo, redo or reset, except of a choice or the notes alone
  void replaced();            ///< by reset(), before any other signal of the new document
  void notesChanged();        ///< the workspace's notes
  void explorationChanged();  ///< exploration() is another one
  void freshnessChanged();    ///< isCurrent(), problem() or isExploring()
  void selectionChanged();    ///< the selected placement or program
  void stepChanged();
  /// After an edit that changed more than was asked for: one sentence about the rest.
  void followed(const QString& sentence);
  void trainingChanged();  ///< planner(): its answer, freshness, problem or shown configuration
  void hoverChanged();
  void measuredChanged();  ///< measured() has other runs
  void pinnedChanged();    ///< by pin(), even if it is the same again: somebody wants to compare

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace p2::views
