// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/flows/step_motion.h"
#include "system/place.h"

namespace p2::views {

/// Tiles on their way: a message, over the links that it takes. The area of its tile is its chunks. A ribbon has no
/// sender.
struct Flight : StepMessage {
  enum class End {
    Lands,       ///< with a device
    Meets,       ///< with the others of its group, where they are summed
    Collides,    ///< with a part that is there already
    FindsNoRow,  ///< at a device that does not hold such a row
  };
  std::size_t path = 0;
  End ends = End::Lands;
  std::size_t sum = std::size_t(-1);  ///< of Choreography::sums, where it meets the others or comes from; else none
};

/// A step as movement: a plain value, made once, with the place of everything at every moment. Times are shares of the
/// step's time, 0 … 1.
struct Choreography {
  std::vector<Flight> flights;
  /// Flights bundled: one between any two nodes, or between a node and where its tiles meet.
  std::vector<Flight> ribbons;
  std::vector<std::vector<Place>> paths;
  /// The points at which the tiles of each group are summed on the way; empty if they are not.
  std::vector<Place> sums;
  std::vector<DeviceGroup> groups;
  /// How the step sends, as its price has it: "ring: each device sends to the next". Empty for a step that cannot run.
  std::string manner;
  bool simplified = false;  ///< less is drawn than is priced: the manner says what
  double announced =
      StepMotion::kAnnounced;  ///< until then others dim, outlines and wires of the groups light up; then tiles fly
  double leadTo = StepMotion::kAnnounced;  ///< until then the first group alone sends
  double sumFrom = 1;                      ///< Σ stands at the meeting places until sumTo
  double sumTo = 1;
  double mergeFrom = StepMotion::kArrived;  ///< from then on arrived data becomes part of the holding
  double mergeTo = StepMotion::kMerged;     ///< from then on dropped data disappears
  double dropTo = StepMotion::kDropped;     ///< from then on the result is shown, changes marked
  std::optional<double> failsAt;            ///< when a step that cannot run has come as far as it can

  /// "ring", "ring, 510 rounds (simplified)": the manner where it has little room.
  [[nodiscard]] std::string shortManner() const;
  /// Shares of arriving data that is there, and of dropped data that is gone: 0 … 1, eased.
  [[nodiscard]] double merged(double progress) const;
  [[nodiscard]] double dropped(double progress) const;
  /// How far the announcement has come, 0 … 1.
  [[nodiscard]] double announcement(double progress) const;
  /// How much the first group alone is in the light, 0 … 1.
  [[nodiscard]] double spotlight(double progress) const;
};

/// Position of a flight: 0 before it starts, 1 when it has arrived, eased in between.
[[nodiscard]] double placeOf(const Flight& flight, double progress);
/// Slow at both ends: 0 … 1 for 0 … 1, clamped.
[[nodiscard]] double eased(double share);

}  // namespace p2::views
