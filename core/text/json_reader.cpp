// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_reader.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"

namespace p2 {
namespace {

/// The value as it stands in the file, cut to what fits in a sentence.
std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return text;
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return text.substr(0, cut) + "…";
}

const Json& nothing() {
  static const Json kNull;
  return kNull;
}

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

}  // namespace

bool JsonReader::has(std::string_view key) const { return m_value->is_object() && m_value->contains(key); }

JsonReader JsonReader::at(std::string_view key, std::string_view need) const {
  if (has(key)) return {(*m_value)[std::string(key)], m_pointer + "/" + escaped(key), m_problem};
  if (m_value->is_object()) {
    fail("the key \"" + std::string(key) + "\" is missing; " + std::string(need));
  } else {
    refuse("an object", need);
  }
  return {nothing(), m_pointer, m_problem};
}

std::vector<JsonReader> JsonReader::items(std::string_view need) const {
  std::vector<JsonReader> result;
  if (!m_value->is_array()) {
    refuse("a list", need);
    return result;
  }
  for (std::size_t i = 0; i < m_value->size(); ++i) {
    result.push_back({(*m_value)[i], m_pointer + "/" + std::to_string(i), m_problem});
  }
  return result;
}

std::string JsonReader::text(std::string_view need) const {
  if (m_value->is_string()) return m_value->get<std::string>();
  refuse("a text", need);
  return {};
}

std::int64_t JsonReader::whole(std::int64_t least, std::int64_t most, std::string_view need) const {
  double value = 0;
  if (m_value->is_number()) value = m_value->get<double>();
  if (!m_value->is_number() || value != std::floor(value)) {
    refuse("a whole number", need);
    return least;
  }
  if (value < static_cast<double>(least) || value > static_cast<double>(most)) {
    fail(shown(*m_value) + " is out of range; " + std::string(need));
    return least;
  }
  return m_value->is_number_integer() ? m_value->get<std::int64_t>() : static_cast<std::int64_t>(value);
}

double JsonReader::number(double least, double most, std::string_view need) const {
  if (!m_value->is_number()) {
    refuse("a number", need);
    return least;
  }
  const double value = m_value->get<double>();
  if (value >= least && value <= most) return value;
  fail(shown(*m_value) + " is out of range; " + std::string(need));
  return least;
}

bool JsonReader::boolean(std::string_view need) const {
  if (m_value->is_boolean()) return m_value->get<bool>();
  refuse("true or false", need);
  return false;
}

void JsonReader::fail(const std::string& message) const {
  if (!*m_problem) *m_problem = Error{message, m_pointer};
}

void JsonReader::refuse(std::string_view what, std::string_view need) const {
  fail(shown(*m_value) + " is not " + std::string(what) + "; " + std::string(need));
}

int versionOf(std::string_view format) { return format == kPlanFormat ? kPlanVersion : kFormatVersion; }

std::string readHeader(const JsonReader& in, const std::vector<std::string>& formats) {
  const std::string need =
      "a P² file begins with \"format\": \"" + formats[0] + "\", \"version\": " + std::to_string(versionOf(formats[0]));
  const JsonReader format = in.at("format", need);
  const std::string name = format.text(need);
  if (std::find(formats.begin(), formats.end(), name) == formats.end()) {
    std::string known;
    for (const std::string& each : formats) known += (known.empty() ? "" : " or ") + each;
    format.fail("\"" + name + "\" is not a format that can be read here; it needs " + known);
  }
  const JsonReader version = in.at("version", need);
  const std::int64_t number = version.whole(1, INT64_MAX / 2, "versions count from 1");
  if (number > versionOf(name)) {
    version.fail("written by a newer version (" + std::to_string(number) + "); this one reads version " +
                 std::to_string(versionOf(name)));
  }
  return name;
}

}  // namespace p2
