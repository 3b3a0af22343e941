// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "views/system/part_fields.h"

namespace p2::views {

std::vector<PartField> commonFields(const System& system, const std::vector<SystemPart>& parts) {
  std::vector<PartField> common = fieldsOf(system, parts.back());
  if (parts.size() == 1) return common;
  for (const char* own : {"name", "network", "members", "within"}) {
    std::erase_if(common, [&](const PartField& field) { return field.key == QLatin1String(own); });
  }
  for (const SystemPart& part : parts) {
    const std::vector<PartField> fields = fieldsOf(system, part);
    std::erase_if(common, [&](PartField& field) {
      const auto same =
          std::find_if(fields.begin(), fields.end(), [&](const PartField& other) { return other.key == field.key; });
      if (same == fields.end()) return true;
      field.mixed = field.mixed || same->value != field.value;
      for (const QString& choice : QStringList(field.choices)) {
        if (!same->choices.contains(choice)) field.choices.removeAll(choice);
      }
      return false;
    });
  }
  return common;
}

}  // namespace p2::views
