// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline_solver.h"

#include <algorithm>
#include <limits>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "mapping/gradient_buckets.h"
#include "pipeline/detail/arrangement.h"

namespace p2::inline pipeline {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();

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
  P2_TRY_ASSIGN(stage, completedStage(pipeline.setting, pricer, 0, std::move(stage)));
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
                     [](const auto& a, const auto& b) { return a->estimate() < b->estimate(); });
    for (std::size_t i = 0; i < m_all.size(); ++i) {
      if (m_stop.stop_requested()) return cancelledError();
      Arrangement& each = *m_all[i];
      if (isLate() && costOfBest() < kImpossible) break;
      if (each.lowerBound() < costOfBest()) P2_TRY(look(each));
      report(kBoundsShare + (1 - kBoundsShare) * static_cast<double>(i + 1) / static_cast<double>(m_all.size()));
    }
    return result();
  }

 private:
  static constexpr double kBoundsShare = 0.5;  // share of the progress

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
    return Error{"the smallest pipeline found needs " + formatBytes(Bytes(least)) + " per device, and a device has " +
                     formatBytes(m_options.deviceMemory.value_or(Bytes(0))) + "; " +
                     waysToNeedLess(m_options.memory, true),
                 {},
                 ErrorKind::TooLarge}
        .about(kNothingFits);
  }

  Result<Pipeline> result() {
    if (!m_best && !m_whole) return tooSmall();
    if (!m_best) return finished(std::move(*m_whole));
    Pipeline pipeline{.setting = m_best->setting()};
    const std::vector<std::size_t>& cuts = m_best->best();
    for (std::size_t number = 0; number + 1 < cuts.size(); ++number) {
      P2_TRY_ASSIGN(auto stage, stageOfCuts(m_chain, pipeline.setting, m_pricer, cuts, number,
                                            m_best->answerOf(cuts[number], cuts[number + 1], number)));
      pipeline.stages.push_back(std::move(stage));
    }
    pipeline.cost = m_cost;
    return finished(std::move(pipeline));
  }

  Pipeline finished(Pipeline pipeline) const {
    double least = kImpossible;
    if (m_whole) least = m_whole->lowerBound;
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

Result<Pipeline> solvePipeline(const PipelineChain& chain, const GraphCostOptions& asked, const System& system,
                               PipelinePricer& pricer, const PipelineRequest& request, std::stop_token stop,
                               const Progress& progress) {
  P2_TRY(checkGraphCostOptions(asked));
  const GraphCostOptions options = withBucketsOf(chain.graph(), asked);
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
    P2_TRY_ASSIGN(auto stage, stageOfCuts(chain, setting, pricer, cuts, number, answer));
    pipeline.lowerBound = std::max(pipeline.lowerBound, answer->lowerBound());
    pipeline.stages.push_back(std::move(stage));
  }
  pipeline.cost = playedSeconds(pipeline.times(), setting.microbatches);
  pipeline.lowerBound = leastPlayed(pipeline.lowerBound, setting.stages, setting.microbatches);
  pipeline.optimal = pipeline.lowerBound >= pipeline.cost;
  pipeline.arrangements = 1;
  return pipeline;
}

}  // namespace p2::inline pipeline
