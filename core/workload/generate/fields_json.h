// SPDX-License-Identifier: GPL-3.0-or-later
// Models and plans in files: for core/workload and core/training_answer.
#pragma once

#include <span>

#include "base/property.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline workload {

/// Takes the values of an object by the keys of the properties; other keys are left alone. `need`: the remedy where the
/// value is no object.
template <class T>
void readFields(const JsonValue& in, std::span<const Property<T>> fields, T& owner, std::string_view need) {
  for (const auto& [key, value] : in.members(need)) {
    const Property<T>* const field = propertyOf(fields, key);
    if (!field) continue;
    const PropertyInfo& info = field->info;
    if (value.json().is_structured() || value.json().is_null()) value.refuse("a plain value", info.tip);
    if (value.failed()) return;
    const std::string text = value.json().is_string() ? value.text(info.tip) : scalarText(value.json());
    const auto taken = propertyFromText(info, text);
    if (taken.ok()) {
      field->set(owner, *taken);
    } else {
      value.fail(taken.error().message);
    }
  }
}

inline Json valueJson(const PropertyValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return jsonNumber(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

/// The values of a part that differ from its defaults.
template <class Part>
Json fieldsJson(std::span<const Property<Part>> fields, const Part& part) {
  Json json = Json::object();
  const Part defaults;
  for (const Property<Part>& field : fields) {
    const PropertyValue value = field.get(part);
    if (value != field.get(defaults)) json[std::string(field.info.key)] = valueJson(value);
  }
  return json;
}

}  // namespace p2::inline workload
