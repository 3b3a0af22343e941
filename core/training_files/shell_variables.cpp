// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/shell_variables.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/numbers.h"

namespace p2::inline training_files::shell {
namespace {

/// Without blanks, as all names of unset values.
constexpr std::string_view kCommandOutput = "$(…)";
/// A script can double a text over and over.
constexpr std::size_t kMostText = std::size_t{1} << 18;

bool isNameCharacter(char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; }

std::size_t nameLength(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isNameCharacter) - text.begin());
}

std::string unset(std::string_view name) { return kUnset + std::string(name) + kUnset; }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (text.size() > kMostText) break;
    text += (text.empty() ? "" : " ") + part;
  }
  return text;
}

/// + − · / % and brackets over whole numbers.
class Arithmetic {
 public:
  explicit Arithmetic(std::string_view text) : m_text(text) {}

  std::optional<std::int64_t> value() {
    const auto sum = this->sum();
    skipBlanks();
    return m_at == m_text.size() ? sum : std::nullopt;
  }

 private:
  using Number = std::optional<std::int64_t>;

  void skipBlanks() {
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0) ++m_at;
  }
  char next() {
    skipBlanks();
    return m_at < m_text.size() ? m_text[m_at] : '\0';
  }

  Number sum() {
    Number left = product();
    while (left && (next() == '+' || next() == '-')) {
      const bool adds = m_text[m_at++] == '+';
      const Number right = product();
      if (!right) return std::nullopt;
      left = adds ? *left + *right : *left - *right;
    }
    return left;
  }

  Number product() {
    Number left = factor();
    while (left && (next() == '*' || next() == '/' || next() == '%')) {
      const char kind = m_text[m_at++];
      const Number right = factor();
      if (!right || (kind != '*' && *right == 0)) return std::nullopt;
      if (kind == '*') {
        left = *left < 0 || *right < 0 ? Number() : checkedProduct(*left, *right);
      } else {
        left = kind == '/' ? *left / *right : *left % *right;
      }
    }
    return left;
  }

  Number factor() {
    if (next() == '(') {
      if (++m_depth > kMostDepth) return std::nullopt;
      ++m_at;
      const Number inner = sum();
      if (next() != ')') return std::nullopt;
      ++m_at;
      --m_depth;
      return inner;
    }
    const std::size_t first = m_at;
    while (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0) ++m_at;
    const auto number = parseInteger(m_text.substr(first, m_at - first));
    // Sums of such numbers stay within 64 bits.
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    return number && *number <= kMost ? number : std::nullopt;
  }

  static constexpr int kMostDepth = 50;
  std::string_view m_text;
  std::size_t m_at = 0;
  int m_depth = 0;
};

}  // namespace

std::string unsetName(std::string_view text) {
  const std::size_t first = text.find(kUnset);
  if (first == std::string_view::npos) return {};
  const std::size_t last = std::min(text.find(kUnset, first + 1), text.size());
  return std::string(text.substr(first + 1, last - first - 1));
}

std::string withoutUnset(std::string_view text) {
  std::string kept;
  bool inside = false;
  for (const char each : text) {
    if (each == kUnset) {
      inside = !inside;
    } else if (!inside) {
      kept += each;
    }
  }
  return kept;
}

/// Expands one word.
class Variables::Expansion {
 public:
  Expansion(const Variables& variables, std::string_view word) : m_variables(variables), m_word(word) {}

  std::vector<std::string> words() {
    walk(true);
    endWord();
    return std::move(m_words);
  }
  std::string text() {
    walk(false);
    return std::move(m_made);
  }
  std::string document() {
    m_keeps = true;
    walk(false);
    return std::move(m_made);
  }

 private:
  void walk(bool splits) {
    m_splits = splits;
    char quote = '\0';
    while (m_at < m_word.size() && m_made.size() < kMostText) {
      const char each = m_word[m_at];
      if (m_keeps && each != '$') {
        m_made += each;
        ++m_at;
      } else if (quote == '\0' && (each == '\'' || each == '"')) {
        quote = each;
        m_any = true;
        ++m_at;
      } else if (quote == each && quote != '\0') {
        quote = '\0';
        ++m_at;
      } else if (each == '\\' && quote != '\'' && m_at + 1 < m_word.size()) {
        m_made += m_word[m_at + 1];
        m_at += 2;
      } else if (each == '$' && quote != '\'') {
        put(substituted(), quote == '\0');
      } else if (each == '`' && quote != '\'') {
        const std::size_t end = std::min(m_word.find('`', m_at + 1), m_word.size());
        put(unset(kCommandOutput), false);
        m_at = std::min(end + 1, m_word.size());
      } else {
        m_made += each;
        ++m_at;
      }
    }
  }

