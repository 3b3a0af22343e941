// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "system/place.h"

namespace p2::inline system {

/// An interconnect of a system and its owner. Link is Interconnect or const Interconnect; the system must outlive
/// it.
template <class Link>
struct PlacedInterconnect {
  Place place;       ///< Kind::Interconnect or Kind::Network, instance 0
  std::string name;  ///< the level's or network's name
  Link& link;

  /// "level gpu", "network NIC": as sentences say it.
  [[nodiscard]] std::string owner() const {
    return (place.kind == Place::Kind::Network ? "network " : "level ") + name;
  }
  /// "/levels/1", "/networks/0": as ErrorPlace::part says it.
  [[nodiscard]] std::string ownerPart() const {
    return (place.kind == Place::Kind::Network ? "/networks/" : "/levels/") + std::to_string(place.index);
  }
};

/// All interconnects: first the levels', outermost first, then the networks'.
[[nodiscard]] std::vector<PlacedInterconnect<const Interconnect>> interconnects(const System& system);
[[nodiscard]] std::vector<PlacedInterconnect<Interconnect>> interconnects(System& system);

/// An interconnect that joins something, with a bandwidth, and its name among all of these.
struct CarryingLink {
  std::size_t index = 0;  ///< into interconnects()
  std::string name;       ///< its own where no other has the same, else its level's or network's
  std::string place;      ///< the name of its level or network
  friend bool operator==(const CarryingLink&, const CarryingLink&) = default;
};
[[nodiscard]] std::vector<CarryingLink> carryingLinks(const System& system);

/// Whether calibration found any figure or constant, regardless of `calibrated`. O(levels + networks).
[[nodiscard]] bool hasFittedFigures(const System& system);

/// A part of a system that an error is about, and which of its properties; empty when the error says none.
struct FaultyPart {
  Place::Kind kind = Place::Kind::Level;  ///< Kind::Interconnect where a property of a level's interconnect is at fault
  std::size_t index = 0;                  ///< into the system's levels or networks
  std::string property;                   ///< "bandwidth", "count", "members"; empty for the part as a whole
  friend bool operator==(const FaultyPart&, const FaultyPart&) = default;
};

/// The level or network of an error of checkParts() or validated(), for any kind of document; none if it is
/// neither.
[[nodiscard]] std::optional<FaultyPart> faultyPart(const Error& error);

/// Something that a user should know about a system that can be worked with all the same.
struct SystemNote {
  std::string sentence;
  std::string part;  ///< as ErrorPlace::part
  friend bool operator==(const SystemNote&, const SystemNote&) = default;
};

/// Warnings about probably unintended parts: machines or sockets inside a device, and sockets taken for nodes
/// because no level is named as one, both by name (level_names.h); and figures that affect no price: a
/// level's with one instance, whose interconnect joins nothing, unless they are its defaults
/// (defaultInterconnect()), or it is the outermost level and its interconnect has a name of its own, as in
/// presets.
[[nodiscard]] std::vector<SystemNote> notesOn(const System& system);

/// Whether messages cross an interconnect of the level whose figures are the ones it got unasked
/// (defaultInterconnect()). Figures that somebody gave and that are the same are not told apart.
[[nodiscard]] bool hasAssumedFigures(const System& system, std::size_t level);
/// All such levels except those that were explicitly given figures, in one sentence with a correction for the
/// outermost; empty if there are none.
[[nodiscard]] std::optional<SystemNote> assumedFigures(const System& system,
                                                       const std::vector<std::string>& given = {});

}  // namespace p2::inline system
