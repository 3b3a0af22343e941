// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "cost/flows/step_motion.h"
#include "plan/plan.h"
#include "synthesis/program_trace.h"

namespace p2::inline exporters {

/// Largest system whose devices are described one by one.
inline constexpr std::int64_t kMostStoryDevices = 256;

/// A step in words and pictures for people.
struct StoryStep {
  std::string title;                  ///< "AllReduce across nodes"
  std::vector<std::string> premises;  ///< "every member holds the same chunks"
  std::string effect;
  std::string facts;  ///< "537 MB per device · busiest link node 0 ↑: 1.61 GB · 268 ms"
  double seconds = 0;
  bool rooted = false;
  std::vector<DeviceGroup> groups;
  StepMotion motion = {};  ///< its messages, by addMotion()
};

/// A plan step by step, with what every device holds in between, for pages and handouts.
struct ProgramStory {
  std::string matrix;    ///< "[[2 4]]"
  std::string notation;  ///< "RS in node → AR across nodes → AG in node"
  std::string title;     ///< "RS in node → …: 283 ms on placement [[2,4]]"
  std::string system;    ///< "2 nodes × 4 GPUs"
  std::string goal;      ///< "every device holds the whole sum"
  double seconds = 0;
  /// Figures from which bytes and times can be computed by hand: the vector, its chunks, the links of every level, and
  /// the rule of the cost model.
  std::vector<std::string> givens = {};
  bool byHand = true;  ///< whether they suffice for bytes and times
  Placement placement;
  ProgramTrace trace;
  std::vector<StoryStep> steps;
};

/// Errors: more than kMostStoryDevices devices.
[[nodiscard]] Result<ProgramStory> storyOf(const Plan& plan);
/// Adds the messages of every step, as its price has them. Errors as for validated().
[[nodiscard]] Result<void> addMotion(ProgramStory& story, const Plan& plan);

}  // namespace p2::inline exporters
