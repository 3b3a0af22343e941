// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "base/device.h"
#include "synthesis/chunk_set.h"
#include "system/place.h"

namespace p2::views {

/// What happens in a step, one after the other.
enum class StepPhase {
  Announce,  ///< others dim, the groups' outlines and wires light up
  Send,      ///< tiles fly
  Merge,     ///< what has arrived becomes part of what is held
  Drop,      ///< what is no longer held goes
  Settle,    ///< the result stands, what has changed marked
};

/// How an AllReduce is shown.
enum class AllReduceStyle {
  Sum,     ///< the tiles meet, and copies of their sum return
  TwoFold  ///< as ReduceScatter and AllGather
};

/// Tiles on their way: rows of one device, over the links that a message takes.
struct Flight {
  enum class End {
    Lands,       ///< with a device
    Meets,       ///< with the others of its group, where they are summed
    Collides,    ///< with a part that is there already
    FindsNoRow,  ///< at a device that does not hold such a row
  };
  Device of;            ///< whose rows are drawn; none for a ribbon
  bool summed = false;  ///< drawn as they are after the step
  ChunkSet rows;        ///< empty if they are too many runs to be drawn one by one
  Device to;            ///< none at a meeting place
  std::size_t path = 0;
  double start = 0;  ///< as shares of the step's time
  double end = 1;
  std::int64_t tiles = 1;  ///< that it stands for
  End ends = End::Lands;
  std::size_t sum = std::size_t(-1);  ///< of Choreography::sums, where it meets the others or comes from; else none
};

/// A step as movement: a plain value, made once, which says for every moment what is where. Times are shares of the
/// step's time, 0 … 1.
struct Choreography {
  std::vector<Flight> flights;
  /// The same bundled: one between any two nodes, or between a node and where its tiles meet.
  std::vector<Flight> ribbons;
  std::vector<std::vector<Place>> paths;
  /// Where the tiles of each group are summed on the way; empty if they are not.
  std::vector<Place> sums;
  double announced = 0.16;
  double sumFrom = 1;  ///< Σ stands at the meeting places until sumTo
  double sumTo = 1;
  double mergeFrom = 0.6;
  double mergeTo = 0.74;
  double dropTo = 0.88;
  std::optional<double> failsAt;  ///< when a step that cannot run has come as far as it can

  [[nodiscard]] StepPhase phaseAt(double progress) const;
  /// How much of what arrives is there, and how much of what goes is gone: 0 … 1, eased.
  [[nodiscard]] double merged(double progress) const;
  [[nodiscard]] double dropped(double progress) const;
  /// How far the announcement has come, 0 … 1.
  [[nodiscard]] double announcement(double progress) const;
};

/// Where a flight is: 0 before it starts, 1 when it has arrived, eased in between.
[[nodiscard]] double placeOf(const Flight& flight, double progress);
/// Slow at both ends: 0 … 1 for 0 … 1, clamped.
[[nodiscard]] double eased(double share);

}  // namespace p2::views
