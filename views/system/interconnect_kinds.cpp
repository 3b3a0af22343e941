// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/interconnect_kinds.h"

#include "views/common/text.h"

namespace p2::views {
namespace {

QString wordOf(InterconnectKind kind) { return qs(std::string(nameOf(kind))); }

}  // namespace

std::vector<InterconnectKind> joiningKinds() {
  std::vector<InterconnectKind> kinds;
  for (const std::string_view name : kInterconnectKinds) {
    const InterconnectKind kind = *interconnectKindFrom(name);
    if (kind != InterconnectKind::None) kinds.push_back(kind);
  }
  return kinds;
}

QStringList kindNames(bool withNone) {
  QStringList names;
  for (const InterconnectKind kind : joiningKinds()) names += wordOf(kind);
  if (withNone) names += wordOf(InterconnectKind::None);
  return names;
}

}  // namespace p2::views
