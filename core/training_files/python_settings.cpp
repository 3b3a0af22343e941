// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/names.h"
#include "training_files/detail/setting.h"

namespace p2::inline training_files {
namespace {

constexpr std::size_t kMostSettings = 20000;
constexpr std::size_t kMostNamed = 8;
/// The function that NeMo's recipes are started by.
constexpr std::string_view kRecipe = "pretrain_recipe";

bool isName(char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; }
bool isBlank(char each) { return each == ' ' || each == '\t' || each == '\r' || each == '\n'; }

/// A piece of the text: of one function, or the text outside of all functions.
struct Part {
  std::string name;
  std::string text;
  std::size_t line = 1;
};

/// Cuts a text at its functions: the first part is outside of them. Comments and document strings are blanked.
std::vector<Part> partsOf(std::string_view text) {
  std::vector<Part> parts(1);
  std::size_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view each = text.substr(0, end);
    ++line;
    const bool indented = each.empty() || isBlank(each[0]) || each[0] == ')' || each[0] == '#';
    if (each.starts_with("def ")) {
      std::size_t length = 4;
      while (length < each.size() && isName(each[length])) ++length;
      parts.push_back({std::string(each.substr(4, length - 4)), "", line});
    } else if (!indented && parts.size() > 1 && !parts.back().name.empty()) {
      parts.push_back({"", "", line});
    }
    parts.back().text += std::string(each) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Finds `name = literal` in the text of a part.
class Scanner {
 public:
  Scanner(const Part& part, std::map<std::string, std::string>& constants, Settings& settings)
      : m_text(part.text), m_line(part.line), m_constants(constants), m_settings(settings) {}

  void run() {
    while (m_at < m_text.size() && m_settings.all.size() < kMostSettings) {
      const char each = m_text[m_at];
      if (each == '#') {
        m_at = std::min(m_text.find('\n', m_at), m_text.size());
      } else if (each == '"' || each == '\'') {
        quoted();
      } else if (isName(each) && std::isdigit(static_cast<unsigned char>(each)) == 0) {
        name();
      } else {
        step();
      }
    }
  }

 private:
  void step() {
    if (m_text[m_at++] == '\n') ++m_line;
  }
  void skipBlanks() {
    while (m_at < m_text.size() && isBlank(m_text[m_at])) step();
  }

  /// A string; a member of a dictionary when a colon follows.
  void quoted() {
    const std::string text = literalString();
    std::size_t ahead = m_at;
    while (ahead < m_text.size() && m_text[ahead] == ' ') ++ahead;
    const bool member = ahead < m_text.size() && m_text[ahead] == ':' && !text.empty() &&
                        std::all_of(text.begin(), text.end(), [](char each) { return isName(each) || each == '.'; });
    if (!member) return;
    m_at = ahead + 1;
    assign(text);
  }

  std::string literalString() {
    const char quote = m_text[m_at];
    const bool triple = m_text.compare(m_at, 3, std::string(3, quote)) == 0;
    const std::string end(triple ? 3 : 1, quote);
    m_at += end.size();
    std::string text;
    while (m_at < m_text.size() && m_text.compare(m_at, end.size(), end) != 0) {
      if (m_text[m_at] == '\\' && m_at + 1 < m_text.size()) step();
      text += m_text[m_at];
      step();
    }
    m_at = std::min(m_at + end.size(), m_text.size());
    return text;
  }

  void name() {
    const std::size_t first = m_at;
    while (m_at < m_text.size() && (isName(m_text[m_at]) || m_text[m_at] == '.')) ++m_at;
    const std::string path(m_text.substr(first, m_at - first));
    std::size_t ahead = m_at;
    const auto blanks = [&] {
      while (ahead < m_text.size() && m_text[ahead] == ' ') ++ahead;
    };
    blanks();
    if (ahead < m_text.size() && m_text[ahead] == ':') {
      // A type: up to the sign of assignment on the same line.
      std::size_t depth = 0;
      while (ahead < m_text.size() && m_text[ahead] != '\n' && (depth > 0 || m_text[ahead] != '=')) {
        if (depth == 0 && (m_text[ahead] == ',' || m_text[ahead] == ')')) break;
        if (m_text[ahead] == '[') ++depth;
        if (m_text[ahead] == ']' && depth > 0) --depth;
        ++ahead;
      }
    }
    if (ahead >= m_text.size() || m_text[ahead] != '=' || m_text.compare(ahead, 2, "==") == 0) return;
    m_at = ahead + 1;
    assign(path);
  }

  void assign(const std::string& path) {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) ++m_at;
    const std::size_t line = m_line;
    const std::size_t start = m_at;
    const auto value = literal();
    if (!value) {
      // The value may hold more: arguments of a call.
      m_at = start;
      return;
    }
    m_constants[path] = *value;
    m_settings.all.push_back({settingKey(path), *value, line});
  }

  /// A literal up to the end of the value; no value for calls and expressions.
  std::optional<std::string> literal() {
    if (m_at >= m_text.size()) return std::nullopt;
    const char first = m_text[m_at];
    if (first == '"' || first == '\'') {
      std::string text = literalString();
      return endsHere() ? std::optional<std::string>(std::move(text)) : std::nullopt;
    }
    if (first == '[') return list();
    std::string text;
    while (m_at < m_text.size() && (isName(m_text[m_at]) || m_text[m_at] == '.' || m_text[m_at] == '*' ||
                                    m_text[m_at] == '-' || m_text[m_at] == ' ')) {
      text += m_text[m_at++];
    }
    while (text.ends_with(' ')) text.pop_back();
    if (text.ends_with("init_device_mesh")) return meshSizes();
    const auto argument = loneArgument();
    if (argument && !argument->empty()) return endsHere() ? argument : std::nullopt;
    if (text.empty() || !endsHere()) return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-') {
      return numberOf(text) ? std::optional<std::string>(text) : std::nullopt;
    }
    const auto known = m_constants.find(text);
    return known == m_constants.end() ? text : known->second;
  }

