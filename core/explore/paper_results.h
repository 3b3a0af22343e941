// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the paper's appendix A next to predictions.
#pragma once

#include <array>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/workspace.h"

namespace p2::inline explore {

/// The times of a row, in the order of PaperSeconds.
inline constexpr std::array<std::string_view, 4> kPaperTimes{"AllReduce, ring", "AllReduce, tree", "best program, ring",
                                                             "best program, tree"};
/// Seconds of ten runs of 2^29 float32 on every GPU; 0 where the paper prints none.
using PaperSeconds = std::array<double, kPaperTimes.size()>;

/// One placement that the paper measured.
struct PaperResult {
  std::string machine;  ///< a preset: "gcp-a100:4"
  std::string axes;     ///< as parseAxes() reads them: "2,16"
  std::string reduce;   ///< numbers of the reduced axes: "0"
  std::string matrix;   ///< as parseMatrix() reads it
  PaperSeconds measured{};
};

/// All rows, in the paper's order.
[[nodiscard]] const std::vector<PaperResult>& paperResults();

/// The document with the paper's setting on one placement: ten runs of 2^29 float32 on every GPU, the paper's model and
/// rules, programs of up to five steps. The paper writes "2^29 × nodes"; its tables fit 2^29 on every GPU, for two and
/// four nodes.
[[nodiscard]] Result<Workspace> paperWorkspace(const PaperResult& result);

/// Predictions with the nominal figures of the preset. Errors: cancelled.
[[nodiscard]] Result<PaperSeconds> predictedPaperSeconds(const PaperResult& result, std::stop_token stop = {});

}  // namespace p2::inline explore
