// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective.h"

#include <string>

#include "collective/collective_traits.h"

namespace p2 {

std::string_view nameOf(Collective collective) { return traitsOf(collective).name; }

std::string_view shortNameOf(Collective collective) { return traitsOf(collective).shortName; }

Result<Collective> collectiveFrom(std::string_view name) {
  std::string known;
  for (const Collective collective : kCollectives) {
    if (name == nameOf(collective) || name == shortNameOf(collective)) return collective;
    const bool last = collective == kCollectives.back();
    known += (known.empty() ? "" : last ? " or " : ", ") + std::string(nameOf(collective));
  }
  return Error{"\"" + std::string(name) + "\" is not a collective; use " + known};
}

}  // namespace p2
