// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"

namespace p2 {

/// What the devices of a training step say to each other at once.
enum class CommunicationKind {
  AllReduce,
  ReduceScatter,
  AllGather,
  Reduce,
  Broadcast,
  AllToAll,  ///< everybody sends another part to everybody
  Shift,     ///< everybody to the next along the axes: pipeline stages, rings over the context
  Dispatch,  ///< every token to those that have its experts (mixture of experts), or back from them
};

inline constexpr std::array kCommunicationKinds{CommunicationKind::AllReduce, CommunicationKind::ReduceScatter,
                                                CommunicationKind::AllGather, CommunicationKind::Reduce,
                                                CommunicationKind::Broadcast, CommunicationKind::AllToAll,
                                                CommunicationKind::Shift,     CommunicationKind::Dispatch};

/// "AllReduce", as in files.
[[nodiscard]] std::string_view nameOf(CommunicationKind kind);
/// By name, whatever the case; the error lists the names.
[[nodiscard]] Result<CommunicationKind> communicationKindFrom(std::string_view name);

}  // namespace p2
