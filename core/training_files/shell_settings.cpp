// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>

#include "training_files/detail/setting.h"
#include "training_files/detail/shell_conditions.h"
#include "training_files/detail/shell_words.h"

namespace p2::inline training_files {
namespace {

using shell::Link;
using shell::Statement;
using shell::Variables;

/// Commands without options of a training.
constexpr std::array<std::string_view, 22> kOther{
    "echo", "mkdir", "cd", "source", ".",     "set",    "exit",  "printf", "cat",  "tee",  "module",
    "pip",  "rm",    "cp", "ls",     "sleep", "return", "shift", "unset",  "trap", "wget", "git"};
constexpr std::array<std::string_view, 4> kDeclarations{"export", "local", "declare", "readonly"};
/// Words of a quoted command line that end its arguments.
constexpr std::array<std::string_view, 9> kEnds{"&>", "&>>", ">", ">>", "|", "2>&1", "&", "&&", "||"};
constexpr std::size_t kMostStatements = 20000;
constexpr std::size_t kMostSettings = 20000;

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A block of `if`, `case` or a loop.
struct Block {
  enum class Kind { If, Case, Loop } kind = Kind::If;
  bool outer = true;   ///< whether the code around it is carried out
  bool active = true;  ///< whether the code of this branch is
  bool taken = false;  ///< whether a branch was
  bool asks = false;   ///< between `if` and `then`: statements are conditions
  std::string subject = {};
  std::string pattern = {};
  bool inPattern = false;
};

class Reader {
 public:
  Settings run(std::string_view text) {
    const shell::Script script = shell::scriptOf(text);
    if (script.statements.size() > kMostStatements) {
      m_settings.skipped.push_back("only the first " + std::to_string(kMostStatements) + " commands were read");
    }
    for (std::size_t i = 0; i < std::min(script.statements.size(), kMostStatements); ++i) {
      carryOut(script.statements[i]);
    }
    for (const std::string& document : script.documents) readDocument(document);
    if (m_settings.all.empty()) readVariables();
    return std::move(m_settings);
  }

 private:
  [[nodiscard]] bool active() const { return m_blocks.empty() || m_blocks.back().active; }

  void carryOut(const Statement& statement) {
    std::vector<std::string> words = statement.words;
    if (keyword(words, statement.link)) return;
    if (words.empty()) return;
    if (!m_blocks.empty() && m_blocks.back().asks) return ask(words, statement.link);
    if (!active()) return;
    const bool skipped = (statement.link == Link::And && !m_last) || (statement.link == Link::Or && m_last);
    if (skipped) return;
    m_last = true;
    if (const auto holds = shell::conditionHolds(m_variables, words)) {
      m_last = *holds;
    } else {
      command(words, statement.line);
    }
  }