  std::string substituted() {
    const std::string_view rest = m_word.substr(m_at + 1);
    if (rest.starts_with("((")) {
      const std::size_t length = closing(rest, '(', ')');
      m_at += 1 + length;
      return m_variables.arithmetic(rest.substr(2, length >= 4 ? length - 4 : 0));
    }
    if (rest.starts_with('(')) {
      m_at += 1 + closing(rest, '(', ')');
      return unset(kCommandOutput);
    }
    if (rest.starts_with('{')) {
      const std::size_t end = closing(rest, '{', '}');
      m_at += 1 + end;
      return m_variables.parameter(rest.substr(1, end >= 2 ? end - 2 : 0));
    }
    std::size_t length = nameLength(rest);
    if (length == 0 && !rest.empty() && (rest[0] == '@' || rest[0] == '*' || rest[0] == '#' || rest[0] == '?')) {
      length = 1;
    } else if (length > 1 && std::isdigit(static_cast<unsigned char>(rest[0])) != 0) {
      length = 1;
    }
    m_at += 1 + length;
    if (length == 0) return "$";
    return m_variables.valueOf(rest.substr(0, length));
  }

  /// Length up to and with the bracket that closes the first one.
  static std::size_t closing(std::string_view text, char open, char close) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      depth += text[i] == open ? 1 : text[i] == close ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return text.size();
  }

  void put(const std::string& value, bool bare) {
    if (!bare || !m_splits) {
      m_made += value;
      return;
    }
    bool marked = false;
    for (const char each : value) {
      if (each == kUnset) marked = !marked;
      if (!marked && std::isspace(static_cast<unsigned char>(each)) != 0) {
        endWord();
      } else {
        m_made += each;
      }
    }
  }

  void endWord() {
    if (m_made.empty() && !m_any) return;
    m_words.push_back(std::move(m_made));
    m_made.clear();
    m_any = false;
  }

  const Variables& m_variables;
  std::string_view m_word;
  std::size_t m_at = 0;
  bool m_splits = true;
  bool m_keeps = false;  ///< quotes
  bool m_any = false;
  std::string m_made;
  std::vector<std::string> m_words;
};

std::string Variables::valueOf(std::string_view name) const {
  const auto found = m_values.find(std::string(name));
  if (found == m_values.end()) return unset(name);
  std::string value = joined(found->second);
  return value.size() > kMostText ? unset(name) : value;
}

/// The inside of ${ … }: a name, a name with a default, all parts of an array.
std::string Variables::parameter(std::string_view inside) const {
  if (inside.starts_with('!') || inside.starts_with('#')) return unset(inside.substr(1, nameLength(inside.substr(1))));
  const std::string_view name = inside.substr(0, nameLength(inside));
  std::string_view rest = inside.substr(name.size());
  if (rest.starts_with('[')) rest.remove_prefix(std::min(rest.find(']') + 1, rest.size()));
  const std::string value = valueOf(name);
  const bool colon = rest.starts_with(':');
  if (colon) rest.remove_prefix(1);
  if (rest.starts_with('-') || rest.starts_with('=')) {
    const bool missing = !unsetName(value).empty() || (colon && value.empty());
    return missing ? text(rest.substr(1)) : value;
  }
  if (rest.starts_with('+')) return unsetName(value).empty() && !value.empty() ? text(rest.substr(1)) : std::string();
  return value;
}

std::string Variables::arithmetic(std::string_view expression) const {
  const std::string put = text(expression);
  std::string numbers;
  for (std::size_t at = 0; at < put.size();) {
    if (std::isalpha(static_cast<unsigned char>(put[at])) != 0 || put[at] == '_') {
      const std::size_t length = nameLength(std::string_view(put).substr(at));
      numbers += valueOf(std::string_view(put).substr(at, length));
      at += length;
    } else {
      numbers += put[at++];
    }
  }
  if (const std::string name = unsetName(numbers); !name.empty()) return unset(name);
  const auto value = Arithmetic(numbers).value();
  return value ? std::to_string(*value) : unset("$((…))");
}

bool Variables::assign(const std::string& word) {
  const std::size_t length = nameLength(word);
  if (length == 0 || std::isdigit(static_cast<unsigned char>(word[0])) != 0) return false;
  const bool adds = word.compare(length, 2, "+=") == 0;
  if (!adds && word.compare(length, 1, "=") != 0) return false;
  const std::string name = word.substr(0, length);
  const std::string_view value = std::string_view(word).substr(length + (adds ? 2 : 1));
  std::vector<std::string> parts;
  if (value.starts_with('(')) {
    std::string_view rest = value.substr(1);
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      for (std::string& each : expanded(rest.substr(0, end))) parts.push_back(std::move(each));
      rest.remove_prefix(end);
    }
  } else {
    parts.push_back(text(value));
  }
  auto& held = m_values[name];
  if (!adds) {
    held = std::move(parts);
  } else if (value.starts_with('(')) {
    if (held.size() + parts.size() < kMostText) held.insert(held.end(), parts.begin(), parts.end());
  } else {
    if (held.empty()) held.emplace_back();
    if (held.front().size() < kMostText) held.front() += parts.front();
  }
  return true;
}

std::vector<std::string> Variables::expanded(std::string_view word) const { return Expansion(*this, word).words(); }

std::string Variables::document(std::string_view text) const { return Expansion(*this, text).document(); }

std::string Variables::text(std::string_view word) const {
  // Defaults can hold defaults.
  constexpr int kMostDepth = 40;
  if (m_depth >= kMostDepth) return unset("${…}");
  ++m_depth;
  std::string made = Expansion(*this, word).text();
  --m_depth;
  return made;
}

}  // namespace p2::inline training_files::shell
