// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"

namespace p2::inline workload {

/// A collective or transfer of a group's devices at one moment of a training step.
enum class CommunicationKind {
  AllReduce,
  ReduceScatter,
  AllGather,
  Reduce,
  Broadcast,
  AllToAll,  ///< every device sends every other one a part of its own
  Shift,     ///< every device sends to the next along the axes: pipeline stages, rings over the context
  Dispatch,  ///< every token to those that have its experts (mixture of experts), or back from them
};

/// All of them, in the order in which they are listed.
inline constexpr std::array kCommunicationKinds{CommunicationKind::AllReduce, CommunicationKind::ReduceScatter,
                                                CommunicationKind::AllGather, CommunicationKind::Reduce,
                                                CommunicationKind::Broadcast, CommunicationKind::AllToAll,
                                                CommunicationKind::Shift,     CommunicationKind::Dispatch};

/// "AllReduce", as in files.
[[nodiscard]] std::string_view nameOf(CommunicationKind kind);
/// The kind of a name, in any case; the error lists the names.
[[nodiscard]] Result<CommunicationKind> communicationKindFrom(std::string_view name);

}  // namespace p2::inline workload
