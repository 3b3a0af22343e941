// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/graphs: what the module p2_onnx exports. It is loaded when the first ONNX model is read, since the
// libraries that it needs take longer to start than most of our answers.
#pragma once

#include "graphs/onnx_import.h"

namespace p2 {

inline constexpr const char* kOnnxModule = "p2_onnx.so";
inline constexpr const char* kReadOnnx = "p2ReadOnnx";

/// importOnnx(), but that the graph is not checked yet and `batch` is.
using ReadOnnx = void(const std::string& path, std::optional<std::int64_t> batch, Result<LoadedGraph>& read);

}  // namespace p2
