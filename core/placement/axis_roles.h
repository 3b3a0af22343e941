// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "placement/axis.h"

namespace p2::inline placement {

/// The role of an axis in Megatron's terms: in dense layers and in expert layers, which split the same devices
/// differently (MoE parallel folding, arXiv 2504.14960).
struct AxisRoles {
  std::string_view dense;    ///< "tp", "cp", "dp" or "pp"
  std::string_view expert;   ///< "tp", "ep", "dp" or "pp"
  bool saysExperts = false;  ///< the name speaks of experts, so the model has some
  bool replicates = false;   ///< for "dp": copies of the shards of the other data axes (HSDP)
  friend bool operator==(const AxisRoles&, const AxisRoles&) = default;
};

/// The roles of a name, in any case. "expert" splits data in dense layers, "expert-tensor" tensors, "expert-data" data;
/// "tensor-expert" has both roles. For a plain name both kinds of layer split tensor and data equally, and copies of
/// experts are along context. None for unknown names.
[[nodiscard]] std::optional<AxisRoles> rolesOf(std::string_view name);

/// Why no degree of a framework is this axis of a strategy's mesh, by its name: "data-2" is a second axis of data,
/// "tensor-data" splits tensors in some operators and the batch in others. Empty for other names.
[[nodiscard]] std::string meshAxisText(std::string_view name);

/// The roles of all axes of a placement; none for names that have none. Where "data-expert" is named a part of the
/// experts' axis and no axis is named another part, the only plain axis of tensor or context is that part. Of two data
/// axes, "data" replicates what "fsdp" shards. Errors: several axes could be that part.
[[nodiscard]] Result<std::vector<std::optional<AxisRoles>>> rolesOf(const std::vector<Axis>& axes);

/// Whether the name of some axis of size 2 or more speaks of experts.
[[nodiscard]] bool hasExpertAxes(const std::vector<Axis>& axes);

}  // namespace p2::inline placement
