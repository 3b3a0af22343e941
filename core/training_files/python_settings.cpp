// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <set>

#include "training_files/detail/bridge_presets.h"
#include "training_files/detail/python_files.h"
#include "training_files/detail/python_scope.h"
#include "training_files/detail/recipe_defaults.h"

namespace p2::inline training_files {
namespace {

constexpr std::size_t kMostNamed = 8;
constexpr int kMostCalls = 16;
constexpr std::size_t kMostStatements = 20000;
/// The function that NeMo's recipes are started by.
constexpr std::string_view kRecipe = "pretrain_recipe";
/// Of Megatron-Bridge 0.2 to 0.5: finds a configuration by names that it puts together when it runs.
constexpr std::string_view kLookUp = "get_workload_base_config";

/// "NAME" of the statement "NAME = …", or empty.
std::string assignedName(const PythonStatement& statement) {
  std::size_t length = 0;
  while (length < statement.text.size() && isNameCharacter(statement.text[length])) ++length;
  const std::string_view rest = trimmedText(std::string_view(statement.text).substr(length));
  return rest.starts_with('=') && !rest.starts_with("==") ? statement.text.substr(0, length) : std::string();
}

/// "…" of the statement "NAME = …".
std::string_view assignedValue(const PythonStatement& statement) {
  return trimmedText(std::string_view(statement.text).substr(statement.text.find('=') + 1));
}

bool mentionsDegrees(const std::string& text) { return text.find("parallel") != std::string::npos; }

/// Reads one function, or one named value, with the functions that it calls.
class Reader {
 public:
  explicit Reader(PythonFiles& files) : m_files(files) {}

  Result<Settings> run(std::string_view name) {
    const PythonFile& file = m_files.main().file;
    P2_TRY(choose(name));
    for (const auto& [local, from] : file.imports) m_settings.modules.push_back(from.module);
    PythonScope scope(m_attributes);
    for (const PythonStatement& each : file.outside) {
      // The values of other configurations are not this one's.
      if (m_named != nullptr && !assignedName(each).empty() && !literalValue(assignedValue(each), scope)) continue;
      scanStatement(each.text, each.line, scope, m_settings);
    }
    if (m_named != nullptr) namedValue(*m_named, scope, 0);
    if (m_function != nullptr) call({&m_files.main(), m_function}, {}, scope, 0);
    if (!m_problem.empty()) return Error{m_problem};
    noteUnread();
    return std::move(m_settings);
  }

 private:
  /// The function or value to read. Errors: none of that name, several.
  Result<void> choose(std::string_view name) {
    const PythonFile& file = m_files.main().file;
    std::vector<std::string> names;
    for (const PythonFunction& each : file.functions) {
      if (each.name == name || (name.empty() && each.name == kRecipe)) {
        m_function = &each;
        return {};
      }
      const bool degrees = std::any_of(each.body.begin(), each.body.end(),
                                       [](const PythonStatement& line) { return mentionsDegrees(line.text); }) ||
                           std::any_of(each.parameters.begin(), each.parameters.end(),
                                       [](const auto& parameter) { return mentionsDegrees(parameter.first); });
      if (!degrees) continue;
      m_function = &each;
      names.push_back(each.name);
    }
    for (const PythonStatement& each : file.outside) {
      const std::string assigned = assignedName(each);
      if (assigned.empty()) continue;
      if (assigned == name) {
        m_named = &each;
        m_function = nullptr;
        return {};
      }
      const bool derived = std::any_of(names.begin(), names.end(), [&](const std::string& other) {
        return each.text.find(other, assigned.size()) != std::string::npos;
      });
      // Those that BASE_ begins are what others are derived from.
      if ((mentionsDegrees(each.text) || derived) && !assigned.starts_with("BASE_")) names.push_back(assigned);
    }
    // Assignments alone are one configuration.
    if (name.empty() && (names.size() <= 1 || file.functions.empty())) {
      const bool several = names.size() > 1 && std::all_of(names.begin(), names.end(), [](const std::string& each) {
                             return std::isupper(static_cast<unsigned char>(each[0])) != 0;
                           });
      if (!several) return {};
    }
    return severalOrNone(name, names);
  }

  static Result<void> severalOrNone(std::string_view name, const std::vector<std::string>& names) {
    std::string listed;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) listed += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMostNamed) listed += ", …";
    if (!name.empty()) {
      return Error{"the file has no configuration \"" + std::string(name) + "\"" +
                   (listed.empty() ? "" : "; it has " + listed)};
    }
    return Error{"the file has several configurations; name one behind a colon, as in FILE:" + names.front() +
                 "; there are " + listed};
  }

