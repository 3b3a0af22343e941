// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/model/model_facts.h"

#include <QCoreApplication>

#include "training_answer/document_training.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/model/parts_table.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ModelFacts", text); }

QString shapeText(const ModelShape& given) {
  const ModelShape shape = resolved(given);
  const std::int64_t mixtures = expertLayers(shape, shape.layers);
  QString text = tr("%1 of width %2").arg(counted(shape.layers, tr("layer"), tr("layers"))).arg(shape.hidden);
  if (mixtures < shape.layers) text += tr(", MLP of %1").arg(shape.ffn);
  text += tr(", %1 of %2").arg(counted(shape.heads, tr("head"), tr("heads"))).arg(shape.headSize);
  text += shape.kvRank > 0 ? tr(" with keys and values of rank %1").arg(shape.kvRank)
                           : tr(" with %1 of keys and values").arg(shape.kvHeads);
  text += tr(", vocabulary of %1").arg(shape.vocabulary);
  if (mixtures == 0) return text + '.';
  text += tr("; %1 of %2, %3 for every token")
              .arg(counted(shape.experts, tr("expert"), tr("experts")))
              .arg(shape.expertFfn)
              .arg(shape.expertsPerToken);
  if (mixtures < shape.layers) text += tr(", in %1 of the layers").arg(mixtures);
  return text + '.';
}

/// The time of a step at the peak; none without a known accelerator.
std::optional<double> leastSeconds(const TrainingQuestion& question) {
  const auto accelerator = trainingAcceleratorOf(question.system);
  if (!accelerator.ok()) return std::nullopt;
  TrainingConfiguration configuration;
  configuration.plan.sequence = question.sequence;
  configuration.plan.globalBatch = question.batch;
  configuration.plan.microbatches = question.batch;
  configuration.precision = question.precision;
  const double peak = peakOf(*accelerator, question.precision) * double(question.system.deviceCount());
  return peak > 0 ? std::optional(modelFlop(question.model, configuration) / peak) : std::nullopt;
}

/// Whether the accelerator has faster products of the question's numbers than of 16-bit ones.
bool isBelowBf16(const TrainingQuestion& question) {
  const auto accelerator = trainingAcceleratorOf(question.system);
  return accelerator.ok() && peakOf(*accelerator, question.precision) > accelerator->bf16;
}

}  // namespace

Result<ModelFacts> modelFacts(const System& system, const TrainingChoice& training) {
  P2_TRY_ASSIGN(const auto input, trainingInputOf(system, training));
  const TrainingQuestion& question = input.question;
  const double parameters = double(modelParameters(question.model));
  const double active = double(activeParameters(question.model));
  const double tokens = double(question.batch) * double(question.sequence);
  ModelFacts facts;
  facts.finding = tr("%1 has %2 parameters; a step of %3 × %4 tokens is %5 tokens")
                      .arg(qs(training.model), largeText(parameters))
                      .arg(question.batch)
                      .arg(question.sequence)
                      .arg(largeText(tokens));
  const auto least = leastSeconds(question);
  const QString devices = counted(system.deviceCount(), tr("device"), tr("devices"));
  facts.finding += least ? tr(" and takes at least %1 on %2 at 100 % of the peak.").arg(secondsText(*least), devices)
                         : QStringLiteral(".");
  facts.model = resolved(question.model);
  facts.parts = modelParts(facts.model, question.sequence);
  facts.details << shapeText(question.model);
  if (isBelowBf16(question)) {
    facts.details << tr("The least time counts every product at the peak of %1. Attention and the head stay in 16-bit "
                        "numbers, so Why has a longer time at the peak.")
                         .arg(qs(nameOf(question.precision)));
  }
  if (active < parameters) facts.details << tr("A token passes through %1 parameters.").arg(largeText(active));
  facts.details << tr("Parameters, gradients and Adam's states are %1: %2 per device if they are sharded over all %3.")
                       .arg(bytesText(Bytes(kStateBytes * parameters)),
                            bytesText(Bytes(kStateBytes * parameters / double(system.deviceCount()))), devices);
  facts.details << tr(
      "The data-parallel degree follows from the devices and the other degrees, the number of "
      "microbatches from the batch: a change of the cluster keeps your choices.");
  for (const std::string& each : input.assumed) facts.assumed << qs(each);
  return facts;
}

}  // namespace p2::views
