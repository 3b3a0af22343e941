// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "cost/traffic.h"
#include "step/framework_orders.h"
#include "workload/workload.h"
#include "workspace/workspace.h"

namespace p2::inline step {

inline constexpr double kDefaultSlowdown = 1.13;  ///< Galvatron measured 1.1256
inline constexpr double kDefaultUsableShare = 1;

/// The overlap of a step's communications with its computation and with each other. Unset fields fall back to the
/// workload's, then to the defaults.
struct StepOptions {
  std::optional<double> computeSeconds;  ///< C: of a step
  std::optional<double> slowdown;  ///< κ: how many times longer communication takes while devices compute, at least 1
  /// ω: share of the computation that can overlap with communication, 0 … 1.
  std::optional<double> usableShare;
  /// Overlappable communication also overlaps with exposed communication, as on streams of its own, and the loads of
  /// links add up: see stepSeconds() of StepRanking. Else it overlaps with computation only.
  std::optional<bool> concurrent;
  bool estimated = false;  ///< whether C is an estimate from the workload's model
  friend bool operator==(const StepOptions&, const StepOptions&) = default;
};

/// Whether seconds, slowdown and share are within their ranges.
[[nodiscard]] Result<void> checkStepOptions(const StepOptions& options);

/// The question: the placements of some axes, ranked by all communication of a step.
struct StepQuestion {
  System system;
  Workload workload;
  std::vector<Axis> axes;  ///< axes of the placements; empty for the workload's. `reduce` has no meaning
  ExploreOptions
      options;  ///< rules, limit, model, algorithm and overlap; every entry has its own goal, bytes and count
  StepOptions step;
  friend bool operator==(const StepQuestion&, const StepQuestion&) = default;
};
/// The question of a document with the shown entries: its own workload's, or changed ones. What
/// makes no difference to the answer is left as it is by default, so that equal questions compare as equal.
[[nodiscard]] StepQuestion stepQuestionOf(const Workspace& workspace, Workload shown);

/// A program as it runs, for adding up its load on every link.
struct EntryRun {
  Program program;
  Goal goal = kAllReduceGoal;
  Bytes bytes;                            ///< size of the vector
  std::vector<std::vector<double>> busy;  ///< by step and Topology::interconnectOf(): seconds of the busiest link
};
/// Largest number of devices for which loads are added up link by link.
inline constexpr std::int64_t kMostDevicesWithPorts = 16384;

/// Cost of one run of a workload's entry, on placements that are equal for it.
struct EntryCost {
  double seconds = 0;        ///< seconds of the best program
  double singleSeconds = 0;  ///< seconds of the single collective, or of the method without a program
  std::string program;       ///< in DSL form; in words for kinds that have no programs
  std::string title;         ///< "RS·AR·AG"
  std::string span;          ///< the levels it spans: "node 4 · gpu 8"
  /// Bytes over the busiest link, by Topology::interconnectOf(). Bytes of a program's steps are added up as if the same
  /// link were the busiest in all of them.
  std::vector<double> linkBytes;
  std::vector<double> linkSeconds;  ///< as long as these keep it at work, as the model has it
  std::optional<EntryRun> run;      ///< its program; none of a method without one
  std::set<Algorithm> algorithms;   ///< algorithms of its steps and of the single collective's
};

/// One placement under the whole workload.
struct PlacementStep {
  ParallelismMatrix matrix;
  std::size_t number = 0;           ///< in the order of enumeration
  double exposedSeconds = 0;        ///< X: devices wait for it
  double overlappableSeconds = 0;   ///< O: may overlap with computation
  double stepSeconds = 0;           ///< by which placements are ranked
  bool front = false;               ///< no other placement is better in X or O without being worse in the other
  std::vector<std::size_t> orders;  ///< of StepRanking::orders those that give it
  std::vector<double> linkBytes;    ///< by interconnect: added up link by link for the best, else Σ of entries
  std::size_t worstEntry = 0;       ///< the entry with the longest single run
};

/// A framework's order of the axes, and the placement to which it leads.
struct RankedOrder {
  FrameworkOrder order;
  std::optional<std::size_t> placement;  ///< index in StepRanking::placements; none where the order leads to no matrix
  double timesBest = 0;                  ///< its step over the best one
};

/// The answer; immutable, shared by all views.
///
/// With C seconds of computation a step takes C + X + max(0, κ·O − ω·C); without, X + O, as if nothing were hidden. Of
/// entries that overlap with computation all seconds count to O, of a fraction that share, of a window as much as fits
/// into it; the rest to X. With StepOptions::concurrent it takes as long as the longest of: C + X; κ·O and the
/// computation that cannot overlap, (1 − ω)·C; and every interconnect's busiest link, which carries X and κ·O one after
/// the other, next to these (1 − ω)·C. That is the best that any schedule could do. Loads are added up link by link on
/// up to kMostDevicesWithPorts devices; no link counts beyond, nor where devices, entries and placements are too many.
struct StepRanking {
  StepQuestion question;  ///< with the axes and the step's options that counted; seconds of computation may be unknown
  std::shared_ptr<const Topology> topology;
  std::vector<PlacementStep> placements;  ///< best first; equal ones by X, then in the order of enumeration
  std::vector<RankedOrder> orders;        ///< all of frameworkOrders(), in its order