  /// Keywords open, change and close blocks; the rest of their line is left in `words`.
  bool keyword(std::vector<std::string>& words, Link link) {
    if (!m_blocks.empty() && m_blocks.back().inPattern && words.front() != "esac") return pattern(words);
    if (link == Link::CaseEnd && !m_blocks.empty() && m_blocks.back().kind == Block::Kind::Case &&
        words.front() != "esac") {
      return pattern(words);
    }
    const std::string first = words.front();
    const auto drop = [&] { words.erase(words.begin()); };
    if (first == "if") {
      m_blocks.push_back({Block::Kind::If, active(), false, false, true});
      m_condition = std::nullopt;
      drop();
    } else if (first == "for" || first == "while" || first == "until") {
      openLoop(words);
      return true;
    } else if (first == "case") {
      m_blocks.push_back({Block::Kind::Case, active(), false, false, false});
      m_blocks.back().subject = words.size() > 1 ? shell::withoutUnset(m_variables.text(words[1])) : "";
      m_blocks.back().inPattern = true;
      words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, words.size())));
      return words.empty() || pattern(words);
    } else if (first == "then") {
      if (!m_blocks.empty() && m_blocks.back().kind == Block::Kind::If) decide();
      drop();
    } else if (first == "elif" || first == "else") {
      if (!m_blocks.empty()) nextBranch(first == "elif");
      drop();
    } else if (first == "fi" || first == "done" || first == "esac") {
      if (!m_blocks.empty()) m_blocks.pop_back();
      return true;
    } else if (first == "do" || first == "{" || first == "}" || first == "function") {
      drop();
    }
    return false;
  }

  /// The body of a loop is read once, with the first value.
  void openLoop(const std::vector<std::string>& words) {
    if (words.front() == "for" && words.size() > 3 && active()) {
      const auto values = m_variables.expanded(words[3]);
      if (!values.empty()) m_variables.set(words[1], {values.front()});
      if (words.size() > 4 || values.size() > 1) {
        m_settings.skipped.push_back("the loop over " + words[1] + " is read once, with the first value");
      }
    }
    m_blocks.push_back({Block::Kind::Loop, active(), active(), true, false});
  }

  /// Collects a pattern of `case` up to its bracket.
  bool pattern(std::vector<std::string>& words) {
    Block& block = m_blocks.back();
    block.inPattern = true;
    while (!words.empty()) {
      std::string word = std::move(words.front());
      words.erase(words.begin());
      const bool ends = word.ends_with(')');
      if (ends) word.pop_back();
      block.pattern += (block.pattern.empty() ? "" : "|") + m_variables.text(word);
      if (!ends) continue;
      block.active = block.outer && !block.taken && shell::matchesPattern(block.subject, block.pattern);
      block.taken = block.taken || block.active;
      block.pattern.clear();
      block.inPattern = false;
      return words.empty();
    }
    return true;
  }

  /// A condition between `if` and `then`.
  void ask(const std::vector<std::string>& words, Link link) {
    const auto holds = m_blocks.back().outer ? shell::conditionHolds(m_variables, words) : std::nullopt;
    if (link == Link::And) {
      m_condition = m_condition && holds ? std::optional<bool>(*m_condition && *holds) : std::nullopt;
    } else if (link == Link::Or) {
      m_condition = m_condition.value_or(false) || holds.value_or(false);
    } else {
      m_condition = holds;
    }
  }

  void decide() {
    Block& block = m_blocks.back();
    block.asks = false;
    block.active = block.outer && !block.taken && m_condition.value_or(false);
    block.taken = block.taken || block.active;
  }

  void nextBranch(bool asks) {
    Block& block = m_blocks.back();
    block.asks = asks;
    m_condition = std::nullopt;
    block.active = !asks && block.outer && !block.taken;
    if (!asks) block.taken = true;
  }

  void command(std::vector<std::string>& words, std::size_t line) {
    const bool declares = isOneOf(kDeclarations, words.front());
    if (declares) words.erase(words.begin());
    std::size_t first = 0;
    while (first < words.size() && m_variables.assign(words[first])) ++first;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first));
    if (words.empty() || declares || isOneOf(kOther, words.front())) return;
    std::vector<std::string> arguments;
    for (const std::string& word : words) {
      for (std::string& each : m_variables.expanded(word)) addArgument(std::move(each), arguments);
    }
    readOptions(arguments, line);
  }

  /// A quoted word can hold several options: "--fp8-format hybrid", "python train.py --bf16".
  static void addArgument(std::string word, std::vector<std::string>& arguments) {
    if (word.find("--") == std::string::npos || word.find_first_of(" \n") == std::string::npos) {
      arguments.push_back(std::move(word));
      return;
    }
    addWords(word, arguments);
  }

  /// Splits a text at its blanks, as `eval` does.
  static void addWords(std::string_view text, std::vector<std::string>& arguments) {
    for (const Statement& statement : shell::scriptOf(text).statements) {
      for (const std::string& word : statement.words) {
        for (std::string& each : Variables().expanded(word)) arguments.push_back(std::move(each));
      }
    }
  }

  static bool isOption(const std::string& word) {
    return word.size() > 2 && word.starts_with("--") && std::isalpha(static_cast<unsigned char>(word[2])) != 0;
  }
  /// -N 4 and -n 8 of srun and mpirun.
  static bool isShort(const std::string& word) {
    return word.size() == 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
  }

  void readOptions(const std::vector<std::string>& arguments, std::size_t line) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& word = arguments[i];
      if (isOneOf(kEnds, word)) return;
      const std::size_t equals = word.find('=');
      if (isOption(word) || isShort(word)) {
        if (equals != std::string::npos) {
          add(word.substr(0, equals), word.substr(equals + 1), line, true);
          continue;
        }
        std::string value;
        const bool takesNames = word == "--recompute-modules";
        while (i + 1 < arguments.size() && !isOption(arguments[i + 1]) && !isShort(arguments[i + 1]) &&
               !isOneOf(kEnds, arguments[i + 1]) && (value.empty() || takesNames || isNumber(arguments[i + 1]))) {
          value += (value.empty() ? "" : ",") + arguments[++i];
        }
        add(word, value.empty() ? "true" : value, line, true);
      } else if (equals != std::string::npos && equals > 0) {
        addOverride(word, equals, line);
      } else if (word.starts_with("activation-checkpoint:")) {
        add("activation_checkpoint.mode", word.substr(word.find(':') + 1), line, true);
      }
    }
  }

  static bool isNumber(const std::string& word) { return numberOf(word).has_value(); }

  /// name=value, as Hydra and MaxText take it.
  void addOverride(std::string_view word, std::size_t equals, std::size_t line) {
    std::string_view name = word.substr(0, equals);
    while (name.starts_with('+') || name.starts_with('~')) name.remove_prefix(1);
    const auto isPath = [](char each) {
      return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_' || each == '.' || each == '-';
    };
    if (name.empty() || !std::all_of(name.begin(), name.end(), isPath)) return;
    add(name, std::string(word.substr(equals + 1)), line, false);
  }

  void add(std::string_view name, std::string value, std::size_t line, bool option) {
    if (m_settings.all.size() >= kMostSettings) return;
    const std::string key = settingKey(name);
    if (const std::string unset = shell::unsetName(value); !unset.empty()) {
      if (m_named.insert(key).second) {
        m_settings.open.push_back(
            {key, std::string(name) + " depends on " + unset + ", which the script does not set"});
      }
      return;
    }
    m_settings.all.push_back({key, std::move(value), line, option});
  }

  /// A script that only defines its options.
  void readVariables() {
    for (const auto& [name, values] : m_variables.all()) {
      std::vector<std::string> arguments;
      for (const std::string& value : values) addWords(value, arguments);
      if (std::any_of(arguments.begin(), arguments.end(), isOption)) readOptions(arguments, 0);
    }
  }

  /// A configuration of DeepSpeed, or a script that is submitted.
  void readDocument(const std::string& document) {
    const std::string text = m_variables.document(document);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return;
    if (text[first] != '{') {
      for (const Statement& each : shell::scriptOf(text).statements) carryOut(each);
      return;
    }
    const auto json = jsonSettings(text);
    if (!json.ok()) return;
    for (const Setting& each : json.value().all) add(each.key, each.value, 0, false);
  }

  Variables m_variables;
  std::vector<Block> m_blocks;
  std::optional<bool> m_condition;
  bool m_last = true;
  Settings m_settings;
  std::set<std::string> m_named;
};

}  // namespace

Result<Settings> shellSettings(std::string_view text) {
  if (text.size() > kMostSettingsBytes) return Error{"the file is longer than a configuration can be"};
  return Reader().run(text);
}

}  // namespace p2::inline training_files
