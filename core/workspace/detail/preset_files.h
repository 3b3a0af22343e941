// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workspace.
#pragma once

#include <string_view>
#include <vector>

namespace p2::inline workspace {

/// A file of resources/presets.
struct PresetFile {
  std::string_view name;
  std::string_view text;
};

[[nodiscard]] const std::vector<PresetFile>& presetFiles();
/// resources/atlas/parts.json.
[[nodiscard]] std::string_view partsFile();

}  // namespace p2::inline workspace
