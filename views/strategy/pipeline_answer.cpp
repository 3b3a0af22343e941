// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_answer.h"

#include <QObject>

#include "base/units.h"
#include "mapping/mapping.h"
#include "views/common/ratio_text.h"
#include "views/strategy/strategy_instance.h"

namespace p2::views {
namespace {

QString secondsText(double seconds) { return QString::fromStdString(formatSeconds(seconds)); }

}  // namespace

std::vector<std::size_t> PipelineAnswer::stagesOfOperators() const {
  std::vector<std::size_t> stages(graph.operators.size(), 0);
  for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage) {
    for (const std::size_t op : pipeline.stages[stage].part.operators) stages[op] = stage;
  }
  return stages;
}

QStringList PipelineAnswer::words() const {
  const PipelineSetting& setting = pipeline.setting;
  QStringList words;
  const QString cost = secondsText(pipeline.cost);
  if (!pipeline.optimal) {
    words << QObject::tr("%1 a step; none takes less than %2.").arg(cost, secondsText(pipeline.lowerBound));
  } else if (graph.unpriced.empty()) {
    words << QObject::tr("%1 a step, the best there is.").arg(cost);
  } else {
    words << QObject::tr("%1 a step, the best there is for what is priced.").arg(cost);
  }
  words << QObject::tr("Stages: %1 of %2 each (%3).")
               .arg(setting.stages)
               .arg(counted(setting.options.devices, QObject::tr("device"), QObject::tr("devices")),
                    QString::fromStdString(stageFactorsText(system, setting.factors)));
  words << QObject::tr("%1 %2; each stage waits through %3 of them, %4 (%5).")
               .arg(counted(setting.microbatches, QObject::tr("microbatch takes"), QObject::tr("microbatches take")),
                    counted(pipeline.slotCount(), QObject::tr("slot"), QObject::tr("slots")))
               .arg(setting.stages - 1)
               .arg(secondsText(pipeline.bubbleSeconds()), percentText(pipeline.bubbleShare()));
  if (schedule) words << QObject::tr("Played pass by pass: %1.").arg(secondsText(schedule->seconds));
  words << pricedWords(pricing, system);
  words << QObject::tr("Left out: %1.")
               .arg(QString::fromStdString(pipelineLeavesOut() + "; " + meshLeavesOut(isRouted(graph))));
  return words;
}

QString PipelineAnswer::textOf(std::size_t stage, const PipelineCell& cell) const {
  const QString place = QObject::tr("stage %1 of %2").arg(stage + 1).arg(pipeline.stages.size());
  const QString time = QObject::tr("%1 from %2 on").arg(secondsText(cell.seconds), secondsText(cell.start));
  switch (cell.kind) {
    case PipelineCell::Kind::Forward:
      return QObject::tr("%1, microbatch %2 forward: %3").arg(place).arg(cell.microbatch + 1).arg(time);
    case PipelineCell::Kind::Backward:
      return QObject::tr("%1, microbatch %2 back: %3").arg(place).arg(cell.microbatch + 1).arg(time);
    case PipelineCell::Kind::Once:
      return QObject::tr("%1, once a step: %2").arg(place, time);
  }
  return {};
}

Result<PipelineAnswer> findPipeline(const PipelineQuestion& question, const std::stop_token& stop,
                                    const Progress& progress) {
  if (question.strategy.options.model != StrategyCostModel::Hierarchical || !question.strategy.system) {
    return Error{"stages lie on the devices of the system; choose the model hierarchical"};
  }
  if (!namesGraph(question.strategy.graph)) {
    return Error{"cost tables do not say what a stage is; choose a graph"};
  }
  P2_TRY_ASSIGN(auto sized, loadGraph(question.strategy, stop));
  const GraphCostOptions& options = sized.question.options;
  P2_TRY_ASSIGN(const auto prices, p2::pricerFor(options, question.strategy.system, question.strategy.pricing, stop));
  SimulatedPipelinePricer pricer(dynamic_cast<HierarchicalPrices&>(*prices));
  const PipelineChain chain(sized.loaded.graph);
  PipelineRequest request;
  request.stages = question.stages;
  P2_TRY_ASSIGN(auto pipeline,
                solvePipeline(chain, options, *question.strategy.system, pricer, request, stop, progress));
  auto schedule = scheduleOf(pipeline.times(), pipeline.setting.microbatches);
  return PipelineAnswer{std::move(sized.loaded.graph), *question.strategy.system,
                        std::move(pipeline),           std::move(schedule),
                        question.strategy.pricing,     options.deviceMemory.value_or(Bytes(0))};
}

}  // namespace p2::views
