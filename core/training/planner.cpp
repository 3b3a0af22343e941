// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/planner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/units.h"
#include "strategy/step_memory.h"
#include "training/detail/memory_stages.h"
#include "training/detail/placement_bound.h"
#include "training/detail/placement_search.h"
#include "training/detail/state_memory.h"

namespace p2::inline training {
namespace {

/// Configurations between two checks of stop token and progress; each takes microseconds unless it is priced.
constexpr std::int64_t kRound = 64;

Bytes bytesOf(double value) { return Bytes(static_cast<std::int64_t>(value)); }

/// Walks the configurations of one question, excludes those that the frameworks or the memory forbid, and hands the
/// others on to their placements.
class Planner {
 public:
  Planner(const TrainingQuestion& question, TrainingAccelerator accelerator, const PlacementPricer& placements,
          std::stop_token stop, const Progress& progress, const PlacementPricer& rankFiles)
      : m_question(question),
        m_accelerator(std::move(accelerator)),
        m_nodes(nodeLinksOf(question.system)),
        m_stop(stop),
        m_progress(progress),
        m_large(question.best, question.everyVariant),
        m_smallest(question.best),
        m_stages(question.model),
        m_search(question, m_accelerator, placements, rankFiles, std::move(stop), m_answer) {
    m_answer.memory = m_accelerator.memory;
    if (question.model.experts > 0) {
      m_answer.droppedTokens = droppedShare(question.expertLoad, question.model.experts);
      m_isUneven = !question.expertLoad.shares.empty();
    }
    m_answer.reserve = question.reserve > 0 ? question.reserve : defaultMemoryReserve(m_accelerator.memory);
    m_fitting = PlannerListings(question, m_answer.memory, m_answer.reserve);
  }

  Result<TrainingAnswer> run() {
    std::int64_t undivided = 0;
    if (m_progress) countAll();
    if (!m_question.exhaustive && !limitBySimplest()) return *m_search.error();
    for (const TrainingFramework* framework : m_question.frameworks) {
      undivided += spaceOf(*framework).forEachWithLayouts([&](const auto& each, const auto& layouts, const auto& of) {
        return consider(*framework, each, layouts, of);
      });
      if (m_search.error()) return *m_search.error();
      if (m_progress) m_earlierPlaces += spaceOf(*framework).countPlaces();
    }
    for (const auto& [rule, count] : m_broken) m_answer.broken[std::string(rule->name)] += count;
    if (!m_search.priceWithRankFiles()) return *m_search.error();
    if (undivided > 0) m_answer.broken["batch divides by microbatch and dp"] += undivided;
    m_answer.considered += undivided;
    if (m_fitting.empty()) {
      const Error problem = nothingFits();
      if (!m_question.listsLarge || problem.kind != ErrorKind::TooLarge) return problem;
      m_answer.problem = problem.message;
      if (!listSmallest()) return *m_search.error();
      return std::move(m_answer);
    }
    m_answer.leastMemory = 0;
    m_answer.configurations = m_fitting.take();
    m_answer.filtered = m_fitting.takeFiltered();
    m_answer.large = m_large.take();
    return std::move(m_answer);
  }

 private:
  [[nodiscard]] SearchSpace spaceOf(const TrainingFramework& framework) const {
    return spaceOf(framework, m_question.fixed);
  }
  [[nodiscard]] SearchSpace spaceOf(const TrainingFramework& framework, const FixedChoices& fixed) const {
    return {m_question.model,
            m_question.system.deviceCount(),
            m_question.batch,
            m_question.sequence,
            m_question.precision,
            framework,
            fixed,
            &m_accelerator,
            m_question.everyVariant};
  }

  /// Prices the configurations of every degree with the smallest microbatch and whole stages first: few, whose
  /// times the others must beat. The whole search meets them again. False: the search has an error.
  bool limitBySimplest() {
    FixedChoices simplest = m_question.fixed;
    if (!simplest.microbatch) simplest.microbatch = 1;
    if (!simplest.chunks && !simplest.layout) simplest.chunks = 1;
    PlannerListings listing(m_question, m_answer.memory, m_answer.reserve);
    m_limits = &listing;
    for (const TrainingFramework* framework : m_question.frameworks) {
      (void)spaceOf(*framework, simplest)
          .forEachWithLayouts([&](const auto& each, const auto& layouts, const auto& of) {
            return consider(*framework, each, layouts, of);
          });
      if (m_search.error()) return false;
    }
    m_limits = nullptr;
    m_fitting.limitBy(listing);
    m_answer.considered = m_answer.tooSlow = m_answer.tooLarge = 0;
    m_answer.broken.clear();
    m_broken.clear();
    m_answer.leastMemory = 0;
    return true;
  }

  void countAll() {
    std::int64_t total = 0;
    for (const TrainingFramework* framework : m_question.frameworks) total += spaceOf(*framework).countPlaces();
    m_total = std::max<std::int64_t>(1, total);
  }

