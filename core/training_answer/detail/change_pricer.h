// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_answer: prices a configuration, and others that differ from it in a choice.
#pragma once

#include "training_answer/detail/training_ranking.h"
#include "training_answer/training_evaluation.h"

namespace p2::inline training_answer {

/// Prices configurations of one framework, each on the placement of an order of ranks. Question and statement outlive
/// it.
class ChangePricer {
 public:
  ChangePricer(const TrainingQuestion& question, const StatedTraining& stated, TrainingAccelerator accelerator,
               std::stop_token stop);

  /// The rule of the framework that a configuration breaks, or a platform that it does not run on.
  [[nodiscard]] std::optional<TrainingRefusal> refusalOf(const TrainingConfiguration& configuration) const;
  /// No order of the framework places it.
  [[nodiscard]] TrainingRefusal unplaced() const;
  /// Whether a device has room for that with the reserve.
  [[nodiscard]] bool fits(const TrainingMemory& memory) const {
    return memory.total() + m_reserve <= m_accelerator.memory;
  }
  /// On the placement of an order or of the statement's rank file; where no placement has it, on the fastest one. No
  /// value: there is none. Errors: as PlacementPricer, as estimateStep().
  [[nodiscard]] Result<std::optional<PlannedConfiguration>> priced(const TrainingConfiguration& stated,
                                                                   const std::string& order);
  /// The order of ranks that the statement names, or the framework's default.
  [[nodiscard]] std::string ownOrder() const;

  [[nodiscard]] const TrainingFramework& framework() const { return m_framework; }
  [[nodiscard]] const TrainingAccelerator& accelerator() const { return m_accelerator; }
  [[nodiscard]] double reserve() const { return m_reserve; }  ///< bytes of a device that are kept free
  [[nodiscard]] PlacementCache& placements() { return m_placements; }

 private:
  const TrainingQuestion& m_question;
  const StatedTraining& m_stated;
  const TrainingFramework& m_framework;
  TrainingAccelerator m_accelerator;
  double m_reserve;
  PlacementCache m_placements;
};

}  // namespace p2::inline training_answer
