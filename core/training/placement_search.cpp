// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/placement_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace p2::inline training {
namespace {

constexpr double kAnySeconds = std::numeric_limits<double>::infinity();

PlannedConfiguration plannedOn(const TrainingFramework& framework, const PlanCandidate& each,
                               const PricedPlacement& placement, const StepEstimate& estimate, double listed) {
  return {&framework, each.configuration, placement.axes, placement.matrix, placement.orders, estimate, each.memory, {},
          listed};
}

}  // namespace

PlacementSearch::PlacementSearch(const TrainingQuestion& question, const TrainingAccelerator& accelerator,
                                 const PlacementPricer& orders, const PlacementPricer& rankFiles, std::stop_token stop,
                                 TrainingAnswer& answer)
    : m_question(question),
      m_accelerator(accelerator),
      m_orders(orders),
      m_rankFiles(rankFiles),
      m_stop(std::move(stop)),
      m_answer(answer) {}

FrameworkCosts& PlacementSearch::costs(const TrainingFramework& framework, const TrainingConfiguration& configuration) {
  const std::tuple key(&framework, configuration.plan.tensorOverlap, configuration.plan.expertOverlap,
                       configuration.dispatch, configuration.graphs);
  const auto found = m_costs.find(key);
  if (found != m_costs.end()) return found->second;
  return m_costs.try_emplace(key, m_question.model, configuration, m_accelerator).first->second;
}

double PlacementSearch::enough(const TrainingFramework& framework, const TrainingPlan& plan,
                               const PlannerListings& kept, double total) const {
  if (m_question.exhaustive) return kAnySeconds;
  // A step takes at least this share of its prediction.
  return kept.enough(framework, plan, total) / leastFactor(m_question.calibration);
}

double PlacementSearch::enough(const TrainingFramework& framework, const PlanCandidate& each,
                               const PlannerListings& kept) const {
  return enough(framework, each.configuration.plan, kept, each.memory.total());
}

bool PlacementSearch::isCancelled() {
  if (!m_stop.stop_requested()) return false;
  m_error = cancelledError();
  return true;
}

/// Placements by degrees, found once. Null: error() is set.
const PlacementSearch::Placements* PlacementSearch::placed(const TrainingFramework& framework,
                                                           const TrainingConfiguration& configuration,
                                                           const PlacementPricer& pricer,
                                                           std::map<Degrees, Placements>& known) {
  const TrainingPlan& plan = configuration.plan;
  const Degrees degrees{&framework,    plan.tensor,           plan.context,      plan.contextCollective,
                        plan.pipeline, plan.expert,           plan.expertTensor, plan.replicas,
                        plan.data,     configuration.dispatch};
  const auto found = known.find(degrees);
  if (found != known.end()) return &found->second;
  auto placements = pricer(framework, configuration, m_stop);
  if (!placements.ok()) {
    m_error = placements.error();
    return nullptr;
  }
  return &known.emplace(degrees, std::move(placements.value())).first->second;
}

StepEstimate PlacementSearch::estimateOf(LayoutPricer& pricer, const PlanCandidate& each, double enough,
                                         double exactTo) const {
  pricer.setLayout(each.configuration.layersPerStage);
  return calibrated(pricer.estimate(enough, exactTo), m_question.calibration);
}

