// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_comparison.h"

#include <QObject>

#include "mapping/axis_names.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

ComparisonBars::Bar pipelineBar(const QString& name, const QString& meaning, double cost, const CostSplit& split,
                                Bytes memory, Bytes limit) {
  ComparisonBars::Bar bar{name, meaning, cost, secondsText(cost)};
  if (const double total = split.total(); total > 0) {
    bar.split = SplitShares{split.compute / total, split.reduce / total, split.resharding / total};
  }
  bar.memory = bytesText(memory);
  bar.fits = limit == Bytes(0) || memory <= limit;
  if (!bar.fits) bar.memory = QObject::tr("✗ %1").arg(bar.memory);
  return bar;
}

QString stagesText(std::int64_t stages, const std::string& factors) {
  return QObject::tr("%1 stages, %2").arg(stages).arg(qs(factors));
}

}  // namespace

Result<std::vector<StrategyBaseline>> pipelineBaselinesOf(const PipelineQuestion& question, const std::stop_token& stop,
                                                          const Progress& progress) {
  P2_TRY_ASSIGN(const auto input, readStrategyInput(question.strategy, stop));
  P2_TRY_ASSIGN(auto prices, StrategyPrices::of(input, stop));
  return p2::pipelineBaselinesOf(input, question.stages, prices, stop, progress);
}

std::vector<ComparisonBars::Bar> pipelineBars(const PipelineAnswer& pipeline,
                                              const std::vector<StrategyBaseline>& baselines) {
  std::vector<ComparisonBars::Bar> bars;
  const Pipeline& found = pipeline.pipeline;
  const std::int64_t stages = found.setting.stages;
  const Bytes limit = pipeline.input.deviceMemory();
  if (stages > 1) {
    bars.push_back(pipelineBar(QObject::tr("best with %1 stages").arg(stages), pipelineWords(pipeline).join(' '),
                               found.cost, splitOf(found), memoryOf(found), limit));
  }
  for (const StrategyBaseline& each : baselines) {
    const QString name = qs(each.name);
    const QString meaning = qs(each.meaning);
    const QString degrees = qs(degreesText(each.degrees));
    if (!each.reason.empty()) {
      bars.push_back({name, meaning, {}, qs(each.reason)});
      continue;
    }
    const QString stagesSentence = stagesText(each.stages, each.stageFactors);
    bars.push_back(pipelineBar(name, QObject::tr("%1 %2: %3.").arg(meaning, stagesSentence, degrees), each.cost,
                               *each.split, *each.memory, limit));
  }
  return bars;
}

}  // namespace p2::views
