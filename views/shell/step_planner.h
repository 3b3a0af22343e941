// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "training_answer/document_training.h"
#include "views/shell/derived.h"
#include "workspace/workspace.h"

class QWidget;

namespace p2::views {

/// The planner's answer to a document, with the question as it was understood.
struct PlannerAnswer {
  TrainingQuestion question;
  /// Its configurations are the rows that the filter leaves, or all where it leaves none; its `assumed` begins with
  /// defaults of the model's file.
  TrainingAnswer answer;
  bool isComplete = false;  ///< lists the best variant of all degrees, else only the best few
  std::shared_ptr<const PlannerAnswer> unfiltered = {};  ///< this answer without a filter; null where none is set
  PlanFilter filter = {};
  bool leavesNone = false;  ///< the filter hides all configurations

  [[nodiscard]] std::size_t rows() const { return leavesNone ? 0 : answer.configurations.size(); }
};

/// Plans the training of the open document's model: calls planTraining() for the current document as long as a view
/// that needs the answer is visible. A short answer comes first, the complete one replaces it.
class StepPlanner : public QObject {
  Q_OBJECT
 public:
  explicit StepPlanner(JobQueue& jobs, QObject* parent = nullptr);
  ~StepPlanner() override;

  /// Plans while this view is visible.
  void follow(QWidget& view);
  /// Another document was opened: no answer of the former one stays.
  void forget();
  /// The document has changed.
  void setDocument(std::shared_ptr<const Workspace> workspace);

  /// Whether the document has a model to plan for.
  [[nodiscard]] bool hasModel() const;
  /// The last answer that arrived for the document's model, with the filter; null before the first. Show it greyed
  /// unless isCurrent().
  [[nodiscard]] std::shared_ptr<const PlannerAnswer> answer() const;
  [[nodiscard]] bool isCurrent() const;
  [[nodiscard]] bool isRunning() const;
  [[nodiscard]] double progress() const;  ///< progress of the running job, 0 … 1
  /// Whether the document's axes are of a plan for another number of devices: it is planned then, visible or not.
  [[nodiscard]] bool awaitsAxes() const;
  /// Why there is no answer: a mistake in the document, or nothing fits.
  [[nodiscard]] std::optional<Error> problem() const;
  [[nodiscard]] bool wasCancelled() const;
  void cancel();
  /// Starts again after cancel() or a problem.
  void planAgain();

  /// Which configurations take part as long as this document is open; all of them at first.
  void setFilter(const PlanFilter& filter);
  [[nodiscard]] const PlanFilter& filter() const;

  /// The configuration that all pages show: the chosen one, else, or where that cannot run, the first of answer(); null
  /// without one. Belongs to answer().
  [[nodiscard]] const PlannedConfiguration* shown() const;
  /// Its row in answer(); −1 if it is not listed there.
  [[nodiscard]] int shownRow() const;
  /// Why the chosen configuration cannot run on this cluster with this batch. It stays chosen, for when it can again.
  [[nodiscard]] std::optional<Error> chosenProblem() const;

 signals:
  void changed();  ///< anything but the progress: answer, freshness, problem, filter, the shown configuration
  void progressed(double done);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace p2::views
