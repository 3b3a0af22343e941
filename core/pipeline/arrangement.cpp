// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/arrangement.h"

#include <algorithm>

namespace p2 {

Arrangement::Arrangement(const PipelineChain& chain, PipelineSetting setting, PipelinePricer& pricer,
                         const SolveOptions& solving)
    : m_chain(chain), m_setting(std::move(setting)), m_pricer(pricer), m_solving(solving), m_known(chain.shapes()) {}

Result<void> Arrangement::bound(const std::stop_token& stop) {
  P2_TRY_ASSIGN(m_bounds, StageBounds::of(m_chain, m_setting.options, m_setting.meshes,
                                          m_pricer.within(m_setting.factors), stop));
  m_lowerBound = cuts(std::numeric_limits<double>::infinity(), true).cost;
  return {};
}

Result<void> Arrangement::search(double wanted, const std::stop_token& stop) {
  for (;;) {
    StageCuts found = cuts(std::min(wanted, m_best.cost), false);
    if (found.at.empty()) break;
    P2_TRY_ASSIGN(const bool solved, solveAll(found, std::min(wanted, m_best.cost), stop));
    if (solved) m_best = std::move(found);
  }
  const double proven = cuts(std::min(wanted, m_best.cost), true).cost;
  m_lowerBound = std::max(m_lowerBound, std::min(proven, std::min(wanted, m_best.cost)));
  return {};
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

// With what is known so far: bounds, and where a stage is solved its cost, or if `proven` what is proven of it.
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

// What is the best with fewer passes in flight is if it fits with more; what memory does not bind always is.
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

}  // namespace p2
