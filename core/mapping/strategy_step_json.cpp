// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/strategy_step_json.h"

#include <bit>

#include "text/json_value.h"

namespace p2::inline mapping {
namespace {

constexpr std::string_view kNeedStep =
    "a step has microbatches, zero, recompute, optimizer, element_bytes, sequences and tokens, all optional";
constexpr std::string_view kNeedCount = "use a whole number, 1 or more";
constexpr int kMostElementBytes = 4;

void readStep(const JsonValue& in, StrategyStep& step) {
  if (in.has("microbatches")) step.microbatches = in.at("microbatches", {}).whole(1, kMostMicrobatches, kNeedCount);
  if (in.has("zero"))
    step.zero = static_cast<int>(in.at("zero", {}).whole(0, kMostZero, "use a stage of ZeRO, 0 to 3"));
  if (in.has("recompute")) {
    step.recomputation = in.at("recompute", {}).word(recomputationFrom, "use none, selective or full");
  }
  if (in.has("optimizer")) step.optimizer = in.at("optimizer", {}).word(optimizerFrom, "use adam, momentum or none");
  if (in.has("element_bytes")) {
    const JsonValue value = in.at("element_bytes", {});
    const auto bytes = value.whole(1, kMostElementBytes, "use 1, 2 or 4");
    if (!std::has_single_bit(static_cast<std::uint64_t>(bytes))) value.fail("use 1, 2 or 4");
    step.bytesPerElement = Bytes(static_cast<double>(bytes));
  }
  if (!in.has("sequences") || !in.has("tokens")) return;
  step.sizes = PassSizes{in.at("sequences", {}).whole(1, kMostDimensionSize, kNeedCount),
                         in.at("tokens", {}).whole(1, kMostDimensionSize, kNeedCount)};
}

}  // namespace

void writeStrategyStep(JsonWriter& json, const StrategyStep& step) {
  json.key("step").beginObject(JsonWriter::Layout::OneLine);
  if (step.microbatches) json.key("microbatches").whole(*step.microbatches);
  if (step.zero) json.key("zero").whole(*step.zero);
  if (step.recomputation) json.key("recompute").text(nameOf(*step.recomputation));
  if (step.optimizer) json.key("optimizer").text(nameOf(*step.optimizer));
  if (step.bytesPerElement) json.key("element_bytes").number(step.bytesPerElement->value());
  if (step.sizes) json.key("sequences").whole(step.sizes->sequences).key("tokens").whole(step.sizes->tokens);
  json.end();
}

Result<StrategyStep> strategyStepFromJson(std::string_view text) {
  P2_TRY_ASSIGN(const auto document, parseJson(text));
  std::optional<Error> problem;
  const JsonValue in(document, problem);
  StrategyStep step;
  if (in.has("pipeline") && in.at("pipeline", {}).has("microbatches")) {
    step.microbatches = in.at("pipeline", {}).at("microbatches", {}).whole(1, kMostMicrobatches, kNeedCount);
  }
  if (in.has("step")) readStep(in.at("step", kNeedStep), step);
  if (problem) return *problem;
  return step;
}

}  // namespace p2::inline mapping
