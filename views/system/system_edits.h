// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string_view>
#include <vector>

#include "views/system/system_part.h"

namespace p2::views {

// What the hands do to a system, as pure functions. Results need not be systems that can be worked with yet (a network
// still without members); what can never become one is refused with a sentence.

/// Adds a level of one instance inside the level of a part, or around everything.
[[nodiscard]] System withLevel(System system, const std::optional<SystemPart>& inside);
/// Adds an interconnect that joins what stands in a level (its children), a network, or all the parts given. A level
/// whose instances nothing joins yet gets it as its own; otherwise it is a new network.
[[nodiscard]] System withInterconnect(System system, InterconnectKind kind, const std::vector<SystemPart>& joining);
/// Makes a level or network a member of a network, which moves outwards to where it can reach it.
[[nodiscard]] Result<System> withMember(System system, int network, const SystemPart& member);
/// Takes levels and networks away, and interconnects off their levels; what referred to them no longer does.
[[nodiscard]] System withoutParts(System system, const std::vector<SystemPart>& parts);
/// Moves a level to the place of another.
[[nodiscard]] System withLevelMoved(System system, int from, int to);
/// Gives a level or network another name, everywhere it is referred to.
[[nodiscard]] System renamed(System system, const SystemPart& part, const std::string& name);
/// Puts what has these names out of order, or back in order when all of it was out.
[[nodiscard]] System withToggled(System system, const std::vector<std::string>& names);

/// Whether the levels alone can be worked with: the first thing wrong with them, whatever the networks lack.
[[nodiscard]] Result<void> checkLevels(System system);

/// The chosen levels and networks as a system file, for the clipboard. Networks bring what they are made of.
[[nodiscard]] QString copied(const System& system, const std::vector<SystemPart>& parts);
/// The system with what was copied added under names that are free. Levels that are here already are shared when they
/// come with networks.
[[nodiscard]] Result<System> pasted(System system, const QString& text);

}  // namespace p2::views
