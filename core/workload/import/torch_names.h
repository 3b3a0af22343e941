// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import: PyTorch's words for collectives, types and groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workload/communication_kind.h"

namespace p2::inline workload {

/// "_allgather_base", "all_to_allv", "reduce_scatter_tensor_coalesced"; Shift for "send" and "recv". None
/// for other kinds, as "barrier" and "gather".
[[nodiscard]] std::optional<CommunicationKind> torchKind(std::string_view collective);
/// Bytes of an element: "Float", "c10::BFloat16".
[[nodiscard]] std::optional<std::int64_t> torchTypeBytes(std::string_view dtype);
/// Elements of the full tensor, gathered or not yet reduced, when each of `ranks` gives `in` and gets `out` elements;
/// none where that leaves 63 bits.
[[nodiscard]] std::optional<std::int64_t> fullElements(CommunicationKind kind, std::int64_t in, std::int64_t out,
                                                       std::int64_t ranks);
/// Name of a process group's axis from its description, as in axis_names.h where it is one of those: "mesh_tp" and
/// "TENSOR_MODEL_PARALLEL_GROUP" are tensor. Empty where it says nothing: "default_pg", "undefined".
[[nodiscard]] std::string axisNameFrom(std::string_view description);

}  // namespace p2::inline workload
