// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/named_items.h"

namespace p2::inline text {

const std::string* nameIn(const Json& item) {
  if (!item.is_object()) return nullptr;
  const auto name = item.find("name");
  return name == item.end() ? nullptr : name->get_ptr<const std::string*>();
}

NamedItems::NamedItems(const Json& list) {
  if (!list.is_array()) return;
  for (auto item = list.rbegin(); item != list.rend(); ++item) {
    if (const std::string* name = nameIn(*item)) m_left[*name].push_back(&*item);
  }
}

const Json* NamedItems::next(const std::string& name) {
  const auto found = m_left.find(name);
  if (found == m_left.end() || found->second.empty()) return nullptr;
  const Json* item = found->second.back();
  found->second.pop_back();
  return item;
}

}  // namespace p2::inline text
