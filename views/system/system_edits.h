// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string_view>
#include <vector>

#include "views/system/system_part.h"

namespace p2::views {

// Edits of a system, as pure functions. Results may be temporarily invalid (a network without members); edits that can
// never become valid are refused with a sentence.

/// Adds a level of one instance inside the level of a part, or around everything.
[[nodiscard]] System withLevel(System system, const std::optional<SystemPart>& inside);
/// Adds an interconnect that joins the children of a level, a network, or all the parts given. A level without an
/// interconnect gets it as its own; otherwise it is a new network.
[[nodiscard]] System withInterconnect(System system, InterconnectKind kind, const std::vector<SystemPart>& joining);
/// Makes a level or network a member of a network, which moves outwards to where it can reach it. Errors: a part that
/// the system does not have, a member already, a network within itself.
[[nodiscard]] Result<System> withMember(System system, int network, const SystemPart& member);
/// Removes levels, networks and the interconnects of levels, with all references to them.
[[nodiscard]] System withoutParts(System system, const std::vector<SystemPart>& parts);
/// Moves a level to the place of another.
[[nodiscard]] System withLevelMoved(System system, int from, int to);
/// Gives a level or network another name, everywhere it is referred to.
[[nodiscard]] System renamed(System system, const SystemPart& part, const std::string& name);
/// Disables the parts with these names, or enables them if all were disabled.
[[nodiscard]] System withToggled(System system, const std::vector<std::string>& names);

/// Checks the levels alone, regardless of the networks: their first problem.
[[nodiscard]] Result<void> checkLevels(System system);

/// The chosen levels and networks as a system file, for the clipboard. Networks include their members.
[[nodiscard]] QString copied(const System& system, const std::vector<SystemPart>& parts);
/// The system with the copied parts added under unused names. Levels that exist already are shared when they come with
/// networks.
[[nodiscard]] Result<System> pasted(System system, const QString& text);

}  // namespace p2::views
