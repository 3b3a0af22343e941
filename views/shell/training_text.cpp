// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/training_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>

#include "base/counted.h"
#include "training_answer/configuration_text.h"
#include "views/common/text.h"
#include "workload/axis_names.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("TrainingText", text); }

}  // namespace

AxisSpread spreadOf(const PlannedConfiguration& planned, const System& system, std::size_t axis) {
  AxisSpread spread;
  const std::size_t node = nodeDepth(system);
  for (std::size_t level = 0; level < planned.matrix.columns(); ++level) {
    (level < node ? spread.across : spread.inside) *= planned.matrix.at(axis, level);
  }
  return spread;
}

QString degreesText(const TrainingConfiguration& configuration) { return qs(trainingDegreesText(configuration)); }

QString batchText(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  QString text = QStringLiteral("%1 × %2").arg(plan.microbatch).arg(plan.microbatches);
  if (configuration.recomputation != RecomputeKind::None) {
    text += QStringLiteral(", ") + qs(recomputationText(recomputationOf(configuration)));
  }
  if (plan.pipeline > 1 && configuration.schedule != ScheduleKind::OneF1B) {
    text += QStringLiteral(", ") + qs(nameOf(configuration.schedule));
  }
  return text;
}

QString placementText(const PlannedConfiguration& planned, const System& system) {
  const QString node = qs(nodeNameOf(system));
  QStringList parts;
  for (std::size_t axis = 0; axis < planned.axes.size() && !planned.matrix.empty(); ++axis) {
    const AxisSpread spread = spreadOf(planned, system, axis);
    const QString name = qs(planned.axes[axis].name);
    QStringList outside;
    for (std::size_t level = 0; level < std::min(nodeDepth(system), planned.matrix.columns()); ++level) {
      const std::int64_t count = planned.matrix.at(axis, level);
      if (count > 1) outside << QStringLiteral("%1 %2").arg(qs(pluralOf(system.levels[level].name))).arg(count);
    }
    const QString across = outside.join(QStringLiteral(" × "));
    if (spread.across > 1 && spread.inside > 1) {
      parts << tr("%1 across %2 and inside %3").arg(name, across).arg(spread.inside);
    } else if (spread.across > 1) {
      parts << tr("%1 across %2").arg(name, across);
    } else if (spread.inside > 1) {
      parts << tr("%1 inside a %2 %3").arg(name, node).arg(spread.inside);
    }
  }
  return parts.join(QStringLiteral(" · "));
}

QString explainAxes(const PlannedConfiguration& planned) {
  struct Explained {
    std::string_view axis;
    const char* text;
  };
  static constexpr std::array kExplained{
      Explained{kPipelineAxis, QT_TR_NOOP("consecutive layers, whose activations they pass on")},
      Explained{kReplicaAxis, QT_TR_NOOP("copies of the same shards of the model, whose gradients they sum")},
      Explained{kDataAxis, QT_TR_NOOP("other sequences of the batch, whose gradients they sum")},
      Explained{kContextAxis, QT_TR_NOOP("other parts of one sequence, whose keys and values they exchange")},
      Explained{kContextRingAxis, QT_TR_NOOP("other parts of one sequence, whose keys and values go around a ring")},
      Explained{kTensorAxis, QT_TR_NOOP("parts of every layer, whose results they sum")},
      Explained{kExpertAxis, QT_TR_NOOP("different experts, to which they send each other's tokens")},
      Explained{kExpertDataAxis,
                QT_TR_NOOP("copies of the same experts, whose gradients they sum; the other layers sum "
                           "theirs over all data-parallel devices")},
      Explained{kExpertTensorAxis, QT_TR_NOOP("parts of the same experts, whose results they sum")}};
  QStringList lines;
  for (const Axis& axis : planned.axes) {
    const auto* const found = std::find_if(kExplained.begin(), kExplained.end(),
                                           [&](const Explained& each) { return each.axis == axis.name; });
    if (axis.size > 1 && found != kExplained.end()) {
      lines << tr("%1: devices with %2").arg(qs(axis.name), tr(found->text));
    }
  }
  return lines.join('\n');
}

QString intervalText(const StepEstimate& estimate) {
  return QStringLiteral("%1 (%2–%3)")
      .arg(secondsText(estimate.seconds), qs(formatSecondsLike(estimate.seconds, estimate.low)),
           qs(formatSecondsLike(estimate.seconds, estimate.high)));
}

QString shareText(double share) { return qs(formatPercent(share)); }

QString countText(std::int64_t count) {
  QString digits = QString::number(count);
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, ',');
  return digits;
}

QString memoryText(double bytes) { return bytesText(Bytes(bytes)); }

QString memoryNeedText(double need, double reserve, double memory) {
  return tr("%1 of %2 usable memory").arg(memoryText(need), memoryText(memory - reserve));
}

std::vector<TimePart> timePartsOf(const StepEstimate& estimate) {
  using Look = TimePart::Look;
  static constexpr std::array kAxes{"tensor", "context", "expert", "pipeline", "data"};
  const StepParts& parts = estimate.parts;
  std::vector<TimePart> all{
      {tr("computation"), tr("Computation of the model, kernels as fast as they are on this accelerator"),
       parts.compute + parts.inefficiency, Look::Computation, 0},
      {tr("recomputation"), tr("Forward passes done again to save memory"), parts.recompute, Look::Waiting, 1}};
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    all.push_back({qs(kExposedAxes[axis]),
                   tr("Communication of %1 parallelism that computation does not hide").arg(QLatin1String(kAxes[axis])),
                   parts.exposed[axis], Look::Category, int(axis)});
  }
  all.push_back({tr("bubble"), tr("Stages that wait for microbatches"), parts.bubble, Look::Waiting, 0});
  all.push_back(
      {tr("imbalance"),
       tr("Devices that wait for the slowest stage or device; some are assumed to be slower, as in public runs"),
       parts.imbalance, Look::Waiting, 2});
  all.push_back({tr("optimizer"), tr("Update of the parameters"), parts.optimizer, Look::Category, 5});
  all.push_back({tr("host"), tr("Kernel launches and fixed costs of a step"), parts.host, Look::Category, 7});
  std::erase_if(all, [](const TimePart& part) { return part.seconds <= 0; });
  return all;
}

QString timePartsText(const StepEstimate& estimate) {
  constexpr double kShown = 1e-3;
  QStringList parts;
  for (const TimePart& part : timePartsOf(estimate)) {
    if (part.seconds > kShown * estimate.seconds) parts << part.name + ' ' + secondsText(part.seconds);
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace p2::views
