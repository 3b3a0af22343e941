// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/detail/arrangement.h"

#include <algorithm>

namespace p2::inline pipeline {

namespace {

/// Cuts with a more expensive stage than this, compared with the most balanced ones, are not played.
constexpr double kMostImbalance = 1.1;

}  // namespace

Arrangement::Arrangement(const PipelineChain& chain, PipelineSetting setting, PipelinePricer& pricer,
                         const SolveOptions& solving)
    : m_chain(chain), m_setting(std::move(setting)), m_pricer(pricer), m_solving(solving), m_known(chain.shapes()) {}

Result<void> Arrangement::bound(const std::stop_token& stop) {
  P2_TRY_ASSIGN(m_bounds, StageBounds::of(m_chain, m_setting.options, m_setting.meshes,
                                          m_pricer.within(m_setting.factors), stop));
  m_lowerBound = cuts(std::numeric_limits<double>::infinity(), true).cost;
  m_slotBound = slotBound();
  return {};
}

double Arrangement::slotBound() const {
  double sum = 0;
  for (std::size_t piece = 0; piece < m_chain.pieces(); ++piece) sum += m_bounds->slot(piece, piece + 1, 1);
  return cheapestCuts(m_chain.pieces(), count(), std::numeric_limits<double>::infinity(),
                      [&](std::size_t first, std::size_t end, std::size_t stage) {
                        return leastPlayed(m_bounds->slot(first, end, inFlightAt(stage)), sum,
                                           static_cast<std::int64_t>(stage), m_setting.stages, m_setting.microbatches);
                      })
      .cost;
}

Result<void> Arrangement::search(double wanted, const std::stop_token& stop) {
  m_best.cost = wanted;
  P2_TRY_ASSIGN(const StageCuts start, balanced(stageLimit(wanted), stop));
  if (start.at.empty()) return {};
  m_balanced = start.cost;
  P2_TRY(play(start.at, stop));
  for (std::vector<std::size_t> from; from != m_best.at;) {
    from = m_best.at;
    for (std::size_t cut = 1; cut + 1 < from.size(); ++cut) {
      for (const int by : {-1, 1}) {
        std::vector<std::size_t> at = from;
        at[cut] = by < 0 ? at[cut] - 1 : at[cut] + 1;
        if (at[cut - 1] >= at[cut] || at[cut] >= at[cut + 1]) continue;
        P2_TRY(play(at, stop));
      }
    }
  }
  return {};
}

// A stage in all slots that costs as much as this has a played step of `wanted` seconds or more.
double Arrangement::stageLimit(double wanted) const {
  return wanted / leastPlayed(1, m_setting.stages, m_setting.microbatches);
}

// The cuts whose most expensive stage in all slots is cheapest; none where that costs `wanted` or more.
Result<StageCuts> Arrangement::balanced(double wanted, const std::stop_token& stop) {
  StageCuts best;
  const auto below = [&] { return std::min(wanted, best.cost); };
  for (;;) {
    StageCuts found = cuts(below(), false);
    if (found.at.empty()) break;
    P2_TRY_ASSIGN(const bool solved, solveAll(found, below(), stop));
    if (solved) best = std::move(found);
  }
  m_lowerBound = std::max(m_lowerBound, std::min(cuts(below(), true).cost, below()));
  return best;
}

// Takes these cuts if their step is shorter than the best so far.
Result<void> Arrangement::play(const std::vector<std::size_t>& at, const std::stop_token& stop) {
  const double wanted = std::min(stageLimit(m_best.cost), kMostImbalance * m_balanced);
  for (std::size_t stage = 0; stage < count(); ++stage) {
    if (known(at[stage], at[stage + 1], stage).bound >= wanted) return {};
  }
  StageCuts found{at, 0};
  P2_TRY_ASSIGN(const bool solved, solveAll(found, wanted, stop));
  if (!solved) return {};
  std::vector<StageTimes> times;
  for (std::size_t stage = 0; stage < count(); ++stage) {
    P2_TRY_ASSIGN(const StageTimes each, timesAt(at[stage], at[stage + 1], stage));
    times.push_back(each);
  }
  found.cost = playedSeconds(times, m_setting.microbatches);
  if (found.cost < m_best.cost) m_best = std::move(found);
  return {};
}

Result<StageTimes> Arrangement::timesAt(std::size_t first, std::size_t end, std::size_t stage) {
  const StageAnswer& answer = *known(first, end, stage).answer;
  const auto [place, fresh] = m_times.try_emplace(&answer);
  if (!fresh) return place->second;
  const StageGraph part = m_chain.stageOf(first, end);
  const MappedGraph graph(part.graph, m_setting.options);
  P2_TRY_ASSIGN(const Mapping mapping,
                mappingOf(graph, answer.solution.mapped, answer.strategy(), m_pricer.within(m_setting.factors)));
  P2_TRY_ASSIGN(const StageSends sends, sendsOf(part, m_setting, answer, m_pricer));
  place->second = timesOf(m_setting, mapping, sends);
  return place->second;
}

double Arrangement::leastMemory() const {
  return cheapestCuts(m_chain.pieces(), count(), std::numeric_limits<double>::infinity(),
                      [&](std::size_t first, std::size_t end, std::size_t stage) {
                        return m_bounds->memory(first, end, inFlightAt(stage));
                      })
      .cost;
}

std::shared_ptr<const StageAnswer> Arrangement::answerOf(std::size_t first, std::size_t end, std::size_t stage) {
  return known(first, end, stage).answer;
}

std::int64_t Arrangement::inFlightAt(std::size_t stage) const {
  return inFlight(static_cast<std::int64_t>(stage), m_setting.stages, m_setting.microbatches);
}

Arrangement::Known& Arrangement::known(std::size_t first, std::size_t end, std::size_t stage) {
  std::vector<Known>& shape = m_known[m_chain.shapeOf(first, end)];
  const std::int64_t flying = inFlightAt(stage);
  if (shape.empty()) shape.resize(static_cast<std::size_t>(inFlightAt(0)) + 1);
  Known& known = shape[static_cast<std::size_t>(flying)];
  if (known.bound < 0) known.bound = m_bounds->seconds(first, end, flying);
  return known;
}

// The cheapest cuts by the bounds of stages, and the costs of solved stages, or with `proven` their bounds.
StageCuts Arrangement::cuts(double wanted, bool proven) {
  return cheapestCuts(m_chain.pieces(), count(), wanted, [&](std::size_t first, std::size_t end, std::size_t stage) {
    const Known& each = known(first, end, stage);
    return each.answer && !proven ? each.answer->cost() : each.bound;
  });
}

// Solves the stages of these cuts until one costs too much; whether none does.
Result<bool> Arrangement::solveAll(StageCuts& found, double wanted, const std::stop_token& stop) {
  found.cost = 0;
  for (std::size_t stage = 0; stage < count(); ++stage) {
    Known& each = known(found.at[stage], found.at[stage + 1], stage);
    if (!each.answer) {
      P2_TRY(solve(found.at[stage], found.at[stage + 1], stage, wanted, stop));
    }
    if (!each.answer || each.answer->cost() >= wanted) return false;
    found.cost = std::max(found.cost, each.answer->cost());
  }
  return true;
}

Result<void> Arrangement::solve(std::size_t first, std::size_t end, std::size_t stage, double wanted,
                                const std::stop_token& stop) {
  const std::int64_t flying = inFlightAt(stage);
  if (takeOver(first, end, flying)) return {};
  StageRequest request;
  request.inFlight = flying;
  request.solving = m_solving;
  request.solving.wantedBelow = std::min(wanted, m_solving.wantedBelow);
  for (std::size_t mesh = 0; mesh < m_setting.meshes.size(); ++mesh) {
    request.bounds.push_back(m_bounds->seconds(mesh, first, end, flying));
  }
  P2_TRY_ASSIGN(auto found, solveStage(m_chain.stageOf(first, end), m_setting, m_pricer, request, stop));
  m_solved += found.solved;
  Known& each = known(first, end, stage);
  each.bound = std::max(each.bound, found.lowerBound);
  // One that costs too much need not be the best, but nothing that is looked for will take it.
  each.answer = std::move(found.answer);
  return {};
}

// The best strategy with fewer microbatches in flight is also the best with more if it fits, and a strategy that memory
// does not bind is the best for any number.
bool Arrangement::takeOver(std::size_t first, std::size_t end, std::int64_t flying) {
  std::vector<Known>& shape = m_known[m_chain.shapeOf(first, end)];
  Known& wanted = shape[static_cast<std::size_t>(flying)];
  const double limit = m_setting.options.deviceMemory.value_or(Bytes(0)).value();
  for (std::size_t other = 0; other < shape.size(); ++other) {
    const Known& each = shape[other];
    if (!each.answer) continue;
    const bool fits = limit == 0 || each.answer->memory(flying) <= limit;
    const bool looser = static_cast<std::int64_t>(other) <= flying;
    if (!fits || (!looser && !each.answer->free)) continue;
    wanted.bound = std::max(wanted.bound, each.bound);
    wanted.answer = each.answer;
    return true;
  }
  return false;
}

}  // namespace p2::inline pipeline
