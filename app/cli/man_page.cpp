// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/man_page.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "app/cli/answer_keys.h"
#include "base/lists.h"
#include "cost/calibration/measured_time.h"
#include "importers/importers.h"
#include "remote/measured_files.h"

namespace p2::cli {
namespace {

/// A command, an option or an argument in the page. Commands with the same declaration share an entry.
struct ManEntry {
  std::string key;   ///< "train", "--axes", "SYSTEM"
  std::string head;  ///< in bold and italics
  std::string help;  ///< declared; a paragraph of roff
  std::vector<std::string> commands;
  std::vector<std::string> constraints;  ///< of each command: "only with --train"
  std::string more;                      ///< text of the source
};

std::string roffText(std::string_view text) {
  std::string roff;
  for (const char each : text) {
    if (each == '-' || each == '\\') roff += '\\';
    roff += each == '\\' ? 'e' : each;
  }
  return roff.starts_with('.') || roff.starts_with('\'') ? "\\&" + roff : roff;
}

std::string bold(std::string_view text) { return "\\fB" + roffText(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roffText(text) + "\\fR"; }

std::string sentence(const std::string& help) {
  const bool ended = help.ends_with('.') || help.ends_with("…");
  return roffText(help) + (ended ? "" : ".");
}

std::string capitalized(std::string_view text) {
  std::string capitals(text);
  if (!capitals.empty()) capitals[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capitals[0])));
  return capitals;
}

/// A name and its sentence.
std::string entryText(std::string_view name, std::string_view help) {
  return ".TP\n" + bold(name) + "\n" + sentence(std::string(help)) + "\n";
}

bool takesMany(const CLI::Option& option) { return option.get_items_expected_max() > 2; }

std::string valueOf(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  if (option.get_expected_max() == 0 || name.empty()) return {};
  if (option.get_expected_min() == 0) return " [" + italic(name) + "]";
  return " " + italic(name) + (option.get_items_expected_max() == 2 ? " " + italic(name) : "");
}

std::string headOf(const CLI::Option& option) {
  if (option.get_positional()) return italic(option.get_name(true)) + (takesMany(option) ? " ..." : "");
  std::string names;
  for (const std::string& name : option.get_snames()) names += bold("-" + name) + ", ";
  for (const std::string& name : option.get_lnames()) names += bold("--" + name) + ", ";
  return names.substr(0, names.size() - 2) + valueOf(option);
}

std::string keyOf(const CLI::Option& option) {
  if (option.get_positional() || option.get_lnames().empty()) return option.get_name(true);
  return "--" + option.get_lnames().front();
}

std::string namesOf(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* each : options) names.push_back(keyOf(*each));
  std::sort(names.begin(), names.end());
  return joined(names);
}

/// "only with --axes, not with --count".
std::string constraintOf(const CLI::Option& option) {
  const std::string needs = namesOf(option.get_needs());
  const std::string excludes = namesOf(option.get_excludes());
  return (needs.empty() ? "" : "only with " + needs) + (needs.empty() || excludes.empty() ? "" : ", ") +
         (excludes.empty() ? "" : "not with " + excludes);
}

bool isListed(const CLI::Option& option) { return !option.get_group().empty(); }

/// The command and its subcommands, each with its name as typed: "lesson show".
struct NamedCommand {
  std::string name;
  const CLI::App* app = nullptr;
};

std::vector<NamedCommand> commandsOf(const CLI::App& app, const std::string& prefix = "") {
  std::vector<NamedCommand> commands;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = prefix + each->get_name();
    commands.push_back({name, each});
    for (const NamedCommand& below : commandsOf(*each, name + " ")) commands.push_back(below);
  }
  return commands;
}

std::vector<ManEntry> commandEntries(const std::vector<NamedCommand>& commands) {
  std::vector<ManEntry> entries;
  for (const auto& [name, app] : commands)
    entries.push_back({name, bold(name), sentence(app->get_description()), {name}, {""}, {}});
  return entries;
}

