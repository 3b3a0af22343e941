// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/explore.h"

namespace p2::inline explore {

/// The quantity that differs between the points of a sweep.
enum class SweepOver {
  Bytes,      ///< the vector on every device
  Nodes,      ///< instances of the outermost level; the first axis that is reduced over grows with them
  Bandwidth,  ///< of one interconnect, in bytes/s
  Latency,    ///< of one interconnect, in seconds
};
/// "bytes", "nodes", "bandwidth", "latency".
[[nodiscard]] std::string_view nameOf(SweepOver over);

/// The values of a sweep: this many from the first to the last, evenly in their logarithm; for Nodes the nearest whole
/// numbers for which the sizes of the axes are whole.
struct SweepRange {
  SweepOver over = SweepOver::Bytes;
  std::string interconnect = {};  ///< of Bandwidth and Latency: the name of a level, its interconnect or a network
  double from = 1e3;
  double to = 16e9;
  int points = 60;
  friend bool operator==(const SweepRange&, const SweepRange&) = default;
};
inline constexpr int kMostSweepPoints = 1000;

/// A program on a placement at one point, for one run.
struct SweepChoice {
  ParallelismMatrix matrix;
  std::shared_ptr<const SynthesisHierarchy> hierarchy;
  Program program;
  double seconds = 0;
  std::vector<StepCost> steps;

  /// Part of `seconds` that remains for a vector of one byte.
  [[nodiscard]] double latencySeconds() const;
};

/// The best choices at one value of a sweep.
struct SweepPoint {
  double value = 0;
  /// The best program of all placements, in the order of ProgramTie: what exploreWorkspace() finds for this value.
  SweepChoice best;
  SweepChoice single;  ///< the cheapest of all placements' single collectives
  /// Speed-up of the best program over it.
  double gain = 1;
};

/// A value from which another program, or the same on another placement, is the best; over Nodes, another program.
struct SweepCrossover {
  double value = 0;  ///< within 0.1 %; over Nodes the first number from which on `to` is the best
  SweepChoice from;
  SweepChoice to;
};

/// The answer to sweep().
struct Sweep {
  Workspace workspace;  ///< the question, with one repeat
  SweepRange range;
  std::vector<SweepPoint> points;          ///< by value
  std::vector<SweepCrossover> crossovers;  ///< by value
  std::set<Algorithm> algorithms;          ///< by which the steps of all its points run
  System largest;                          ///< the system with the most nodes of all points
};

/// The best program and the goal's one collective over a range of values. Everything but that value, and the number of
/// runs, which is one, is as the workspace says; only its matrix, if it has one and `onlyMatrix`. Synthesis and, over
/// Bytes, traffic are found once for all points. Errors: as exploreWorkspace(), a range that is empty or does not fit,
/// an interconnect that is not there, systems whose number of nodes cannot be changed.
[[nodiscard]] Result<std::shared_ptr<const Sweep>> sweep(const Workspace& workspace, const SweepRange& range,
                                                         bool onlyMatrix = false, std::stop_token stop = {},
                                                         const Progress& progress = {});

/// The range that is swept over unless another is asked for: 1 kB to 16 GB, 1 to 64 nodes, a tenth to ten times of a
/// figure of an interconnect. Errors: an interconnect that is not there.
[[nodiscard]] Result<SweepRange> defaultRange(const System& system, SweepOver over, const std::string& interconnect);

}  // namespace p2::inline explore
