// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/step_timeline.h"

#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/units.h"

namespace p2::inline timeline {
namespace {

using PassKind = PlayedPass::Kind;

constexpr double kLeastCause = 0.01;  // share of the time that kernels lose

SliceKind sliceKindOf(PassKind kind) {
  return kind == PassKind::Forward    ? SliceKind::Forward
         : kind == PassKind::Backward ? SliceKind::Backward
                                      : SliceKind::Weights;
}

/// Draws one step.
class StepDrawer {
 public:
  StepDrawer(const StepDetail& detail, const PlayedPipeline& played, const std::vector<StepCollective>& collectives)
      : m_detail(detail), m_played(played), m_collectives(collectives), m_builder("predicted training step") {
    std::size_t passes = 0;
    for (const auto& stage : played.stages) passes += stage.size();
    m_parts = passes * 6 <= kMostSlices;
    if (!m_parts) m_builder.note("passes are shown whole: this step has " + countedText(passes, "pass", "passes"));
    for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
      m_axes[axis] = m_builder.detail(axisDetail(static_cast<ExposedAxis>(axis)));
    }
    m_computation = m_builder.detail({SliceKind::Computation, "computation", 0, {}, {}, {}});
    m_recomputation = m_builder.detail({SliceKind::Recomputation, "recomputation", 0, {}, {}, {}});
    m_bubble = m_builder.detail({SliceKind::Bubble, "bubble", 0, {}, {}, "waits for a microbatch"});
  }

  Timeline draw() {
    for (std::size_t s = 0; s < m_played.stages.size(); ++s) drawStage(s);
    m_builder.note("communication and recomputation of a pass are added up over its layers");
    return m_builder.take();
  }

 private:
  /// The axis by its collective that takes most, in the first place of its axis.
  [[nodiscard]] SliceDetail axisDetail(ExposedAxis axis) const {
    SliceDetail detail{sliceKindOf(axis), std::string(describe(axis)), 0, {}, {}, {}};
    std::size_t others = 0;
    for (const StepCollective& each : m_collectives) {
      if (each.axis != axis) continue;
      if (detail.bytes > 0) {
        ++others;
        continue;
      }
      detail.bytes = static_cast<double>(each.entry.bytes);
      detail.name += ": " + std::string(nameOf(each.entry.kind));
      detail.group = countedText(each.members, "device") + " over " + each.span;
      detail.link = each.link;
    }
    if (others > 0) detail.note = "and " + countedText(others, "other collective");
    return detail;
  }

  void add(std::uint32_t track, std::uint32_t detail, int depth, double start, double seconds, std::int64_t number) {
    if (seconds <= 0) return;
    m_builder.slice(
        {track, detail, static_cast<std::uint16_t>(depth), static_cast<std::int32_t>(number), start, seconds});
  }

  void drawStage(std::size_t stage) {
    const std::int64_t layers = m_detail.stages[stage].layers;
    const std::uint32_t track =
        m_builder.track("predicted", "stage " + std::to_string(stage) + ", " + countedText(layers, "layer"));
    double end = 0;
    for (const PlayedPass& pass : m_played.stages[stage]) {
      add(track, m_bubble, 0, end, pass.start - end, -1);
      drawPass(track, m_detail.stages[stage], pass);
      end = pass.start + pass.seconds;
    }
    add(track, m_bubble, 0, end, m_played.seconds - end, -1);
    drawOnce(track);
  }

  void drawPass(std::uint32_t track, const StageDetail& stage, const PlayedPass& pass) {
    SliceDetail whole{sliceKindOf(pass.kind), std::string(nameOf(sliceKindOf(pass.kind))), 0, {}, {}, {}};
    if (m_detail.chunks > 1) whole.note = "chunk " + std::to_string(pass.chunk);
    add(track, m_builder.detail(whole), 0, pass.start, pass.seconds, pass.microbatch);
    if (!m_parts) return;
    const ChunkDetail& chunk = stage.chunks[static_cast<std::size_t>(pass.chunk)];
    PassDetail parts = pass.kind == PassKind::Forward ? chunk.forward : chunk.backward;
    if (pass.kind == PassKind::Weights) parts = {pass.seconds, 0, {}};
    // Schedules without passes for the weights add their seconds to the backward pass.
    const double missing = pass.seconds - parts.seconds();
    parts.computation += std::max(0.0, missing);
    double at = pass.start;
    const auto next = [&](std::uint32_t detail, double seconds) {
      add(track, detail, 1, at, seconds, pass.microbatch);
      at += std::max(0.0, seconds);
    };
    next(m_recomputation, parts.recomputation);
    next(m_computation, parts.computation);
    for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) next(m_axes[axis], parts.exposed[axis]);
  }

  void drawOnce(std::uint32_t track) {
    double at = m_played.seconds;
    const auto next = [&](const SliceDetail& detail, double seconds) {
      add(track, m_builder.detail(detail), 0, at, seconds, -1);
      at += std::max(0.0, seconds);
    };
    next({SliceKind::Waiting, "waiting", 0, {}, {}, "for slower devices, in all passes together"}, m_detail.waiting);
    next(m_builder.detailAt(m_axes[static_cast<std::size_t>(ExposedAxis::Data)]), m_detail.dataExposed);
    next({SliceKind::Pipeline, "gradients of the embedding", 0, "first and last stage", {}, {}}, m_detail.endsExposed);
    next({SliceKind::Optimizer, "optimizer", 0, {}, {}, {}}, m_detail.optimizer);
    next({SliceKind::Host, "host", 0, {}, {}, "overhead of a step and its microbatches beyond their layers"},
         m_detail.host);
  }

