// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_text.h"

#include <QStringList>

#include "system/presets.h"
#include "views/common/quantity_text.h"

namespace p2::views {
namespace {

QString levelText(const Level& level) {
  const Interconnect& link = level.interconnect;
  QString text = QStringLiteral("%1:%2@%3")
                     .arg(QString::fromStdString(level.name), QString::number(level.count),
                          editableBandwidth(link.bandwidth));
  if (link.latency > 0) text += ',' + editableSeconds(link.latency);
  if (link.kind == InterconnectKind::Ring) text += QStringLiteral(",ring");
  return text;
}

}  // namespace

std::optional<PresetChoice> presetOf(const System& system) {
  if (system.levels.empty()) return std::nullopt;
  const std::int64_t nodes = system.levels[0].count;
  for (const Preset& preset : presets()) {
    const auto candidate = presetSystem(preset.name, nodes);
    if (candidate.ok() && candidate->levels == system.levels) return PresetChoice{preset.name, nodes};
  }
  return std::nullopt;
}

QString systemText(const System& system) {
  if (const auto preset = presetOf(system)) {
    return QString::fromStdString(preset->name) + ':' + QString::number(preset->nodes);
  }
  QStringList levels;
  for (const Level& level : system.levels) levels += levelText(level);
  return levels.join(' ');
}

System withFittingName(const System& before, System after) {
  const auto preset = presetOf(before);
  const bool derived = before.name == shapeOf(before) || (preset && before.name.starts_with(preset->name + ":"));
  if (const auto now = presetOf(after)) {
    after.name = now->name + ":" + std::to_string(now->nodes);
  } else if (derived) {
    after.name = shapeOf(after);
  }
  return after;
}

}  // namespace p2::views
