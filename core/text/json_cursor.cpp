// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_cursor.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "text/json_document.h"

namespace p2 {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The value as it stands in the file, cut to what fits in a sentence.
std::string shown(std::string_view token) {
  constexpr std::size_t kMost = 40;
  if (token.starts_with('{')) return "an object";
  if (token.starts_with('[')) return "a list";
  if (token.size() <= kMost) return std::string(token);
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(token[cut]) & 0xC0) == 0x80) --cut;
  return std::string(token.substr(0, cut)) + "…";
}

}  // namespace

void JsonCursor::skipBlanks() {
  while (m_at < m_text.size() && isBlank(m_text[m_at])) ++m_at;
}

bool JsonCursor::enter(char open, std::string_view what, std::string_view need) {
  skipBlanks();
  if (m_failed) return false;
  if (current() != open) {
    refuse(what, need);
    return false;
  }
  if (m_pointer.size() == kMostDepth) {
    malformed();
    return false;
  }
  ++m_at;
  m_fresh = true;
  m_pointer.push_back({open == '{'});
  return true;
}

bool JsonCursor::nextItem(char close) {
  if (m_failed) return false;
  skipBlanks();
  const bool first = m_fresh;
  m_fresh = false;
  if (current() == close) {
    ++m_at;
    return false;
  }
  if (first) return true;
  if (current() != ',') {
    malformed();
    return false;
  }
  ++m_at;
  return true;
}

void JsonCursor::leave() {
  if (m_failed) return;
  m_pointer.pop_back();
}

std::string JsonCursor::takeKey() {
  skipBlanks();
  const std::string key = unquoted(stringToken());
  skipBlanks();
  if (current() != ':') malformed();
  ++m_at;
  return key;
}

std::string_view JsonCursor::stringToken() {
  const std::size_t start = m_at;
  if (current() != '"') {
    malformed();
    return {};
  }
  for (++m_at; m_at < m_text.size(); ++m_at) {
    if (m_text[m_at] == '\\') {
      ++m_at;
    } else if (m_text[m_at] == '"') {
      ++m_at;
      return m_text.substr(start, m_at - start);
    }
  }
  malformed();
  return {};
}

std::string JsonCursor::unquoted(std::string_view token) {
  if (m_failed) return {};
  const bool plain = std::all_of(token.begin(), token.end(), [](char c) { return c >= ' ' && c < 0x7f && c != '\\'; });
  if (plain) return std::string(token.substr(1, token.size() - 2));
  const auto parsed = parseJson(token);
  if (parsed.ok()) return parsed->get<std::string>();
  malformed();
  return {};
}

std::string_view JsonCursor::numberToken() {
  const std::size_t start = m_at;
  const auto digits = [this] {
    const std::size_t first = m_at;
    while (isDigit(current())) ++m_at;
    return m_at > first;
  };
  if (current() == '-') ++m_at;
  const bool zero = current() == '0';
  const std::size_t first = m_at;
  bool right = digits() && !(zero && m_at > first + 1);
  if (right && current() == '.') {
    ++m_at;
    right = digits();
  }
  if (right && (current() == 'e' || current() == 'E')) {
    ++m_at;
    if (current() == '+' || current() == '-') ++m_at;
    right = digits();
  }
  if (right) return m_text.substr(start, m_at - start);
  malformed();
  return {};
}

std::string JsonCursor::text(std::string_view need) {
  skipBlanks();
  if (m_failed) return {};
  if (current() == '"') return unquoted(stringToken());
  refuse("a text", need);
  return {};
}

