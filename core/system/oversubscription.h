// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/place.h"

namespace p2::inline system {

// Networks above the nodes, by how much less they carry than can be sent into them. A place is an interconnect of
// a level or a network; its instance does not matter.

/// Whether a network joins networks that join networks: a spine above rails or leaf switches.
[[nodiscard]] bool isSpine(const System& system, const Network& network);

/// Bytes/s that can be sent into a port, over its bandwidth: 1 does not block. Known for a spine, a level whose
/// instances hold several nodes, and of the only switch between nodes by its core. 0 where nothing below says how much
/// can be sent. O(levels + networks).
[[nodiscard]] double oversubscriptionOf(const System& system, const Place& place);

/// The bandwidth of the ports, or the core, that gives the ratio. Errors: a ratio that is none, a place without one.
[[nodiscard]] Result<System> withOversubscription(const System& system, const Place& place, double ratio);

/// The place whose oversubscription is the machine's: the spine, else the outermost level. Errors: nothing above
/// the nodes can be oversubscribed.
[[nodiscard]] Result<Place> oversubscribedPart(const System& system);

/// "2:1", "1.5:1". Reads it again, also as "2".
[[nodiscard]] std::string ratioText(double ratio);
[[nodiscard]] Result<double> ratioFrom(std::string_view text);

/// The changed system with the ratios of the one before wherever a port would carry another share now: after a change
/// of counts, instances or members. `stated` gets a sentence for every bandwidth that follows.
[[nodiscard]] System keepingOversubscription(const System& before, System after, std::vector<std::string>* stated = {});

}  // namespace p2::inline system
