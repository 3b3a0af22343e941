// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/foreign_json.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/lists.h"
#include "text/json_stream.h"

namespace p2::inline text {
namespace {

constexpr std::size_t kMostForeignKeys = 30000;

/// A list or object that is not closed yet.
struct Container {
  bool isObject;
  std::size_t members;
};

/// Goes over a text once, and leaves JSON of the same lines.
class Cleaner {
 public:
  explicit Cleaner(std::string_view text) : m_text(text) {}

  Result<std::string> clean() {
    m_clean.reserve(m_text.size());
    while (m_at < m_text.size()) {
      if (!takeString() && !takeComment() && !takeConstant()) takeCharacter();
      if (m_problem) return *m_problem;
    }
    return std::move(m_clean);
  }

 private:
  [[nodiscard]] bool begins(std::string_view part) const { return m_text.substr(m_at).starts_with(part); }

  bool takeString() {
    if (m_text[m_at] != '"') return false;
    std::size_t end = m_at + 1;
    while (end < m_text.size() && m_text[end] != '"') end += m_text[end] == '\\' ? 2 : 1;
    end = std::min(end + 1, m_text.size());
    m_clean.append(m_text.substr(m_at, end - m_at));
    m_at = end;
    return true;
  }

  /// Keeps the line breaks, so that places in errors stay right.
  bool takeComment() {
    const bool line = begins("//");
    if (!line && !begins("/*")) return false;
    const std::size_t close = line ? m_text.find('\n', m_at) : m_text.find("*/", m_at + 2);
    const std::size_t end = std::min(close == std::string_view::npos ? close : close + (line ? 0 : 2), m_text.size());
    for (; m_at < end; ++m_at) m_clean += m_text[m_at] == '\n' ? '\n' : ' ';
    return true;
  }

  bool takeConstant() {
    for (const std::string_view name : {"-Infinity", "Infinity", "NaN", "-NaN"}) {
      if (!begins(name)) continue;
      m_at += name.size();
      m_clean += "null";
      return true;
    }
    return false;
  }

  void takeCharacter() {
    const char c = m_text[m_at++];
    if (c == '{' || c == '[') m_open.push_back({c == '{', 0});
    if (c == '}' || c == ']') {
      if (!m_open.empty()) m_open.pop_back();
      dropLastComma();
    }
    m_clean += c;
    if (m_open.size() > JsonLimits::depth) {
      m_problem = jsonError("lists and objects are nested over " + std::to_string(JsonLimits::depth) + " deep");
    }
    if (c != ',' || m_open.empty() || !m_open.back().isObject) return;
    if (++m_open.back().members > kMostForeignKeys) {
      m_problem = jsonError("an object has over " + std::to_string(kMostForeignKeys) + " keys");
    }
  }

  /// "[1, 2,]".
  void dropLastComma() {
    const std::size_t last = m_clean.find_last_not_of(kBlanks);
    if (last != std::string::npos && m_clean[last] == ',') m_clean[last] = ' ';
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::string m_clean;
  std::vector<Container> m_open;
  std::optional<Error> m_problem;
};

}  // namespace

Result<Json> parseForeignJson(std::string_view text) {
  if (text.size() > JsonLimits::bytes) {
    return Error{"it has over " + std::to_string(JsonLimits::bytes >> 20) + " MiB", {}, ErrorKind::TooLarge};
  }
  P2_TRY_ASSIGN(const std::string clean, Cleaner(text).clean());
  Json json = Json::parse(clean, nullptr, false);
  if (!json.is_discarded()) return json;
  return parseJson(clean);
}

}  // namespace p2::inline text
