// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>

#include "explore/explore.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// One document, one selection, one job queue: where the perspectives meet. The workspace is a value; every edit
/// replaces it and can be undone. Each change starts an exploration job; until its result arrives the previous one
/// stays, marked as not current.
class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  [[nodiscard]] std::shared_ptr<const Workspace> workspace() const;
  [[nodiscard]] QUndoStack& undoStack();
  /// Replaces the workspace as one undoable step called `text`. Consecutive edits with the same non-empty `mergeKey`
  /// are undone together (typing in one field).
  void edit(const QString& text, Workspace next, const QString& mergeKey = {});
  /// Opens another document: no undo across it, nothing modified. Its matrix and program become the selection.
  void reset(Workspace workspace);

  /// The last finished exploration; null before the first.
  [[nodiscard]] std::shared_ptr<const Exploration> exploration() const;
  /// Whether exploration() answers the current workspace. If not, show it greyed.
  [[nodiscard]] bool isCurrent() const;
  /// Why the current workspace cannot be explored, to be shown beside what caused it.
  [[nodiscard]] std::optional<Error> problem() const;
  /// Starts exploring anew, after a cancelled or failed exploration.
  void exploreAgain();
  /// Asks for more programs of the placements than the first so many (scrolling to the end of the list).
  void wantMorePrograms();

  /// Index into exploration()->placements, −1 without one; and into that placement's programs.
  [[nodiscard]] int placementIndex() const;
  [[nodiscard]] int programIndex() const;
  [[nodiscard]] const PlacementResult* placement() const;
  [[nodiscard]] const ProgramResult* program() const;
  /// Selects a placement and the cheapest of its programs (or the given one). Clamped to what there is.
  void select(int placementIndex, int programIndex = 0);
  /// The step of program() that is looked at, from 0; −1 without one. Another program begins with its first.
  [[nodiscard]] int stepIndex() const;
  /// Clamped to the steps of program().
  void setStepIndex(int step);
  /// The workspace with the selection written into it: what is saved.
  [[nodiscard]] Workspace workspaceWithSelection() const;

  /// The device under the mouse, −1 for none: it lights up everywhere.
  [[nodiscard]] Device hoveredDevice() const;
  void setHoveredDevice(Device device);

  [[nodiscard]] JobQueue& jobs();

 signals:
  void workspaceChanged();    ///< an edit, undo, redo or reset
  void explorationChanged();  ///< a new exploration, or isCurrent() or problem() changed
  void selectionChanged();
  void stepChanged();
  void hoverChanged();

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace p2::views