std::vector<ManEntry> optionEntries(const std::vector<NamedCommand>& commands) {
  std::vector<ManEntry> entries;
  for (const auto& [name, app] : commands) {
    for (const CLI::Option* option : app->get_options()) {
      if (!isListed(*option)) continue;
      ManEntry entry{keyOf(*option), headOf(*option),         sentence(option->get_description()),
                     {name},         {constraintOf(*option)}, {}};
      const auto same = std::find_if(entries.begin(), entries.end(), [&](const ManEntry& each) {
        return each.head == entry.head && each.help == entry.help;
      });
      if (same == entries.end()) {
        entries.push_back(std::move(entry));
      } else {
        same->commands.push_back(name);
        same->constraints.push_back(entry.constraints.front());
      }
    }
  }
  return entries;
}

std::vector<ManEntry> formatEntries() {
  std::vector<ManEntry> entries;
  for (const ImportFormat& format : importFormats()) {
    const std::string help = sentence(capitalized(format.help));
    entries.push_back({std::string(format.name), bold(format.name), help, {"import"}, {""}, {}});
  }
  return entries;
}

/// The entry of "train", "train --batch", or "--axes". The last is the shared one where commands have their own, too.
Result<ManEntry*> entryOf(std::vector<ManEntry>& entries, const std::string& name) {
  const std::size_t space = name.rfind(' ');
  std::vector<ManEntry*> found;
  for (ManEntry& each : entries) {
    const bool isOfCommand =
        space != std::string::npos && each.key == name.substr(space + 1) &&
        std::find(each.commands.begin(), each.commands.end(), name.substr(0, space)) != each.commands.end();
    if (each.key == name || isOfCommand) found.push_back(&each);
  }
  if (found.empty()) return Error{"p2 has no command, option or format \"" + name + "\""};
  const auto isOwn = [](const ManEntry* each) { return each->commands.size() == 1; };
  if (found.size() > 1) found.erase(std::remove_if(found.begin(), found.end(), isOwn), found.end());
  if (found.size() == 1) return found.front();
  return Error{"several commands have their own \"" + name + "\"; put the command in front"};
}

/// Adds the texts of the source to their entries.
Result<void> addTexts(std::vector<ManEntry>& entries, const std::vector<std::string_view>& lines) {
  ManEntry* entry = nullptr;
  for (const std::string_view line : lines) {
    if (line.starts_with(".\\\" ")) {
      P2_TRY_ASSIGN(entry, entryOf(entries, std::string(line.substr(4))));
      if (!entry->more.empty()) return Error{"\"" + std::string(line.substr(4)) + "\" has two texts"};
    } else if (entry == nullptr) {
      return Error{"\"" + std::string(line) + "\" stands before the first name of an entry"};
    } else {
      entry->more += std::string(line) + "\n";
    }
  }
  return {};
}

/// "Of train and compare (only with --train).": the commands of an entry.
std::string commandsText(const ManEntry& entry) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < entry.commands.size(); ++i) {
    const std::string& constraint = entry.constraints[i];
    words.push_back(bold(entry.commands[i]) + (constraint.empty() ? "" : " (" + roffText(constraint) + ")"));
  }
  return "Of " + andList(words) + ".\n";
}

std::string ownText(const ManEntry& entry) {
  const std::string constraint = roffText(capitalized(entry.constraints.front()));
  return ".TP\n" + entry.head + "\n" + entry.help + "\n" + (constraint.empty() ? "" : constraint + ".\n") + entry.more;
}

std::string sharedText(const ManEntry& entry, bool ofAll) {
  return ".TP\n" + entry.head + "\n" + entry.help + "\n" + entry.more +
         (ofAll ? "Of every command.\n" : commandsText(entry));
}

