// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/planner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/units.h"
#include "strategy/step_memory.h"
#include "workload/axis_names.h"

namespace p2::inline training {
namespace {

/// Repeated runs of one configuration on other nodes differ by 1.3 to 4.4 % in the median of public tables.
constexpr double kRunNoise = 0.03;
/// Relative error of a part of a step that one of two configurations has and the other has not.
constexpr double kPartError = 0.2;
/// Configurations between two checks of stop token and progress; each takes microseconds unless it is priced.
constexpr std::int64_t kRound = 64;

Bytes bytesOf(double value) { return Bytes(static_cast<std::int64_t>(value)); }

double squared(double value) { return value * value; }

/// Collects the best of the configurations of one question.
class Planner {
 public:
  Planner(const TrainingQuestion& question, TrainingAccelerator accelerator, const PlacementPricer& placements,
          std::stop_token stop, const Progress& progress)
      : m_question(question),
        m_accelerator(std::move(accelerator)),
        m_placements(placements),
        m_stop(std::move(stop)),
        m_progress(progress) {
    m_answer.memory = m_accelerator.memory;
    if (question.model.experts > 0) {
      m_answer.droppedTokens = droppedShare(question.expertLoad, question.model.experts);
    }
    m_answer.reserve = question.reserve > 0 ? question.reserve : defaultMemoryReserve(m_accelerator.memory);
  }

  Result<TrainingAnswer> run() {
    std::int64_t undivided = 0;
    if (m_progress) countAll();
    for (const TrainingFramework* framework : m_question.frameworks) {
      const SearchSpace space = spaceOf(*framework);
      m_priced.clear();
      undivided += space.forEach(
          [&](const TrainingConfiguration& each) { return consider(*framework, withExpertLoad(m_question, each)); });
      if (m_error) return *m_error;
    }
    if (undivided > 0) m_answer.broken["batch divides by microbatch and dp"] += undivided;
    m_answer.considered += undivided;
    if (m_answer.configurations.empty()) return nothingFits();
    m_answer.leastMemory = 0;
    findTies();
    return std::move(m_answer);
  }

 private:
  [[nodiscard]] SearchSpace spaceOf(const TrainingFramework& framework) const {
    return {m_question.model,     m_question.system.deviceCount(),
            m_question.batch,     m_question.sequence,
            m_question.precision, framework,
            m_question.fixed};
  }

  void countAll() {
    std::int64_t total = 0;
    for (const TrainingFramework* framework : m_question.frameworks) {
      (void)spaceOf(*framework).forEach([&](const TrainingConfiguration&) {
        ++total;
        return !m_stop.stop_requested();
      });
    }
    m_total = std::max<std::int64_t>(1, total);
  }

  using Degrees = std::tuple<std::int64_t, std::int64_t, ContextCollective, std::int64_t, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t>;
  static Degrees degreesOf(const TrainingPlan& plan) {
    return {plan.tensor, plan.context,      plan.contextCollective, plan.pipeline,
            plan.expert, plan.expertTensor, plan.replicas,          plan.data};
  }

  /// False stops the search.
  bool consider(const TrainingFramework& framework, const TrainingConfiguration& configuration) {
    if (++m_visited % kRound == 0) {
      if (isCancelled()) return false;
      if (m_progress) m_progress(static_cast<double>(m_visited) / static_cast<double>(m_total));
    }
    ++m_answer.considered;
    if (const FrameworkRule* rule = brokenRule(framework, m_question.model, configuration)) {
      ++m_answer.broken[std::string(rule->name)];
      return true;
    }
    const TrainingMemory memory = peakMemory(m_question.model, configuration);
    if (memory.total() + m_answer.reserve > m_accelerator.memory) {
      ++m_answer.tooLarge;
      if (m_answer.leastMemory == 0 || memory.total() < m_answer.leastMemory) m_answer.leastMemory = memory.total();
      return true;
    }
    if (isHopeless(configuration)) return true;
    return price(framework, configuration, memory);
  }

