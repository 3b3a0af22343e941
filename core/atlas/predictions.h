// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "atlas/atlas.h"
#include "cost/calibration/nccl_sample.h"
#include "cost/prediction_ranges.h"

namespace p2::inline atlas {

/// Networks between the nodes of measured machines: labels that machines of one kind of network share, in the order
/// met.
using NetworkLabels = std::vector<std::string>;

/// The collective that nccl-tests calls "all_reduce"; none for collectives that no program uses.
[[nodiscard]] std::optional<Collective> collectiveOf(std::string_view name);

/// The rows of a table as one sample for each size, in place and not in place together (their median); `labels` grows
/// by the table's network. Errors: as systemOf(), and a collective that is not known.
[[nodiscard]] Result<std::vector<NcclSample>> samplesOf(const AtlasTable& table, NetworkLabels& labels);

/// The nccl model's prediction of a table.
struct TablePrediction {
  std::map<double, double> seconds;  ///< by bytes, as AtlasRow has them
  /// Median |predicted / measured − 1| of each band; none for an empty band.
  std::array<std::optional<double>, kSizeBands> medianError;
};
/// Predictions of a table with the present constants, whether or not they were fitted to it. Errors: as samplesOf().
[[nodiscard]] Result<TablePrediction> predictionOf(const AtlasTable& table);

/// Median |predicted / measured − 1| of each band over the healthy tables, with the constants as they are. Takes some
/// tenths of a second; meaningless after a stop request.
[[nodiscard]] std::array<double, kSizeBands> nominalErrors(const std::stop_token& stop = {});

}  // namespace p2::inline atlas
