// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/containment.h"

#include <optional>

#include "base/counted.h"
#include "base/lists.h"

namespace p2::inline placement {
namespace {

std::optional<std::size_t> levelNamed(const System& system, std::string_view name) {
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    if (system.levels[level].name == name) return level;
  }
  return std::nullopt;
}

/// Levels that an axis can stay inside: all but the level of the devices.
std::string levelsToStayIn(const System& system) {
  std::string names;
  for (std::size_t level = 0; level + 1 < system.levels.size(); ++level) {
    names += (names.empty() ? "" : ", ") + system.levels[level].name;
  }
  return names.empty() ? "this system has no level above its devices" : "use " + names;
}

Result<void> checkLevel(const System& system, const std::string& axis, const std::string& level) {
  const auto found = levelNamed(system, level);
  if (found && *found + 1 < system.levels.size()) return {};
  const std::string what = found ? "which is a single device" : "and there is no such level";
  return Error{axis + " is to stay inside a " + level + ", " + what + "; " + levelsToStayIn(system)};
}

/// Axes that stay inside an instance of one level share its devices.
Result<void> checkRoom(const System& system, const std::vector<Axis>& axes, std::size_t level) {
  const std::vector<std::size_t> first = firstLevels(system, axes);
  std::int64_t room = 1;
  for (std::size_t i = level + 1; i < system.levels.size(); ++i) room *= system.levels[i].count;
  std::string names;
  std::string sizes;
  std::int64_t needed = 1;
  int count = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (first[i] <= level || axes[i].size == 1) continue;
    names += (names.empty() ? "" : ", ") + axes[i].name;
    sizes += (sizes.empty() ? "" : "·") + std::to_string(axes[i].size);
    needed *= axes[i].size;
    ++count;
  }
  if (room % needed == 0) return {};
  if (count > 1) sizes += " = " + std::to_string(needed);
  return Error{names + (count == 1 ? " is" : " are") + " to stay inside a " + system.levels[level].name + ", and " +
               sizes + (needed > room ? " is more than the " : " does not divide the ") + countedText(room, "device") +
               " of one; make " + (count == 1 ? "it" : "them") + " smaller, or let " + (count == 1 ? "it" : "one") +
               " go further"};
}

/// An axis and the level that it is to stay inside.
struct Wish {
  std::string axis;
  std::string level;
};

/// One between two commas as a rule, several when blanks alone part them.
Result<std::vector<Wish>> wishesIn(const std::string& part) {
  const std::vector<std::string> words = wordsOf(part);
  std::vector<Wish> wishes;
  for (std::size_t i = 0; i < words.size() || wishes.empty();) {
    Wish wish;
    for (; i < words.size() && words[i] != "="; ++i) wish.axis += (wish.axis.empty() ? "" : " ") + words[i];
    if (i + 1 >= words.size()) {
      return Error{"\"" + part + "\" is not of the form axis=level; write, for example, tensor=node"};
    }
    wish.level = words[i + 1];
    i += 2;
    wishes.push_back(std::move(wish));
  }
  return wishes;
}

}  // namespace

Result<std::vector<Axis>> withInside(const System& system, std::vector<Axis> axes, std::string_view text) {
  for (const std::string& part : commaParts(text)) {
    P2_TRY_ASSIGN(const auto wishes, wishesIn(part));
    for (const Wish& wish : wishes) {
      P2_TRY_ASSIGN(const auto axis, axisNamed(axes, wish.axis));
      if (!axes[axis].inside.empty()) return Error{"axis " + axes[axis].name + " is named twice; keep one"};
      axes[axis].inside = wish.level;
      P2_TRY(checkLevel(system, axes[axis].name, axes[axis].inside));
    }
  }
  return axes;
}

Result<void> checkInside(const System& system, const std::vector<Axis>& axes) {
  for (const Axis& axis : axes) {
    if (!axis.inside.empty()) P2_TRY(checkLevel(system, axis.name, axis.inside));
  }
  for (std::size_t level = 0; level + 1 < system.levels.size(); ++level) P2_TRY(checkRoom(system, axes, level));
  return {};
}

std::vector<std::size_t> firstLevels(const System& system, const std::vector<Axis>& axes) {
  std::vector<std::size_t> first;
  for (const Axis& axis : axes) {
    const auto level = axis.inside.empty() ? std::nullopt : levelNamed(system, axis.inside);
    first.push_back(level ? *level + 1 : 0);
  }
  return first;
}

MatrixEnumerator matricesOf(const System& system, const std::vector<Axis>& axes) {
  return {sizesOf(axes), system.counts(), firstLevels(system, axes)};
}

Count countMatricesOf(const System& system, const std::vector<Axis>& axes) {
  return countMatrices(sizesOf(axes), system.counts(), firstLevels(system, axes));
}

}  // namespace p2::inline placement
