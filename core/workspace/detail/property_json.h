// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workspace: described fields as JSON. Every property is a key.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>

#include "base/property.h"
#include "text/json_value.h"

namespace p2::inline workspace {

/// The value of a property. Whole numbers are within the row's range; figures and numbers are with `ranged`, else they
/// are any of 0 or more. Errors are recorded in the value that is read.
[[nodiscard]] PropertyValue readProperty(const JsonValue& in, const PropertyInfo& info, bool ranged);
[[nodiscard]] Json propertyJson(const PropertyValue& value);

/// Reads the properties that there are into a part; `required` are looked for in any case, for the sake of `need`.
template <class Part>
void readProperties(const JsonValue& in, std::span<const Property<Part>> properties, Part& part,
                    std::initializer_list<std::string_view> required, std::string_view need, bool ranged = false) {
  for (const Property<Part>& property : properties) {
    const PropertyInfo& info = property.info;
    const bool wanted = std::find(required.begin(), required.end(), info.key) != required.end();
    if (wanted || in.has(info.key)) property.set(part, readProperty(in.at(info.key, need), info, ranged));
  }
}

/// Writes the properties of a part, null for those that say no more than their absence.
template <class Part>
void writeProperties(Json& json, std::span<const Property<Part>> properties, const Part& part) {
  const Part plain{};
  for (const Property<Part>& property : properties) {
    const PropertyValue value = property.get(part);
    const bool written = property.info.always || value != property.get(plain);
    json[std::string(property.info.key)] = written ? propertyJson(value) : Json();
  }
}

}  // namespace p2::inline workspace
