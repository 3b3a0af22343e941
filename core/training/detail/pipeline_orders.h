// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the orders in which stages take passes.
#pragma once

#include <vector>

#include "training/pipeline_play.h"

namespace p2::inline training {

/// A pass of a stage.
struct PipelinePass {
  PlayedPass::Kind kind = PlayedPass::Kind::Forward;
  std::int64_t chunk = 0;
  std::int64_t microbatch = 0;
};

/// Microbatches that go through one chunk of an interleaved stage before the next chunk's turn: as many as there are
/// stages, more where the microbatches do not divide by these (PyTorch's ScheduleInterleaved1F1B). All with one chunk.
[[nodiscard]] std::int64_t largestGroup(std::int64_t stages, std::int64_t chunks, std::int64_t microbatches);

/// The orders of GPipe, or of 1F1B, by stage: forward passes to begin with, then a backward pass after each further
/// one. With several chunks it is Megatron-LM's interleaved order, with the groups of largestGroup(). Every order can
/// be played.
class FixedOrders {
 public:
  FixedOrders(ScheduleKind kind, std::int64_t stages, std::int64_t chunks, std::int64_t microbatches);
  /// Passes of a stage.
  [[nodiscard]] std::size_t size(std::size_t) const { return 2 * m_forward.size(); }
  [[nodiscard]] const PipelinePass& at(std::size_t stage, std::size_t number) const;
  /// Forward passes of every stage, in their order.
  [[nodiscard]] const std::vector<PipelinePass>& forward() const { return m_forward; }
  /// Backward passes of every stage, in their order.
  [[nodiscard]] const std::vector<PipelinePass>& backward() const { return m_backward; }
  /// Forward passes of a stage before forward and backward ones alternate.
  [[nodiscard]] std::size_t warmUp(std::size_t stage) const { return m_warmUp[stage]; }

 private:
  std::vector<PipelinePass> m_forward;  ///< of every stage
  std::vector<PipelinePass> m_backward;
  std::vector<std::size_t> m_warmUp;  ///< by stage
};

/// The orders that the papers of ZB-H1, ZB-V and DualPipe give for equal passes, by stage. Empty for other schedules,
/// and for DualPipe with odd numbers or with fewer microbatches than twice the stages.
[[nodiscard]] std::vector<std::vector<PipelinePass>> publishedOrders(ScheduleKind kind, std::int64_t stages,
                                                                     std::int64_t chunks, std::int64_t microbatches);

}  // namespace p2::inline training
