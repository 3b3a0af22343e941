// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace p2::inline placement {

/// A form of parallelism as training frameworks know it.
struct FrameworkAxis {
  std::string_view maxtext;            ///< MaxText's word, as in ici_tensor_parallelism
  std::string_view megatron;           ///< Megatron's word, as in the order "tp-cp-ep-dp-pp"; empty when it has none
  std::vector<std::string_view> also;  ///< what else axes of this form are called
};

/// All that MaxText has, in the order of its mesh, the slowest first.
[[nodiscard]] const std::vector<FrameworkAxis>& frameworkAxes();
/// The position in frameworkAxes() of the form that this name denotes, in any case; none for unknown
/// names.
[[nodiscard]] std::optional<std::size_t> frameworkAxisOf(std::string_view name);

}  // namespace p2::inline placement
