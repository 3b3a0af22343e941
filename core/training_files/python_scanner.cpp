// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <vector>

#include "training_files/detail/python_scope.h"
#include "training_files/detail/python_text.h"

namespace p2::inline training_files {
namespace {

constexpr std::size_t kMostSettings = 20000;

bool isBlank(char each) { return each == ' ' || each == '\t' || each == '\r' || each == '\n'; }

/// Finds `name = literal` in a statement.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t line, PythonScope& scope, Settings& settings)
      : m_text(text), m_line(line), m_scope(scope), m_settings(settings) {}

  void run() {
    while (m_at < m_text.size() && m_settings.all.size() < kMostSettings) {
      const char each = m_text[m_at];
      if (each == '#') {
        m_at = std::min(m_text.find('\n', m_at), m_text.size());
      } else if (each == '"' || each == '\'') {
        quoted();
      } else if (isNameCharacter(each) && std::isdigit(static_cast<unsigned char>(each)) == 0) {
        name();
      } else {
        bracket(each);
        step();
      }
    }
  }

 private:
  void step() {
    if (m_text[m_at++] == '\n') ++m_line;
  }
  void bracket(char each) {
    if (each == '(' || each == '[' || each == '{') ++m_depth;
    if ((each == ')' || each == ']' || each == '}') && m_depth > 0) --m_depth;
    while (!m_objects.empty() && m_objects.back().first >= m_depth) m_objects.pop_back();
  }
  void skipBlanks() {
    while (m_at < m_text.size() && isBlank(m_text[m_at])) step();
  }

  /// A string; a member of a dictionary when a colon follows.
  void quoted() {
    const std::string text = literalString();
    std::size_t ahead = m_at;
    while (ahead < m_text.size() && m_text[ahead] == ' ') ++ahead;
    const bool member =
        ahead < m_text.size() && m_text[ahead] == ':' && !text.empty() &&
        std::all_of(text.begin(), text.end(), [](char each) { return isNameCharacter(each) || each == '.'; });
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
    while (m_at < m_text.size() && (isNameCharacter(m_text[m_at]) || m_text[m_at] == '.')) ++m_at;
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
    if (value) {
      m_scope.set(path, *value);
      add(path, *value, line);
      if (isNameCharacter(m_text[start])) addMembers(path, trimmedText(m_text.substr(start, m_at - start)));
      return;
    }
    // Arguments of a call are members of the object that it makes.
    m_at = start;
    const std::string made = called();
    if (made.ends_with(".Config")) add(path, made, line);
    if (!made.empty()) m_objects.emplace_back(m_depth, memberPath(path));
  }

  [[nodiscard]] std::string memberPath(const std::string& path) const {
    return m_objects.empty() ? path : m_objects.back().second + "." + path;
  }
  void add(const std::string& path, const std::string& value, std::size_t line) {
    m_settings.all.push_back({settingKey(memberPath(path)), value, line});
  }

  /// Of "compile=options" after "options = CompileConfig(enable=True)": compile.enable.
  void addMembers(const std::string& path, std::string_view object) {
    const std::string front = std::string(object) + ".";
    std::vector<Setting> members;
    for (const Setting& each : m_settings.all) {
      if (each.key.starts_with(front)) members.push_back(each);
    }
    for (const Setting& each : members) add(path + "." + each.key.substr(front.size()), each.value, each.line);
  }

  /// The name of the function that is called here, or first in a list: "CompileConfig" of "CompileConfig(enable=True)".
  /// Empty: none.
  [[nodiscard]] std::string called() const {
    const std::size_t first = std::min(m_text.find_first_not_of("[ \n", m_at), m_text.size());
    std::size_t end = first;
    while (end < m_text.size() && (isNameCharacter(m_text[end]) || m_text[end] == '.')) ++end;
    return end < m_text.size() && m_text[end] == '(' ? std::string(m_text.substr(first, end - first)) : std::string();
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
    while (m_at < m_text.size() && (isNameCharacter(m_text[m_at]) || m_text[m_at] == '.' || m_text[m_at] == '*' ||
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
    const auto known = m_scope.find(text);
    return known ? *known : text;
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
           (isNameCharacter(m_text[m_at]) || m_text[m_at] == '.' || m_text.compare(m_at, 2, "()") == 0)) {
      m_at += m_text[m_at] == '(' ? 2 : 1;
    }
    return text;
  }

  std::optional<std::string> list() {
    std::string joined;
    bool empty = true;
    ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != ']') {
      skipBlanks();
      if (m_at < m_text.size() && m_text[m_at] == ']') break;
      empty = false;
      const bool inner = m_text[m_at] == '[';
      const auto part = literal();
      if (!part) return std::nullopt;
      joined += (joined.empty() ? "" : ",") + (inner ? "[" + *part + "]" : *part);
      skipBlanks();
      if (m_at < m_text.size() && m_text[m_at] == ',') ++m_at;
    }
    m_at = std::min(m_at + 1, m_text.size());
    return empty ? std::string(kEmptyList) : joined;
  }

  [[nodiscard]] bool endsHere() const {
    std::size_t ahead = m_at;
    while (ahead < m_text.size() && (m_text[ahead] == ' ' || m_text[ahead] == '\r')) ++ahead;
    if (ahead >= m_text.size()) return true;
    if (m_text.compare(ahead, 2, "==") == 0) return false;
    return std::string_view(",)]}#\n=;").find(m_text[ahead]) != std::string_view::npos;
  }

  std::string_view m_text;
  std::size_t m_line;
  PythonScope& m_scope;
  Settings& m_settings;
  std::size_t m_at = 0;
  std::size_t m_depth = 0;
  /// Objects around the place: depth of brackets that their call is at, and their path.
  std::vector<std::pair<std::size_t, std::string>> m_objects;
};

}  // namespace

void scanStatement(std::string_view statement, std::size_t line, PythonScope& scope, Settings& settings) {
  Scanner(statement, line, scope, settings).run();
}

}  // namespace p2::inline training_files
