// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/shell_words.h"

#include <algorithm>

namespace p2::inline training_files::shell {
namespace {

constexpr std::string_view kSlurmRequest = "#SBATCH";

class Lexer {
 public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  Script run() {
    while (!atEnd()) step();
    endStatement(Link::Sequence);
    return std::move(m_script);
  }

 private:
  [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
  }
  char take() {
    const char each = m_text[m_at++];
    if (each == '\n') ++m_line;
    return each;
  }

  void step() {
    const char each = peek();
    if (skipsContinuation()) return;
    if (each == '#' && m_word.empty()) return comment();
    if (each == '\n') return newline();
    if (each == ' ' || each == '\t' || each == '\r') return endWord(take());
    if (each == ';') return semicolon();
    if (each == '&' || each == '|') return conjunction();
    if (each == '<' && peek(1) == '<' && peek(2) != '<') return hereDocument();
    if (each == '<' || each == '>') return redirection();
    if (each == '(') return parenthesis();
    if (each == ')' && !endsCasePattern()) return endWord(take());
    quotedOrPlain();
  }

  bool skipsContinuation() {
    if (peek() != '\\') return false;
    std::size_t blanks = 1;
    while (peek(blanks) == ' ' || peek(blanks) == '\t' || peek(blanks) == '\r') ++blanks;
    if (peek(blanks) != '\n') return false;
    endWord(' ');
    for (std::size_t i = 0; i <= blanks; ++i) take();
    return true;
  }

  void comment() {
    const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
    const std::string_view line = m_text.substr(m_at, end - m_at);
    if (line.starts_with(kSlurmRequest) && m_words.empty()) {
      m_at += kSlurmRequest.size();
      m_words.emplace_back("srun");
      return;
    }
    m_at = end;
  }

  void newline() {
    endWord(take());
    endStatement(Link::Sequence);
    if (!m_awaited.empty()) readDocuments();
  }

  void semicolon() {
    take();
    const bool twice = peek() == ';';
    if (twice) take();
    endStatement(twice ? Link::CaseEnd : Link::Sequence);
  }

  void conjunction() {
    const char each = take();
    if (isInTest()) {
      m_word += each;
      return;
    }
    if (peek() == each) {
      take();
      return endStatement(each == '&' ? Link::And : Link::Or);
    }
    if (each == '&' && peek() == '>') return;
    endStatement(each == '|' ? Link::Pipe : Link::Sequence);
  }

  /// Inside `[[ … ]]` operators are words.
  [[nodiscard]] bool isInTest() const {
    const auto open = std::count(m_words.begin(), m_words.end(), "[[");
    return open > std::count(m_words.begin(), m_words.end(), "]]");
  }

  void hereDocument() {
    endWord(' ');
    take();
    take();
    if (peek() == '-') take();
    while (peek() == ' ') take();
    std::string name;
    while (!atEnd() && peek() != '\n' && peek() != ' ' && peek() != '>' && peek() != ';') {
      const char each = take();
      if (each != '\'' && each != '"' && each != '\\') name += each;
    }
    if (!name.empty()) m_awaited.push_back(name);
  }

  void readDocuments() {
    for (const std::string& name : m_awaited) {
      std::string body;
      while (!atEnd()) {
        std::string line;
        while (!atEnd() && peek() != '\n') line += take();
        if (!atEnd()) take();
        const std::size_t first = line.find_first_not_of(" \t");
        const std::size_t last = line.find_last_not_of(" \t\r");
        if (first != std::string::npos && line.substr(first, last - first + 1) == name) break;
        body += line + '\n';
      }
      m_script.documents.push_back(std::move(body));
    }
    m_awaited.clear();
  }

  /// The file of a redirection is no argument; `<name>`, as in templates, is a word.
  void redirection() {
    const std::size_t close = m_text.find_first_of(">\n", m_at + 1);
    if (peek() == '<' && close != std::string_view::npos && m_text[close] == '>') {
      while (m_at <= close) m_word += take();
      return;
    }
    if (m_word.find_first_not_of("0123456789") == std::string::npos) m_word.clear();
    endWord(take());
    while (peek() == '>' || peek() == '&' || peek() == ' ') take();
    while (!atEnd() && peek() != ' ' && peek() != '\n' && peek() != ';' && peek() != '|') take();
  }

