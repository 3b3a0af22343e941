// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/communication_kind.h"

#include <string>

#include "base/names.h"

namespace p2::inline workload {

std::string_view nameOf(CommunicationKind kind) {
  switch (kind) {
    case CommunicationKind::AllReduce:
      return "AllReduce";
    case CommunicationKind::ReduceScatter:
      return "ReduceScatter";
    case CommunicationKind::AllGather:
      return "AllGather";
    case CommunicationKind::Reduce:
      return "Reduce";
    case CommunicationKind::Broadcast:
      return "Broadcast";
    case CommunicationKind::AllToAll:
      return "AllToAll";
    case CommunicationKind::Shift:
      return "Shift";
    case CommunicationKind::Dispatch:
      return "Dispatch";
  }
  return {};
}

Result<CommunicationKind> communicationKindFrom(std::string_view name) {
  std::string known;
  for (const CommunicationKind kind : kCommunicationKinds) {
    if (sameName(name, nameOf(kind))) return kind;
    known += (known.empty() ? "" : ", ") + std::string(nameOf(kind));
  }
  return Error{"unknown kind of communication \"" + std::string(name) + "\"; use one of " + known};
}

}  // namespace p2::inline workload
