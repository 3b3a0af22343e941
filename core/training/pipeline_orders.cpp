// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/pipeline_orders.h"

#include <algorithm>
#include <array>
#include <deque>

namespace p2::inline training {
namespace {

/// Groups of microbatches that go through one chunk after the other.
std::int64_t roundsOf(std::int64_t stages, std::int64_t chunks, std::int64_t microbatches) {
  return chunks == 1 ? 1 : std::max<std::int64_t>(1, microbatches / stages);
}

/// Chunks and microbatches in the order in which a stage takes their passes: group by group, through one chunk after
/// the other. No framework runs groups of different sizes; the first ones are then larger by 1, with which stages never
/// wait for each other in a circle.
std::vector<PipelinePass> turnsOf(std::int64_t stages, std::int64_t chunks, std::int64_t microbatches,
                                  PlayedPass::Kind kind) {
  std::vector<PipelinePass> list;
  list.reserve(static_cast<std::size_t>(chunks * microbatches));
  const std::int64_t rounds = roundsOf(stages, chunks, microbatches);
  std::int64_t first = 0;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t end = first + microbatches / rounds + (round < microbatches % rounds ? 1 : 0);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      const std::int64_t turn = kind == PlayedPass::Kind::Backward ? chunks - 1 - chunk : chunk;
      for (std::int64_t m = first; m < end; ++m) list.push_back({kind, turn, m});
    }
    first = end;
  }
  return list;
}

/// 1F1B's order, in which a stage puts off as many gradients of weights as there are stages before it: they fill the
/// end (2401.10241, §2.2).
std::vector<PipelinePass> zeroBubbleOrder(std::size_t stage, const FixedOrders& whole, std::int64_t microbatches) {
  std::vector<PipelinePass> order;
  std::int64_t weights = 0;
  for (std::size_t next = 0; next < whole.size(stage); ++next) {
    const PipelinePass pass = whole.at(stage, next);
    order.push_back(pass);
    if (pass.kind == PlayedPass::Kind::Backward && pass.microbatch >= static_cast<std::int64_t>(stage))
      order.push_back({PlayedPass::Kind::Weights, 0, weights++});
  }
  while (weights < microbatches) order.push_back({PlayedPass::Kind::Weights, 0, weights++});
  return order;
}

/// Writes down the order of a stage with two chunks, counting the passes of each.
class TwoChunkOrder {
 public:
  using Kind = PlayedPass::Kind;
  /// Microbatches of chunk c are c · offset, c · offset + stride, …
  TwoChunkOrder(std::int64_t each, std::int64_t stride, std::int64_t offset)
      : m_each(each), m_stride(stride), m_offset(offset) {}

  [[nodiscard]] std::int64_t forwards(std::size_t chunk) const { return m_forward[chunk]; }
  void forward(std::size_t chunk) {
    if (m_forward[chunk] < m_each) add(Kind::Forward, chunk, m_forward[chunk]++);
  }
  /// The gradient of the input; the weights' gradient waits.
  void backward(std::size_t chunk) {
    if (m_backward[chunk] == m_each) return;
    m_waiting.emplace_back(chunk, m_backward[chunk]);
    add(Kind::Backward, chunk, m_backward[chunk]++);
  }
  /// Both gradients.
  void whole(std::size_t chunk) {
    if (m_backward[chunk] == m_each) return;
    add(Kind::Backward, chunk, m_backward[chunk]);
    add(Kind::Weights, chunk, m_backward[chunk]++);
  }
  /// The gradient of the weights that has waited longest, of one chunk or of any.
  void weights(std::optional<std::size_t> chunk = {}) {
    const auto next = std::find_if(m_waiting.begin(), m_waiting.end(),
                                   [&](const auto& each) { return !chunk || each.first == *chunk; });
    if (next == m_waiting.end()) return;
    add(Kind::Weights, next->first, next->second);
    m_waiting.erase(next);
  }
  [[nodiscard]] std::vector<PipelinePass> take() {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{0}}) {
      while (m_backward[chunk] < m_each) backward(chunk);
    }
    while (!m_waiting.empty()) weights();
    return std::move(m_order);
  }

 private:
  void add(Kind kind, std::size_t chunk, std::int64_t number) {
    const auto c = static_cast<std::int64_t>(chunk);
    m_order.push_back({kind, c, c * m_offset + number * m_stride});
  }

  std::int64_t m_each;
  std::int64_t m_stride;
  std::int64_t m_offset;
  std::array<std::int64_t, 2> m_forward{};
  std::array<std::int64_t, 2> m_backward{};
  std::deque<std::pair<std::size_t, std::int64_t>> m_waiting;
  std::vector<PipelinePass> m_order;
};

