// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workspace: the parts that the three file formats share.
#pragma once

#include "text/json_value.h"
#include "workspace/workspace.h"

namespace p2::inline workspace {

/// The "system" object, and back. The system read need not be finished: see demandParts().
[[nodiscard]] Json systemJson(const System& system);
[[nodiscard]] System readSystem(const JsonValue& in);
/// Writes down what checkParts() finds in the system read from a value.
void demandParts(const JsonValue& in, const System& system);

/// The keys a workspace and a plan have in common, without format and version; absent ones are null.
[[nodiscard]] Json workspaceJson(const Workspace& workspace);
/// Reads them back. `source` is left empty, and the system need not be finished.
[[nodiscard]] Workspace readWorkspace(const JsonValue& in);

/// A parallelism matrix: a list of equally long lists of positive whole numbers.
[[nodiscard]] ParallelismMatrix readMatrix(const JsonValue& in);

/// The finished file: `known` behind its header, written over the text it was read from.
[[nodiscard]] std::string fileText(const char* format, const Json& known, const std::string& source);

}  // namespace p2::inline workspace