  void parenthesis() {
    if (m_word.ends_with('=')) return array();
    endWord(take());
    if (peek() == ')') take();  // the name of a function
  }

  /// NAME=( … ): its parts stay together.
  void array() {
    take();
    std::string parts;
    const std::string name = std::move(m_word);
    m_word.clear();
    std::vector<std::string> before = std::move(m_words);
    m_words.clear();
    while (!atEnd() && peek() != ')') {
      if (skipsContinuation()) continue;
      const char each = peek();
      if (each == '#' && m_word.empty()) {
        m_at = std::min(m_text.find('\n', m_at), m_text.size());
      } else if (each == ' ' || each == '\t' || each == '\n' || each == '\r') {
        endWord(take());
      } else {
        quotedOrPlain();
      }
    }
    if (!atEnd()) take();
    endWord(' ');
    for (std::string& part : m_words) {
      std::replace(part.begin(), part.end(), '\n', ' ');
      parts += '\n' + part;
    }
    m_words = std::move(before);
    m_words.push_back(name + "(" + parts);
  }

  /// The bracket after a pattern belongs to its word.
  [[nodiscard]] bool endsCasePattern() const { return m_words.empty() && !m_word.empty(); }

  void quotedOrPlain() {
    const char each = peek();
    if (each == '\'') return quoted('\'', false);
    if (each == '"') return quoted('"', true);
    if (each == '`') return quoted('`', false);
    if (each == '$' && (peek(1) == '(' || peek(1) == '{')) return bracketed();
    if (each == '\\' && peek(1) != '\0') m_word += take();
    m_word += take();
  }

  void quoted(char quote, bool escapes) {
    m_word += take();
    while (!atEnd() && peek() != quote) {
      if (escapes && peek() == '\\' && peek(1) == '\n') {
        take();
        take();
        m_word += ' ';
        continue;
      }
      if (escapes && peek() == '\\' && peek(1) != '\0') m_word += take();
      if (escapes && peek() == '$' && (peek(1) == '(' || peek(1) == '{')) {
        bracketed();
      } else {
        m_word += take();
      }
    }
    if (!atEnd()) m_word += take();
  }

  /// `$( … )` and `${ … }` with the brackets inside them.
  void bracketed() {
    m_word += take();
    const char open = peek();
    const char close = open == '(' ? ')' : '}';
    int depth = 0;
    do {
      const char each = take();
      m_word += each;
      depth += each == open ? 1 : each == close ? -1 : 0;
    } while (depth > 0 && !atEnd());
  }

  void endWord(char) {
    if (m_word.empty()) return;
    if (m_words.empty()) m_start = m_line;
    const bool pattern = m_words.empty() && m_word.ends_with(')');
    m_words.push_back(std::move(m_word));
    m_word.clear();
    if (pattern) endStatement(Link::Sequence);
  }

  void endStatement(Link next) {
    if (!m_word.empty()) {
      if (m_words.empty()) m_start = m_line;
      m_words.push_back(std::move(m_word));
      m_word.clear();
    }
    if (!m_words.empty()) {
      m_script.statements.push_back({m_link, std::move(m_words), m_start});
      m_words.clear();
      m_link = next;
    } else if (next == Link::CaseEnd || m_link == Link::Sequence) {
      m_link = next;
    }
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::size_t m_line = 1;
  std::size_t m_start = 1;
  std::string m_word;
  std::vector<std::string> m_words;
  Link m_link = Link::Sequence;
  std::vector<std::string> m_awaited;  ///< here-documents that begin on the next line
  Script m_script;
};

}  // namespace

Script scriptOf(std::string_view text) { return Lexer(text).run(); }

}  // namespace p2::inline training_files::shell
