// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "text/document.h"

namespace p2::cli {

/// The key of unmodelled effects, in the answer of every command that predicts times.
inline constexpr AnswerKey kUnmodelledEffects{"leaves_out", "Effects that the model leaves out"};

/// The described keys in the answers of some commands.
struct DescribedAnswer {
  std::string_view commands;  ///< "programs, simulate"
  std::vector<AnswerKey> keys;
};

/// All described keys, in the order of the section JSON of p2(1).
[[nodiscard]] std::vector<DescribedAnswer> describedAnswers();

/// Keys of several lists as one.
[[nodiscard]] std::vector<AnswerKey> together(const std::vector<std::vector<AnswerKey>>& lists);

// The described keys that a file of the same name writes.
[[nodiscard]] std::vector<AnswerKey> assumedKeys();
[[nodiscard]] std::vector<AnswerKey> placementsKeys();
[[nodiscard]] std::vector<AnswerKey> programKeys();
[[nodiscard]] std::vector<AnswerKey> listingKeys();
[[nodiscard]] std::vector<AnswerKey> checkKeys();
[[nodiscard]] std::vector<AnswerKey> sweepKeys();
[[nodiscard]] std::vector<AnswerKey> stepKeys();
[[nodiscard]] std::vector<AnswerKey> trainKeys();
[[nodiscard]] std::vector<AnswerKey> configurationKeys();
[[nodiscard]] std::vector<AnswerKey> evaluationKeys();
[[nodiscard]] std::vector<AnswerKey> whyKeys();
[[nodiscard]] std::vector<AnswerKey> compareRunKeys();
[[nodiscard]] std::vector<AnswerKey> compareKeys();
[[nodiscard]] std::vector<AnswerKey> whatIfKeys();
[[nodiscard]] std::vector<AnswerKey> atlasKeys();
[[nodiscard]] std::vector<AnswerKey> trainingRunsKeys();
[[nodiscard]] std::vector<AnswerKey> versionKeys();
[[nodiscard]] std::vector<AnswerKey> calibrateKeys();
[[nodiscard]] std::vector<AnswerKey> workloadKeys();
[[nodiscard]] std::vector<AnswerKey> importKeys();
[[nodiscard]] std::vector<AnswerKey> lessonKeys();
[[nodiscard]] std::vector<AnswerKey> strategyKeys();
[[nodiscard]] std::vector<AnswerKey> strategyFieldKeys();
[[nodiscard]] std::vector<AnswerKey> mappingKeys();
[[nodiscard]] std::vector<AnswerKey> pipelineKeys();
[[nodiscard]] std::vector<AnswerKey> runAnswerKeys();

}  // namespace p2::cli
