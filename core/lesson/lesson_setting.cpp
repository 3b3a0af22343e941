// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/detail/lesson_setting.h"

#include <array>

#include "text/json_value.h"
#include "workspace/presets.h"

namespace p2::inline lesson {
namespace {

constexpr std::array kSettingKeys{"system", "axes", "reduce", "options", "matrix"};

/// "system" of a pointer as "/system/levels/0"; the whole of one without a slash behind.
std::string firstKey(const std::string& pointer) {
  if (pointer.empty()) return {};
  const std::size_t end = pointer.find('/', 1);
  return pointer.substr(1, end == std::string::npos ? end : end - 1);
}

Result<Json> systemValue(const Json& value) {
  if (!value.is_string()) return value;
  P2_TRY_ASSIGN(const auto system, parseSystem(value.get<std::string>()));
  return parseJson(systemToJson(system));
}

bool changesMatrix(const Json& page) { return page.contains("system") || page.contains("axes"); }

}  // namespace

Result<Workspace> settingOf(const Json& lesson, const Json& page, const std::string& pagePointer) {
  Json setting{{"format", kWorkspaceFormat}, {"version", versionOf(kWorkspaceFormat)}};
  const auto placeOf = [&](const std::string& key) { return page.contains(key) ? pagePointer : std::string(); };
  for (const char* key : kSettingKeys) {
    const bool own = page.contains(key);
    const bool inherits = lesson.contains(key) && (std::string_view(key) != "matrix" || !changesMatrix(page));
    if (!own && !inherits) continue;
    setting[key] = own ? page[key] : lesson[key];
  }
  if (!setting.contains("system")) {
    return Error{"a lesson needs a system: a text as in \"node:2 gpu:4\", or an object as in a workspace file",
                 pagePointer};
  }
  auto system = systemValue(setting["system"]);
  if (!system.ok()) return system.error().at(placeOf("system") + "/system");
  setting["system"] = *system;
  auto workspace = workspaceFromJson(jsonText(setting));
  if (!workspace.ok()) {
    const std::string& position = workspace.error().where.position;
    return workspace.error().at(placeOf(firstKey(position)) + position);
  }
  workspace.value().source.clear();
  if (const auto parts = checkParts(workspace->system); !parts.ok()) {
    return parts.error().at(placeOf("system") + "/system");
  }
  const auto checked = checkWorkspace(*workspace);
  if (!checked.ok()) return checked.error().at(pagePointer);
  return std::move(workspace).value();
}

}  // namespace p2::inline lesson
