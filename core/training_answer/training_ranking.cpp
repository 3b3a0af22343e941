// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/training_ranking.h"

#include <algorithm>

#include "base/near.h"

namespace p2::inline training_answer {
namespace {

/// Configurations between two checks of stop token and progress.
constexpr std::int64_t kRound = 64;

std::string degreesKey(const TrainingFramework& framework, const TrainingPlan& plan) {
  std::string key(framework.name);
  for (const std::int64_t degree :
       {plan.tensor, plan.context, plan.contextInner, static_cast<std::int64_t>(plan.contextCollective), plan.pipeline,
        plan.expert, plan.expertTensor, plan.replicas, plan.data}) {
    key += ' ' + std::to_string(degree);
  }
  return key;
}

/// Counts over all frameworks.
class Ranking {
 public:
  Ranking(double seconds, const TrainingFramework& framework, const TrainingQuestion& question,
          const TrainingAccelerator& accelerator, double reserve, PlacementCache& placements,
          const std::stop_token& stop, const Progress& progress)
      : m_seconds(seconds * (1 - kDisplayTolerance)),
        m_framework(framework),
        m_question(question),
        m_accelerator(accelerator),
        m_reserve(reserve),
        m_placements(placements),
        m_stop(stop),
        m_progress(progress) {}

  Result<TrainingRanks> run() {
    if (m_progress)
      m_total = std::max<std::int64_t>(1, walk([](const auto&, const auto&, const auto&) { return true; }));
    (void)walk([&](const TrainingFramework& framework, const TrainingConfiguration& each,
                   const std::vector<StageLayout>& layouts) { return consider(framework, each, layouts); });
    if (m_error) return *m_error;
    if (m_stop.stop_requested()) return cancelledError();
    // The configuration itself can be outside of the search: with overlaps and kernels of its own.
    m_ranks.inFramework.of = std::max(m_ranks.inFramework.of, m_ranks.inFramework.rank + 1);
    m_ranks.inAll.of = std::max(m_ranks.inAll.of, m_ranks.inAll.rank + 1);
    ++m_ranks.inFramework.rank;
    ++m_ranks.inAll.rank;
    return m_ranks;
  }

 private:
  using Visit =
      std::function<bool(const TrainingFramework&, const TrainingConfiguration&, const std::vector<StageLayout>&)>;

  /// How many configurations were visited.
  std::int64_t walk(const Visit& visit) {
    std::int64_t visited = 0;
    FixedChoices free;
    free.tensorOverlap = m_question.fixed.tensorOverlap;
    free.expertOverlap = m_question.fixed.expertOverlap;
    for (const TrainingFramework* framework : m_question.frameworks) {
      const SearchSpace space{m_question.model,
                              m_question.system.deviceCount(),
                              m_question.batch,
                              m_question.sequence,
                              m_question.precision,
                              *framework,
                              free,
                              &m_accelerator,
                              true};
      (void)space.forEachWithLayouts(
          [&](const TrainingConfiguration& each, const std::vector<StageLayout>& layouts, const RecomputationVisit&) {
            ++visited;
            const bool goes = !m_stop.stop_requested() && !m_error && visit(*framework, each, layouts);
            return goes ? WalkNext::On : WalkNext::Stop;
          });
    }
    return visited;
  }

  /// The layouts of a configuration that the framework runs and that fit.
  [[nodiscard]] std::vector<StageLayout> running(const TrainingFramework& framework,
                                                 TrainingConfiguration configuration,
                                                 const std::vector<StageLayout>& layouts) const {
    configuration.layersPerStage = layouts.front();
    if (brokenRule(framework, m_question.model, configuration) != nullptr) return {};
    std::vector<StageLayout> made;
    for (const StageLayout& layout : layouts) {
      configuration.layersPerStage = layout;
      if (peakMemory(m_question.model, configuration).total() + m_reserve > m_accelerator.memory) continue;
      made.push_back(layout);
    }
    return made;
  }

