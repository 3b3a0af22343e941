// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective.h"

#include <string>

namespace p2 {
namespace {

struct Names {
  Collective collective;
  std::string_view full;
  std::string_view brief;
};

constexpr std::array kNames{
    Names{Collective::AllReduce, "AllReduce", "AR"}, Names{Collective::ReduceScatter, "ReduceScatter", "RS"},
    Names{Collective::AllGather, "AllGather", "AG"}, Names{Collective::Reduce, "Reduce", "R"},
    Names{Collective::Broadcast, "Broadcast", "B"},
};

}  // namespace

std::string_view nameOf(Collective collective) { return kNames[static_cast<std::size_t>(collective)].full; }

std::string_view shortNameOf(Collective collective) { return kNames[static_cast<std::size_t>(collective)].brief; }

Result<Collective> collectiveFrom(std::string_view name) {
  for (const Names& names : kNames) {
    if (name == names.full || name == names.brief) return names.collective;
  }
  return Error{"\"" + std::string(name) +
               "\" is not a collective; use AllReduce, ReduceScatter, AllGather, Reduce or "
               "Broadcast"};
}

}  // namespace p2
