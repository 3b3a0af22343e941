// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_comparison.h"

#include <QObject>

#include "base/units.h"
#include "pipeline/pipeline_baseline.h"

namespace p2::views {
namespace {

ComparisonBars::Bar pipelineBar(const QString& name, const QString& meaning, double cost, const CostSplit& split,
                                Bytes memory, Bytes limit) {
  ComparisonBars::Bar bar{name, meaning, cost, QString::fromStdString(formatSeconds(cost))};
  if (const double total = split.total(); total > 0) {
    bar.split = SplitShares{split.compute / total, split.reduce / total, split.exchange / total};
  }
  bar.memory = QString::fromStdString(formatBytes(memory));
  bar.fits = limit == Bytes(0) || memory <= limit;
  if (!bar.fits) bar.memory = QObject::tr("✗ %1").arg(bar.memory);
  return bar;
}

QString stagesText(std::int64_t stages, const std::string& dealt) {
  return QObject::tr("%1 stages, %2").arg(stages).arg(QString::fromStdString(dealt));
}

}  // namespace

Result<std::vector<PipelineBaselineAnswer>> pipelineBaselinesOf(const PipelineQuestion& question,
                                                                const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(const auto sized, loadGraph(question.strategy, stop));
  const GraphCostOptions& options = sized.question.options;
  const System& system = *question.strategy.system;
  P2_TRY_ASSIGN(const auto prices, p2::pricerFor(options, system, question.strategy.pricing, stop));
  SimulatedPipelinePricer pricer(dynamic_cast<HierarchicalPrices&>(*prices));
  const PipelineChain chain(sized.loaded.graph);
  std::vector<PipelineBaselineAnswer> answers;
  for (const bool sequence : {false, true}) {
    const auto half = [&](double done) {
      if (progress) progress((double(answers.size()) + done) / 2);
    };
    const auto found = pipelineBaseline(chain, options, system, pricer, question.stages, sequence, stop, half);
    if (!found.ok() && found.error().kind == ErrorKind::Cancelled) return cancelledError();
    PipelineBaselineAnswer each{
        {pipelineBaselineName(sequence), pipelineBaselineMeaning(sequence), {}, {}, {}, {}}, 0, {}};
    if (found.ok()) {
      const Pipeline& pipeline = found->pipeline;
      each.answer.cost = pipeline.cost;
      each.answer.split = splitOf(pipeline);
      each.answer.memory = memoryOf(pipeline);
      each.stages = pipeline.setting.stages;
      each.dealt = stageFactorsText(system, pipeline.setting.factors);
    } else {
      each.answer.reason = found.error().text();
    }
    answers.push_back(std::move(each));
  }
  return answers;
}

std::vector<ComparisonBars::Bar> pipelineBars(const PipelineAnswer& pipeline,
                                              const std::vector<PipelineBaselineAnswer>& baselines) {
  std::vector<ComparisonBars::Bar> bars;
  const Pipeline& found = pipeline.pipeline;
  const std::int64_t stages = found.setting.stages;
  if (stages > 1) {
    bars.push_back(pipelineBar(QObject::tr("best with %1 stages").arg(stages), pipeline.words().join(' '), found.cost,
                               splitOf(found), memoryOf(found), pipeline.memoryLimit));
  }
  for (const PipelineBaselineAnswer& each : baselines) {
    const QString name = QString::fromStdString(std::string(each.answer.name));
    const QString meaning = QString::fromStdString(std::string(each.answer.meaning));
    if (!each.answer.cost) {
      bars.push_back({name, meaning, {}, QString::fromStdString(each.answer.reason)});
      continue;
    }
    bars.push_back(pipelineBar(name, meaning + " " + stagesText(each.stages, each.dealt) + ".", *each.answer.cost,
                               *each.answer.split, each.answer.memory, pipeline.memoryLimit));
  }
  return bars;
}

}  // namespace p2::views