  /// Seconds above which a step cannot be listed.
  [[nodiscard]] double enoughSeconds() const {
    const auto& kept = m_answer.configurations;
    if (m_question.exhaustive || kept.size() < std::max<std::size_t>(1, m_question.best)) {
      return std::numeric_limits<double>::infinity();
    }
    // A step takes at least this share of its prediction.
    return kept.back().estimate.seconds / leastFactor(m_question.calibration);
  }

  /// Whether no placement of the configuration can be listed.
  [[nodiscard]] bool isHopeless(const TrainingConfiguration& configuration) const {
    const double enough = enoughSeconds();
    if (!std::isfinite(enough)) return false;
    if (stepLowerBound(m_question.model, configuration, m_accelerator) > enough) return true;
    // New degrees need placements and their traffic; with known ones estimateStep() stops as early.
    return !m_priced.contains(degreesOf(configuration.plan)) &&
           stepSecondsWithoutCommunication(m_question.model, configuration, m_accelerator) > enough;
  }

  bool isCancelled() {
    if (!m_stop.stop_requested()) return false;
    m_error = cancelledError();
    return true;
  }

  bool price(const TrainingFramework& framework, const TrainingConfiguration& configuration,
             const TrainingMemory& memory) {
    if (isCancelled()) return false;
    auto found = m_priced.find(degreesOf(configuration.plan));
    if (found == m_priced.end()) {
      auto placements = m_placements(framework, configuration, m_stop);
      if (!placements.ok()) {
        m_error = placements.error();
        return false;
      }
      found = m_priced.emplace(degreesOf(configuration.plan), std::move(placements.value())).first;
    }
    if (found->second.empty()) ++m_answer.broken["an order of the framework places the axes on the system"];
    m_answer.considered += std::max<std::int64_t>(1, static_cast<std::int64_t>(found->second.size())) - 1;
    for (const PricedPlacement& placement : found->second) {
      if (isCancelled()) return false;
      auto estimate = estimateStep(m_question.model, configuration, m_accelerator, *placement.prices,
                                   trainingConstants(), enoughSeconds());
      if (!estimate.ok()) {
        m_error = estimate.error();
        return false;
      }
      keep({&framework,
            configuration,
            placement.axes,
            placement.matrix,
            placement.orders,
            calibrated(estimate.value(), m_question.calibration),
            memory,
            {}});
    }
    return true;
  }

  /// The faster one first; of equal ones the one that needs less memory.
  static bool isBetter(const PlannedConfiguration& a, const PlannedConfiguration& b) {
    if (a.estimate.seconds != b.estimate.seconds) return a.estimate.seconds < b.estimate.seconds;
    return a.memory.total() < b.memory.total();
  }

  static bool sameDegrees(const PlannedConfiguration& a, const PlannedConfiguration& b) {
    const TrainingPlan& one = a.configuration.plan;
    const TrainingPlan& other = b.configuration.plan;
    return a.framework == b.framework && one.zero == other.zero && one.tensor == other.tensor &&
           one.context == other.context && one.pipeline == other.pipeline && one.expert == other.expert &&
           one.expertTensor == other.expertTensor && one.replicas == other.replicas &&
           one.sequenceParallel == other.sequenceParallel;
  }

  void keep(PlannedConfiguration made) {
    auto& kept = m_answer.configurations;
    const std::size_t most = std::max<std::size_t>(1, m_question.best);
    if (kept.size() >= most && !isBetter(made, kept.back())) return;
    if (!m_question.everyVariant) {
      const auto same =
          std::find_if(kept.begin(), kept.end(), [&](const auto& each) { return sameDegrees(each, made); });
      if (same != kept.end() && !isBetter(made, *same)) return;
      if (same != kept.end()) kept.erase(same);
    }
    kept.insert(std::upper_bound(kept.begin(), kept.end(), made, isBetter), std::move(made));
    if (kept.size() > most) kept.pop_back();
  }