  const StepDetail& m_detail;
  const PlayedPipeline& m_played;
  const std::vector<StepCollective>& m_collectives;
  TimelineBuilder m_builder;
  bool m_parts = true;
  std::array<std::uint32_t, kExposedAxes.size()> m_axes{};
  std::uint32_t m_computation = 0;
  std::uint32_t m_recomputation = 0;
  std::uint32_t m_bubble = 0;
};

}  // namespace

SliceKind sliceKindOf(ExposedAxis axis) {
  return static_cast<SliceKind>(static_cast<int>(SliceKind::Tensor) + static_cast<int>(axis));
}

Timeline stepTimeline(const StepDetail& detail, const PlayedPipeline& played,
                      const std::vector<StepCollective>& collectives) {
  return StepDrawer(detail, played, collectives).draw();
}

std::string describeLosses(const KernelLosses& losses, double inefficiency) {
  std::vector<std::pair<double, std::string_view>> causes{
      {losses.rate, "large products, whose best kernels stay below the data sheet's peak"},
      {losses.shape, "small, uneven or grouped products, which fill a device badly"},
      {losses.attention, "attention"},
      {losses.passes, "norms, activation functions, casts and the sorting of tokens, which wait for memory"},
      {losses.copies, "FSDP's copies of parameters and gradients"},
      {losses.head, "the head and the loss"},
      {losses.repeated, "work that several devices repeat, and padding"}};
  if (losses.sum() != 0) causes.emplace_back(inefficiency - losses.sum(), "the calibration by measured steps");
  std::erase_if(causes, [&](const auto& cause) { return std::abs(cause.first) < kLeastCause * inefficiency; });
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [seconds, cause] : causes) {
    text += (text.empty() ? "" : "; ") + formatSeconds(seconds) + " in " + std::string(cause);
  }
  return text;
}

std::vector<WaterfallBar> waterfallOf(const StepEstimate& estimate,
                                      const std::array<double, kExposedAxes.size()>& hidden,
                                      const KernelLosses& losses) {
  const StepParts& parts = estimate.parts;
  std::vector<WaterfallBar> bars;
  double at = 0;
  const auto add = [&](std::string name, SliceKind kind, double seconds, std::string meaning,
                       std::optional<ExposedAxis> axis = {}) {
    const double behind = axis ? hidden[static_cast<std::size_t>(*axis)] : 0;
    if (seconds == 0 && behind == 0) return;
    bars.push_back({std::move(name), kind, at, at + seconds, axis, std::move(meaning), behind});
    at += seconds;
  };
  add("at the peak", SliceKind::Computation, parts.compute, "the model's FLOP at the data sheet's peak");
  const std::string causes = describeLosses(losses, parts.inefficiency);
  add("below the peak", SliceKind::Computation, parts.inefficiency,
      "kernels do not reach the peak" + (causes.empty() ? std::string() : ": " + causes));
  add("recomputation", SliceKind::Recomputation, parts.recompute, "forward passes done again");
  for (std::size_t i = 0; i < kExposedAxes.size(); ++i) {
    const auto axis = static_cast<ExposedAxis>(i);
    add(std::string(describe(axis)), sliceKindOf(axis), parts.exposed[i],
        "communication that computation does not hide", axis);
  }
  add("bubble", SliceKind::Bubble, parts.bubble, "stages that wait for microbatches");
  add("imbalance", SliceKind::Waiting, parts.imbalance,
      "devices that wait for the slowest stage or device; some are assumed to be slower, as in public runs");
  add("optimizer", SliceKind::Optimizer, parts.optimizer, "the update of the parameters");
  add("host", SliceKind::Host, parts.host, "kernel launches that devices wait for, and overhead of a step");
  return bars;
}

Result<StepStudy> studyStep(const TrainingQuestion& question, const PlannedConfiguration& planned, double reserve,
                            std::stop_token stop) {
  P2_TRY_ASSIGN(auto placement, pricedPlacementOf(question.model, question.system, planned, stop));
  P2_TRY_ASSIGN(const auto accelerator, trainingAcceleratorOf(question.system));
  P2_TRY_ASSIGN(auto detail, detailStep(question.model, planned.configuration, accelerator, *placement.prices));
  P2_TRY_ASSIGN(auto collectives, stepCollectives(question.model, question.system, planned.configuration, placement));
  if (stop.stop_requested()) return cancelledError();
  const PlayedPipeline played = playPipeline(detail.schedule, detail.work(), detail.microbatches, 0);
  Timeline timeline = stepTimeline(detail, played, collectives);
  timeline.title = describe(planned.configuration);
  MemoryCurve memory = memoryOverTime(played, peakMemory(question.model, planned.configuration), timeline.seconds);
  memory.reserve = reserve;
  memory.deviceMemory = accelerator.memory;
  return StepStudy{
      planned, std::move(placement), std::move(detail), std::move(collectives), std::move(timeline), std::move(memory)};
}

}  // namespace p2::inline timeline
