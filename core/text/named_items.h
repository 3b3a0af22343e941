// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "text/json_document.h"

namespace p2::inline text {

/// The "name" of an item; null where it has none.
[[nodiscard]] const std::string* nameIn(const Json& item);

/// The items of a list by name, found one after another: the first item of a name, then the second. The list must
/// outlive it; a value that is no list has no items.
class NamedItems {
 public:
  explicit NamedItems(const Json& list);

  /// The next item of that name; null when there is none left.
  [[nodiscard]] const Json* next(const std::string& name);

 private:
  std::map<std::string, std::vector<const Json*>, std::less<>> m_left;  // the next one last
};

}  // namespace p2::inline text