/// ZB-V (arXiv 2405.15362): a stage fills its first chunk until the first microbatch is back in the second one, then
/// takes turns through both; the gradients of the weights that are put off fill the end.
std::vector<PipelinePass> foldedOrder(std::int64_t stage, std::int64_t stages, std::int64_t microbatches) {
  TwoChunkOrder order(microbatches, 1, 0);
  const auto times = [](std::int64_t count, const auto& act) {
    for (std::int64_t i = 0; i < count; ++i) act();
  };
  times(2 * (stages - stage) - 1, [&] { order.forward(0); });
  times(stage, [&] {
    order.forward(1);
    order.forward(0);
  });
  times(stages - stage, [&] {
    order.forward(1);
    order.whole(1);
  });
  while (order.forwards(1) < microbatches) {
    order.forward(0);
    order.whole(0);
    order.forward(1);
    order.whole(1);
  }
  times(stage, [&] {
    order.backward(0);
    order.backward(1);
  });
  times(stages - stage, [&] {
    order.backward(0);
    order.weights(0);
  });
  return order.take();
}

/// DualPipe (arXiv 2412.19437, figure 5): microbatches enter from both ends; `near` is the chunk whose microbatches
/// reach the stage first. In the middle a forward pass of one direction alternates with a backward pass of the other.
std::vector<PipelinePass> dualOrder(std::int64_t stage, std::int64_t stages, std::int64_t microbatches) {
  const std::int64_t each = microbatches / 2;
  const std::int64_t half = stages / 2;
  const std::int64_t depth = std::min(stage, stages - 1 - stage);
  const std::int64_t ahead = half - depth - 1;
  const std::size_t near = stage < half ? 0 : 1;
  const std::size_t far = 1 - near;
  TwoChunkOrder order(each, 2, 1);
  for (std::int64_t i = 0; i < 2 * ahead; ++i) order.forward(near);
  for (std::int64_t i = 0; i <= depth; ++i) {
    order.forward(near);
    order.forward(far);
  }
  for (std::int64_t i = 0; i < ahead; ++i) {
    order.backward(far);
    order.weights();
    order.forward(far);
  }
  for (std::int64_t i = 0; i < each - stages + depth + 1; ++i) {
    order.forward(near);
    order.whole(far);
    order.forward(far);
    order.whole(near);
  }
  for (std::int64_t i = 0; i < ahead; ++i) {
    order.whole(far);
    order.forward(far);
    order.whole(near);
  }
  // From the middle of the last backward passes on, gradients of weights are put off.
  for (std::int64_t i = 0; i <= depth; ++i) {
    2 * i > depth ? order.backward(far) : order.whole(far);
    2 * i >= depth ? order.backward(near) : order.whole(near);
  }
  for (std::int64_t i = 0; i < ahead; ++i) {
    order.weights();
    order.backward(near);
  }
  return order.take();
}

}  // namespace

std::int64_t largestGroup(std::int64_t stages, std::int64_t chunks, std::int64_t microbatches) {
  const std::int64_t rounds = roundsOf(stages, chunks, microbatches);
  return (microbatches + rounds - 1) / rounds;
}

FixedOrders::FixedOrders(ScheduleKind kind, std::int64_t stages, std::int64_t chunks, std::int64_t microbatches)
    : m_forward(turnsOf(stages, chunks, microbatches, PlayedPass::Kind::Forward)),
      m_backward(turnsOf(stages, chunks, microbatches, PlayedPass::Kind::Backward)) {
  const std::int64_t group = largestGroup(stages, chunks, microbatches);
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const std::int64_t ahead = chunks == 1 ? stages - stage - 1 : (stages - stage - 1) * 2 + (chunks - 1) * group;
    const std::size_t all = m_forward.size();
    m_warmUp.push_back(kind == ScheduleKind::OneF1B ? std::min(all, static_cast<std::size_t>(ahead)) : all);
  }
}

const PipelinePass& FixedOrders::at(std::size_t stage, std::size_t number) const {
  const std::size_t warmUp = m_warmUp[stage];
  const std::size_t all = m_forward.size();
  if (number < warmUp) return m_forward[number];
  const std::size_t turns = number - warmUp;
  // Forward and backward passes alternate until there are no more forward ones.
  if (turns >= 2 * (all - warmUp)) return m_backward[number - all];
  return turns % 2 == 0 ? m_forward[warmUp + turns / 2] : m_backward[turns / 2];
}

std::vector<std::vector<PipelinePass>> publishedOrders(ScheduleKind kind, std::int64_t stages, std::int64_t chunks,
                                                       std::int64_t microbatches) {
  const bool dual = kind == ScheduleKind::DualPipe;
  if (dual && (stages % 2 != 0 || microbatches % 2 != 0 || microbatches < 2 * stages)) return {};
  if (kind == ScheduleKind::ZeroBubbleV && chunks != 2) return {};
  if (!dual && kind != ScheduleKind::ZeroBubble1 && kind != ScheduleKind::ZeroBubbleV) return {};
  std::vector<std::vector<PipelinePass>> orders;
  const FixedOrders whole(ScheduleKind::OneF1B, stages, 1, kind == ScheduleKind::ZeroBubble1 ? microbatches : 0);
  for (std::int64_t s = 0; s < stages; ++s) {
    orders.push_back(dual ? dualOrder(s, stages, microbatches)
                     : kind == ScheduleKind::ZeroBubbleV
                         ? foldedOrder(s, stages, microbatches)
                         : zeroBubbleOrder(static_cast<std::size_t>(s), whole, microbatches));
  }
  return orders;
}

}  // namespace p2::inline training