  bool consider(const TrainingFramework& framework, const TrainingConfiguration& searched,
                const std::vector<StageLayout>& layouts) {
    if (++m_visited % kRound == 0 && m_progress) {
      m_progress(static_cast<double>(m_visited) / static_cast<double>(m_total));
    }
    const TrainingConfiguration configuration = withExpertLoad(m_question, searched);
    const std::vector<StageLayout> made = running(framework, configuration, layouts);
    if (made.empty()) return true;
    const auto placements = m_placements.of(framework, configuration);
    if (!placements.ok()) return fail(placements.error());
    const double enough = m_seconds / leastFactor(m_question.calibration);
    const StepConstants values = constantsFor(configuration, m_accelerator);
    const bool slower = stepLowerBound(m_question.model, configuration, m_accelerator, values, true) > enough;
    if (slower) {
      for (std::size_t i = 0; i < made.size() * (*placements)->size(); ++i) count(framework, false);
      return true;
    }
    LayoutPricer pricer(m_question.model, configuration, m_accelerator, values);
    std::vector<bool> canBe;
    for (const StageLayout& layout : made) {
      pricer.setLayout(layout);
      canBe.push_back(pricer.secondsAtLeast() <= enough);
    }
    for (const PricedPlacement& placement : **placements) {
      if (std::find(canBe.begin(), canBe.end(), true) != canBe.end()) pricer.setPrices(*placement.prices);
      for (std::size_t i = 0; i < made.size(); ++i) {
        bool faster = false;
        if (canBe[i]) {
          pricer.setLayout(made[i]);
          faster = calibrated(pricer.estimate(enough), m_question.calibration).seconds < m_seconds;
        }
        count(framework, faster);
      }
    }
    return true;
  }

  bool fail(const Error& error) {
    m_error = error;
    return false;
  }

  void count(const TrainingFramework& framework, bool faster) {
    ++m_ranks.inAll.of;
    m_ranks.inAll.rank += faster ? 1 : 0;
    if (&framework != &m_framework) return;
    ++m_ranks.inFramework.of;
    m_ranks.inFramework.rank += faster ? 1 : 0;
  }

  double m_seconds;  // of steps that read as faster
  const TrainingFramework& m_framework;
  const TrainingQuestion& m_question;
  const TrainingAccelerator& m_accelerator;
  double m_reserve;
  PlacementCache& m_placements;
  const std::stop_token& m_stop;
  const Progress& m_progress;
  std::int64_t m_visited = 0;
  std::int64_t m_total = 1;
  TrainingRanks m_ranks;
  std::optional<Error> m_error;
};

}  // namespace

PlacementCache::PlacementCache(const TrainingQuestion& question, std::stop_token stop)
    : m_pricers(trainingPlacements(question.model, question.system)), m_stop(std::move(stop)) {}

Result<const std::vector<PricedPlacement>*> PlacementCache::of(const TrainingFramework& framework,
                                                               const TrainingConfiguration& configuration) {
  return found(m_pricers.orders, m_kept, framework, configuration);
}

Result<const std::vector<PricedPlacement>*> PlacementCache::withRankFile(const TrainingFramework& framework,
                                                                         const TrainingConfiguration& configuration) {
  return found(m_pricers.rankFiles, m_keptWithRankFile, framework, configuration);
}

Result<const std::vector<PricedPlacement>*> PlacementCache::found(
    const PlacementPricer& pricer, std::map<std::string, std::vector<PricedPlacement>>& kept,
    const TrainingFramework& framework, const TrainingConfiguration& configuration) {
  const std::string key = degreesKey(framework, configuration.plan);
  auto found = kept.find(key);
  if (found == kept.end()) {
    P2_TRY_ASSIGN(auto placements, pricer(framework, configuration, m_stop));
    found = kept.emplace(key, std::move(placements)).first;
  }
  return &found->second;
}

Result<TrainingRanks> ranksOf(double seconds, const TrainingFramework& framework, const TrainingQuestion& question,
                              const TrainingAccelerator& accelerator, double reserve, PlacementCache& placements,
                              const std::stop_token& stop, const Progress& progress) {
  return Ranking(seconds, framework, question, accelerator, reserve, placements, stop, progress).run();
}

}  // namespace p2::inline training_answer
