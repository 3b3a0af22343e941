// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/plan_hints.h"

#include <algorithm>
#include <cstdlib>

#include "base/counted.h"
#include "base/near.h"
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

/// Bytes that a listed configuration needs of a device.
double neededOf(const TrainingAnswer& answer, std::size_t place) {
  return answer.configurations[place].memory.total() + answer.reserve;
}

/// The place of the configuration that memoryHint() names.
std::optional<std::size_t> roomyPlace(const TrainingAnswer& answer) {
  const auto isRoomy = [&](std::size_t place) { return neededOf(answer, place) <= kRoomy * answer.memory; };
  if (neededOf(answer, 0) < kFull * answer.memory) return std::nullopt;
  const auto& ties = answer.configurations.front().tiesWith;
  const auto least = std::min_element(ties.begin(), ties.end(), [&](std::size_t a, std::size_t b) {
    return neededOf(answer, a) < neededOf(answer, b);
  });
  if (least != ties.end() && isRoomy(*least)) return *least;
  for (std::size_t place = 0; place < answer.configurations.size(); ++place) {
    if (isRoomy(place)) return place;
  }
  return std::nullopt;
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

std::optional<PlanHint> batchHint(const TrainingQuestion& question) {
  const auto other = dividingBatch(question);
  if (!other) return std::nullopt;
  const std::int64_t devices = question.system.deviceCount();
  return PlanHint{countedText(question.batch, "sequence") + " do not divide by " + std::to_string(oddPartOf(devices)) +
                      ", a factor of the " + countedText(devices, "device") + "; more degrees divide " +
                      std::to_string(*other),
                  {}};
}

std::optional<PlanHint> memoryHint(const TrainingAnswer& answer) {
  const auto place = roomyPlace(answer);
  if (!place) return std::nullopt;
  const PlannedConfiguration& roomy = answer.configurations[*place];
  const auto& ties = answer.configurations.front().tiesWith;
  const std::string degrees = trainingDegreesText(roomy.configuration);
  if (std::find(ties.begin(), ties.end(), *place) == ties.end()) {
    return PlanHint{"the first fills the memory; the first row with a tenth of it free, " + degrees + ", takes " +
                        formatSeconds(roomy.estimate.seconds),
                    place};
  }
  return PlanHint{"the first fills the memory; " + degrees + " is as fast within the intervals and leaves " +
                      formatBytes(Bytes(neededOf(answer, 0) - neededOf(answer, *place))) + " more",
                  place};
}

std::optional<PlanHint> simplerHint(const TrainingAnswer& answer) {
  const PlannedConfiguration& first = answer.configurations.front();
  std::optional<std::size_t> simplest;
  int least = complexityOf(first.configuration);
  for (const std::size_t place : first.tiesWith) {
    const PlannedConfiguration& each = answer.configurations[place];
    const int complexity = complexityOf(each.configuration);
    if (complexity >= least || each.needsRankFile() > first.needsRankFile()) continue;
    if (each.estimate.seconds > first.estimate.seconds * (1 + kRunNoise)) continue;
    least = complexity;
    simplest = place;
  }
  if (!simplest) return std::nullopt;
  const PlannedConfiguration& simple = answer.configurations[*simplest];
  const std::string with =
      simple.framework == first.framework ? std::string() : " with " + std::string(simple.framework->label);
  const double slower = simple.estimate.seconds / first.estimate.seconds - 1;
  const std::string price =
      slower > 0 ? formatPercent(slower) + " slower, less than repeated runs differ" : std::string("as fast");
  return PlanHint{"the simpler " + trainingDegreesText(simple.configuration) + with + " is " + price, simplest};
}

std::optional<PlanHint> rankFileHint(const TrainingAnswer& answer) {
  const auto& all = answer.configurations;
  const auto fastest = std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.estimate.seconds < b.estimate.seconds; });
  if (fastest == all.end() || !fastest->needsRankFile()) return std::nullopt;
  if (!definitelyLess(fastest->estimate.seconds, all.front().estimate.seconds, kDisplayTolerance)) return std::nullopt;
  return PlanHint{"with a rank file, " + trainingDegreesText(fastest->configuration) + " takes " +
                      formatSeconds(fastest->estimate.seconds),
                  static_cast<std::size_t>(fastest - all.begin())};
}

std::vector<PlanHint> planHints(const TrainingQuestion& question, const TrainingAnswer& answer) {
  std::vector<PlanHint> hints;
  for (const auto& hint : {rankFileHint(answer), memoryHint(answer), simplerHint(answer), batchHint(question)}) {
    const bool isKnown = hint && hint->place && std::any_of(hints.begin(), hints.end(), [&](const PlanHint& each) {
                           return each.place == hint->place;
                         });
    if (hint && !isKnown) hints.push_back(*hint);
  }
  return hints;
}

}  // namespace p2::inline training_answer
