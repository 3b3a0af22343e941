// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of core/training/memory.cpp: activations of one layer.
#pragma once

#include "training/detail/configuration.h"

namespace p2::inline training {

/// Widths of a layer on one device, in elements of a token.
struct LayerWidths {
  LayerWidths(const ModelShape& model, const TrainingConfiguration& configuration);

  double tokens = 0;     ///< tokens of a microbatch on a device
  double hidden = 0;     ///< hidden size, divided by tp under sequence parallelism
  double attention = 0;  ///< queries, keys, values and attention's output
  double attentionOut = 0;
  double upProjected = 0;     ///< queries, keys and values of latent attention
  double gates = 1;           ///< products that the activation function takes in: 2 of SwiGLU, 1 of GELU
  double mlp = 0;             ///< output of the activation function
  double shared = 0;          ///< of experts that every token goes to
  double expertMlp = 0;       ///< inside an expert, for one copy of a token
  double copiesPerToken = 0;  ///< at this device's experts, of a token of this device, on the fullest device
};

/// Bytes that a layer of one microbatch keeps on one device if nothing of it is recomputed but attention's scores.
[[nodiscard]] double wholeLayerActivations(const ModelShape& model, const TrainingConfiguration& configuration,
                                           bool expertLayer);

/// Bytes of a layer of one microbatch that the modules of selective recomputation do not keep; `largest`: of the module
/// with most of them, which the backward pass of the layer holds again.
[[nodiscard]] double recomputedActivations(const ModelShape& model, const TrainingConfiguration& configuration,
                                           bool expertLayer, bool largest);

}  // namespace p2::inline training
