// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/python_text.h"

#include <algorithm>
#include <cctype>

namespace p2::inline training_files {
namespace {

bool opens(char each) { return each == '(' || each == '[' || each == '{'; }
bool closes(char each) { return each == ')' || each == ']' || each == '}'; }
bool isQuote(char each) { return each == '"' || each == '\''; }

/// The index after the statement that begins at `at`: its brackets are closed and its line ends, or a block begins.
std::size_t statementEnd(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char each = text[at];
    if (isQuote(each)) {
      at = pythonStringEnd(text, at);
      continue;
    }
    if (each == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (each == '\\' && at + 1 < text.size()) ++at;
    if (opens(each)) ++depth;
    if (closes(each) && depth > 0) --depth;
    if (each == '\n' && depth == 0) return at;
    ++at;
  }
  return at;
}

std::vector<PythonStatement> statementsOf(std::string_view text) {
  std::vector<PythonStatement> all;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = text.find_first_not_of(" \t\r\f", at);
    if (first == std::string_view::npos) break;
    const std::size_t indent = first - at;
    const std::size_t end = statementEnd(text, first);
    const std::string_view each = trimmedText(text.substr(first, end - first));
    if (!each.empty() && each[0] != '#' && !isQuote(each[0])) all.push_back({std::string(each), indent, line});
    line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                text.begin() + static_cast<std::ptrdiff_t>(end), '\n')) +
            1;
    at = end + 1;
  }
  return all;
}

void addImports(const std::string& statement, std::map<std::string, PythonImport>& imports) {
  constexpr std::string_view kFrom = "from ";
  constexpr std::string_view kImport = " import ";
  if (!statement.starts_with(kFrom)) return;
  const std::size_t at = statement.find(kImport);
  if (at == std::string::npos) return;
  const std::string module(trimmedText(std::string_view(statement).substr(kFrom.size(), at - kFrom.size())));
  std::string_view names = trimmedText(std::string_view(statement).substr(at + kImport.size()));
  if (names.starts_with('(')) names = names.substr(1, closingBracket(names, 0) - 1);
  for (const std::string& each : splitArguments(names)) {
    const std::size_t as = each.find(" as ");
    const std::string name(trimmedText(std::string_view(each).substr(0, as)));
    const std::string local =
        as == std::string::npos ? name : std::string(trimmedText(std::string_view(each).substr(as + 4)));
    imports[local] = {module, name};
  }
}

/// "def name(a: int = 2, *, b) -> Config:"
PythonFunction headOf(const std::string& statement, std::size_t line) {
  PythonFunction made;
  const std::size_t open = std::min(statement.find('('), statement.size());
  made.name = trimmedText(std::string_view(statement).substr(4, open - std::min<std::size_t>(open, 4)));
  if (open == statement.size()) return made;
  const std::size_t close = closingBracket(statement, open);
  for (const std::string& each : splitArguments(std::string_view(statement).substr(open + 1, close - open - 1))) {
    std::size_t length = 0;
    while (length < each.size() && isNameCharacter(each[length])) ++length;
    const std::size_t equals = each.find('=', length);
    const std::string defaultValue = equals == std::string::npos ? "" : each.substr(equals + 1);
    if (length > 0) made.parameters.emplace_back(each.substr(0, length), trimmedText(defaultValue));
  }
  const std::size_t colon = std::min(statement.find(':', close), statement.size() - 1);
  const std::string_view rest = trimmedText(std::string_view(statement).substr(colon + 1));
  if (!rest.empty() && rest[0] != '#') made.body.push_back({std::string(rest), 1, line});
  return made;
}

}  // namespace

bool isNameCharacter(char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; }

std::size_t pythonStringEnd(std::string_view text, std::size_t at) {
  const std::string mark(text.substr(at, 3) == std::string(3, text[at]) ? 3 : 1, text[at]);
  at += mark.size();
  while (at < text.size() && text.compare(at, mark.size(), mark) != 0) {
    // A string of one line ends with it.
    if (mark.size() == 1 && text[at] == '\n') return at;
    at += text[at] == '\\' ? 2 : 1;
  }
  return std::min(at + mark.size(), text.size());
}

std::size_t closingBracket(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size();) {
    if (isQuote(text[at])) {
      at = pythonStringEnd(text, at);
      continue;
    }
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (opens(text[at])) ++depth;
    if (closes(text[at]) && --depth == 0) return at;
    ++at;
  }
  return text.size();
}

std::vector<std::string> splitArguments(std::string_view text) {
  std::vector<std::string> pieces(1);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (isQuote(text[at])) end = pythonStringEnd(text, at);
    if (opens(text[at])) end = std::min(closingBracket(text, at) + 1, text.size());
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (text[at] == ',') {
      pieces.emplace_back();
    } else {
      pieces.back() += text.substr(at, end - at);
    }
    at = end;
  }
  for (std::string& each : pieces) each = std::string(trimmedText(each));
  pieces.erase(std::remove(pieces.begin(), pieces.end(), std::string()), pieces.end());
  return pieces;
}

const PythonFunction* PythonFile::function(std::string_view name) const {
  // The last definition of a name counts.
  const auto found =
      std::find_if(functions.rbegin(), functions.rend(), [&](const PythonFunction& each) { return each.name == name; });
  return found == functions.rend() ? nullptr : &*found;
}

PythonFile pythonFileOf(std::string_view text) {
  PythonFile file;
  bool inside = false;
  for (PythonStatement& each : statementsOf(text)) {
    addImports(each.text, file.imports);
    if (each.indent == 0 && each.text.starts_with("def ")) {
      file.functions.push_back(headOf(each.text, each.line));
      inside = true;
    } else if (each.indent == 0) {
      inside = false;
      file.outside.push_back(std::move(each));
    } else {
      (inside ? file.functions.back().body : file.outside).push_back(std::move(each));
    }
  }
  return file;
}

}  // namespace p2::inline training_files