bool PlacementSearch::price(const TrainingFramework& framework, LayoutPricer& pricer,
                            std::vector<PlanCandidate> layouts, PlannerListings& kept, bool counts) {
  if (layouts.empty()) return true;
  const TrainingConfiguration configuration = layouts.front().configuration;
  pricer.share(m_played);
  for (PlanCandidate& each : layouts) {
    const bool mayDo = pricer.setLayout(each.configuration.layersPerStage, enough(framework, each, kept));
    each.atLeast = mayDo ? pricer.secondsAtLeast() : kAnySeconds;
  }
  std::erase_if(layouts, [&](const PlanCandidate& each) { return each.atLeast > enough(framework, each, kept); });
  if (layouts.empty()) return true;
  std::sort(layouts.begin(), layouts.end(), [](const auto& a, const auto& b) { return a.atLeast < b.atLeast; });
  if (isCancelled()) return false;
  const auto* placements = placed(framework, configuration, m_orders, m_ordered);
  if (placements == nullptr) return false;
  const bool takesRankFile = m_rankFiles && !framework.rankFile.empty();
  const auto count = static_cast<std::int64_t>(layouts.size());
  if (counts && placements->empty() && !takesRankFile) {
    m_answer.broken["an order of the framework places the axes on the system"] += count;
  }
  const bool awaits = takesRankFile && counts;
  if (awaits) raiseBounds(layouts, pricer, *placements);
  for (const PricedPlacement& placement : *placements) {
    if (isCancelled()) return false;
    // Traffic costs most to find.
    if (isTooSlow(framework, placement, pricer, layouts, kept)) continue;
    pricer.setPrices(*placement.prices);
    for (PlanCandidate& each : layouts) {
      if (isCancelled()) return false;
      // mayGain() tells steps up to this one from others.
      const double exactTo = awaits ? (1 + kRunNoise) * each.atLeast : 0;
      const StepEstimate estimate = estimateOf(pricer, each, enough(framework, each, kept), exactTo);
      if (!each.ordered || estimate.seconds < each.ordered->seconds) each.ordered = estimate;
      kept.keep(plannedOn(framework, each, placement, estimate, estimate.seconds));
    }
  }
  if (awaits) awaitRankFile(framework, std::move(layouts), kept);
  return true;
}

/// Whether a placement makes no layout fast enough, by bounds of its communication.
bool PlacementSearch::isTooSlow(const TrainingFramework& framework, const PricedPlacement& placement,
                                LayoutPricer& pricer, const std::vector<PlanCandidate>& layouts,
                                const PlannerListings& kept) const {
  double most = 0;
  for (const PlanCandidate& each : layouts) most = std::max(most, enough(framework, each, kept));
  if (!std::isfinite(most)) return false;
  const LeastCommunication least(*placement.prices);
  pricer.setPrices(least);
  if (pricer.secondsOfAnyLayout() > most) return true;
  return std::all_of(layouts.begin(), layouts.end(), [&](const PlanCandidate& each) {
    const double own = enough(framework, each, kept);
    return !pricer.setLayout(each.configuration.layersPerStage, own) || pricer.secondsAtLeast() > own;
  });
}

/// Whether a rank file may gain more than a tie. A step of at least `atLeast` seconds is tied with one that takes no
/// more than the noise of a run longer.
bool PlacementSearch::mayGain(const PlanCandidate& each) const {
  if (!each.ordered || m_question.everyVariant || m_question.exhaustive) return true;
  const double least = each.atLeast * leastFactor(m_question.calibration);
  return each.ordered->seconds - least > kRunNoise * least;
}

/// Raises the bounds of all placements by the groups that no placement makes faster.
void PlacementSearch::raiseBounds(std::vector<PlanCandidate>& layouts, LayoutPricer& pricer,
                                  const Placements& ordered) const {
  for (const PricedPlacement& placement : ordered) {
    const InnermostCommunication least(*placement.prices);
    pricer.setPrices(least);
    for (PlanCandidate& each : layouts) {
      pricer.setLayout(each.configuration.layersPerStage);
      each.atLeast = std::max(each.atLeast, pricer.secondsAtLeast());
    }
  }
}

/// Puts rank files off: most of them cannot be listed in the end.
void PlacementSearch::awaitRankFile(const TrainingFramework& framework, std::vector<PlanCandidate> layouts,
                                    PlannerListings& kept) {
  std::erase_if(layouts, [&](const PlanCandidate& each) {
    return each.atLeast > enough(framework, each, kept) || !mayGain(each);
  });
  if (!layouts.empty()) m_awaiting.push_back({&framework, std::move(layouts), &kept});
}