  WalkNext consider(const TrainingFramework& framework, const TrainingConfiguration& visited,
                    const std::vector<StageLayout>& layouts, const RecomputationVisit& of) {
    if (!goOn(of)) return WalkNext::Stop;
    const auto count = static_cast<std::int64_t>(layouts.size());
    m_answer.considered += count;
    if (m_isUneven) m_loaded = withExpertLoad(m_question, visited);
    const TrainingConfiguration& configuration = m_isUneven ? m_loaded : visited;
    if (!of.again) m_plain = {configuration.recomputation == RecomputeKind::None, {}};
    if (const FrameworkRule* rule = brokenRule(framework, m_question.model, configuration)) {
      return leaveOut(m_broken[rule], count, of);
    }
    const double states = leastStates(m_question.model, configuration);
    if (states >= memoryToIgnore()) return leaveOut(m_answer.tooLarge, count, of);
    FrameworkCosts& costs = m_search.costs(framework, configuration);
    const LeastOnAnyPlacement least = leastOf(configuration);
    LayoutPricer pricer(m_question.model, configuration, m_accelerator, costs.constants, costs.counts.of(configuration),
                        least);
    if (isHopeless(framework, configuration.plan, pricer, states)) return leaveOut(m_answer.tooSlow, count, of);
    std::vector<PlanCandidate> fitting;
    std::vector<PlanCandidate> large;
    sortByMemory(framework, configuration, layouts, of.again, fitting, large);
    if (m_limits != nullptr) return onIf(m_search.price(framework, pricer, std::move(fitting), *m_limits, false));
    if (!m_search.price(framework, pricer, std::move(fitting), m_fitting)) return WalkNext::Stop;
    if (large.empty()) return WalkNext::On;
    pricer.setPrices(least);
    return onIf(m_search.price(framework, pricer, std::move(large), m_large));
  }

  static WalkNext onIf(bool goes) { return goes ? WalkNext::On : WalkNext::Stop; }

  /// Counts a visit. False: the search is cancelled.
  bool goOn(const RecomputationVisit& of) {
    if (++m_visits % kRound != 0) return true;
    if (m_search.isCancelled()) return false;
    if (m_progress && m_limits == nullptr) {
      m_progress(static_cast<double>(m_earlierPlaces + of.place) / static_cast<double>(m_total));
    }
    return true;
  }

  /// The memory in bytes above which a configuration is excluded without its exact figure: it does not fit and is not
  /// listed, and a smaller one that does not fit is known.
  [[nodiscard]] double memoryToIgnore() const {
    if (m_question.listsLarge || m_answer.leastMemory == 0) return std::numeric_limits<double>::infinity();
    return m_answer.leastMemory;
  }

  /// Counts the layouts of an excluded configuration and of its recomputations, which break the same rule, have the
  /// same states and are slower.
  WalkNext leaveOut(std::int64_t& reason, std::int64_t layouts, const RecomputationVisit& of) {
    reason += layouts;
    if (of.again || !m_plain.isKnown) return WalkNext::On;
    reason += of.after * layouts;
    m_answer.considered += of.after * layouts;
    return WalkNext::PastRecomputations;
  }

  [[nodiscard]] LeastOnAnyPlacement leastOf(const TrainingConfiguration& configuration) {
    return {m_nodes, configuration.plan, routingOf(m_question.model, configuration.dispatch), &m_reached};
  }

  void sortByMemory(const TrainingFramework& framework, const TrainingConfiguration& configuration,
                    const std::vector<StageLayout>& layouts, bool again, std::vector<PlanCandidate>& fitting,
                    std::vector<PlanCandidate>& large) {
    if (!again) m_plain.fits.assign(layouts.size(), false);
    const bool compares = again && m_plain.isKnown && neverFasterRecomputed(configuration);
    if (compares && std::find(m_plain.fits.begin(), m_plain.fits.end(), false) == m_plain.fits.end()) {
      m_answer.tooSlow += static_cast<std::int64_t>(layouts.size());
      return;
    }
    const std::vector<TrainingMemory> memory =
        peakMemories(m_question.model, configuration, layouts, m_stages, memoryToIgnore());
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      if (compares && m_plain.fits[i]) {
        ++m_answer.tooSlow;
        continue;
      }
      const double total = memory[i].total();
      const bool fits = total + m_answer.reserve <= m_accelerator.memory;
      if (!again)
        m_plain.fits[i] = fits && (!m_question.listsFiltered || sparesTenth(total, m_answer.reserve, m_answer.memory));
      if (!fits) {
        ++m_answer.tooLarge;
        if (m_answer.leastMemory == 0 || total < m_answer.leastMemory) m_answer.leastMemory = total;
      }
      if (!fits && !m_question.listsLarge) continue;
      PlanCandidate& each = (fits ? fitting : large).emplace_back(PlanCandidate{configuration, memory[i], 0, {}});
      each.configuration.layersPerStage = layouts[i];
      if (!fits) m_smallest.keep(framework, each.configuration, each.memory);
    }
  }

