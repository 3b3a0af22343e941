// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <string>

#include "training_answer/training_evaluation.h"
#include "workspace/workspace.h"

namespace p2::views {

/// The user's own configuration, to be compared with all others of a document.
struct MineQuestion {
  System system;
  TrainingChoice training;  ///< with the text in `mine`, without the choice
  EvaluationExtent extent = EvaluationExtent::WithRank;
  friend bool operator==(const MineQuestion&, const MineQuestion&) = default;
};

struct MineAnswer {
  std::string format;  ///< format of the text: "Megatron-LM arguments", "choices"
  TrainingEvaluation evaluation;
  /// Differences between the model and devices of the text and the document's; the answer is for the document.
  std::vector<std::string> differences = {};
  std::string completed = {};           ///< OwnConfiguration::completed
  std::vector<std::string> notes = {};  ///< sentences: assumptions, unknown settings, values that the text leaves open
};

/// The choices of a text that is the configuration of a framework or a plan of `p2 train -o`. Errors: a text of
/// neither.
[[nodiscard]] Result<StatedTraining> statedByMine(const std::string& text);

/// Reads the text as choices ("tp=8,pp=4": the others are the fastest), as the configuration of a framework or as a
/// plan of `p2 train -o`, and compares it for the document's batch and sequence. Errors: a text that cannot be read, of
/// planTraining().
[[nodiscard]] Result<MineAnswer> evaluateMine(const MineQuestion& question, const std::stop_token& stop,
                                              const Progress& progress);

/// "Mine: tp 8 · dp 16 · ZeRO 1: 74.2 s (60.5–91.0), 41 % MFU, 71.2 GB of 74.0 GB usable memory. Place 23 …"
[[nodiscard]] QString mineText(const MineAnswer& answer);
/// "Change first: microbatch 2 instead of 1 gains 3.1 s.", or what makes it run with the step times; says so where
/// there is nothing. `link` makes the text of a change, with its place, one to click on.
[[nodiscard]] QString changesText(const MineAnswer& answer,
                                  const std::function<QString(std::size_t place, const QString& text)>& link);

}  // namespace p2::views