  /// "NAME = replace(OTHER, value=1)": first OTHER, then its own values; "NAME = OTHER".
  void namedValue(const PythonStatement& statement, PythonScope& scope, int depth) {
    if (depth > kMostCalls) return;
    const std::string_view value = assignedValue(statement);
    const std::size_t open = std::min(value.find('('), value.size());
    std::vector<std::string> parts{std::string(value.substr(0, open))};
    if (open < value.size()) parts = splitArguments(value.substr(open + 1, closingBracket(value, open) - open - 1));
    for (const PythonStatement& each : m_files.main().file.outside) {
      if (!parts.empty() && assignedName(each) == parts.front() && &each != &statement) {
        namedValue(each, scope, depth + 1);
      }
    }
    if (open < value.size() && addDefaults(std::string(value.substr(0, open)))) {
      m_settings.modules.emplace_back("megatron.bridge");
    }
    scanStatement(statement.text, statement.line, scope, m_settings);
    if (depth == 0) completePreset(assignedName(statement), m_settings);
  }

  /// Reads a function in place of its call.
  void call(const PythonFiles::Found& found, const std::vector<std::string>& arguments, const PythonScope& caller,
            int depth) {
    if (depth > kMostCalls || m_open.count(found.function) > 0) return;
    PythonScope scope(m_attributes);
    Settings nothing;
    std::map<std::string, std::string> unused;
    PythonScope constants(unused);
    for (const PythonStatement& each : found.source->file.outside) {
      scanStatement(each.text, each.line, constants, nothing);
    }
    for (const auto& [name, value] : constants.names()) scope.set(name, value);
    bind(*found.function, arguments, caller, scope);
    m_open.insert(found.function);
    block(found, scope, depth);
    m_open.erase(found.function);
  }

  /// Values of parameters: defaults, then the arguments of the call. A dictionary gives all that the caller knows by
  /// name.
  void bind(const PythonFunction& function, const std::vector<std::string>& arguments, const PythonScope& caller,
            PythonScope& scope) {
    std::map<std::string, std::optional<std::string>> given;
    std::size_t place = 0;
    for (const std::string& each : arguments) {
      const std::size_t equals = each.find('=');
      const bool named =
          equals != std::string::npos && std::all_of(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(equals),
                                                     [](char c) { return isNameCharacter(c) || c == ' '; });
      if (each.starts_with("**")) {
        for (const auto& [name, defaultValue] : function.parameters) {
          const auto known = caller.find(name);
          if (known && given.count(name) == 0) given[name] = known;
        }
      } else if (named) {
        given[std::string(trimmedText(each.substr(0, equals)))] = literalValue(each.substr(equals + 1), caller);
      } else if (place < function.parameters.size()) {
        given[function.parameters[place++].first] = literalValue(each, caller);
      }
    }
    for (const auto& [name, defaultValue] : function.parameters) {
      const auto value = given.count(name) > 0  ? given[name]
                         : defaultValue.empty() ? std::nullopt
                                                : literalValue(defaultValue, scope);
      scope.forget(name);
      if (!value) continue;
      scope.set(name, *value);
      m_settings.all.push_back({settingKey(name), *value, 0});
    }
  }

  void block(const PythonFiles::Found& found, PythonScope& scope, int depth) {
    // Heads of `if` around a statement, the innermost last, and whether their branch is read and known.
    struct Branch {
      std::size_t indent;
      bool reads;
      bool known;
      bool taken;  ///< one of its branches holds
    };
    std::vector<Branch> around;
    for (const PythonStatement& each : found.function->body) {
      if (++m_statements > kMostStatements) return;
      const std::string& text = each.text;
      const bool other = text.starts_with("elif ") || text.starts_with("else:") || text == "else";
      while (!around.empty() &&
             (around.back().indent > each.indent || (around.back().indent == each.indent && !other))) {
        around.pop_back();
      }
      const bool mine = other && !around.empty() && around.back().indent == each.indent;
      if (mine || text.starts_with("if ")) {
        const Branch before = mine ? around.back() : Branch{};
        if (mine) around.pop_back();
        const auto holds = condition(text, scope);
        // Of branches that nothing decides the first is read.
        const bool reads = !before.taken && holds.value_or(true) && (holds || !mine);
        around.push_back({each.indent, reads, holds.has_value() && (!mine || before.known), before.taken || reads});
        continue;
      }
      const bool reads = std::all_of(around.begin(), around.end(), [](const Branch& head) { return head.reads; });
      const bool sure = std::all_of(around.begin(), around.end(), [](const Branch& head) { return head.known; });
      if (!reads) continue;
      if (sure) calls(found, text, scope, depth);
      scanStatement(text, each.line, scope, m_settings);
    }
  }

