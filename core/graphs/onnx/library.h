// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs/onnx.
#pragma once

#include <optional>

#include "graphs/onnx/inference.h"

namespace p2::inline graphs {

/// Results of libonnx's inference; none for kinds of nodes that it does not know. It asks for a model that it may
/// change, and leaves it as it is. Not part of the room's library: crashes, hangs and memory that it takes belong to
/// the program that links it.
[[nodiscard]] std::optional<OnnxInferred> askLibrary(onnx::NodeProto node, OnnxModel& model, const OnnxOpsets& opsets);

}  // namespace p2::inline graphs
