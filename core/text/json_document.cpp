// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_document.h"

#include <cmath>
#include <sstream>

#include "text/json_writer.h"

namespace p2 {
namespace {

constexpr int kLineBudget = 96;  // characters of a container that stays on one line

bool isList(const Json& json) {
  return json.is_array() &&
         std::none_of(json.begin(), json.end(), [](const Json& item) { return item.is_structured(); });
}

/// Takes about the width of the value off the budget; false once it is spent.
bool fits(const Json& json, int& budget) {
  budget -= json.is_string() ? static_cast<int>(json.get_ref<const std::string&>().size()) + 2 : 4;
  if (!json.is_structured() || budget < 0) return budget >= 0;
  for (const auto& [key, value] : json.items()) {
    budget -= json.is_object() ? static_cast<int>(key.size()) + 4 : 0;
    if (!fits(value, budget)) return false;
  }
  return true;
}

JsonWriter::Layout layoutOf(const Json& json) {
  int budget = kLineBudget;
  return isList(json) || fits(json, budget) ? JsonWriter::Layout::OneLine : JsonWriter::Layout::Lines;
}

void write(JsonWriter& out, const Json& json) {
  if (json.is_object()) {
    out.beginObject(layoutOf(json));
    for (const auto& [key, value] : json.items()) {
      out.key(key);
      write(out, value);
    }
    out.end();
  } else if (json.is_array()) {
    out.beginArray(layoutOf(json));
    for (const Json& item : json) write(out, item);
    out.end();
  } else if (json.is_string()) {
    out.text(json.get_ref<const std::string&>());
  } else if (json.is_number_float()) {
    out.number(json.get<double>());
  } else {
    out.raw(json.dump());
  }
}

const Json& counterpart(const Json& source, const Json& known, std::size_t index) {
  static const Json kNone;
  if (!source.is_array()) return kNone;
  if (const Json& item = known[index]; item.is_object() && item.contains("name")) {
    for (const Json& candidate : source) {
      if (candidate.is_object() && candidate.contains("name") && candidate["name"] == item["name"]) return candidate;
    }
  }
  return source.size() == known.size() ? source[index] : kNone;
}

}  // namespace

std::string jsonText(const Json& json) {
  std::ostringstream text;
  JsonWriter writer(text);
  write(writer, json);
  return text.str();
}

Json overlaid(const Json& source, const Json& known) {
  if (known.is_object()) {
    Json result = source.is_object() ? source : Json::object();
    for (const auto& [key, value] : known.items()) {
      if (value.is_null()) {
        result.erase(key);
      } else {
        result[key] = overlaid(result.contains(key) ? result[key] : Json(), value);
      }
    }
    return result;
  }
  if (!known.is_array() || isList(known)) return known;
  Json result = Json::array();
  for (std::size_t i = 0; i < known.size(); ++i) result.push_back(overlaid(counterpart(source, known, i), known[i]));
  return result;
}

Json jsonNumber(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 9007199254740992.0;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace p2