  /// Of "if x:" and "elif x:"; true for else.
  static std::optional<bool> condition(const std::string& text, const PythonScope& scope) {
    if (text.starts_with("else")) return true;
    std::string_view rest = std::string_view(text).substr(text.starts_with("if ") ? 3 : 5);
    const std::size_t colon = rest.rfind(':');
    return conditionHolds(rest.substr(0, colon), scope);
  }

  /// Reads the functions that a statement calls, inner calls first.
  void calls(const PythonFiles::Found& found, std::string_view text, PythonScope& scope, int depth) {
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == '#') {
        at = std::min(text.find('\n', at), text.size());
      } else if (text[at] == '"' || text[at] == '\'') {
        at = pythonStringEnd(text, at);
      } else if (isNameCharacter(text[at])) {
        std::size_t end = at;
        while (end < text.size() && (isNameCharacter(text[end]) || text[end] == '.')) ++end;
        const std::string name(text.substr(at, end - at));
        at = end;
        if (end >= text.size() || text[end] != '(') continue;
        const std::size_t close = closingBracket(text, end);
        const std::string_view inside = text.substr(end + 1, close - std::min(close, end + 1));
        calls(found, inside, scope, depth);
        one(found, name, splitArguments(inside), scope, depth);
        at = std::min(close + 1, text.size());
      } else {
        ++at;
      }
    }
  }

  void one(const PythonFiles::Found& found, const std::string& name, const std::vector<std::string>& arguments,
           PythonScope& scope, int depth) {
    if (name == kLookUp) {
      m_problem =
          "the recipe looks its degrees up when it runs; give the file of its presets and the name of one, as in "
          "qwen3_workload_base_configs.py:QWEN3_30B_A3B_PRETRAIN_CONFIG_H100_BF16_V1";
    }
    const PythonFiles::Found next = m_files.function(*found.source, name);
    if (next.function != nullptr) return call(next, arguments, scope, depth + 1);
    if (addDefaults(name)) return;
    const auto imported = found.source->file.imports.find(name);
    const bool function = !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) == 0;
    if (imported == found.source->file.imports.end() || !function) return;
    if (m_files.origin(*found.source, name) == nullptr && recipeFamily(imported->second.module) != nullptr) {
      m_unread.insert(name);
    }
  }

  /// Adds the settings of a framework's function whose file is missing. False: they are not known.
  bool addDefaults(const std::string& function) {
    bool known = false;
    for (const RecipeDefault& each : recipeDefaults()) {
      if (each.function != function) continue;
      known = true;
      m_settings.all.push_back({.key = each.setting, .value = each.value, .isDefault = true});
    }
    return known;
  }

  void noteUnread() {
    if (m_unread.empty()) return;
    std::string names;
    std::size_t place = 0;
    for (const std::string& each : m_unread) {
      if (place++ < 3) names += (place == 1 ? "" : ", ") + each + "()";
    }
    if (m_unread.size() > 3) names += " and " + std::to_string(m_unread.size() - 3) + " more";
    m_settings.skipped.push_back("the settings of " + names + ", because " +
                                 (m_unread.size() == 1 ? "its file is" : "their files are") +
                                 " missing; give the recipe inside its checkout");
  }

  PythonFiles& m_files;
  const PythonFunction* m_function = nullptr;
  const PythonStatement* m_named = nullptr;
  Settings m_settings;
  std::map<std::string, std::string> m_attributes;
  std::set<const PythonFunction*> m_open;  ///< being read, against recursion
  std::set<std::string> m_unread;
  std::size_t m_statements = 0;
  std::string m_problem;
};

}  // namespace

Result<Settings> pythonSettings(std::string_view text, std::string_view function, const std::string& path) {
  if (text.size() > kMostSettingsBytes) return Error{"the file is longer than a configuration can be"};
  PythonFiles files(text, path);
  return Reader(files).run(function);
}

}  // namespace p2::inline training_files