/// The entries of a command alone, and the names of those that it shares.
std::string commandOptionsText(const std::string& name, const std::vector<ManEntry>& entries, std::size_t all) {
  std::string own;
  std::vector<std::string> shared;
  for (const ManEntry& entry : entries) {
    const std::size_t count = entry.commands.size();
    if (std::find(entry.commands.begin(), entry.commands.end(), name) == entry.commands.end()) continue;
    if (count == 1) own += ownText(entry);
    if (count > 1 && count < all) shared.push_back(bold(entry.key));
  }
  if (own.empty()) return {};
  return ".SS Of " + roffText(name) + "\n" + own +
         (shared.empty() ? "" : ".PP\nAlso " + andList(shared) + ", above.\n");
}

std::string optionsText(const std::vector<NamedCommand>& commands, const std::vector<ManEntry>& entries) {
  std::string text = ".SS Of several commands\n";
  for (const ManEntry& entry : entries) {
    if (entry.commands.size() > 1) text += sharedText(entry, entry.commands.size() == commands.size());
  }
  for (const NamedCommand& command : commands) text += commandOptionsText(command.name, entries, commands.size());
  return text;
}

std::string synopsisText(const std::vector<NamedCommand>& commands) {
  std::string text;
  for (const auto& [name, app] : commands) {
    std::string line = bold("p2 " + name);
    bool hasOptions = false;
    for (const CLI::Option* option : app->get_options()) {
      if (!isListed(*option)) continue;
      if (option->get_required()) {
        line += " " + headOf(*option);
      } else if (option->get_positional()) {
        line += " [" + headOf(*option) + "]";
      } else {
        hasOptions = hasOptions || keyOf(*option) != "--help";
      }
    }
    text += (text.empty() ? "" : ".br\n") + line + (hasOptions ? " [options]" : "") + "\n";
  }
  return text;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The described keys of answers in JSON.
std::string keysText() {
  std::string text;
  for (const DescribedAnswer& answer : describedAnswers()) {
    text += ".SS Of " + roffText(answer.commands) + "\n";
    for (const AnswerKey& key : answer.keys) text += entryText(key.name, key.help);
  }
  return text;
}

std::string measurementFormatsText() {
  std::string text;
  for (const MeasurementFormat& format : measurementFormats()) text += entryText(capitalized(format.name), format.help);
  return text;
}

std::string measuredColumnsText() {
  std::string text;
  for (const MeasuredColumn& column : measuredColumns()) text += entryText(column.name, column.help);
  return text;
}

/// The lines from `at` to the next heading; moves `at` there.
std::vector<std::string_view> linesToHeading(const std::vector<std::string_view>& lines, std::size_t& at) {
  const std::size_t first = at;
  while (at < lines.size() && !lines[at].starts_with(".SH ")) ++at;
  return {lines.begin() + static_cast<std::ptrdiff_t>(first), lines.begin() + static_cast<std::ptrdiff_t>(at)};
}

}  // namespace

Result<std::string> manPage(const CLI::App& app, std::string_view source) {
  const std::vector<NamedCommand> commands = commandsOf(app);
  const std::vector<std::string_view> lines = linesOf(source);
  std::string page;
  for (std::size_t at = 0; at < lines.size();) {
    const std::string_view line = lines[at++];
    if (line == ".\\\" @synopsis") {
      page += synopsisText(commands);
    } else if (line == ".\\\" @commands" || line == ".\\\" @formats") {
      std::vector<ManEntry> entries = line.ends_with("@formats") ? formatEntries() : commandEntries(commands);
      P2_TRY(addTexts(entries, linesToHeading(lines, at)));
      for (const ManEntry& entry : entries) page += ownText(entry);
    } else if (line == ".\\\" @options") {
      std::vector<ManEntry> entries = optionEntries(commands);
      P2_TRY(addTexts(entries, linesToHeading(lines, at)));
      page += optionsText(commands, entries);
    } else if (line == ".\\\" @keys") {
      page += keysText();
    } else if (line == ".\\\" @measurements") {
      page += measurementFormatsText();
    } else if (line == ".\\\" @columns") {
      page += measuredColumnsText();
    } else {
      page += std::string(line) + "\n";
    }
  }
  return page;
}

}  // namespace p2::cli
