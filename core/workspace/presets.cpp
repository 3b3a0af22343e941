// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/presets.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/lists.h"
#include "base/numbers.h"
#include "system/level_names.h"
#include "system/properties.h"

namespace p2::inline workspace {
namespace {

constexpr std::string_view kEdited = ", edited";

/// Whether a level begins here, rather than another figure of the one before.
bool beginsLevel(std::string_view rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const std::size_t sign = rest.find_first_of(":@, \t\r\n");
  return sign != std::string_view::npos && rest[sign] == ':';
}

bool endsWithFigure(std::string_view word) {
  return word.find('@') != std::string_view::npos && word.back() >= '0' && word.back() <= '9';
}

/// The levels of a drawing: between blanks, but for those around ':', '@' and the commas of figures and before a unit,
/// and between commas that a level follows.
std::vector<std::string> levelWords(std::string_view text) {
  std::vector<std::string> words;
  bool isNew = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool joins = c == ':' || c == '@' || (c == ',' && !beginsLevel(text.substr(i + 1)));
    const bool isUnit = isNew && !words.empty() && endsWithFigure(words.back()) && !beginsLevel(text.substr(i));
    if (isBlank(c) || (c == ',' && !joins)) {
      isNew = true;
      continue;
    }
    if (words.empty() || (isNew && !joins && !isUnit)) words.emplace_back();
    words.back() += c;
    isNew = false;
    if (joins) i = std::min(text.find_first_not_of(kBlanks, i + 1), text.size()) - 1;
  }
  return words;
}

Result<Level> readLevel(std::string_view word, bool innermost) {
  const std::string_view shape = word.substr(0, word.find('@'));
  const std::size_t colon = shape.rfind(':');
  const auto count = colon == std::string_view::npos ? std::nullopt : parseInteger(shape.substr(colon + 1));
  if (!count || colon == 0) {
    return Error{"\"" + std::string(word) +
                 "\" is not a level; write name:count, as in gpu:8, or a preset: " + presetNames()};
  }
  Level level{std::string(shape.substr(0, colon)), *count, {}};
  level.interconnect = defaultInterconnect(level.name, innermost);
  if (shape.size() == word.size()) return level;
  P2_TRY(readAttributes(word.substr(shape.size() + 1), level.interconnect).within(level.name));
  nameAfterKind(level.interconnect);
  return level;
}

/// Whether people call devices so; a letter stands for any name.
bool isDeviceName(const std::string& name) {
  constexpr std::array<std::string_view, 7> kOthers{"chip", "core", "npu", "xpu", "die", "tile", "rank"};
  return name.size() == 1 || levelSortOf(name) != LevelSort::Other ||
         std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

}  // namespace

std::string editedName(const System& before, const System& after) {
  if (before.name == shapeOf(before)) return shapeOf(after);
  for (const Preset& preset : presets()) {
    const bool counts = before.name.starts_with(preset.name + ":");
    if (!counts && before.name != preset.name + std::string(kEdited)) continue;
    // A preset counts its outermost level.
    const bool same =
        !before.levels.empty() && !after.levels.empty() && before.levels.front().name == after.levels.front().name;
    const std::string number = counts && same ? ":" + std::to_string(after.levels.front().count) : std::string();
    return preset.name + number + std::string(kEdited);
  }
  return before.name;
}

Result<System> parseSystem(std::string_view text) {
  const std::vector<std::string> words = levelWords(text);
  if (words.empty()) {
    return Error{"the system is empty; use a preset (" + presetNames() + ") or levels as in \"node:2 gpu:8\""};
  }
  if (words.size() == 1) {
    const std::string name = words[0].substr(0, words[0].find(':'));
    for (const Preset& preset : presets()) {
      if (preset.name != name) continue;
      if (name.size() == words[0].size()) return presetSystem(name, preset.defaultNodes);
      const auto nodes = parseInteger(words[0].substr(name.size() + 1));
      if (!nodes) {
        return Error{"\"" + words[0] + "\" needs a whole number of nodes, as in " + preset.name + ":4"};
      }
      return presetSystem(name, *nodes);
    }
    // A lone "gcp-h100:4" is a preset misspelt rather than a system of four gcp-h100.
    if (name.find('-') != std::string::npos) return presetSystem(name, 1);
    const bool isBare = words[0].find('@') == std::string::npos && name.size() < words[0].size();
    if (isBare && !isDeviceName(name)) {
      return Error{"\"" + name +
                   "\" is neither a known system nor a known name of devices (gpu, tpu, chip, core); use " +
                   presetNames() + ", or give a bandwidth too, as in " + words[0] + "@50GB/s"};
    }
  }
  System system;
  for (std::size_t i = 0; i < words.size(); ++i) {
    P2_TRY_ASSIGN(auto level, readLevel(words[i], i + 1 == words.size()));
    system.levels.push_back(std::move(level));
  }
  system.name = shapeOf(system);
  system.node = nodeLevelByName(system);
  P2_TRY(checkParts(system));
  return system;
}

}  // namespace p2::inline workspace
