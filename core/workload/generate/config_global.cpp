// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/config_global.h"

#include <algorithm>

namespace p2::inline workload {
namespace {

void readHeads(ConfigFields& fields, ModelBlocks& blocks) {
  const std::int64_t size = fields.numberOr({{"global_head_dim"}, "size of a head over all tokens"}, 0);
  const std::int64_t heads =
      fields.numberOr({{"num_global_key_value_heads"}, "heads of keys and values over all tokens"}, 0);
  const bool same = fields.flag({"attention_k_eq_v"}, false, "keys over all tokens are also the values");
  if (size == 0 && heads == 0 && !same) return;
  const ModelShape shape = resolved(blocks.shape);
  // The class takes the heads of its own only where keys are values.
  blocks.global = {shape.heads, same && heads > 0 ? heads : shape.kvHeads, size > 0 ? size : shape.headSize, 0, false};
  blocks.globalKeysAreValues = same;
  const Json* types = fields.list("layer_types");
  for (std::size_t i = 0; types != nullptr && i < std::min(types->size(), blocks.layers.size()); ++i) {
    if ((*types)[i] == Json("full_attention")) blocks.layers[i].mixer = Mixer::Global;
  }
}

void readBorrowers(ConfigFields& fields, ModelBlocks& blocks) {
  const std::int64_t last = fields.numberOr({{"num_kv_shared_layers"}, "layers with keys and values of others"}, 0);
  const bool wide = fields.flag({"use_double_wide_mlp"}, false, "MLPs of these layers are twice as wide");
  const auto layers = static_cast<std::int64_t>(blocks.layers.size());
  if (last <= 0 || last >= layers) return;
  for (std::int64_t i = layers - last; i < layers; ++i) {
    BlockLayer& layer = blocks.layers[static_cast<std::size_t>(i)];
    layer.borrows = true;
    if (wide && layer.mlp == LayerMlp::Dense) layer.ffn = 2 * blocks.shape.ffn;
  }
}

}  // namespace

void readGlobalAttention(ConfigFields& fields, ModelBlocks& blocks) {
  readHeads(fields, blocks);
  readBorrowers(fields, blocks);
}

}  // namespace p2::inline workload