  /// The sizes of init_device_mesh("cuda", (2, 8)).
  std::optional<std::string> meshSizes() {
    const std::size_t line = std::min(m_text.find('\n', m_at), m_text.size());
    const std::size_t open = m_text.find('(', std::min(m_at + 1, m_text.size()));
    const std::size_t close = m_text.find("))", m_at);
    if (open >= line || close >= line || close < open) return std::nullopt;
    std::string sizes(m_text.substr(open + 1, close - open - 1));
    sizes.erase(std::remove(sizes.begin(), sizes.end(), ' '), sizes.end());
    m_at = close + 2;
    return sizes;
  }

  /// A call without arguments names a choice, FullAC.Config(); one with a text names it by that: registry("8B").
  std::optional<std::string> loneArgument() {
    std::size_t ahead = m_at;
    if (ahead >= m_text.size() || m_text[ahead] != '(') return std::nullopt;
    ++ahead;
    std::string text;
    if (ahead < m_text.size() && (m_text[ahead] == '"' || m_text[ahead] == '\'')) {
      const std::size_t end = m_text.find(m_text[ahead], ahead + 1);
      if (end == std::string_view::npos) return std::nullopt;
      text = m_text.substr(ahead + 1, end - ahead - 1);
      ahead = end + 1;
    }
    if (ahead >= m_text.size() || m_text[ahead] != ')') return std::nullopt;
    m_at = ahead + 1;
    // Calls on the result do not change the name.
    while (m_at < m_text.size() &&
           (isName(m_text[m_at]) || m_text[m_at] == '.' || m_text.compare(m_at, 2, "()") == 0)) {
      m_at += m_text[m_at] == '(' ? 2 : 1;
    }
    return text;
  }