/// Most costs: up to fifteen digits, which a double holds exactly, and nothing else.
std::optional<double> JsonCursor::shortWhole() {
  constexpr std::size_t kMostDigits = 15;
  const std::size_t end = std::min(m_text.size(), m_at + kMostDigits + 1);
  std::int64_t value = 0;
  std::size_t at = m_at;
  for (; at < end && isDigit(m_text[at]); ++at) value = value * 10 + (m_text[at] - '0');
  const std::size_t digits = at - m_at;
  if (digits == 0 || at == end || (m_text[m_at] == '0' && digits > 1)) return std::nullopt;
  if (m_text[at] == '.' || m_text[at] == 'e' || m_text[at] == 'E') return std::nullopt;
  m_at = at;
  return static_cast<double>(value);
}

double JsonCursor::number(std::string_view need) {
  skipBlanks();
  if (m_failed) return 0;
  if (const auto whole = shortWhole()) return *whole;
  if (current() != '-' && !isDigit(current())) {
    refuse("a number", need);
    return 0;
  }
  const std::string_view token = numberToken();
  double value = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  // Too small, which is 0, or too large, which is malformed.
  const auto parsed = parseJson(token);
  if (!parsed.ok()) malformed();
  return parsed.ok() ? parsed->get<double>() : 0;
}

void JsonCursor::numbers(std::vector<double>& values, std::string_view need) {
  list(need, [&](std::size_t) {
    values.push_back(number(need));
    // As long as only commas stand between them the list need not be asked what comes next.
    while (m_at + 1 < m_text.size() && m_text[m_at] == ',') {
      const std::size_t comma = m_at++;
      const auto whole = shortWhole();
      if (!whole) {
        m_at = comma;
        return;
      }
      values.push_back(*whole);
    }
  });
}

std::int64_t JsonCursor::whole(std::int64_t least, std::int64_t most, std::string_view need) {
  skipBlanks();
  const std::size_t start = m_at;
  const double value = number(need);
  if (m_failed) return least;
  const std::string token = shown(m_text.substr(start, m_at - start));
  if (value != std::floor(value)) {
    fail(token + " is not a whole number; " + std::string(need));
  } else if (value < static_cast<double>(least) || value > static_cast<double>(most)) {
    fail(token + " is out of range; " + std::string(need));
  } else {
    return static_cast<std::int64_t>(value);
  }
  return least;
}

std::size_t JsonCursor::index(std::string_view need) {
  constexpr std::int64_t kMostIndex = std::int64_t{1} << 53;
  return static_cast<std::size_t>(whole(0, kMostIndex, need));
}

void JsonCursor::skipValue(std::size_t depth) {
  skipBlanks();
  if (m_failed) return;
  const char c = current();
  if (c == '"') {
    (void)stringToken();
  } else if (c == '-' || isDigit(c)) {
    (void)numberToken();
  } else if (c == '{' || c == '[') {
    if (depth + m_pointer.size() >= kMostDepth) return malformed();
    ++m_at;
    m_fresh = true;
    while (nextItem(c == '{' ? '}' : ']')) {
      if (c == '{') (void)takeKey();
      skipValue(depth + 1);
    }
    m_fresh = false;
  } else {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (m_text.substr(m_at).starts_with(word)) {
        m_at += word.size();
        return;
      }
    }
    malformed();
  }
}

void JsonCursor::finish() {
  skipBlanks();
  if (m_at < m_text.size()) malformed();
}

void JsonCursor::refuse(std::string_view what, std::string_view need) {
  const std::size_t start = m_at;
  skipValue(0);
  if (m_failed) return;
  fail(shown(m_text.substr(start, m_at - start)) + " is not " + std::string(what) + "; " + std::string(need));
}

void JsonCursor::fail(const std::string& message) {
  if (m_failed) return;
  std::string pointer;
  for (const Frame& frame : m_pointer) {
    pointer += "/";
    if (!frame.object) pointer += std::to_string(frame.index);
    for (const char c : frame.key) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  }
  m_problem = Error{message, pointer};
  m_failed = true;
}

Error JsonCursor::problem() const {
  if (m_problem) return *m_problem;
  const auto parsed = parseJson(m_text);
  return parsed.ok() ? Error{"the text is not valid JSON"} : parsed.error();
}

}  // namespace p2
