// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_words.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

#include "base/units.h"
#include "views/common/text.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr double kLeastHidden = 1e-3;  // share of the step

/// The bar that takes most of the time besides computation; null without one.
const WaterfallBar* worstOf(const std::vector<WaterfallBar>& bars) {
  const WaterfallBar* worst = nullptr;
  for (const WaterfallBar& bar : bars) {
    if (bar.kind == SliceKind::Computation) continue;
    if (worst == nullptr || bar.to - bar.from > worst->to - worst->from) worst = &bar;
  }
  return worst;
}

/// Ways to shorten a part of the step; empty without any.
QString remedyOf(SliceKind kind) {
  switch (kind) {
    case SliceKind::Recomputation:
      return QObject::tr("more pipeline stages or sharding, which leave memory for the activations");
    case SliceKind::Tensor:
      return QObject::tr("a smaller tp, or products that hide it");
    case SliceKind::Context:
      return QObject::tr("a smaller cp");
    case SliceKind::Expert:
      return QObject::tr("an ep that stays inside a node, or the computation of another microbatch meanwhile");
    case SliceKind::Pipeline:
      return QObject::tr("fewer pipeline stages");
    case SliceKind::Data:
      return QObject::tr("a lower ZeRO stage, or more microbatches for each reduction");
    case SliceKind::Bubble:
      return QObject::tr("more microbatches or virtual stages");
    case SliceKind::Waiting:
      return QObject::tr("layers that divide evenly over the stages");
    case SliceKind::Host:
      return QObject::tr("larger microbatches or CUDA graphs, which launch fewer kernels");
    case SliceKind::Forward:
    case SliceKind::Backward:
    case SliceKind::Weights:
    case SliceKind::Computation:
    case SliceKind::Collective:
    case SliceKind::Optimizer:
      break;
  }
  return {};
}

}  // namespace

QString secondsAndShareText(double seconds, double step) {
  return QStringLiteral("%1, %2").arg(secondsText(seconds), qs(formatPercent(step > 0 ? seconds / step : 0)));
}

QString findingOf(const StepStudy& study, bool isBest) {
  const StepEstimate& estimate = study.planned.estimate;
  const auto bars = waterfallOf(estimate);
  QString text =
      QObject::tr("A step takes %1: %2 at the peak of the devices, %3 more because kernels do not reach it")
          .arg(intervalText(estimate), secondsText(estimate.parts.compute), secondsText(estimate.parts.inefficiency));
  if (const WaterfallBar* worst = worstOf(bars)) {
    text += QObject::tr("; the largest part of the rest is %1, %2")
                .arg(qs(worst->name), secondsText(worst->to - worst->from));
    const double slower = std::min(study.detail.waiting, worst->to - worst->from);
    if (worst->kind == SliceKind::Waiting && slower > 0) {
      text += QObject::tr(", %1 of it for devices that are assumed to be slower, as in public runs")
                  .arg(secondsText(slower));
    }
  }
  text += '.';
  if (isBest) {
    return text + ' ' +
           QObject::tr(
               "“Why not another?” compares it with its neighbours; What if tries another batch, precision or "
               "machine.");
  }
  const WaterfallBar* worst = worstOf(bars);
  const QString remedy = worst ? remedyOf(worst->kind) : QString();
  return remedy.isEmpty() ? text : text + ' ' + QObject::tr("To shorten it: %1.").arg(remedy);
}

QString hiddenOf(const StepStudy& study) {
  QStringList parts;
  for (std::size_t axis = 0; axis < study.detail.hidden.size(); ++axis) {
    const double hidden = study.detail.hidden[axis];
    if (hidden < kLeastHidden * study.planned.estimate.seconds) continue;
    parts << QStringLiteral("%1 %2").arg(qs(kExposedAxes[axis]), secondsText(hidden));
  }
  if (parts.isEmpty()) return QObject::tr("No communication is hidden behind computation.");
  return QObject::tr("Hidden behind computation, and not in the step: %1.").arg(parts.join(QStringLiteral(", ")));
}

QString aboutOf(const StepStudy& study, const System& system) {
  const MemoryCurve& memory = study.memory;
  const PlannedConfiguration& planned = study.planned;
  return QObject::tr("%1 · %2 · microbatch %3 · %4 · %5 MFU · %6 on the fullest device. %7")
      .arg(qs(planned.framework->label), degreesText(planned.configuration), batchText(planned.configuration),
           placementText(planned, system), qs(formatPercent(planned.estimate.mfu)),
           memoryNeedText(memory.peak.total(), memory.reserve, memory.deviceMemory), hiddenOf(study));
}

}  // namespace p2::views
