// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "explore/explore.h"
#include "synthesis/program_trace.h"
#include "views/common/pace.h"
#include "views/stage/choreography.h"

namespace p2::views {

/// Largest number of devices drawn at once; on larger systems, this many first ones.
inline constexpr std::int64_t kMostShownDevices = 4096;

/// Most runs of a folded matrix that are listed and drawn.
inline constexpr std::int64_t kMostShownRuns = 2048;

/// Effect and cost of one step of a replay.
struct StepFacts {
  std::int64_t groupSize = 0;
  std::int64_t groupCount = 0;  ///< over all devices
  Bytes leastBytes;             ///< that a device taking part works on, in one run; 0 for a step that cannot run
  Bytes mostBytes;
  std::optional<StepCost> cost;  ///< absent when the step cannot run
  QString link;                  ///< name of the busiest link
};

/// A program run on one placement: everything the stepper shows, computed once, off the GUI thread.
struct Replay {
  System system;
  Placement placement;
  std::shared_ptr<const SynthesisHierarchy> hierarchy;
  CostOptions cost;
  Program program;
  std::int64_t members = 1;  ///< k, the devices of one reduction group

  ProgramTrace trace;  ///< holdings after every step

  std::optional<PremiseFailure> failure;  ///< why step validSteps() cannot run
  QString refusal;                        ///< reason without a failing premise, or with none checked
  bool complete = false;                  ///< every device ends with every contribution
  std::vector<StepFacts> facts;           ///< one per step of `program` up to the first that cannot run

  std::shared_ptr<const Topology> topology;
  std::vector<Choreography> motions;  ///< one per played step

  /// Steps that can run, from the first on.
  [[nodiscard]] int validSteps() const { return trace.validSteps(); }
  /// steps(), and the failing step if there is one: it is shown until it fails.
  [[nodiscard]] int playedSteps() const { return int(facts.size()); }
  /// Whether there are bit matrices to show.
  [[nodiscard]] bool isExplicit() const { return trace.isExplicit(); }
  /// Holding of a device after `steps` steps. Only for explicit replays.
  [[nodiscard]] const DeviceState& stateOf(Device device, int steps) const { return trace.matrixOf(device, steps); }
  /// Its holding folded. None if it has more than kMostShownRuns runs, or if its chunks are not all summed over the
  /// same devices.
  [[nodiscard]] std::optional<FoldedState> foldedOf(Device device, int steps) const;
  /// Share of the whole vector that a device holds after `steps` steps, 0 … 1.
  [[nodiscard]] double shareOf(Device device, int steps) const;
  /// "holds 2 of 8 chunks, each summed over 4 of 8 devices".
  [[nodiscard]] QString holdingText(Device device, int steps) const;
  /// Devices whose contributions the columns of this device's matrix stand for, in column order. O(members).
  [[nodiscard]] DeviceGroup contributorsOf(Device device) const;
};

/// How long each played step lasts on screen, in seconds, see paceOfCosts().
[[nodiscard]] std::vector<double> paceOf(const Replay& replay, PaceScale scale = PaceScale::Log);

/// The first device of the group in which `device` takes part in a pattern, none if it takes no part.
[[nodiscard]] Device groupHead(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern, Device device);

/// Runs a program, listed or not, right or wrong, on one placement of an exploration. `algorithm` moves the bytes in
/// place of the exploration's. Errors: cancelled.
[[nodiscard]] Result<std::shared_ptr<const Replay>> makeReplay(const Exploration& exploration,
                                                               std::size_t placementIndex, const Program& program,
                                                               std::stop_token stop = {},
                                                               std::optional<Algorithm> algorithm = {});

}  // namespace p2::views