  void findTies() {
    auto& kept = m_answer.configurations;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t j = 0; j < kept.size(); ++j) {
        if (i != j && areTied(kept[i].estimate, kept[j].estimate)) kept[i].tiesWith.push_back(j);
      }
    }
  }

  /// Why no configuration is left: the least memory and the devices that would do, or the rule that excludes most.
  [[nodiscard]] Error nothingFits() const {
    if (m_answer.tooLarge > 0) {
      const double devices = static_cast<double>(m_question.system.deviceCount());
      const double room = m_accelerator.memory - m_answer.reserve;
      const auto least = static_cast<std::int64_t>(std::ceil(devices * m_answer.leastMemory / room));
      return Error{"no configuration fits: the smallest needs " + formatBytes(bytesOf(m_answer.leastMemory)) +
                       " of a device, which has " + formatBytes(bytesOf(m_accelerator.memory)) + " with " +
                       formatBytes(bytesOf(m_answer.reserve)) + " kept free; some " + std::to_string(least) +
                       " such devices would do",
                   {},
                   ErrorKind::TooLarge}
          .about(kNothingFits);
    }
    std::string most;
    std::int64_t count = 0;
    for (const auto& [rule, times] : m_answer.broken) {
      if (times > count) std::tie(most, count) = std::pair(rule, times);
    }
    return Error{"no configuration is left" +
                 (most.empty() ? std::string() : "; most are excluded by the rule \"" + most + "\"") +
                 "; change the batch, the fixed degrees or the framework"};
  }

  const TrainingQuestion& m_question;
  TrainingAccelerator m_accelerator;
  const PlacementPricer& m_placements;
  std::stop_token m_stop;
  const Progress& m_progress;
  TrainingAnswer m_answer;
  std::map<Degrees, std::vector<PricedPlacement>> m_priced;
  std::int64_t m_visited = 0;
  std::int64_t m_total = 1;  ///< configurations of all frameworks, for progress
  std::optional<Error> m_error;
};

}  // namespace

TrainingConfiguration withExpertLoad(const TrainingQuestion& question, TrainingConfiguration configuration) {
  if (question.model.experts == 0 || question.expertLoad.shares.empty()) return configuration;
  // Capacity pads the buffers of experts: a device never has less to do than its even part.
  configuration.expertImbalance =
      std::max(1.0, fullestLoad(question.expertLoad, question.model.experts, configuration.plan.expert));
  return configuration;
}

// Proof. estimateStep() adds up parts that are never negative, among them, in the mean of all devices,
// (1) the products of the model: Kernels::seconds() divides their FLOP by peak · efficiency and multiplies by factors
// of at
//     least 1 (waves, depth, alignment, clock); grouped products are slower still;
// (2) attention: forward FLOP over its share of the peak, and 2.5 times as many over that share times AttentionBack;
//     modelFlop() counts twice the forward ones for the backward pass. Unfused it is a product without the half that
//     causality saves.
// Both take at least FLOP / (highest peak · highest efficiency). With full recomputation the forward third of
// everything but the head is added. The schedule: with stages of the same layers the last one has the mean of the
// others and the head on top; the first microbatch comes forward through p − 1 stages before it begins, and the last
// one goes back through them: m slots of the last stage and (p − 1) / v slots of the others.
double stepLowerBound(const ModelShape& model, const TrainingConfiguration& configuration,
                      const TrainingAccelerator& accelerator) {
  const TrainingPlan& plan = configuration.plan;
  const TrainingConstants& constants = trainingConstants();
  const StepConstants values(constants, constants.numbersFor(accelerator.generation, configuration));
  const double attention = values[StepConstant::Attention];
  const double efficiency = std::max({values[StepConstant::Products], values[StepConstant::HeadProducts], attention,
                                      attention * values[StepConstant::AttentionBack] * 2 / 2.5});
  const double peak = std::max(peakOf(accelerator, configuration.precision), accelerator.bf16);
  const auto devices = static_cast<double>(devicesOf(plan));
  const double ideal = modelFlop(model, configuration) / (devices * peak * std::min(1.0, efficiency));
  const bool again = configuration.recomputation == RecomputeKind::Full && configuration.recomputedLayers == 0;
  // Attention only adds to the share of everything but the head.
  const double head = static_cast<double>(model.hidden) * static_cast<double>(model.vocabulary);
  const auto products = static_cast<double>(activeParameters(model) - embeddingParameters(model));
  const double body = std::max(0.0, 1 - head / products);
  double bound = ideal * (again ? 1 + body / 3 : 1);
  const bool fills = configuration.schedule == ScheduleKind::OneF1B || configuration.schedule == ScheduleKind::GPipe;
  const bool same = configuration.layersPerStage.empty() && model.layers % (plan.pipeline * plan.chunks) == 0 &&
                    (model.experts == 0 || model.denseLayers == 0);
  if (fills && same) {
    const double slots = static_cast<double>(plan.chunks) * static_cast<double>(plan.microbatches);
    bound *= 1 + body * static_cast<double>(plan.pipeline - 1) / slots;
  }
  return bound;
}

