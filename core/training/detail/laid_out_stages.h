// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the layers of a model on the stages of a pipeline.
#pragma once

#include <span>
#include <vector>

#include "training/detail/priced_layers.h"

namespace p2::inline training {

/// Elements on one device.
struct OwnedElements {
  double parameters = 0;  ///< of everything but routed experts
  double experts = 0;     ///< of routed experts
  double ends = 0;        ///< of embedding and head, which are among `parameters`
};

/// Layers of one stage.
struct LayerKinds {
  double dense = 0;  ///< without experts
  double experts = 0;
};

/// Costs of one microbatch on all stages under a layout. Empty until set(), which uses the memory of the last layout
/// again.
class LaidOutStages {
 public:
  /// `chunks`: chunkLayers() of the configuration with the layout. The configuration's own layout is not read.
  /// O(virtual stages).
  void set(const CostContext& context, const PricedLayers& layers, const StageLayout& chunks);

  [[nodiscard]] const std::vector<StageCost>& costs() const { return m_stages; }
  /// Costs of the chunks of a stage; empty where stages have one.
  [[nodiscard]] std::span<const StageCost> chunksOf(std::size_t stage) const {
    return std::span(m_chunks).subspan(stage * m_chunksOfStage, m_chunksOfStage);
  }
  [[nodiscard]] std::int64_t layersOf(std::size_t stage) const { return m_layers[stage]; }
  /// By stage.
  [[nodiscard]] const std::vector<LayerKinds>& kinds() const { return m_kinds; }
  /// Elements of the fullest stage.
  [[nodiscard]] OwnedElements owned(const CostContext& context, const PricedLayers& layers) const;

 private:
  std::vector<std::int64_t> m_layers;  ///< by stage, without layers of multi-token prediction
  std::vector<StageCost> m_stages;
  std::vector<StageCost> m_chunks;  ///< by stage and chunk, of stages with several
  std::size_t m_chunksOfStage = 0;  ///< 0 for stages of one
  std::vector<LayerKinds> m_kinds;
};

}  // namespace p2::inline training
