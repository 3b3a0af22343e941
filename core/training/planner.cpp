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
          std::stop_token stop, const Progress& progress, const PlacementPricer& rankFiles)
      : m_question(question),
        m_accelerator(std::move(accelerator)),
        m_placements(placements),
        m_rankFiles(rankFiles),
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
      m_constants.reset();
      undivided += space.forEachWithLayouts([&](const auto& each, const auto& layouts) {
        return consider(*framework, withExpertLoad(m_question, each), layouts);
      });
      if (m_error) return *m_error;
    }
    if (!priceWithRankFiles()) return *m_error;
    if (undivided > 0) m_answer.broken["batch divides by microbatch and dp"] += undivided;
    m_answer.considered += undivided;
    if (m_answer.configurations.empty()) return nothingFits();
    m_answer.leastMemory = 0;
    if (!m_question.everyVariant) putSimplerFirst(m_answer.configurations);
    findTies(m_answer.configurations);
    findTies(m_answer.large);
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
      (void)spaceOf(*framework).forEachWithLayouts([&](const auto&, const auto&) {
        ++total;
        return !m_stop.stop_requested();
      });
    }
    m_total = std::max<std::int64_t>(1, total);
  }

  using Degrees = std::tuple<const TrainingFramework*, std::int64_t, std::int64_t, ContextCollective, std::int64_t,
                             std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  static Degrees degreesOf(const TrainingFramework& framework, const TrainingPlan& plan) {
    return {&framework,        plan.tensor,   plan.context, plan.contextCollective, plan.pipeline, plan.expert,
            plan.expertTensor, plan.replicas, plan.data};
  }

  /// A layout of a configuration, with its figures before communication.
  struct Candidate {
    TrainingConfiguration configuration;
    TrainingMemory memory;
    double atLeast = 0;
    std::optional<StepEstimate> ordered;  ///< on the best placement by an order of the framework, as far as it matters
  };
  /// Layouts of one configuration for which a rank file may be worth its while.
  struct Awaiting {
    const TrainingFramework* framework = nullptr;
    std::vector<Candidate> layouts;
    bool large = false;
  };

  /// False stops the search.
  bool consider(const TrainingFramework& framework, const TrainingConfiguration& configuration,
                const std::vector<StageLayout>& layouts) {
    if (++m_visited % kRound == 0) {
      if (isCancelled()) return false;
      if (m_progress) m_progress(static_cast<double>(m_visited) / static_cast<double>(m_total));
    }
    const auto count = static_cast<std::int64_t>(layouts.size());
    m_answer.considered += count;
    Candidate each{configuration, {}, 0, {}};
    each.configuration.layersPerStage = layouts.front();
    if (const FrameworkRule* rule = brokenRule(framework, m_question.model, each.configuration)) {
      m_answer.broken[std::string(rule->name)] += count;
      return true;
    }
    if (isHopeless(framework, configuration)) return true;
    std::vector<Candidate> fitting;
    std::vector<Candidate> large;
    for (const StageLayout& layout : layouts) {
      each.configuration.layersPerStage = layout;
      each.memory = peakMemory(m_question.model, each.configuration);
      const double total = each.memory.total();
      const bool fits = total + m_answer.reserve <= m_accelerator.memory;
      if (!fits) {
        ++m_answer.tooLarge;
        if (m_answer.leastMemory == 0 || total < m_answer.leastMemory) m_answer.leastMemory = total;
      }
      if (fits) fitting.push_back(each);
      if (!fits && m_question.listsLarge) large.push_back(each);
    }
    return price(framework, std::move(fitting), m_answer.configurations) &&
           price(framework, std::move(large), m_answer.large);
  }

  using Listing = std::vector<PlannedConfiguration>;

  /// Whether no layout and no placement of a configuration can be listed, even if it fits.
  [[nodiscard]] bool isHopeless(const TrainingFramework& framework, const TrainingConfiguration& configuration) {
    double enough = enoughSeconds(framework, configuration, m_answer.configurations);
    if (m_question.listsLarge) enough = std::max(enough, enoughSeconds(framework, configuration, m_answer.large));
    return std::isfinite(enough) && lowerBound(configuration, constants(configuration)) > enough;
  }

  /// Seconds above which a step cannot be listed.
  [[nodiscard]] double enoughSeconds(const TrainingFramework& framework, const TrainingConfiguration& configuration,
                                     const Listing& kept) const {
    double enough = std::numeric_limits<double>::infinity();
    if (m_question.exhaustive) return enough;
    if (kept.size() >= std::max<std::size_t>(1, m_question.best)) enough = kept.back().listedSeconds;
    // Only the best of equal degrees is listed.
    if (!m_question.everyVariant) {
      for (const PlannedConfiguration& each : kept) {
        if (sameDegrees(each, framework, configuration.plan)) enough = std::min(enough, each.listedSeconds);
      }
    }
    // A step takes at least this share of its prediction.
    return enough / leastFactor(m_question.calibration);
  }

  /// The constants of the framework's configurations: they differ by nothing that constants depend on.
  const StepConstants& constants(const TrainingConfiguration& configuration) {
    if (!m_constants) {
      m_constants = constantsFor(withKnownNumbers(configuration, m_accelerator), m_accelerator);
    }
    return *m_constants;
  }

  bool isCancelled() {
    if (!m_stop.stop_requested()) return false;
    m_error = cancelledError();
    return true;
  }

  /// Placements by degrees, found once.
  const std::vector<PricedPlacement>* placed(const TrainingFramework& framework,
                                             const TrainingConfiguration& configuration, const PlacementPricer& pricer,
                                             std::map<Degrees, std::vector<PricedPlacement>>& known) {
    auto found = known.find(degreesOf(framework, configuration.plan));
    if (found == known.end()) {
      auto placements = pricer(framework, configuration, m_stop);
      if (!placements.ok()) {
        m_error = placements.error();
        return nullptr;
      }
      found = known.emplace(degreesOf(framework, configuration.plan), std::move(placements.value())).first;
    }
    return &found->second;
  }

  /// Lists the layouts of one configuration on its placements. Those that no placement makes fast enough are left out.
  bool price(const TrainingFramework& framework, std::vector<Candidate> layouts, Listing& kept) {
    if (layouts.empty()) return true;
    const TrainingConfiguration& configuration = layouts.front().configuration;
    const StepConstants& values = constants(configuration);
    const double enough = enoughSeconds(framework, configuration, kept);
    LayoutPricer pricer(m_question.model, configuration, m_accelerator, values);
    for (Candidate& each : layouts) {
      pricer.setLayout(each.configuration.layersPerStage);
      each.atLeast = pricer.secondsAtLeast();
    }
    std::erase_if(layouts, [&](const Candidate& each) { return each.atLeast > enough; });
    if (layouts.empty()) return true;
    std::sort(layouts.begin(), layouts.end(), [](const auto& a, const auto& b) { return a.atLeast < b.atLeast; });
    if (isCancelled()) return false;
    const auto* placements = placed(framework, configuration, m_placements, m_priced);
    if (placements == nullptr) return false;
    const bool takesRankFile = m_rankFiles && !framework.rankFile.empty();
    if (placements->empty() && !takesRankFile) {
      m_answer.broken["an order of the framework places the axes on the system"] +=
          static_cast<std::int64_t>(layouts.size());
    }
    m_answer.considered += (std::max<std::int64_t>(1, static_cast<std::int64_t>(placements->size())) - 1) *
                           static_cast<std::int64_t>(layouts.size());
    for (const PricedPlacement& placement : *placements) {
      // Traffic costs most to find.
      if (isTooSlow(framework, placement, pricer, layouts, kept)) continue;
      pricer.setPrices(*placement.prices);
      for (Candidate& each : layouts) {
        if (isCancelled()) return false;
        pricer.setLayout(each.configuration.layersPerStage);
        const StepEstimate estimate =
            calibrated(pricer.estimate(enoughSeconds(framework, each.configuration, kept)), m_question.calibration);
        if (!each.ordered || estimate.seconds < each.ordered->seconds) each.ordered = estimate;
        keep(planned(framework, each, placement, estimate, estimate.seconds), kept);
      }
    }
    if (takesRankFile) awaitRankFile(framework, std::move(layouts), pricer, *placements, kept);
    return true;
  }

  /// Puts rank files off: most of them cannot be listed in the end.
  void awaitRankFile(const TrainingFramework& framework, std::vector<Candidate> layouts, LayoutPricer& pricer,
                     const std::vector<PricedPlacement>& placements, const Listing& kept) {
    for (const PricedPlacement& placement : placements) {
      const InnermostCommunication least(*placement.prices);
      pricer.setPrices(least);
      for (Candidate& each : layouts) {
        pricer.setLayout(each.configuration.layersPerStage);
        each.atLeast = std::max(each.atLeast, pricer.secondsAtLeast());
      }
    }
    const double enough = enoughSeconds(framework, layouts.front().configuration, kept);
    std::erase_if(layouts, [&](const Candidate& each) { return each.atLeast > enough || !mayGain(each); });
    if (layouts.empty()) return;
    m_awaiting.push_back({&framework, std::move(layouts), &kept == &m_answer.large});
  }

  bool priceWithRankFiles() {
    std::sort(m_awaiting.begin(), m_awaiting.end(), [](const Awaiting& a, const Awaiting& b) {
      return a.layouts.front().atLeast < b.layouts.front().atLeast;
    });
    for (Awaiting& each : m_awaiting) {
      if (isCancelled()) return false;
      Listing& kept = each.large ? m_answer.large : m_answer.configurations;
      const TrainingConfiguration configuration = each.layouts.front().configuration;
      m_constants.reset();
      LayoutPricer pricer(m_question.model, configuration, m_accelerator, constants(configuration));
      const auto* ordered = placed(*each.framework, configuration, m_placements, m_priced);
      if (ordered == nullptr || !priceWithRankFile(*each.framework, each.layouts, pricer, *ordered, kept)) return false;
    }
    return true;
  }

  /// Whether a placement makes no layout fast enough, by bounds of its communication.
  [[nodiscard]] bool isTooSlow(const TrainingFramework& framework, const PricedPlacement& placement,
                               LayoutPricer& pricer, const std::vector<Candidate>& layouts, const Listing& kept) const {
    const double enough = enoughSeconds(framework, layouts.front().configuration, kept);
    if (!std::isfinite(enough)) return false;
    const LeastCommunication least(*placement.prices);
    pricer.setPrices(least);
    return std::all_of(layouts.begin(), layouts.end(), [&](const Candidate& each) {
      pricer.setLayout(each.configuration.layersPerStage);
      return pricer.secondsAtLeast() > enough;
    });
  }

  static PlannedConfiguration planned(const TrainingFramework& framework, const Candidate& each,
                                      const PricedPlacement& placement, const StepEstimate& estimate, double listed) {
    return {
        &framework, each.configuration, placement.axes, placement.matrix, placement.orders, estimate, each.memory, {},
        listed};
  }

  /// Whether a rank file may gain more than a tie. A step of at least `atLeast` seconds is tied with one that takes no
  /// more than the noise of a run longer.
  [[nodiscard]] bool mayGain(const Candidate& each) const {
    if (!each.ordered || m_question.everyVariant || m_question.exhaustive) return true;
    const double least = each.atLeast * leastFactor(m_question.calibration);
    return each.ordered->seconds - least > kRunNoise * least;
  }

  bool priceWithRankFile(const TrainingFramework& framework, std::vector<Candidate>& layouts, LayoutPricer& pricer,
                         const std::vector<PricedPlacement>& ordered, Listing& kept) {
    const double enough = enoughSeconds(framework, layouts.front().configuration, kept);
    std::erase_if(layouts, [&](const Candidate& each) { return each.atLeast > enough; });
    if (layouts.empty()) return true;
    const auto* placements = placed(framework, layouts.front().configuration, m_rankFiles, m_withRankFile);
    if (placements == nullptr) return false;
    for (Candidate& each : layouts) completeOrdered(each, pricer, ordered);
    for (const PricedPlacement& placement : *placements) {
      ++m_answer.considered;
      if (isTooSlow(framework, placement, pricer, layouts, kept)) continue;
      pricer.setPrices(*placement.prices);
      for (const Candidate& each : layouts) {
        if (isCancelled()) return false;
        pricer.setLayout(each.configuration.layersPerStage);
        const StepEstimate estimate =
            calibrated(pricer.estimate(enoughSeconds(framework, each.configuration, kept)), m_question.calibration);
        const bool tied = each.ordered && areTied(estimate, *each.ordered);
        const double listed = tied ? std::max(estimate.seconds, each.ordered->seconds) : estimate.seconds;
        keep(planned(framework, each, placement, estimate, listed), kept);
      }
    }
    return true;
  }

  /// The whole estimate on the framework's own orders, where it was left off because it could not be listed.
  void completeOrdered(Candidate& each, LayoutPricer& pricer, const std::vector<PricedPlacement>& ordered) {
    each.ordered.reset();
    for (const PricedPlacement& placement : ordered) {
      pricer.setPrices(*placement.prices);
      pricer.setLayout(each.configuration.layersPerStage);
      const StepEstimate estimate =
          calibrated(pricer.estimate(std::numeric_limits<double>::infinity()), m_question.calibration);
      if (!each.ordered || estimate.seconds < each.ordered->seconds) each.ordered = estimate;
    }
  }

  /// stepLowerBound(), also where the layout is not known yet.
  [[nodiscard]] double lowerBound(const TrainingConfiguration& configuration, const StepConstants& values) const {
    TrainingConfiguration any = configuration;
    any.layersPerStage.clear();
    return stepLowerBound(m_question.model, any, m_accelerator, values, true);
  }

  /// The faster one first; of equal ones that which needs no rank file, then the one that needs less memory.
  static bool isBetter(const PlannedConfiguration& a, const PlannedConfiguration& b) {
    const auto rank = [](const PlannedConfiguration& each) {
      return std::tuple(each.listedSeconds, each.needsRankFile(), each.estimate.seconds, each.memory.total());
    };
    return rank(a) < rank(b);
  }

  static bool sameDegrees(const PlannedConfiguration& a, const TrainingFramework& framework,
                          const TrainingPlan& other) {
    const TrainingPlan& one = a.configuration.plan;
    return a.framework == &framework && one.zero == other.zero && one.tensor == other.tensor &&
           one.context == other.context && one.pipeline == other.pipeline && one.expert == other.expert &&
           one.expertTensor == other.expertTensor && one.replicas == other.replicas &&
           one.sequenceParallel == other.sequenceParallel;
  }

  void keep(PlannedConfiguration made, Listing& kept) const {
    const std::size_t most = std::max<std::size_t>(1, m_question.best);
    if (kept.size() >= most && !isBetter(made, kept.back())) return;
    if (!m_question.everyVariant) {
      const auto same = std::find_if(kept.begin(), kept.end(), [&](const auto& each) {
        return sameDegrees(each, *made.framework, made.configuration.plan);
      });
      if (same != kept.end() && !isBetter(made, *same)) return;
      if (same != kept.end()) kept.erase(same);
    }
    kept.insert(std::upper_bound(kept.begin(), kept.end(), made, isBetter), std::move(made));
    if (kept.size() > most) kept.pop_back();
  }

  /// Of plans that are tied, one by an order of the framework comes before those with a rank file.
  static void putSimplerFirst(Listing& kept) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i].needsRankFile()) continue;
      const auto at = kept.begin() + static_cast<std::ptrdiff_t>(i);
      const auto simpler = std::find_if(at, kept.end(), [&](const PlannedConfiguration& each) {
        return !each.needsRankFile() && areTied(each.estimate, kept[i].estimate);
      });
      if (simpler != kept.end()) std::rotate(at, simpler, simpler + 1);
    }
  }

  static void findTies(Listing& kept) {
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
  const PlacementPricer& m_rankFiles;
  std::stop_token m_stop;
  const Progress& m_progress;
  TrainingAnswer m_answer;
  std::map<Degrees, std::vector<PricedPlacement>> m_priced;
  std::map<Degrees, std::vector<PricedPlacement>> m_withRankFile;
  std::vector<Awaiting> m_awaiting;
  std::optional<StepConstants> m_constants;  ///< the constants for this framework
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
// everything but the head is added.
// (3) The schedule of GPipe and 1F1B. Stage s, with t_s seconds of a microbatch in all its chunks, begins when the
// first microbatch has come forward through the first chunks of the stages before it, and these take the last one back
// after it. Where all chunks have the same layers, the last stage has the mean of the others and the head on top: m
// slots of the last stage and (p − 1) / v slots of the others. Where the layout is not known and a stage has one chunk,
// with W the sum of all t_s and T the time of the schedule, m·t_s + Σ t_i (i < s) ≤ T for every s. By induction Σ t_i
// (i ≤ s) ≤ T·(1 − (1 − 1/m)^(s+1)): what stage s adds is at most 1/m of what T leaves. So T ≥ W / (1 − (1 − 1/m)^p),
// which is more than the m·W/p of a schedule without bubble.
double stepLowerBound(const ModelShape& model, const TrainingConfiguration& configuration,
                      const TrainingAccelerator& accelerator, const StepConstants& values, bool anyLayout) {
  const TrainingPlan& plan = configuration.plan;
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
  const double bound = ideal * (again ? 1 + body / 3 : 1);
  const bool fills = configuration.schedule == ScheduleKind::OneF1B || configuration.schedule == ScheduleKind::GPipe;
  if (!fills || plan.pipeline == 1) return bound;
  const auto stages = static_cast<double>(plan.pipeline);
  const auto microbatches = static_cast<double>(plan.microbatches);
  if (anyLayout) {
    if (plan.chunks > 1) return bound;
    return bound * stages / microbatches / (1 - std::pow(1 - 1 / microbatches, stages));
  }
  const bool same = configuration.layersPerStage.empty() && model.layers % (plan.pipeline * plan.chunks) == 0 &&
                    (model.experts == 0 || model.denseLayers == 0);
  if (!same) return bound;
  return bound * (1 + body * (stages - 1) / (static_cast<double>(plan.chunks) * microbatches));
}

double stepLowerBound(const ModelShape& model, const TrainingConfiguration& configuration,
                      const TrainingAccelerator& accelerator) {
  return stepLowerBound(model, configuration, accelerator, constantsFor(configuration, accelerator), false);
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
                                    std::stop_token stop, const Progress& progress, const PlacementPricer& rankFiles) {
  P2_TRY(checkModel(question.model));
  if (question.batch < 1) return Error{"a step needs a batch of at least one sequence", "batch"};
  if (question.frameworks.empty()) return Error{"no framework is given; use any for all", "framework"};
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(question.system));
  return Planner(question, std::move(accelerator), placements, std::move(stop), progress, rankFiles).run();
}

}  // namespace p2::inline training