bool PlacementSearch::priceWithRankFiles() {
  std::stable_sort(m_awaiting.begin(), m_awaiting.end(), [](const Awaiting& a, const Awaiting& b) {
    return a.layouts.front().atLeast < b.layouts.front().atLeast;
  });
  return std::all_of(m_awaiting.begin(), m_awaiting.end(),
                     [&](Awaiting& each) { return !isCancelled() && priceWithRankFile(each); });
}

bool PlacementSearch::priceWithRankFile(Awaiting& awaiting) {
  const TrainingFramework& framework = *awaiting.framework;
  std::vector<PlanCandidate>& layouts = awaiting.layouts;
  PlannerListings& kept = *awaiting.kept;
  const TrainingConfiguration configuration = layouts.front().configuration;
  std::erase_if(layouts, [&](const PlanCandidate& each) { return each.atLeast > enough(framework, each, kept); });
  if (layouts.empty()) return true;
  const auto* ordered = placed(framework, configuration, m_orders, m_ordered);
  if (ordered == nullptr) return false;
  const auto* placements = placed(framework, configuration, m_rankFiles, m_withRankFile);
  if (placements == nullptr) return false;
  FrameworkCosts& mine = costs(framework, configuration);
  LayoutPricer pricer(m_question.model, configuration, m_accelerator, mine.constants, mine.counts.of(configuration));
  pricer.share(m_played);
  std::optional<LayoutPricer> exposed;
  bool complete = false;
  for (const PricedPlacement& placement : *placements) {
    if (isCancelled()) return false;
    if (isTooSlow(framework, placement, pricer, layouts, kept)) continue;
    for (PlanCandidate& each : layouts) {
      if (isCancelled()) return false;
      if (!complete) completeOrdered(each, pricer, *ordered);
    }
    complete = true;
    const bool loses = losesTensorOverlap(configuration.plan, placement);
    if (loses && !exposed) {
      TrainingConfiguration made = configuration;
      made.plan.tensorOverlap = false;
      FrameworkCosts& others = costs(framework, made);
      exposed.emplace(m_question.model, made, m_accelerator, others.constants, others.counts.of(made));
      exposed->share(m_played);
    }
    LayoutPricer& fitting = loses ? *exposed : pricer;
    fitting.setPrices(*placement.prices);
    for (PlanCandidate& each : layouts) {
      if (isCancelled()) return false;
      each.configuration.plan.tensorOverlap = configuration.plan.tensorOverlap && !loses;
      const StepEstimate estimate = estimateOf(fitting, each, enough(framework, each, kept));
      const bool tied = each.ordered && areTied(estimate, *each.ordered);
      const double listed = tied ? std::max(estimate.seconds, each.ordered->seconds) : estimate.seconds;
      kept.keep(plannedOn(framework, each, placement, estimate, listed));
    }
  }
  return true;
}

/// Whether a placement has tensor groups that the overlap, which the search turned on, cannot run in.
bool PlacementSearch::losesTensorOverlap(const TrainingPlan& plan, const PricedPlacement& placement) const {
  return plan.tensorOverlap && !m_question.fixed.tensorOverlap && !placement.prices->isInnermost(TrainingGroup::Tensor);
}

/// The whole estimate on the framework's own orders, where it was left off because it could not be listed.
void PlacementSearch::completeOrdered(PlanCandidate& each, LayoutPricer& pricer, const Placements& ordered) const {
  each.ordered.reset();
  for (const PricedPlacement& placement : ordered) {
    pricer.setPrices(*placement.prices);
    const StepEstimate estimate = estimateOf(pricer, each, kAnySeconds);
    if (!each.ordered || estimate.seconds < each.ordered->seconds) each.ordered = estimate;
  }
}

}  // namespace p2::inline training
