// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline_solver.h"

#include <algorithm>
#include <limits>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "pipeline/stage_bounds.h"

namespace p2 {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();

/// The cuts whose dearest stage is cheapest.
struct Cuts {
  std::vector<std::size_t> at;  ///< stages + 1 numbers of pieces; empty if there are none
  double cost = kImpossible;
};

/// By dynamic programming over the number of stages and the last piece. `costOf` is asked for (first piece, end, stage)
/// and nothing that costs `wanted` or more is looked for. O(stages · pieces²).
template <class CostOf>
Cuts cheapestCuts(std::size_t pieces, std::size_t stages, double wanted, CostOf costOf) {
  if (pieces < stages) return {};
  std::vector<std::vector<std::size_t>> from(stages, std::vector<std::size_t>(pieces + 1, 0));
  std::vector<double> least(pieces + 1, kImpossible);
  least[0] = 0;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    std::vector<double> next(pieces + 1, kImpossible);
    const bool last = stage + 1 == stages;
    for (std::size_t end = last ? pieces : stage + 1; end <= pieces - (stages - 1 - stage); ++end) {
      for (std::size_t first = end; first-- > stage;) {
        if (least[first] >= std::min(next[end], wanted)) continue;
        const double cost = std::max(least[first], costOf(first, end, stage));
        if (cost >= std::min(next[end], wanted)) continue;
        next[end] = cost;
        from[stage][end] = first;
      }
    }
    least = std::move(next);
  }
  if (least[pieces] == kImpossible) return {};
  Cuts cuts{{pieces}, least[pieces]};
  for (std::size_t stage = stages; stage-- > 0;) cuts.at.push_back(from[stage][cuts.at.back()]);
  std::reverse(cuts.at.begin(), cuts.at.end());
  return cuts;
}

/// One number of stages on one way to deal the devices.
class Arrangement {
 public:
  Arrangement(const PipelineChain& chain, PipelineSetting setting, PipelinePricer& pricer, const SolveOptions& solving)
      : m_chain(chain), m_setting(std::move(setting)), m_pricer(pricer), m_solving(solving), m_known(chain.shapes()) {}

  /// Finds the bounds; lowerBound() is then known.
  Result<void> bound(const std::stop_token& stop) {
    P2_TRY_ASSIGN(m_bounds, StageBounds::of(m_chain, m_setting.options, m_setting.meshes,
                                            m_pricer.within(m_setting.factors), stop));
    m_lowerBound = cuts(kImpossible, true).cost;
    return {};
  }

  [[nodiscard]] const PipelineSetting& setting() const { return m_setting; }
  /// Nothing costs less; infinite where nothing fits.
  [[nodiscard]] double lowerBound() const { return m_lowerBound; }
  [[nodiscard]] const std::vector<std::size_t>& best() const { return m_best.at; }
  [[nodiscard]] double cost() const { return m_best.cost; }
  [[nodiscard]] std::size_t solved() const { return m_solved; }

  /// Looks for cuts that cost less than `wanted`.
  Result<void> search(double wanted, const std::stop_token& stop) {
    for (;;) {
      Cuts found = cuts(std::min(wanted, m_best.cost), false);
      if (found.at.empty()) break;
      P2_TRY_ASSIGN(const bool solved, solveAll(found, std::min(wanted, m_best.cost), stop));
      if (solved) m_best = std::move(found);
    }
    const double proven = cuts(std::min(wanted, m_best.cost), true).cost;
    m_lowerBound = std::max(m_lowerBound, std::min(proven, std::min(wanted, m_best.cost)));
    return {};
  }

  /// The most that a device needs at least.
  [[nodiscard]] double leastMemory() const {
    return cheapestCuts(m_chain.pieces(), count(), kImpossible,
                        [&](std::size_t first, std::size_t end, std::size_t stage) {
                          return m_bounds->memory(first, end, inFlightAt(stage));
                        })
        .cost;
  }

  [[nodiscard]] std::shared_ptr<const StageAnswer> answerOf(std::size_t first, std::size_t end, std::size_t stage) {
    return known(first, end, stage).answer;
  }

