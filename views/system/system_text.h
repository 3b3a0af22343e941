// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "system/system.h"

namespace p2::views {

struct PresetChoice {
  std::string name;
  std::int64_t nodes = 1;
  friend bool operator==(const PresetChoice&, const PresetChoice&) = default;
};

/// The presets that have the system's levels, devices and library, with any number of nodes: those that presetOf()
/// builds to compare, one as a rule.
[[nodiscard]] std::vector<std::string> presetsLike(const System& system);

/// The preset whose levels, networks and states of parts these are exactly, if any.
[[nodiscard]] std::optional<PresetChoice> presetOf(const System& system);

/// The system as parseSystem() reads it: "gcp-a100:4", or "node:4@8GB/s gpu:16@270GB/s,2us,ring". Everything but the
/// names and colours of the interconnects comes back exactly. None for a system that does not fit a line.
[[nodiscard]] std::optional<QString> systemText(const System& system);
/// "2.00 µs"; "–" for a latency that is not given.
[[nodiscard]] QString latencyText(double seconds);
/// Explains a column of latencies.
[[nodiscard]] QString latencyTip();

/// `after` with the values that follow from its levels: its name, a preset's if it is one, else editedName(); and the
/// level of the nodes, if the names of `before`'s levels determined it (nodeLevelByName()) and have changed.
[[nodiscard]] System withDerived(const System& before, System after);

}  // namespace p2::views
