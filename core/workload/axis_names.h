// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace p2::inline workload {

// Names of the axes of generated and imported workloads.
inline constexpr std::string_view kPipelineAxis = "pipeline";
inline constexpr std::string_view kReplicaAxis = "replica";  ///< HSDP: copies of the shards over data
inline constexpr std::string_view kDataAxis = "data";
inline constexpr std::string_view kContextAxis = "context";
inline constexpr std::string_view kContextRingAxis = "context-ring";  ///< of a2a+p2p: between the groups of context
inline constexpr std::string_view kTensorAxis = "tensor";
inline constexpr std::string_view kExpertAxis = "expert";
inline constexpr std::string_view kExpertDataAxis = "expert-data";      ///< copies of an expert
inline constexpr std::string_view kExpertTensorAxis = "expert-tensor";  ///< parts of one expert

}  // namespace p2::inline workload
