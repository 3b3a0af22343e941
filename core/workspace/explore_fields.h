// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "base/property.h"
#include "workspace/workspace.h"

namespace p2::inline workspace {

/// The options of synthesis and costs, in the order of files. Goal, model and algorithm are names, which
/// exploreOptionFrom() checks; their rows take checked names only.
[[nodiscard]] std::span<const Property<ExploreOptions>> exploreFields();
/// The row of an existing key.
[[nodiscard]] const Property<ExploreOptions>& exploreField(std::string_view key);
/// The value of an option's text. Errors name the text and the remedy.
[[nodiscard]] Result<PropertyValue> exploreOptionFrom(const PropertyInfo& info, std::string_view text);

}  // namespace p2::inline workspace
