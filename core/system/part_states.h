// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/property.h"
#include "system/place.h"

namespace p2::inline system {

// Machines as they are: parts that are slow, shared or out of order (System::states, System::disabled).

/// The parts that a name stands for.
struct StatePart {
  enum class Scope {
    Devices,   ///< "node 5": an instance of a level; a state is about the speed of its devices
    Instance,  ///< "NIC 3 of node 5", "rail 3", "gpu switch of node 1": all links that begin or end there
    Between,   ///< "rail 3 of node 5": the links between an instance of a network and a level's instance
    Whole,     ///< "spine", "rail", "NVSwitch": all links of a network, or of what joins a level
    Link,      ///< "NIC 3 of node 5 → rail 3": one direction, by the name of Topology::linkName()
  };
  Scope scope = Scope::Devices;
  Place place;            ///< of Whole its first instance; of Link nothing
  Place at = {};          ///< of Between: the level's instance
  std::string link = {};  ///< of Link
  friend bool operator==(const StatePart&, const StatePart&) = default;
};

/// The part of that name, in any case of letters, in a system whose names and counts have been checked. Errors: a
/// number beyond the last, with the numbers there are; a name that nothing bears, with the parts that have one. A name
/// with an arrow is a link's, and is looked up when links are listed. O(levels + networks).
[[nodiscard]] Result<StatePart> statePartFrom(const System& system, std::string_view name);
/// "rail 3 of node 5": the name of a part in the system's own spelling.
[[nodiscard]] std::string partName(const System& system, const StatePart& part);
/// "node 0 to node 15, NIC 0 to NIC 7 of each node, spine": names that states can have, for messages.
[[nodiscard]] std::string statePartNames(const System& system);

/// part, share, jobs.
[[nodiscard]] std::span<const Property<PartState>> stateProperties();

/// The system after one more state, of text: "rail 3 of node 5: 50%", "spine: 4:1", "node 5: 80%", "NIC 0 of node 2:
/// down", "spine: shared by 2 jobs", in any case of letters. 4:1 is the part's oversubscription: a spine that is drawn
/// 2:1 keeps half of its bandwidth. A part that has a state gets the new one; 100% takes it away. Errors: the text, the
/// part, a ratio below the drawn one, devices that are down (withDegraded() takes them away).
[[nodiscard]] Result<System> withState(const System& system, std::string_view text);
/// The system after several of them: of two states of one part the later one counts. O((texts + states +
/// disabled) log texts).
[[nodiscard]] Result<System> withStates(const System& system, const std::vector<std::string>& texts);
/// Whether the text after the colon says that nothing is left of a part: "down", "0%" or "0".
[[nodiscard]] bool isDownText(std::string_view value);
/// "50%", "down", "shared by 2 jobs", "50%, shared by 2 jobs": what withState() reads after the colon.
[[nodiscard]] std::string stateText(const PartState& state);

/// "NIC 0 of node 2: down; spine: shared by 2 jobs; 6 more": failed parts and states of a system, the first few of
/// many; empty without any.
[[nodiscard]] std::string describeStates(const System& system);

/// Share of their speed that the slowest devices have; 1 without such a state.
[[nodiscard]] double slowestDevices(const System& system);
/// Name of a part with them; empty without one.
[[nodiscard]] std::string slowestPart(const System& system);
/// "all devices wait for node 5, whose devices have 80% of their speed"; empty without such a state.
[[nodiscard]] std::string describeSlowestDevices(const System& system);
/// Figures of the accelerator as the slowest devices reach them, for which all devices of a synchronous step wait:
/// FLOP/s and bytes/s of memory times slowestDevices(). A system's speeds are read here alone.
[[nodiscard]] Accelerator slowestAccelerator(const System& system);
/// Whether a state is about links of single parts, so that links have to be listed.
[[nodiscard]] bool hasLinkStates(const System& system);
/// The system with the states of whole networks and levels in their figures, and without these states.
[[nodiscard]] System withWholeStates(System system);
/// Errors: a part that does not exist, a share that is no share, two states of one part. Parts have to be checked.
[[nodiscard]] Result<void> checkStates(const System& system);

}  // namespace p2::inline system
