// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/presets.h"

#include <algorithm>
#include <optional>

#include "base/numbers.h"
#include "system/properties.h"

namespace p2 {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
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

}  // namespace

Result<System> parseSystem(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  if (words.empty()) {
    return Error{"the system is empty; use a preset (" + presetNames() + ") or levels as in \"node:2 gpu:8\""};
  }
  if (words.size() == 1) {
    const std::string_view name = words[0].substr(0, words[0].find(':'));
    for (const Preset& preset : presets()) {
      if (preset.name != name) continue;
      if (name.size() == words[0].size()) return presetSystem(name, preset.defaultNodes);
      const auto nodes = parseInteger(words[0].substr(name.size() + 1));
      if (!nodes) {
        return Error{"\"" + std::string(words[0]) + "\" needs a whole number of nodes, as in " + preset.name + ":4"};
      }
      return presetSystem(name, *nodes);
    }
    // A lone "gcp-h100:4" is a preset misspelt rather than a system of four gcp-h100.
    if (name.find('-') != std::string_view::npos) return presetSystem(name, 1);
  }
  System system;
  for (std::size_t i = 0; i < words.size(); ++i) {
    P2_TRY_ASSIGN(auto level, readLevel(words[i], i + 1 == words.size()));
    system.levels.push_back(std::move(level));
  }
  system.name = shapeOf(system);
  P2_TRY(checkParts(system));
  return system;
}

}  // namespace p2
