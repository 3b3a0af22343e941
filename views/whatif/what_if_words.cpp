// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/what_if_words.h"

#include <QObject>

#include "base/near.h"
#include "base/sentence.h"
#include "views/common/text.h"
#include "views/shell/training_text.h"
#include "views/whatif/points_model.h"

namespace p2::views {

QString figuresText(const PlannedConfiguration& planned, const RunningCost& cost, std::int64_t devices) {
  QString text = QObject::tr("%1, %2 MFU").arg(intervalText(planned.estimate), shareText(planned.estimate.mfu));
  if (const auto price = pricePerMillionTokens(cost, planned.estimate, devices)) {
    text += QObject::tr(", %1 per million tokens").arg(amountText(*price));
  }
  if (const auto joules = joulesPerToken(cost, planned.estimate, devices)) {
    text += QObject::tr(", %1 J per token").arg(amountText(*joules));
  }
  return text;
}

QString findingText(const WhatIfPoint& point, const PlannedConfiguration& before, const PlannedConfiguration* best,
                    const std::string& nearby) {
  const QString was = secondsText(before.estimate.seconds);
  const QString change = qs(describe(point.change, point.node));
  if (change.isEmpty()) {
    return QObject::tr("A step takes %1. Move a slider or type a value to see it elsewhere.")
        .arg(intervalText(before.estimate));
  }
  const QString faster = nearby.empty() ? QString() : QObject::tr(" Faster than the best there: %1.").arg(qs(nearby));
  if (point.fewer) {
    return QObject::tr("%1: with fewer replicas (%2) a step takes %3; a spare %4 brings back %5.")
               .arg(change, qs(point.fewerText()), secondsText(point.fewer->planned.estimate.seconds), qs(point.node),
                    was) +
           faster;
  }
  if (!point.kept && best != nullptr) {
    const double there = best->estimate.seconds;
    return QObject::tr("%1: this plan does not run there. The best one there takes %2 a step, %3 the %4 before.")
               .arg(change, secondsText(there), factorText(there / before.estimate.seconds), was) +
           faster;
  }
  if (!point.kept) return QObject::tr("%1: this plan does not run there.").arg(change) + faster;
  const double ratio = point.kept->estimate.seconds / before.estimate.seconds;
  QString text = QObject::tr("%1: a step takes %2, %3 the %4 before.")
                     .arg(change, secondsText(point.kept->estimate.seconds), factorText(ratio), was);
  const bool ofSpine = point.change.oversubscription || point.change.spineBandwidth || point.change.jobs;
  if (ofSpine && nearlyEqual(ratio, 1)) {
    text += ' ' + QObject::tr("No collective of this step waits for that network.");
  }
  for (const std::string& effect : point.effects) text += QLatin1Char(' ') + qs(sentenceOf(effect));
  return text + faster;
}

}  // namespace p2::views
