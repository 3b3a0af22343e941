// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "placement/axis.h"

namespace p2 {

/// What an axis splits, in Megatron's words: in dense layers and in layers of experts, which split the same devices
/// another way (MoE parallel folding, arXiv 2504.14960).
struct AxisRoles {
  std::string_view dense;    ///< "tp", "cp", "dp" or "pp"
  std::string_view expert;   ///< "tp", "ep", "dp" or "pp"
  bool saysExperts = false;  ///< the name speaks of experts, so the model has some
  bool replicates = false;   ///< of "dp": copies of what is sharded over the other data axes (HSDP)
  friend bool operator==(const AxisRoles&, const AxisRoles&) = default;
};

/// The roles that a name gives. "expert" splits data in dense layers, "expert-tensor" tensors, "expert-data" data; a name
/// of two parts gives both, "tensor-expert". A plain name gives what follows: tensor and data are split alike by both
/// kinds of layer, copies of experts lie along context. Upper and lower case are alike. Nothing for other names.
[[nodiscard]] std::optional<AxisRoles> rolesOf(std::string_view name);

/// The roles of all axes of a placement; none for names that have none. Where "data-expert" is named a part of the
/// experts' axis and no axis is named another part, the only plain axis of tensor or context is that part. Of two data
/// axes, "data" replicates what "fsdp" shards. Errors: several axes could be that part.
[[nodiscard]] Result<std::vector<std::optional<AxisRoles>>> rolesOf(const std::vector<Axis>& axes);

/// Whether the name of some axis of size 2 or more speaks of experts.
[[nodiscard]] bool hasExpertAxes(const std::vector<Axis>& axes);

}  // namespace p2
