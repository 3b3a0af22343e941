// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/stage/choreographer.h"

using namespace p2;
using namespace p2::views;

inline Choreography motionOf(const Replay& replay, int step) { return choreographed(replay, StepId(step)); }

inline std::vector<Flight> flightsOf(const Choreography& motion, Flight::End end) {
  std::vector<Flight> flights;
  for (const Flight& flight : motion.flights) {
    if (flight.ends == end) flights.push_back(flight);
  }
  return flights;
}

inline Place deviceAt(const Replay& replay, Device device) {
  return {Place::Kind::Level, replay.system.levels.size() - 1, device.value()};
}
