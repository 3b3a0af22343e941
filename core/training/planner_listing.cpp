// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/planner_listing.h"

#include <algorithm>
#include <cmath>

#include "base/near.h"
#include "base/units.h"
#include "training/tie_margin.h"

namespace p2::inline training {
namespace {

/// Relative error of a part of a step that one of two configurations has and the other has not.
constexpr double kPartError = 0.2;

/// Seconds by which two tied steps may differ at most, as a share of the faster one. The parts of two steps of a and b
/// seconds differ by at most a + b together, so that their variance is at most (kRunNoise·a)² + (kPartError·(a + b))²,
/// which is below (b − a)² from b = 1.6·a on.
constexpr double kFarthestTie = 0.6;

double squared(double value) { return value * value; }

bool isSimpler(const PlannedConfiguration& a, const PlannedConfiguration& b) {
  const auto rank = [](const PlannedConfiguration& each) {
    return std::pair(each.needsRankFile(), complexityOf(each.configuration));
  };
  return rank(a) < rank(b);
}

/// The first place has the simplest of the plans whose steps are the same within the tolerance. The others stay in the
/// order of the times that are shown; of plans that show the same time, the simplest comes first.
void putSimplestFirst(std::vector<PlannedConfiguration>& kept) {
  if (kept.empty()) return;
  const double least = kept.front().listedSeconds;
  const auto same = std::find_if(kept.begin(), kept.end(), [&](const PlannedConfiguration& each) {
    return definitelyLess(least, each.listedSeconds, kDisplayTolerance);
  });
  const auto simplest = std::min_element(kept.begin(), same, isSimpler);
  std::rotate(kept.begin(), simplest, simplest + 1);
  for (auto first = kept.begin() + 1; first != kept.end();) {
    const std::string shown = formatSeconds(first->listedSeconds);
    const auto end = std::find_if(first, kept.end(), [&](const PlannedConfiguration& each) {
      return formatSeconds(each.listedSeconds) != shown;
    });
    std::stable_sort(first, end, isSimpler);
    first = end;
  }
}

/// Of plans that are tied, one by an order of the framework comes before those with a rank file.
void putOrderedFirst(std::vector<PlannedConfiguration>& kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i].needsRankFile()) continue;
    const auto at = kept.begin() + static_cast<std::ptrdiff_t>(i);
    const auto simpler = std::find_if(at, kept.end(), [&](const PlannedConfiguration& each) {
      return !each.needsRankFile() && areTied(each.estimate, kept[i].estimate);
    });
    if (simpler != kept.end()) std::rotate(at, simpler, simpler + 1);
  }
}

void findTies(std::vector<PlannedConfiguration>& kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = i + 1; j < kept.size(); ++j) {
      if (!areTied(kept[i].estimate, kept[j].estimate)) continue;
      kept[i].tiesWith.push_back(j);
      kept[j].tiesWith.push_back(i);
    }
  }
}

}  // namespace

PlannerListing::PlannerListing(std::size_t most, bool everyVariant)
    : m_most(std::max<std::size_t>(1, most)), m_everyVariant(everyVariant) {}

bool PlannerListing::IsBetter::operator()(const PlannedConfiguration& a, const PlannedConfiguration& b) const {
  const auto rank = [](const PlannedConfiguration& each) {
    return std::tuple(each.listedSeconds, each.needsRankFile(), each.estimate.seconds, each.memory.total());
  };
  return rank(a) < rank(b);
}

PlannerListing::Degrees PlannerListing::degreesOf(const TrainingFramework& framework, const TrainingPlan& plan) {
  return {&framework,  plan.zero,         plan.tensor,   plan.context,         plan.pipeline,
          plan.expert, plan.expertTensor, plan.replicas, plan.sequenceParallel};
}

double PlannerListing::lastSeconds() const {
  if (m_kept.size() < m_most) return std::numeric_limits<double>::infinity();
  const double last = m_kept.rbegin()->listedSeconds;
  return m_everyVariant ? last : std::max(last, m_kept.begin()->listedSeconds / (1 - kDisplayTolerance));
}

void PlannerListing::dropLast() {
  while (m_kept.size() > m_most) {
    const auto last = std::prev(m_kept.end());
    if (!m_everyVariant && !definitelyLess(m_kept.begin()->listedSeconds, last->listedSeconds, kDisplayTolerance))
      return;
    m_byDegrees.erase(degreesOf(*last->framework, last->configuration.plan));
    m_kept.erase(last);
  }
}

double PlannerListing::enough(const TrainingFramework& framework, const TrainingPlan& plan) const {
  double seconds = std::min(m_limit, lastSeconds());
  if (m_everyVariant) return seconds;
  const Degrees degrees = degreesOf(framework, plan);
  const auto limit = m_limits.find(degrees);
  if (limit != m_limits.end()) seconds = std::min(seconds, limit->second);
  const auto same = m_byDegrees.find(degrees);
  return same == m_byDegrees.end() ? seconds : std::min(seconds, same->second->listedSeconds);
}

void PlannerListing::limitBy(const PlannerListing& other) {
  // The search meets these steps again, and a lower bound of a step can exceed it by what rounding adds.
  const double slack = 1 + kArithmeticTolerance;
  m_limit = other.lastSeconds() * slack;
  for (const auto& [degrees, place] : other.m_byDegrees) m_limits[degrees] = place->listedSeconds * slack;
}

