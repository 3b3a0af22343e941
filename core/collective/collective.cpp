// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective.h"

#include <string>
#include <vector>

#include "base/lists.h"
#include "collective/collective_traits.h"

namespace p2::inline collective {

std::string_view nameOf(Collective collective) { return traitsOf(collective).name; }

std::string_view shortNameOf(Collective collective) { return traitsOf(collective).shortName; }

std::string namesOf(CollectiveSet collectives) {
  std::vector<std::string_view> names;
  for (const Collective collective : kCollectives) {
    if (collectives.contains(collective)) names.push_back(nameOf(collective));
  }
  return orList(names);
}

Result<Collective> collectiveFrom(std::string_view name) {
  CollectiveSet known{};
  for (const Collective collective : kCollectives) {
    if (name == nameOf(collective) || name == shortNameOf(collective)) return collective;
    known.add(collective);
  }
  return Error{"\"" + std::string(name) + "\" is not a collective; use " + namesOf(known)};
}

}  // namespace p2::inline collective
