// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/strategy_training.h"

#include <algorithm>
#include <array>
#include <map>

#include "strategy/strategy_step.h"
#include "training/framework_placements.h"
#include "training_answer/training_evaluation.h"
#include "workload/axis_names.h"

namespace p2::inline strategy_answer {
namespace {

constexpr Bytes kBytesOf16Bits{2};

/// Devices along a degree, and its factors by level.
struct Degree {
  std::int64_t size = 1;
  std::vector<std::int64_t> row;
};
using Degrees = std::map<std::string, Degree>;

/// "data-2" is data. Axes that split one thing in some operators and another in others have two names: no value.
std::optional<std::string> roleOf(const std::string& axis) {
  constexpr std::array<std::string_view, 4> kRoles{"data", "tensor", "expert", "pipeline"};
  for (const std::string_view role : kRoles) {
    if (!axis.starts_with(role)) continue;
    const std::string_view rest = std::string_view(axis).substr(role.size());
    const bool numbered = rest.size() > 1 && rest[0] == '-' && rest.find_first_not_of("0123456789", 1) == rest.npos;
    if (rest.empty() || numbered) return std::string(role);
  }
  return std::nullopt;
}

Result<Degrees> degreesOf(const StrategyBaseline& strategy, const System& system) {
  const std::size_t levels = system.levels.size();
  Degrees degrees;
  std::vector<std::int64_t> rest = system.counts();
  std::size_t row = 0;
  for (const Axis& axis : strategy.degrees) {
    const auto role = roleOf(axis.name);
    if (!role && axis.size > 1) return Error{"its axis " + axis.name + " is not a degree of a framework"};
    if (!role || *role == "pipeline") {
      row += role ? 0 : 1;
      continue;
    }
    Degree& degree = degrees[*role];
    degree.size *= axis.size;
    degree.row.resize(levels, 1);
    for (std::size_t level = 0; level < levels; ++level) {
      degree.row[level] *= strategy.mesh->matrix.at(row, level);
      rest[level] /= strategy.mesh->matrix.at(row, level);
    }
    ++row;
  }
  // The axes of experts and of their copies, by the names of workloads.
  if (degrees.contains("expert")) {
    degrees[std::string(kDataAxis) + "-" + std::string(kExpertAxis)] = degrees["expert"];
    if (degrees.contains("data")) degrees[std::string(kExpertDataAxis)] = degrees["data"];
  }
  // Stages take equal parts of the levels that the mesh of one leaves.
  if (strategy.stages > 1) degrees["pipeline"] = {strategy.stages, rest};
  return degrees;
}

std::int64_t sizeOf(const Degrees& degrees, const char* role) {
  const auto found = degrees.find(role);
  return found == degrees.end() ? 1 : found->second.size;
}

/// The factors of a framework's axes, where each of them is a degree of the strategy.
std::optional<ParallelismMatrix> matrixFor(const std::vector<Axis>& axes, const Degrees& degrees, std::size_t levels) {
  ParallelismMatrix matrix(axes.size(), levels);
  for (std::size_t row = 0; row < axes.size(); ++row) {
    const auto found = degrees.find(axes[row].name);
    if (found == degrees.end() || found->second.size != axes[row].size) return std::nullopt;
    for (std::size_t level = 0; level < levels; ++level) matrix.set(row, level, found->second.row[level]);
  }
  return matrix;
}

StatedTraining statedOf(const StrategyInput& input, const StrategyBaseline& strategy, const Degrees& degrees,
                        const PassSizes& sizes, const TrainingFramework& framework) {
  const std::int64_t microbatches = input.options.microbatches;
  StatedTraining stated;
  stated.format = "strategy";
  stated.framework = &framework;
  stated.tensor = sizeOf(degrees, "tensor");
  stated.pipeline = sizeOf(degrees, "pipeline");
  stated.expert = sizeOf(degrees, "expert");
  // Devices that share out experts share out the batch of everything else.
  stated.data = sizeOf(degrees, "data") * *stated.expert;
  // Without expert parallelism experts are split as all else is.
  stated.expertTensor = isRouted(*input.graph) ? *stated.tensor : 1;
  stated.zero = strategy.zero.value_or(input.options.memory.zero);
  stated.sequenceParallel = strategy.sequenceParallel;
  stated.globalBatch = sizes.sequences * microbatches;
  stated.microbatches = microbatches;
  stated.sequence = sizes.tokens;
  stated.precision = input.options.bytesPerElement < kBytesOf16Bits ? ProductPrecision::Fp8 : ProductPrecision::Bf16;
  stated.recomputation =
      input.options.memory.recomputation == Recomputation::Full ? RecomputeKind::Full : RecomputeKind::None;
  return stated;
}

/// Chooses the order of ranks, or the rank file, that puts the degrees where the strategy has them. False: neither
/// does.
Result<bool> place(StatedTraining& stated, const TrainingConfiguration& made, const TrainingQuestion& question,
                   const Degrees& degrees) {
  const TrainingFramework& framework = *stated.framework;
  P2_TRY_ASSIGN(const auto placements, frameworkPlacements(question.model, question.system)(framework, made, {}));
  if (placements.empty()) return false;
  const auto wanted = matrixFor(placements.front().axes, degrees, question.system.levels.size());
  if (!wanted) return false;
  for (const PricedPlacement& each : placements) {
    if (each.matrix != *wanted) continue;
    stated.order = each.orders.front();
    return true;
  }
  if (framework.rankFile.empty()) return false;
  stated.matrix = wanted->text();
  return true;
}

Result<StrategyTraining> trainingBy(const StrategyInput& input, const std::string& model,
                                    const StrategyBaseline& strategy, const TrainingFramework& framework) {
  P2_TRY_ASSIGN(const Degrees degrees, degreesOf(strategy, *input.system));
  P2_TRY_ASSIGN(auto source, modelFromArgument(model));
  const PassSizes sizes = *passSizesOf(*input.graph);
  TrainingRequest asked;
  asked.batch = sizes.sequences * input.options.microbatches;
  asked.sequence = sizes.tokens;
  asked.framework = framework.name;
  P2_TRY_ASSIGN(TrainingInput training, readTrainingRequest(asked, std::move(source), *input.system));
  const Bytes limit = input.deviceMemory();
  const double memory = input.system->accelerator.memory;
  if (limit > Bytes(0) && limit.value() < memory) training.question.reserve = memory - limit.value();
  StatedTraining stated = statedOf(input, strategy, degrees, sizes, framework);
  P2_TRY_ASSIGN(const auto made, ownConfiguration(stated, training, {}));
  StrategyTraining result{strategy, {}, {}};
  P2_TRY_ASSIGN(const bool placed, place(stated, made, training.question, degrees));
  P2_TRY_ASSIGN(auto planned, priceOwn(training, stated, made));
  if (!placed) {
    result.notes.push_back(std::string(framework.label) + " numbers ranks in another way than the strategy's mesh " +
                           strategy.mesh->matrix.text() + "; the plan has its order");
  }
  if (training.question.reserve == 0) training.question.reserve = defaultMemoryReserve(memory);
  result.plan = {model, std::move(training.question), std::move(planned)};
  return result;
}

/// Why none of the strategies can be had, by the first that says so.
std::string whyNone(const std::vector<StrategyBaseline>& strategies) {
  for (const StrategyBaseline& each : strategies) {
    if (each.reason.empty()) return "none fits the memory of a device";
  }
  return strategies.empty() ? "there are none" : strategies.front().name + ": " + strategies.front().reason;
}

Result<std::vector<const TrainingFramework*>> frameworksFrom(const std::string& name) {
  if (name == "any") return std::vector(trainingFrameworks().begin(), trainingFrameworks().end());
  P2_TRY_ASSIGN(const TrainingFramework* const framework, trainingFrameworkFrom(name));
  return std::vector{framework};
}

}  // namespace

Result<void> checkTrained(const StrategyInput& input, const std::string& model) {
  if (!input.isOnMesh()) {
    return Error{"a plan needs the devices of a system; add --model hierarchical --system SYSTEM", "--as-training"};
  }
  if (!modelFromArgument(model).ok() || !passSizesOf(*input.graph)) {
    return Error{model + " is not a model of tokens with layers; name one, as in llama3-8b, or a config.json",
                 "--as-training"};
  }
  if (input.options.memory.optimizer != Optimizer::Adam) {
    return Error{"plans of trainings have Adam; leave the option out", "--optimizer"};
  }
  if (input.options.memory.recomputation == Recomputation::Selective) {
    return Error{"no framework of a plan recomputes all but products; use none or full", "--recompute"};
  }
  if (input.options.bytesPerElement > kBytesOf16Bits) {
    return Error{"plans of trainings have products of 16 or 8 bits; use bf16, fp16 or fp8", "--dtype"};
  }
  return {};
}

Result<StrategyTraining> trainingOf(const StrategyInput& input, const std::string& model,
                                    std::vector<StrategyBaseline> strategies, const std::string& framework) {
  P2_TRY(checkTrained(input, model));
  P2_TRY_ASSIGN(const auto frameworks, frameworksFrom(framework));
  std::string reason = whyNone(strategies);
  std::erase_if(strategies, [](const StrategyBaseline& each) { return !each.reason.empty() || !each.fits; });
  std::stable_sort(strategies.begin(), strategies.end(),
                   [](const StrategyBaseline& a, const StrategyBaseline& b) { return a.cost < b.cost; });
  bool first = true;
  for (const StrategyBaseline& strategy : strategies) {
    for (const TrainingFramework* const each : frameworks) {
      auto made = trainingBy(input, model, strategy, *each);
      if (made.ok()) return made;
      if (first) reason = strategy.name + ": " + made.error().message;
      first = false;
    }
  }
  return Error{"no common strategy is one that " +
                   (framework == "any" ? std::string("a framework") : "\"" + framework + "\"") + " runs here; " +
                   reason,
               "--as-training"};
}

}  // namespace p2::inline strategy_answer
