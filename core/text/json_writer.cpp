// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "base/terminal_text.h"
#include "base/utf8.h"

namespace p2::inline text {
namespace {

constexpr double kMostExactWhole = 9007199254740992.0;  // 2^53

std::string jsonString(std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
  if (plain) return '"' + std::string(text) + '"';
  return tameJson(nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

std::string tameJson(std::string_view json) {
  std::string tame;
  tame.reserve(json.size());
  while (!json.empty()) {
    const std::string_view character = json.substr(0, std::max<std::size_t>(utf8Character(json), 1));
    if (!isTerminalCommand(character)) {
      tame += character;
    } else {
      // All of them have at most three bytes.
      const auto bits = [&](std::size_t i) { return static_cast<unsigned>(character[i]) & 0x3Fu; };
      const unsigned code = character.size() == 1 ? 0x7Fu
                            : character.size() == 2
                                ? (static_cast<unsigned>(character[0]) & 0x1Fu) << 6 | bits(1)
                                : (static_cast<unsigned>(character[0]) & 0x0Fu) << 12 | bits(1) << 6 | bits(2);
      char escape[8];
      (void)std::snprintf(escape, sizeof escape, "\\u%04x", code);
      tame += escape;
    }
    json.remove_prefix(character.size());
  }
  return tame;
}

JsonWriter& JsonWriter::begin(char open, char close, Layout layout) {
  separate();
  m_out << open;
  if (!m_open.empty() && m_open.back().layout != Layout::Lines) layout = m_open.back().layout;
  m_open.push_back({close, layout});
  return *this;
}

JsonWriter& JsonWriter::end() {
  const Container container = m_open.back();
  m_open.pop_back();
  if (!container.empty && container.layout == Layout::Lines) breakLine();
  m_out << container.close;
  if (m_open.empty()) m_out << '\n';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  m_out << jsonString(name) << (m_open.back().layout == Layout::Compact ? ":" : ": ");
  m_named = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) { return raw(jsonString(value)); }

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  if (value == std::floor(value) && std::abs(value) < kMostExactWhole) return whole(static_cast<std::int64_t>(value));
  return raw(exactNumber(value));
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  m_out << json;
  return *this;
}

JsonWriter& JsonWriter::wholes(const std::vector<std::int64_t>& values) {
  beginArray(Layout::OneLine);
  for (const std::int64_t value : values) whole(value);
  return end();
}

void JsonWriter::separate() {
  if (m_named) {
    m_named = false;
    return;
  }
  if (m_open.empty()) return;
  Container& container = m_open.back();
  if (!container.empty) m_out << (container.layout == Layout::OneLine ? ", " : ",");
  container.empty = false;
  if (container.layout == Layout::Lines) breakLine();
}

void JsonWriter::breakLine() {
  m_out << '\n';
  for (std::size_t i = 0; i < m_open.size(); ++i) m_out << "  ";
}

}  // namespace p2::inline text
