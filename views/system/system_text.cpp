// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_text.h"

#include <QStringList>
#include <algorithm>
#include <vector>

#include "system/level_names.h"
#include "system/properties.h"
#include "views/common/text.h"
#include "workspace/presets.h"

namespace p2::views {
namespace {

QString levelText(const Level& level) {
  return QStringLiteral("%1:%2@%3")
      .arg(qs(level.name), QString::number(level.count), qs(attributesOf(level.interconnect)));
}

/// Whether a line says all that matters about a level's interconnect.
bool isPlain(const Level& level) {
  Interconnect read;
  read.name = level.interconnect.name;
  read.colour = level.interconnect.colour;
  return readAttributes(attributesOf(level.interconnect), read).ok() && read == level.interconnect;
}

/// The common part of a preset's systems, for any number of nodes.
struct PresetShape {
  std::string name;
  System system;  ///< with the default number of nodes
};

/// Built once: all of them take milliseconds, and the question is asked at every edit, on the thread that draws.
const std::vector<PresetShape>& presetShapes() {
  static const std::vector<PresetShape> kShapes = [] {
    std::vector<PresetShape> shapes;
    for (const Preset& preset : presets()) {
      if (auto standard = presetSystem(preset.name, preset.defaultNodes); standard.ok()) {
        shapes.push_back({preset.name, std::move(standard).value()});
      }
    }
    return shapes;
  }();
  return kShapes;
}

bool hasOtherNames(const System& a, const System& b) {
  return !std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(),
                     [](const Level& x, const Level& y) { return x.name == y.name; });
}

bool mayBe(const System& system, const System& standard) {
  if (system.library != standard.library || system.node != standard.node ||
      system.accelerator != standard.accelerator) {
    return false;
  }
  const auto same = [&](const Level& a, const Level& b) {
    return a.name == b.name && (a.count == b.count || &b == standard.levels.data());
  };
  return std::equal(system.levels.begin(), system.levels.end(), standard.levels.begin(), standard.levels.end(), same);
}

}  // namespace

std::vector<std::string> presetsLike(const System& system) {
  std::vector<std::string> names;
  for (const PresetShape& shape : presetShapes()) {
    if (mayBe(system, shape.system)) names.push_back(shape.name);
  }
  return names;
}

std::optional<PresetChoice> presetOf(const System& system) {
  if (system.levels.empty()) return std::nullopt;
  const std::int64_t nodes = system.levels[0].count;
  for (const std::string& name : presetsLike(system)) {
    const auto candidate = presetSystem(name, nodes);
    if (!candidate.ok() || candidate->levels != system.levels || candidate->networks != system.networks) continue;
    if (candidate->disabled == system.disabled && candidate->states == system.states) return PresetChoice{name, nodes};
  }
  return std::nullopt;
}

std::optional<QString> systemText(const System& system) {
  if (const auto preset = presetOf(system)) {
    return qs(preset->name) + ':' + QString::number(preset->nodes);
  }
  const bool plain = std::all_of(system.levels.begin(), system.levels.end(), isPlain);
  const bool more = !system.networks.empty() || !system.disabled.empty() || !system.states.empty() ||
                    system.node != nodeLevelByName(system);
  if (!plain || more || system.library != Library{} || system.accelerator != Accelerator{}) return std::nullopt;
  QStringList levels;
  for (const Level& level : system.levels) levels += levelText(level);
  return levels.join(' ');
}

QString latencyText(double seconds) { return seconds > 0 ? secondsText(seconds) : QStringLiteral("–"); }

QString latencyTip() {
  return QObject::tr(
      "Per crossing, such as 2us. Where none is given, the nccl model takes the latency of networks of the same kind; "
      "the paper model counts none");
}

System withDerived(const System& before, System after) {
  if (const auto now = presetOf(after)) {
    after.name = now->name + ":" + std::to_string(now->nodes);
  } else if (after.name == before.name) {
    after.name = editedName(before, after);
  }
  if (!presetOf(after) && hasOtherNames(before, after) && before.node == nodeLevelByName(before)) {
    after.node = nodeLevelByName(after);
  }
  return after;
}

}  // namespace p2::views