std::string launchTextOf(const ModelShape& model, const System& system, const PlannedConfiguration& planned) {
  constexpr std::pair<std::string_view, LaunchAxis> kNames[] = {
      {kPipelineAxis, LaunchAxis::Pipeline},   {kReplicaAxis, LaunchAxis::Replica},
      {kDataAxis, LaunchAxis::Data},           {kContextAxis, LaunchAxis::Context},
      {kContextRingAxis, LaunchAxis::Context}, {kTensorAxis, LaunchAxis::Tensor},
      {kExpertAxis, LaunchAxis::Expert},       {kExpertDataAxis, LaunchAxis::Data},
      {kExpertTensorAxis, LaunchAxis::Tensor}};
  std::array<std::int64_t, kLaunchAxes> inside;
  inside.fill(1);
  for (std::size_t axis = 0; axis < planned.axes.size(); ++axis) {
    for (const auto& [name, launched] : kNames) {
      if (planned.axes[axis].name != name) continue;
      for (std::size_t level = nodeDepth(system); level < planned.matrix.columns(); ++level) {
        inside[static_cast<std::size_t>(launched)] *= planned.matrix.at(axis, level);
      }
    }
  }
  const std::string_view order = planned.orders.empty() ? std::string_view() : std::string_view(planned.orders.front());
  return planned.framework->launchText({model, planned.configuration, order, inside});
}

bool areTied(const StepEstimate& a, const StepEstimate& b) {
  double variance = squared(kRunNoise * std::min(a.seconds, b.seconds));
  const auto add = [&](double first, double second) { variance += squared(kPartError * (first - second)); };
  add(a.parts.compute + a.parts.inefficiency, b.parts.compute + b.parts.inefficiency);
  add(a.parts.recompute, b.parts.recompute);
  add(a.parts.bubble, b.parts.bubble);
  add(a.parts.imbalance, b.parts.imbalance);
  add(a.parts.optimizer, b.parts.optimizer);
  add(a.parts.host, b.parts.host);
  for (std::size_t axis = 0; axis < a.parts.exposed.size(); ++axis) add(a.parts.exposed[axis], b.parts.exposed[axis]);
  return squared(a.seconds - b.seconds) <= variance;
}

Result<TrainingAnswer> planTraining(const TrainingQuestion& question, const PlacementPricer& placements,
                                    std::stop_token stop, const Progress& progress) {
  P2_TRY(checkModel(question.model));
  if (question.batch < 1) return Error{"a step needs a batch of at least one sequence", "batch"};
  if (question.frameworks.empty()) return Error{"no framework is given; use any for all", "framework"};
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(question.system));
  return Planner(question, std::move(accelerator), placements, std::move(stop), progress).run();
}

}  // namespace p2::inline training