  /// Whether recomputation only makes the step longer, so that it is worth trying where the memory asks for it alone.
  /// Proof. It adds to the backward passes of a schedule whose order is fixed, so that no pass begins earlier; parts
  /// that occur once do not change; an exposed gather of FSDP and the computation that hides it together grow with
  /// either. Zero-bubble schedules are played by priorities, and calibration weighs parts differently.
  [[nodiscard]] bool neverFasterRecomputed(const TrainingConfiguration& configuration) const {
    const bool fixedOrder =
        configuration.schedule == ScheduleKind::OneF1B || configuration.schedule == ScheduleKind::GPipe;
    return fixedOrder && m_question.calibration.runs == 0 && !m_question.everyVariant && !m_question.exhaustive;
  }

  /// Prices the smallest configurations as if they fitted. False: the search has an error.
  bool listSmallest() {
    for (const SmallestConfigurations::Small& each : m_smallest.all()) {
      PlannerListings alone(1, false);
      FrameworkCosts& costs = m_search.costs(*each.framework, each.configuration);
      const LeastOnAnyPlacement least = leastOf(each.configuration);
      LayoutPricer pricer(m_question.model, each.configuration, m_accelerator, costs.constants,
                          costs.counts.of(each.configuration), least);
      const PlanCandidate candidate{each.configuration, each.memory, 0, {}};
      if (!m_search.price(*each.framework, pricer, {candidate}, alone, false)) return false;
      for (PlannedConfiguration& planned : alone.take()) m_answer.large.push_back(std::move(planned));
    }
    return true;
  }

  /// Whether no layout and no placement of a configuration can be listed, even if it fits.
  /// `states`: bytes that it needs at least.
  [[nodiscard]] bool isHopeless(const TrainingFramework& framework, const TrainingPlan& plan,
                                const LayoutPricer& pricer, double states) const {
    double enough = m_search.enough(framework, plan, m_limits != nullptr ? *m_limits : m_fitting, states);
    if (m_limits == nullptr && m_question.listsLarge)
      enough = std::max(enough, m_search.enough(framework, plan, m_large));
    return std::isfinite(enough) && pricer.secondsOfAnyLayout() > enough;
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
    if (const std::string reason = undividedDegrees(m_question.fixed, m_question.system.deviceCount());
        !reason.empty()) {
      return Error{reason};
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
  NodeLinks m_nodes;
  ReachedNodes m_reached;
  std::stop_token m_stop;
  const Progress& m_progress;
  TrainingAnswer m_answer;
  PlannerListings m_fitting{1, false};
  PlannerListings m_large;            ///< configurations that do not fit
  SmallestConfigurations m_smallest;  ///< among configurations above the memory
  FullestStages m_stages;
  /// The last configuration without recomputation; those that differ only in it follow.
  struct Plain {
    bool isKnown = false;
    std::vector<bool> fits;  ///< by layout; with the room that a filter asks for
  };
  Plain m_plain;
  std::map<const FrameworkRule*, std::int64_t> m_broken;  ///< TrainingAnswer::broken of the rules
  bool m_isUneven = false;                                ///< whether some experts get more tokens than others
  TrainingConfiguration m_loaded;                         ///< the visited configuration with the load of its experts
  PlannerListings* m_limits = nullptr;                    ///< what limitBySimplest() lists, while it does
  PlacementSearch m_search;
  std::int64_t m_visits = 0;  ///< calls of consider()
  // For progress: choices of degrees and microbatch
  std::int64_t m_earlierPlaces = 0;  ///< of frameworks that are done
  std::int64_t m_total = 1;          ///< in all frameworks
};

}  // namespace

TrainingConfiguration withExpertLoad(const TrainingQuestion& question, TrainingConfiguration configuration) {
  if (question.model.experts == 0 || question.expertLoad.shares.empty()) return configuration;
  // Capacity pads the buffers of experts: a device never has less to do than its even part.
  configuration.expertImbalance =
      std::max(1.0, fullestLoad(question.expertLoad, question.model.experts, configuration.plan.expert));
  return configuration;
}

Result<TrainingAnswer> planTraining(const TrainingQuestion& question, const PlacementPricer& placements,
                                    std::stop_token stop, const Progress& progress, const PlacementPricer& rankFiles) {
  P2_TRY(checkModel(question.model));
  if (question.batch < 1) return Error{"a step needs a batch of at least one sequence", "batch"};
  if (question.frameworks.empty()) return Error{"no framework is given; use any for all", "framework"};
  P2_TRY_ASSIGN(auto accelerator, trainingAcceleratorOf(question.system));
  TrainingQuestion runnable = question;
  runnable.frameworks = frameworksOn(accelerator.platform, question.frameworks);
  if (runnable.frameworks.empty()) {
    P2_TRY(checkPlatform(*question.frameworks.front(), accelerator.platform).within("framework"));
  }
  return Planner(runnable, std::move(accelerator), placements, std::move(stop), progress, rankFiles).run();
}

}  // namespace p2::inline training
