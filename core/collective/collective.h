// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"

namespace p2 {

/// The collective operations a step can perform on each of its groups (paper §3.2). What each of them is stands in one
/// place: traitsOf() in collective_traits.h.
enum class Collective { AllReduce, ReduceScatter, AllGather, Reduce, Broadcast };

inline constexpr std::array kCollectives{Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                                         Collective::Reduce, Collective::Broadcast};

[[nodiscard]] std::string_view nameOf(Collective collective);
/// "RS" for ReduceScatter: the shorthand of program titles.
[[nodiscard]] std::string_view shortNameOf(Collective collective);
/// By name or short name; the error lists the names.
[[nodiscard]] Result<Collective> collectiveFrom(std::string_view name);

}  // namespace p2