  std::optional<std::string> list() {
    std::string joined;
    ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != ']') {
      skipBlanks();
      if (m_at < m_text.size() && m_text[m_at] == ']') break;
      const bool inner = m_text[m_at] == '[';
      const auto part = literal();
      if (!part) return std::nullopt;
      joined += (joined.empty() ? "" : ",") + (inner ? "[" + *part + "]" : *part);
      skipBlanks();
      if (m_at < m_text.size() && m_text[m_at] == ',') ++m_at;
    }
    m_at = std::min(m_at + 1, m_text.size());
    return joined;
  }

  [[nodiscard]] bool endsHere() const {
    std::size_t ahead = m_at;
    while (ahead < m_text.size() && (m_text[ahead] == ' ' || m_text[ahead] == '\r')) ++ahead;
    if (ahead >= m_text.size()) return true;
    return std::string_view(",)]}#\n=;").find(m_text[ahead]) != std::string_view::npos;
  }

  std::string_view m_text;
  std::size_t m_line;
  std::map<std::string, std::string>& m_constants;
  Settings& m_settings;
  std::size_t m_at = 0;
};

/// Whether the line before a place's line begins with `if`: its default is mostly that it is not carried out.
bool isConditional(const std::string& text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at);
  if (line == std::string::npos || line == 0) return false;
  const std::size_t before = text.rfind('\n', line - 1);
  const std::size_t first = text.find_first_not_of(" \t", before == std::string::npos ? 0 : before + 1);
  return first != std::string::npos && text.compare(first, 3, "if ") == 0;
}

bool calls(const Part& part, const std::string& name) {
  for (std::size_t at = part.text.find(name + "("); at != std::string::npos; at = part.text.find(name + "(", at + 1)) {
    const bool whole = at == 0 || (!isName(part.text[at - 1]) && part.text[at - 1] != '.');
    const bool defined = at >= 4 && part.text.compare(at - 4, 4, "def ") == 0;
    if (whole && !defined && !isConditional(part.text, at)) return true;
  }
  return false;
}

/// The function to read. Errors: none of that name, several.
Result<const Part*> chosenPart(const std::vector<Part>& parts, std::string_view function) {
  std::vector<std::string> names;
  const Part* found = nullptr;
  for (const Part& part : parts) {
    if (part.name.empty()) continue;
    if (part.name == function || (function.empty() && part.name == kRecipe)) return &part;
    if (part.text.find("parallel") == std::string::npos) continue;
    found = &part;
    names.push_back(part.name);
  }
  if (function.empty() && names.size() <= 1) return found;
  std::string listed;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) listed += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNamed) listed += ", …";
  if (!function.empty()) {
    return Error{"the file has no function \"" + std::string(function) + "\"" +
                 (listed.empty() ? "" : "; it has " + listed)};
  }
  return Error{"the file has several configurations; name one behind a colon, as in FILE:" + names.front() +
               "; there are " + listed};
}

}  // namespace

Result<Settings> pythonSettings(std::string_view text, std::string_view function) {
  if (text.size() > kMostSettingsBytes) return Error{"the file is longer than a configuration can be"};
  const std::vector<Part> parts = partsOf(text);
  P2_TRY_ASSIGN(const Part* chosen, chosenPart(parts, function));
  Settings settings;
  std::map<std::string, std::string> constants;
  for (const Part& part : parts) {
    if (part.name.empty()) Scanner(part, constants, settings).run();
  }
  if (chosen == nullptr) return settings;
  // Called functions come first, then a function's own settings.
  std::vector<const Part*> order;
  std::set<const Part*> seen;
  const auto visit = [&](const auto& self, const Part& part) -> void {
    if (!seen.insert(&part).second || seen.size() > 50) return;
    for (const Part& each : parts) {
      if (!each.name.empty() && calls(part, each.name)) self(self, each);
    }
    order.push_back(&part);
  };
  visit(visit, *chosen);
  for (const Part* part : order) Scanner(*part, constants, settings).run();
  return settings;
}

}  // namespace p2::inline training_files