void PlannerListing::keep(PlannedConfiguration made) {
  const IsBetter isBetter;
  if (made.listedSeconds > lastSeconds()) return;
  if (m_everyVariant) {
    m_kept.insert(std::move(made));
    dropLast();
    return;
  }
  const Degrees degrees = degreesOf(*made.framework, made.configuration.plan);
  const auto same = m_byDegrees.find(degrees);
  if (same != m_byDegrees.end()) {
    if (!isBetter(made, *same->second)) return;
    m_kept.erase(same->second);
  }
  m_byDegrees[degrees] = m_kept.insert(std::move(made));
  dropLast();
}

std::vector<PlannedConfiguration> PlannerListing::take() {
  std::vector<PlannedConfiguration> listed;
  listed.reserve(m_kept.size());
  m_byDegrees.clear();
  while (!m_kept.empty()) listed.push_back(std::move(m_kept.extract(m_kept.begin()).value()));
  if (!m_everyVariant) {
    putSimplestFirst(listed);
    putOrderedFirst(listed);
  }
  if (listed.size() > m_most) listed.resize(m_most);
  findTies(listed);
  return listed;
}

PlannerListings::PlannerListings(const TrainingQuestion& question, double memory, double reserve)
    : m_listings(question.listsFiltered ? 1 + kPlanFilters.size() : 1,
                 PlannerListing(question.best, question.everyVariant)),
      m_system(&question.system),
      m_nodeDevices(devicesPerNode(question.system)),
      m_memory(memory),
      m_reserve(reserve) {}

double PlannerListings::enough(const TrainingFramework& framework, const TrainingPlan& plan, double total) const {
  double seconds = m_listings.front().enough(framework, plan);
  for (std::size_t i = 1; i < m_listings.size(); ++i) {
    const PlanFilter& filter = kPlanFilters[i - 1];
    if (filter.spareTenth && !sparesTenth(total, m_reserve, m_memory)) continue;
    if (filter.tensorInside && plan.tensor > m_nodeDevices) continue;
    seconds = std::max(seconds, m_listings[i].enough(framework, plan));
  }
  return seconds;
}

void PlannerListings::limitBy(const PlannerListings& other) {
  for (std::size_t i = 0; i < m_listings.size(); ++i) m_listings[i].limitBy(other.m_listings[i]);
}

void PlannerListings::keep(const PlannedConfiguration& made) {
  m_listings.front().keep(made);
  for (std::size_t i = 1; i < m_listings.size(); ++i) {
    if (passes(kPlanFilters[i - 1], made, *m_system, m_reserve, m_memory)) m_listings[i].keep(made);
  }
}

std::vector<std::vector<PlannedConfiguration>> PlannerListings::takeFiltered() {
  std::vector<std::vector<PlannedConfiguration>> all;
  for (std::size_t i = 1; i < m_listings.size(); ++i) all.push_back(m_listings[i].take());
  return all;
}

void SmallestConfigurations::keep(const TrainingFramework& framework, const TrainingConfiguration& configuration,
                                  const TrainingMemory& memory) {
  const double total = memory.total();
  if (m_kept.size() >= m_most && total >= m_kept.rbegin()->total) return;
  const auto [same, isNew] =
      m_byDegrees.try_emplace(PlannerListing::degreesOf(framework, configuration.plan), m_kept.end());
  if (!isNew) {
    if (total >= same->second->total) return;
    m_kept.erase(same->second);
  }
  same->second = m_kept.insert({&framework, configuration, memory, total});
  if (m_kept.size() <= m_most) return;
  const auto last = std::prev(m_kept.end());
  m_byDegrees.erase(PlannerListing::degreesOf(*last->framework, last->configuration.plan));
  m_kept.erase(last);
}

std::optional<std::size_t> variantIn(const std::vector<PlannedConfiguration>& listing,
                                     const PlannedConfiguration& planned) {
  const auto degreesOf = [](const PlannedConfiguration& each) {
    return PlannerListing::degreesOf(*each.framework, each.configuration.plan);
  };
  const auto found = std::find_if(listing.begin(), listing.end(), [&, wanted = degreesOf(planned)](const auto& each) {
    return degreesOf(each) == wanted;
  });
  if (found == listing.end()) return std::nullopt;
  return static_cast<std::size_t>(found - listing.begin());
}

int complexityOf(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  return (plan.tensor > 1) + (plan.context > 1) + (plan.pipeline > 1) + (plan.expert > 1) + (plan.replicas > 1) +
         plan.expertOverlap + (plan.chunks > 1) + (configuration.layersPerStage.empty() ? 0 : 1) +
         (hasGatherChoice(plan) && !plan.reshard ? 1 : 0);
}

double tieMargin(const StepEstimate& a, const StepEstimate& b) {
  double variance = squared(kRunNoise * std::min(a.seconds, b.seconds));
  const auto add = [&](double first, double second) { variance += squared(kPartError * (first - second)); };
  add(a.parts.compute + a.parts.inefficiency, b.parts.compute + b.parts.inefficiency);
  add(a.parts.recompute, b.parts.recompute);
  add(a.parts.bubble, b.parts.bubble);
  add(a.parts.imbalance, b.parts.imbalance);
  add(a.parts.optimizer, b.parts.optimizer);
  add(a.parts.host, b.parts.host);
  for (std::size_t axis = 0; axis < a.parts.exposed.size(); ++axis) add(a.parts.exposed[axis], b.parts.exposed[axis]);
  return std::sqrt(variance);
}

bool areTied(const StepEstimate& a, const StepEstimate& b) {
  const double difference = std::abs(a.seconds - b.seconds);
  // Most pairs are so far apart that their parts need not be looked at.
  return difference <= kFarthestTie * std::min(a.seconds, b.seconds) && difference <= tieMargin(a, b);
}

}  // namespace p2::inline training
