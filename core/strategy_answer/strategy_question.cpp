// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/detail/strategy_question.h"

#include <algorithm>

#include "base/counted.h"
#include "graphs/strategy_json.h"
#include "strategy/shared_tensors.h"
#include "text/text_file.h"

namespace p2::inline strategy_answer {
namespace {

Result<StrategyInput> costTables(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(auto text, readTextFile(path));
  StrategyInput input;
  P2_TRY_ASSIGN(input.problem, strategyProblemFromJson(std::move(text), stop).within(path));
  return input;
}

/// The sizes of an ONNX model with suggestions for those that the question leaves open, which are listed.
Result<GraphSizes> withSuggestedSizes(const StrategyQuestion& question, std::vector<std::string>& suggested,
                                      const std::stop_token& stop) {
  GraphSizes given = question.sizes;
  if (!question.suggestsSizes || !question.graph.ends_with(".onnx")) return given;
  P2_TRY_ASSIGN(const auto open, openDimensions(question.graph, stop));
  const OnnxSizes sizes = withSuggestions({given.batch, given.dimensions}, open);
  for (const OpenDimension& each : open) {
    const bool isGiven = given.dimensions.contains(each.name) || (each.axis == 0 && given.batch);
    if (!isGiven) suggested.push_back(each.name + " = " + std::to_string(sizes.dimensions.at(each.name)));
  }
  given.dimensions = sizes.dimensions;
  given.batch.reset();
  return given;
}

/// Sequences of a step, and their tokens, where a transformer leaves them open and the question as well.
std::vector<AssumedDefault> sizesAssumed(const StrategyQuestion& question, const ComputationGraph& graph) {
  if (!hasOpenSequence(question.graph)) return {};
  const auto attention = std::find_if(graph.operators.begin(), graph.operators.end(),
                                      [](const Operator& op) { return op.kind == OperatorKind::Attention; });
  if (attention == graph.operators.end()) return {};
  std::vector<AssumedDefault> sizes;
  const auto sizeOf = [&](const char* name) {
    for (const Dimension& dimension : attention->dimensions) {
      if (dimension.name == name) return dimension.size;
    }
    return std::int64_t{1};
  };
  if (!question.sizes.batch) sizes.push_back({"--batch", countedText(sizeOf("b"), "sequence")});
  const bool routed =
      std::any_of(graph.operators.begin(), graph.operators.end(), [](const Operator& op) { return isRouted(op.kind); });
  if (routed && !question.sizes.capacityFactor) {
    sizes.push_back({"--capacity-factor", "each expert has capacity for an even share of the tokens"});
  }
  if (!question.sizes.sequence) sizes.push_back({"--sequence", countedText(sizeOf("q"), "token") + " a sequence"});
  return sizes;
}

/// One sequence for many devices is a default of the model's configuration, not a batch that anyone trains with.
std::optional<std::string> sequencesNote(const StrategyQuestion& question, const StrategyInput& input) {
  const std::vector<std::string>& models = bundledModelNames();
  if (question.sizes.batch || std::find(models.begin(), models.end(), question.graph) == models.end()) return {};
  const auto& operators = input.graph->operators;
  const auto attention = std::find_if(operators.begin(), operators.end(),
                                      [](const Operator& op) { return op.kind == OperatorKind::Attention; });
  if (attention == operators.end()) return {};
  const std::int64_t sequences = attention->dimensions.front().size;
  if (sequences >= input.options.devices) return {};
  return "a microbatch has " + countedText(sequences, "sequence") + " for " +
         countedText(input.options.devices, "device") + "; choose a larger batch";
}

}  // namespace

std::vector<std::string> StrategyInput::assumed() const {
  std::vector<std::string> sentences;
  if (graph) sentences = graph->assumed;
  for (const AssumedDefault& each : defaults) sentences.push_back(each.text());
  return sentences;
}

std::string StrategyInput::note() const {
  std::string text;
  for (const std::string& each : notes) text += (text.empty() ? "" : "; ") + each;
  return text;
}

Result<StrategyInput> readStrategyInput(const StrategyQuestion& question, const std::stop_token& stop) {
  if (!namesGraph(question.graph)) return costTables(question.graph, stop);
  StrategyInput input;
  P2_TRY_ASSIGN(const auto sizes, withSuggestedSizes(question, input.suggested, stop));
  P2_TRY_ASSIGN(auto loaded, graphFromArgument(question.graph, sizes, stop));
  input.warnings = std::move(loaded.warnings);
  input.options = withTrainingFigures(filledIn(question.options, question.system, loaded.graph.elementBytes),
                                      question.options, question.system);
  input.defaults = sizesAssumed(question, loaded.graph);
  if (input.options.model == StrategyCostModel::Hierarchical) {
    input.defaults.push_back(
        {"--cost-model", "the " + std::string(question.pricing.cost.model) + " model of collectives"});
  }
  std::ranges::copy(defaultsOf(input.options, question.options, question.system), std::back_inserter(input.defaults));
  input.system = question.system;
  input.pricing = question.pricing;
  if (input.options.model == StrategyCostModel::Hierarchical) {
    loaded.graph = withSharedTensors(std::move(loaded.graph));
  }
  input.graph = std::make_shared<const ComputationGraph>(std::move(loaded.graph));
  if (auto note = cutoffNote(*input.graph, input.options)) input.notes.push_back(std::move(*note));
  if (auto note = sequencesNote(question, input)) input.notes.push_back(std::move(*note));
  return input;
}

}  // namespace p2::inline strategy_answer
