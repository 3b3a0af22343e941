// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workspace: the parts of a system as JSON. Every property is a key, read and written by its row in
// core/system/properties.cpp. Mistakes are recorded in the value that is read.
#pragma once

#include <limits>

#include "system/system.h"
#include "text/json_value.h"

namespace p2::inline workspace {

/// The bound of numbers that have none.
constexpr double kMostDouble = std::numeric_limits<double>::max();

/// null when it says no more than its absence.
template <class T>
[[nodiscard]] Json unless(const T& absent, const T& value) {
  return value == absent ? Json() : Json(value);
}

/// An innermost level has another interconnect by default.
[[nodiscard]] Level readLevel(const JsonValue& in, bool innermost);
[[nodiscard]] Json levelJson(const Level& level);
[[nodiscard]] Network readNetwork(const JsonValue& in);
[[nodiscard]] Json networkJson(const Network& network);
[[nodiscard]] PartState readState(const JsonValue& in);
[[nodiscard]] Json stateJson(const PartState& state);
[[nodiscard]] Library readLibrary(const JsonValue& in);
/// null where nothing is known of it.
[[nodiscard]] Json libraryJson(const Library& library);
[[nodiscard]] Accelerator readAccelerator(const JsonValue& in);
/// null where nothing is known of it.
[[nodiscard]] Json acceleratorJson(const Accelerator& accelerator);

}  // namespace p2::inline workspace