 private:
  struct Known {
    std::shared_ptr<const StageAnswer> answer;  ///< the best, or none yet
    double bound = -1;                          ///< nothing costs less; below 0 while nobody asked
  };

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(m_setting.stages); }
  [[nodiscard]] std::int64_t inFlightAt(std::size_t stage) const {
    return inFlight(static_cast<std::int64_t>(stage), m_setting.stages, m_setting.microbatches);
  }

  Known& known(std::size_t first, std::size_t end, std::size_t stage) {
    std::vector<Known>& shape = m_known[m_chain.shapeOf(first, end)];
    const std::int64_t flying = inFlightAt(stage);
    if (shape.empty()) shape.resize(static_cast<std::size_t>(inFlightAt(0)) + 1);
    Known& known = shape[static_cast<std::size_t>(flying)];
    if (known.bound < 0) known.bound = m_bounds->seconds(first, end, flying);
    return known;
  }

  /// With what is known so far: bounds, and where a stage is solved its cost, or if `proven` what is proven of it.
  Cuts cuts(double wanted, bool proven) {
    return cheapestCuts(m_chain.pieces(), count(), wanted, [&](std::size_t first, std::size_t end, std::size_t stage) {
      const Known& each = known(first, end, stage);
      return each.answer && !proven ? each.answer->cost() : each.bound;
    });
  }

  /// Solves the stages of these cuts until one costs too much; whether none does.
  Result<bool> solveAll(Cuts& found, double wanted, const std::stop_token& stop) {
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

  Result<void> solve(std::size_t first, std::size_t end, std::size_t stage, double wanted,
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

  /// What is the best with fewer passes in flight is if it fits with more; what memory does not bind always is.
  bool takeOver(std::size_t first, std::size_t end, std::int64_t flying) {
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

  const PipelineChain& m_chain;
  PipelineSetting m_setting;
  PipelinePricer& m_pricer;
  const SolveOptions& m_solving;
  std::optional<StageBounds> m_bounds;
  std::vector<std::vector<Known>> m_known;  // by shape and passes in flight
  Cuts m_best;
  double m_lowerBound = 0;
  std::size_t m_solved = 0;
};

/// A stage with all that follows from its answer.
Result<PipelineStage> stageFrom(const PipelineSetting& setting, PipelinePricer& pricer, std::size_t number,
                                PipelineStage stage) {
  const MappedGraph graph(stage.part.graph, setting.options);
  stage.inFlight = inFlight(static_cast<std::int64_t>(number), setting.stages, setting.microbatches);
  P2_TRY_ASSIGN(stage.mapping,
                mappingOf(graph, stage.mapped(), stage.answer->strategy(), pricer.within(setting.factors)));
  P2_TRY_ASSIGN(stage.sends, sendsOf(stage.part, setting, *stage.answer, pricer));
  stage.times = timesOf(stage.part, setting, stage.mapping, stage.sends);
  stage.memory = memoryOf(stage.part, setting, *stage.answer, stage.inFlight);
  return stage;
}

/// The stage of that number of a chain that is cut.
Result<PipelineStage> cutOut(const PipelineChain& chain, const PipelineSetting& setting, PipelinePricer& pricer,
                             const std::vector<std::size_t>& cuts, std::size_t number,
                             std::shared_ptr<const StageAnswer> answer) {
  PipelineStage stage;
  stage.first = cuts[number];
  stage.end = cuts[number + 1];
  stage.part = chain.stageOf(stage.first, stage.end);
  stage.answer = std::move(answer);
  return stageFrom(setting, pricer, number, std::move(stage));
}

/// One stage that has all devices.
Result<Pipeline> wholeGraph(const PipelineChain& chain, const GraphCostOptions& options, const System& system,
                            PipelinePricer& pricer, const PipelineRequest& request, const std::stop_token& stop,
                            const Progress& progress) {
  Pipeline pipeline{.setting = PipelineSetting(system, options, StageFactors(system.levels.size(), 1))};
  MappedRequest asked;
  asked.solving = request.solving;
  P2_TRY_ASSIGN(auto solution, solveMapped(chain.graph(), options, system, pricer.within(pipeline.setting.factors),
                                           asked, stop, progress));
  StageAnswer answer{std::move(solution), 0, 0, false};
  pipeline.cost = answer.cost();
  pipeline.lowerBound = answer.lowerBound();
  pipeline.optimal = answer.solution.bounded.optimal;
  pipeline.arrangements = 1;
  pipeline.solved = answer.solution.solved;
  PipelineStage stage;
  stage.end = chain.pieces();
  stage.answer = std::make_shared<const StageAnswer>(std::move(answer));
  // In the graph's own order, as its strategy is.
  stage.part.graph = chain.graph();
  for (std::size_t v = 0; v < chain.graph().operators.size(); ++v) stage.part.operators.push_back(v);
  P2_TRY_ASSIGN(stage, stageFrom(pipeline.setting, pricer, 0, std::move(stage)));
  pipeline.stages.push_back(std::move(stage));
  return pipeline;
}

Result<void> checkPieces(const PipelineChain& chain) {
  if (chain.pieces() <= kMostPieces) return {};
  return Error{"the graph can be cut at " + countedText(chain.pieces() - 1, "place") + ", more than " +
                   std::to_string(kMostPieces - 1) + "; use one stage",
               {},
               ErrorKind::TooLarge};
}

Result<void> checkStages(const PipelineChain& chain, const System& system, std::int64_t stages) {
  if (stages < 1 || system.deviceCount() % stages != 0) {
    return Error{countedText(stages, "stage") + " cannot share " + countedText(system.deviceCount(), "device") +
                 " evenly; use a divisor of them"};
  }
  if (static_cast<std::uint64_t>(stages) > chain.pieces()) {
    return Error{"the graph can be cut into " + countedText(chain.pieces(), "stage") + " at most, not " +
                 std::to_string(stages) + ": stages are cut where one tensor passes"};
  }
  return {};
}

class PipelineSearch {
 public:
  PipelineSearch(const PipelineChain& chain, const GraphCostOptions& options, const System& system,
                 PipelinePricer& pricer, const PipelineRequest& request, std::stop_token stop, const Progress& progress)
      : m_chain(chain),
        m_options(options),
        m_system(system),
        m_pricer(pricer),
        m_request(request),
        m_stop(std::move(stop)),
        m_progress(progress) {}

  Result<Pipeline> run() {
    P2_TRY(boundAll());
    std::stable_sort(m_all.begin(), m_all.end(),
                     [](const auto& a, const auto& b) { return a->lowerBound() < b->lowerBound(); });
    for (std::size_t i = 0; i < m_all.size(); ++i) {
      if (m_stop.stop_requested()) return cancelledError();
      Arrangement& each = *m_all[i];
      if (each.lowerBound() >= costOfBest() || (isLate() && costOfBest() < kImpossible)) break;
      P2_TRY(look(each));
      report(kBoundsShare + (1 - kBoundsShare) * static_cast<double>(i + 1) / static_cast<double>(m_all.size()));
    }
    return result();
  }

 private:
  static constexpr double kBoundsShare = 0.5;  // of the progress

  void report(double done) const {
    if (m_progress) m_progress(done);
  }
  [[nodiscard]] bool isLate() const {
    return m_request.solving.searchUntil && std::chrono::steady_clock::now() >= *m_request.solving.searchUntil;
  }
  [[nodiscard]] double costOfBest() const { return std::min(m_whole ? m_whole->cost : kImpossible, m_cost); }

  Result<void> boundAll() {
    const std::vector<std::int64_t> numbers =
        m_request.stages ? std::vector{*m_request.stages} : divisorsOf(m_system.deviceCount());
    for (const std::int64_t stages : numbers) {
      if (static_cast<std::uint64_t>(stages) > m_chain.pieces()) break;
      if (stages == 1) continue;
      for (StageFactors& factors : stageFactorsOf(m_system, stages)) {
        m_all.push_back(std::make_unique<Arrangement>(m_chain, PipelineSetting(m_system, m_options, std::move(factors)),
                                                      m_pricer, m_request.solving));
      }
    }
    for (std::size_t i = 0; i < m_all.size(); ++i) {
      P2_TRY(m_all[i]->bound(m_stop));
      report(kBoundsShare * static_cast<double>(i + 1) / static_cast<double>(m_all.size()));
    }
    if (m_request.stages && *m_request.stages != 1) return {};
    auto whole = wholeGraph(m_chain, m_options, m_system, m_pricer, m_request, m_stop, {});
    if (whole.ok()) {
      m_whole = std::move(whole).value();
    } else if (whole.error().kind == ErrorKind::Cancelled || m_all.empty()) {
      return whole.error();
    }
    return {};
  }

  Result<void> look(Arrangement& each) {
    P2_TRY(each.search(costOfBest(), m_stop));
    m_solved += each.solved();
    if (each.best().empty() || each.cost() >= costOfBest()) return {};
    m_cost = each.cost();
    m_best = &each;
    return {};
  }

  [[nodiscard]] Error tooSmall() const {
    double least = kImpossible;
    for (const auto& each : m_all) least = std::min(least, each->leastMemory());
    if (least == kImpossible) {
      return {
          "no mesh of a stage's devices lets every operator have a configuration; allow configurations that leave "
          "devices repeating work, or another space"};
    }
    return {"a device has " + formatBytes(m_options.deviceMemory.value_or(Bytes(0))) +
                " and no pipeline was found that takes less: the one that needs least takes " +
                formatBytes(Bytes(least)) +
                "; use more devices, a higher stage of ZeRO, recomputation, or a smaller batch",
            {},
            ErrorKind::TooLarge};
  }

  Result<Pipeline> result() {
    if (!m_best && !m_whole) return tooSmall();
    if (!m_best) return finished(std::move(*m_whole));
    Pipeline pipeline{.setting = m_best->setting()};
    const std::vector<std::size_t>& cuts = m_best->best();
    for (std::size_t number = 0; number + 1 < cuts.size(); ++number) {
      P2_TRY_ASSIGN(auto stage, cutOut(m_chain, pipeline.setting, m_pricer, cuts, number,
                                       m_best->answerOf(cuts[number], cuts[number + 1], number)));
      pipeline.stages.push_back(std::move(stage));
    }
    pipeline.cost = m_cost;
    return finished(std::move(pipeline));
  }

  Pipeline finished(Pipeline pipeline) const {
    double least = m_whole ? m_whole->lowerBound : kImpossible;
    for (const auto& each : m_all) least = std::min(least, each->lowerBound());
    pipeline.lowerBound = std::min(least, pipeline.cost);
    pipeline.optimal = least >= pipeline.cost;
    pipeline.arrangements = m_all.size() + (m_whole ? 1 : 0);
    pipeline.solved = m_solved + (m_whole ? m_whole->solved : 0);
    return pipeline;
  }

  const PipelineChain& m_chain;
  const GraphCostOptions& m_options;
  const System& m_system;
  PipelinePricer& m_pricer;
  const PipelineRequest& m_request;
  std::stop_token m_stop;
  const Progress& m_progress;
  std::vector<std::unique_ptr<Arrangement>> m_all;
  std::optional<Pipeline> m_whole;
  Arrangement* m_best = nullptr;
  double m_cost = kImpossible;
  std::size_t m_solved = 0;
};

}  // namespace

Result<Pipeline> solvePipeline(const PipelineChain& chain, const GraphCostOptions& options, const System& system,
                               PipelinePricer& pricer, const PipelineRequest& request, std::stop_token stop,
                               const Progress& progress) {
  P2_TRY(checkGraphCostOptions(options));
  if (request.stages) {
    P2_TRY(checkStages(chain, system, *request.stages));
  }
  if (request.stages == 1) return wholeGraph(chain, options, system, pricer, request, stop, progress);
  P2_TRY(checkPieces(chain));
  return PipelineSearch(chain, options, system, pricer, request, std::move(stop), progress).run();
}

Result<Pipeline> pipelineOf(const PipelineChain& chain, const PipelineSetting& setting,
                            const std::vector<std::size_t>& cuts, PipelinePricer& pricer, const StageRequest& request,
                            std::stop_token stop) {
  Pipeline pipeline{.setting = setting};
  std::map<std::pair<std::size_t, std::int64_t>, std::shared_ptr<const StageAnswer>> known;
  for (std::size_t number = 0; number + 1 < cuts.size(); ++number) {
    StageRequest asked = request;
    asked.inFlight = inFlight(static_cast<std::int64_t>(number), setting.stages, setting.microbatches);
    auto& answer = known[{chain.shapeOf(cuts[number], cuts[number + 1]), asked.inFlight}];
    if (!answer) {
      const StageGraph part = chain.stageOf(cuts[number], cuts[number + 1]);
      P2_TRY_ASSIGN(auto found, solveStage(part, setting, pricer, asked, stop));
      if (!found.answer) {
        return Error{"stage " + std::to_string(number + 1) + " has no strategy of this kind that fits a device's " +
                         formatBytes(setting.options.deviceMemory.value_or(Bytes(0))),
                     {},
                     ErrorKind::TooLarge};
      }
      answer = std::move(found.answer);
      pipeline.solved += found.solved;
    }
    P2_TRY_ASSIGN(auto stage, cutOut(chain, setting, pricer, cuts, number, answer));
    pipeline.cost = std::max(pipeline.cost, answer->cost());
    pipeline.lowerBound = std::max(pipeline.lowerBound, answer->lowerBound());
    pipeline.stages.push_back(std::move(stage));
  }
  pipeline.optimal = pipeline.lowerBound >= pipeline.cost;
  pipeline.arrangements = 1;
  return pipeline;
}

std::size_t Pipeline::slowest() const {
  const auto found = std::max_element(stages.begin(), stages.end(),
                                      [](const auto& a, const auto& b) { return a.answer->cost() < b.answer->cost(); });
  return static_cast<std::size_t>(found - stages.begin());
}

double Pipeline::bubbleShare() const {
  return static_cast<double>(setting.stages - 1) / static_cast<double>(slotCount());
}

double Pipeline::bubbleSeconds() const {
  return static_cast<double>(setting.stages - 1) * stages[slowest()].times.slot();
}

std::vector<StageTimes> Pipeline::times() const {
  std::vector<StageTimes> all;
  for (const PipelineStage& stage : stages) all.push_back(stage.times);
  return all;
}

std::string pipelineLeavesOut() {
  return "interleaved schedules, several chunks of layers on a stage; cuts that more than one tensor passes; stages of "
         "unequal numbers of devices; sends that computation hides";
}

}  // namespace p2
