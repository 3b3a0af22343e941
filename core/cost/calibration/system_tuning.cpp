// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/system_tuning.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace p2::inline cost {
namespace {

std::optional<std::size_t> constantOf(std::string_view key) {
  const auto& table = ncclConstantTable();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.key == key; });
  if (found == table.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.begin());
}

template <std::size_t N>
std::optional<std::size_t> placeIn(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

template <std::size_t N>
std::string listed(const std::array<std::string_view, N>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  return text;
}

std::optional<RangeCell> cellOf(const PredictionRange& range) {
  const auto kind = placeIn(kStepKindNames, range.steps);
  const auto band = placeIn(kSizeBandNames, range.sizes);
  if (!kind || !band) return std::nullopt;
  return RangeCell{*kind, range.acrossNodes, *band};
}

Result<void> checkRange(const PredictionRange& range) {
  if (!cellOf(range)) {
    return Error{"a range for \"" + range.steps + "\" of sizes \"" + range.sizes + "\" is not known; steps are " +
                 listed(kStepKindNames) + ", sizes " + listed(kSizeBandNames)};
  }
  if (!(range.low > 0 && range.low <= 1 && range.high >= 1 && std::isfinite(range.high))) {
    return Error{"a range's low is above 0 and at most 1, and its high at least 1"};
  }
  return {};
}

}  // namespace

Result<void> checkTuning(const System& system) {
  std::set<std::string_view> seen;
  for (const TunedConstant& constant : system.tuned) {
    if (!constantOf(constant.key)) {
      return Error{
          "\"" + constant.key +
          "\" is not a constant of the nccl model of this version; leave it out, or calibrate the system again"}
          .about("/tuned");
    }
    if (!(constant.value > 0 && std::isfinite(constant.value))) {
      return Error{"the constant \"" + constant.key + "\" is not above 0"}.about("/tuned");
    }
    if (!seen.insert(constant.key).second) {
      return Error{"the constant \"" + constant.key + "\" is there twice"}.about("/tuned");
    }
  }
  for (std::size_t i = 0; i < system.ranges.size(); ++i) {
    P2_TRY(checkRange(system.ranges[i]).about("/ranges/" + std::to_string(i)));
  }
  return {};
}

std::shared_ptr<const NcclConstants> tunedConstantsOf(const System& system) {
  if (!system.calibrated || system.tuned.empty()) return nullptr;
  auto constants = std::make_shared<NcclConstants>(ncclConstants());
  for (const TunedConstant& tuned : system.tuned) {
    if (const auto place = constantOf(tuned.key)) constants->values[*place] = tuned.value;
  }
  return constants;
}

std::shared_ptr<const PredictionRanges> systemRangesOf(const System& system, std::string_view model,
                                                       const PredictionRanges& others) {
  if (!system.calibrated) return nullptr;
  auto ranges = std::make_shared<PredictionRanges>();
  bool any = false;
  std::int64_t most = 0;
  for (const PredictionRange& range : system.ranges) {
    const auto cell = cellOf(range);
    if (range.model != model || !cell) continue;
    ranges->of(*cell) = {range.low, range.high, range.measurements};
    most = std::max(most, range.mostNodes);
    any = true;
  }
  if (!any) return nullptr;
  ranges->setMostNodes(most);
  ranges->setOthers(std::make_shared<PredictionRanges>(others));
  ranges->setFurther(kFurtherOfOwn);
  return ranges;
}

std::vector<PredictionRange> systemRanges(const PredictionRanges& ranges, std::string_view model) {
  std::vector<PredictionRange> list;
  for (const RangeCell& cell : rangeCells()) {
    const ErrorRange& range = ranges.of(cell);
    if (!range.isKnown()) continue;
    list.push_back({std::string(model), std::string(kStepKindNames[cell.kind]), cell.acrossNodes,
                    std::string(kSizeBandNames[cell.band]), range.low, range.high, range.measurements,
                    cell.acrossNodes ? ranges.mostNodes() : 0});
  }
  return list;
}

}  // namespace p2::inline cost
