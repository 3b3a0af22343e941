// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_value.h"

#include <algorithm>
#include <cmath>

#include "base/lists.h"
#include "text/detail/json_shown.h"
#include "text/json_stream.h"

namespace p2::inline text {
namespace {

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return cutToSentence(scalarText(value));
}

const Json& nothing() {
  static const Json kNull;
  return kNull;
}

}  // namespace

bool JsonValue::has(std::string_view key) const { return m_value->is_object() && m_value->contains(key); }

JsonValue JsonValue::at(std::string_view key, std::string_view need) const {
  if (has(key)) return {(*m_value)[std::string(key)], m_pointer + jsonPointerStep(key), m_problem};
  if (m_value->is_object()) {
    fail("the key \"" + std::string(key) + "\" is missing; " + std::string(need));
  } else {
    refuse("an object", need);
  }
  return {nothing(), m_pointer, m_problem};
}

std::vector<JsonValue> JsonValue::items(std::string_view need) const {
  std::vector<JsonValue> result;
  if (!m_value->is_array()) {
    refuse("a list", need);
    return result;
  }
  for (std::size_t i = 0; i < m_value->size(); ++i) {
    result.push_back({(*m_value)[i], m_pointer + "/" + std::to_string(i), m_problem});
  }
  return result;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members(std::string_view need) const {
  std::vector<std::pair<std::string, JsonValue>> result;
  if (!m_value->is_object()) refuse("an object", need);
  if (!m_value->is_object()) return result;
  for (const auto& [key, value] : m_value->items()) {
    result.emplace_back(key, JsonValue(value, m_pointer + jsonPointerStep(key), m_problem));
  }
  return result;
}

std::string JsonValue::text(std::string_view need) const {
  if (m_value->is_string()) return m_value->get<std::string>();
  refuse("a string", need);
  return {};
}

std::int64_t JsonValue::whole(std::int64_t least, std::int64_t most, std::string_view need) const {
  double value = 0;
  if (m_value->is_number()) value = m_value->get<double>();
  if (!m_value->is_number() || value != std::floor(value)) {
    refuse("a whole number", need);
    return least;
  }
  if (value < static_cast<double>(least) || value > static_cast<double>(most) || value >= kBeyondWhole) {
    fail(shown(*m_value) + " is out of range; " + std::string(need));
    return least;
  }
  return m_value->is_number_integer() ? m_value->get<std::int64_t>() : static_cast<std::int64_t>(value);
}

double JsonValue::number(double least, double most, std::string_view need) const {
  if (!m_value->is_number()) {
    refuse("a number", need);
    return least;
  }
  const double value = m_value->get<double>();
  if (value >= least && value <= most) return value;
  fail(shown(*m_value) + " is out of range; " + std::string(need));
  return least;
}

bool JsonValue::boolean(std::string_view need) const {
  if (m_value->is_boolean()) return m_value->get<bool>();
  refuse("true or false", need);
  return false;
}

void JsonValue::fail(const std::string& message) const {
  if (!*m_problem) *m_problem = jsonError(message, m_pointer);
}

void JsonValue::refuse(std::string_view what, std::string_view need) const {
  fail(shown(*m_value) + " is not " + std::string(what) + "; " + std::string(need));
}

int versionOf(std::string_view format) {
  constexpr std::string_view kStrategyFormat = "p2-strategy";
  constexpr int kStrategyVersion = 2;  // with the stages of a pipeline; without them 1 is written
  if (format == kStrategyFormat) return kStrategyVersion;
  return format == kPlanFormat ? kPlanVersion : kFormatVersion;
}

std::string readHeader(const JsonValue& in, const std::vector<std::string>& formats) {
  const std::string need =
      "a P² file begins with \"format\": \"" + formats[0] + "\", \"version\": " + std::to_string(versionOf(formats[0]));
  const JsonValue format = in.at("format", need);
  std::string name = format.text(need);
  if (std::find(formats.begin(), formats.end(), name) == formats.end()) {
    const std::string known = joined(formats, " or ");
    format.fail("\"" + name + "\" is not a format that can be read here; it needs " + known);
  }
  const JsonValue version = in.at("version", need);
  const std::int64_t number = version.whole(1, INT64_MAX / 2, "versions count from 1");
  if (number > versionOf(name)) {
    version.fail("written by a newer version (" + std::to_string(number) + "); this one reads version " +
                 std::to_string(versionOf(name)));
  }
  return name;
}

}  // namespace p2::inline text
