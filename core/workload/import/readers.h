// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import: one function for every format of a text.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "workload/sources.h"

namespace p2::inline workload {

/// The CSV of AICB: comm_type, comm_group, comm_group_size, msg_size, stage. Sizes are of the full tensor. The rows of
/// the busiest pipeline stage stand for all. `devices` is the number of ranks of micro tests, whose rows do not give
/// it; 0 for none. Errors name the line; cancelled.
[[nodiscard]] Result<WorkloadSource> readAicb(std::string_view text, std::int64_t devices, const std::stop_token& stop);
/// The text of SimAI and of ASTRA-sim before Chakra: a header with the parallelism, the number of layers, and layers of
/// a forward, an input-gradient and a weight-gradient collective. `devices` as for readAicb(): the kind MICRO has no
/// parallelism. Errors name the line; cancelled.
[[nodiscard]] Result<WorkloadSource> readSimAi(std::string_view text, std::int64_t devices,
                                               const std::stop_token& stop);
/// A JSON text and the name of its file, for errors.
struct NamedJson {
  std::string name;
  std::string_view text;
};
/// A model of Calculon (models/*.json) and how it is executed (examples/*.json).
[[nodiscard]] Result<WorkloadSource> readCalculon(const NamedJson& model, const NamedJson& execution);

}  // namespace p2::inline workload
