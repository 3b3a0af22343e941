// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/pipeline_answer.h"

#include <QObject>

#include "base/units.h"
#include "mapping/axis_names.h"
#include "mapping/mapping.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/strategy/strategy_instance.h"

namespace p2::views {

QStringList pipelineWords(const PipelineAnswer& answer) {
  const Pipeline& pipeline = answer.pipeline;
  const System& system = *answer.input.system;
  const PipelineSetting& setting = pipeline.setting;
  QStringList words;
  const QString cost = secondsText(pipeline.cost);
  if (!pipeline.optimal) {
    words << QObject::tr("%1 a step; none takes less than %2.").arg(cost, secondsText(pipeline.lowerBound));
  } else if (answer.graph().unpriced.empty()) {
    words << QObject::tr("%1 a step, the best there is.").arg(cost);
  } else {
    words << QObject::tr("%1 a step, the best of the priced operators.").arg(cost);
  }
  words << QObject::tr("%1 of %2 each (%3); the slowest has %4.")
               .arg(counted(setting.stages, QObject::tr("stage"), QObject::tr("stages")),
                    counted(setting.options.devices, QObject::tr("device"), QObject::tr("devices")),
                    qs(stageFactorsText(system, setting.factors)), qs(degreesText(degreesOf(pipeline))));
  words << QObject::tr("%1 %2; each stage is idle for %3 of them, a bubble of %4 (%5).")
               .arg(counted(setting.microbatches, QObject::tr("microbatch takes"), QObject::tr("microbatches take")),
                    counted(pipeline.slotCount(), QObject::tr("slot"), QObject::tr("slots")))
               .arg(setting.stages - 1)
               .arg(secondsText(pipeline.bubbleSeconds()), qs(formatPercent(pipeline.bubbleShare())));
  return words;
}

QStringList unmodelledEffectsText(const PipelineAnswer& answer) {
  return {pricedWords(answer.input.pricing, *answer.input.system),
          QObject::tr("Not modelled: %1.")
              .arg(qs(pipelineUnmodelledEffects() + "; " + meshUnmodelledEffects(isRouted(answer.graph()))))};
}

QString cellText(const PipelineAnswer& answer, std::size_t stage, const PipelineCell& cell) {
  const QString place = QObject::tr("stage %1 of %2").arg(stage + 1).arg(answer.pipeline.stages.size());
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
  PipelineSearch search;
  search.stages = question.stages;
  return answerPipeline(question.strategy, search, stop, progress);
}

}  // namespace p2::views
