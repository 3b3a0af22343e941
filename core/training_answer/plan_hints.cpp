// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/plan_hints.h"

#include <algorithm>
#include <cstdlib>

#include "base/counted.h"
#include "base/units.h"
#include "training_answer/configuration_text.h"

namespace p2::inline training_answer {
namespace {

constexpr double kFull = 0.95;
constexpr double kRoomy = 0.9;
/// A power of two in the batch, so that microbatches and a pipeline divide it as well.
constexpr std::int64_t kEven = 16;
constexpr std::int64_t kNear = 10;  // a tenth of the batch

std::int64_t oddPartOf(std::int64_t devices) {
  std::int64_t odd = std::max<std::int64_t>(1, devices);
  while (odd % 2 == 0) odd /= 2;
  return odd;
}

/// Names the first listed configuration with memory to spare, and its time; empty where none is listed.
std::string roomyHint(const TrainingAnswer& answer) {
  const auto& all = answer.configurations;
  const auto roomy = std::find_if(all.begin(), all.end(), [&](const PlannedConfiguration& each) {
    return each.memory.total() + answer.reserve <= kRoomy * answer.memory;
  });
  if (roomy == all.end()) return {};
  return "the first fills the memory; the first that leaves a tenth of it free, " +
         trainingDegreesText(roomy->configuration) + ", takes " + formatSeconds(roomy->estimate.seconds);
}

}  // namespace

std::optional<std::int64_t> dividingBatch(const TrainingQuestion& question) {
  const std::int64_t batch = question.batch;
  const std::int64_t odd = oddPartOf(question.system.deviceCount());
  if (batch % odd == 0) return std::nullopt;
  const std::int64_t unit = odd * kEven;
  const std::int64_t other = (batch + unit / 2) / unit * unit;
  if (other == 0 || std::abs(other - batch) > batch / kNear) return std::nullopt;
  return other;
}

std::string batchHint(const TrainingQuestion& question) {
  const auto other = dividingBatch(question);
  if (!other) return {};
  const std::int64_t devices = question.system.deviceCount();
  return countedText(question.batch, "sequence") + " do not divide by " + std::to_string(oddPartOf(devices)) +
         ", a factor of the " + countedText(devices, "device") + "; more degrees divide " + std::to_string(*other);
}

std::string memoryHint(const TrainingAnswer& answer) {
  const auto needed = [&](std::size_t row) { return answer.configurations[row].memory.total() + answer.reserve; };
  const auto& ties = answer.configurations.front().tiesWith;
  const auto least =
      std::min_element(ties.begin(), ties.end(), [&](std::size_t a, std::size_t b) { return needed(a) < needed(b); });
  if (needed(0) < kFull * answer.memory) return {};
  if (least == ties.end() || needed(*least) > kRoomy * answer.memory) return roomyHint(answer);
  return "the first fills the memory; " + trainingDegreesText(answer.configurations[*least].configuration) +
         " is as fast within the intervals and leaves " + formatBytes(Bytes(needed(0) - needed(*least))) + " more";
}

}  // namespace p2::inline training_answer