  /// Costs shared by entries of equal kind, axes and bytes, and by placements that are equal along those axes.
  struct Column {
    std::shared_ptr<const std::vector<std::uint32_t>> classOf;  ///< by PlacementStep::number
    std::vector<std::shared_ptr<const EntryCost>> costs;        ///< by class
  };
  std::vector<Column> columns;
  std::vector<std::size_t> columnOf;  ///< by entry

  [[nodiscard]] const std::vector<WorkloadEntry>& entries() const { return question.workload.collectives; }
  /// Cost of one run of an entry on a placement.
  [[nodiscard]] const EntryCost& cost(const PlacementStep& placement, std::size_t entry) const {
    const Column& column = columns[columnOf[entry]];
    return *column.costs[(*column.classOf)[placement.number]];
  }
  /// Seconds of all its runs in a step, exposed or not.
  [[nodiscard]] double seconds(const PlacementStep& placement, std::size_t entry) const {
    return cost(placement, entry).seconds * static_cast<double>(entries()[entry].count);
  }
  /// Share of an entry in X + O, 0 … 1.
  [[nodiscard]] double share(const PlacementStep& placement, std::size_t entry) const;
  /// The place of a matrix in `placements`, if it is one of them.
  [[nodiscard]] std::optional<std::size_t> find(const ParallelismMatrix& matrix) const;
};

/// Meaning of PlacementStep::stepSeconds: "communication per step", or "step" once seconds of computation are
/// given.
[[nodiscard]] std::string_view stepTimeName(const StepQuestion& question);
/// "19.9 s of communication per step", or "31.2 s per step" once seconds of computation are given; "at least …"
/// of concurrent communication.
[[nodiscard]] std::string perStepText(const StepQuestion& question, double seconds);

/// Part of an entry with these seconds in a step that may overlap with computation; the rest is exposed.
[[nodiscard]] double overlappableSeconds(const CommunicationOverlap& overlap, double seconds);

/// "node 4 · gpu 8": the levels that a reduction group spans.
[[nodiscard]] std::string spanText(const SynthesisHierarchy& hierarchy);

/// Bytes that go over the busiest link of an interconnect in a step.
struct BusiestLink {
  std::string interconnect;   ///< name of its level or network
  double bytes = 0;           ///< sum over all entries of the placement
  double seconds = 0;         ///< at its nominal bandwidth
  bool betweenNodes = false;  ///< whether it joins nodes rather than parts of one
};
/// The busiest links of all interconnects that carry something, the levels' first. Under every schedule they
/// are a lower bound of the step. PlacementStep::linkBytes: added up link by link for the best placements on up to
/// kMostDevicesWithPorts devices; here, though not in the bound, else as if one link were the busiest for all entries.
/// O(interconnects).
[[nodiscard]] std::vector<BusiestLink> busiestLinks(const StepRanking& ranking, const PlacementStep& placement);
/// The busiest link between nodes: a NIC in most systems. None if no node talks to another.
[[nodiscard]] std::optional<BusiestLink> busiestBetweenNodes(const StepRanking& ranking,
                                                             const PlacementStep& placement);

/// A caveat that the bytes belong to other degrees, where the axes have other sizes than the workload's: a device's
/// part of the model grows where an axis shrinks, and entries do not say how. None where they are the workload's.
[[nodiscard]] std::optional<std::string> otherDegrees(const StepQuestion& question);
/// Unmodelled effects of a ranking, sentence by sentence, for every view.
[[nodiscard]] std::vector<std::string> unmodelledEffectsOf(const StepRanking& ranking);

/// Ranks all placements of the axes by a whole step. Every entry runs by its best program, found once for all entries
/// of equal kind, axes and bytes and for all placements that are equal along those axes. Errors: parts of the system,
/// axes that do not fit it, entries over axes that are not there, kinds that cannot be priced, options; too many
/// placements (ExploreScope::mostPlacements), too large, cancelled. Use a StepPricer for repeated questions.
[[nodiscard]] Result<std::shared_ptr<const StepRanking>> rankSteps(const StepQuestion& question,
                                                                   std::stop_token stop = {},
                                                                   const Progress& progress = {});

}  // namespace p2::inline step
