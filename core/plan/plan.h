// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explore.h"
#include "plan/detail/vector_cut.h"

namespace p2::inline plan {

/// One group of a step: its devices in ring order, the first being the root, and the chunks they hold around the step.
struct PlanGroup {
  DeviceGroup devices;
  std::vector<ChunkSet> before;  ///< of every member, or a single one that all hold
  std::vector<ChunkSet> after;   ///< as for `before`

  [[nodiscard]] const ChunkSet& heldBefore(std::size_t member) const { return before[before.size() > 1 ? member : 0]; }
  [[nodiscard]] const ChunkSet& heldAfter(std::size_t member) const { return after[after.size() > 1 ? member : 0]; }
  friend bool operator==(const PlanGroup&, const PlanGroup&) = default;
};

/// A collective that several groups perform at once. A device keeps the chunks it holds side by side in ascending
/// order. ReduceScatter leaves the i-th member the i-th of as many equal parts, so that its pieces are in the order of
/// the group; the result of an AllGather is ordered by its chunk numbers, which is another order whenever the
/// members' chunks do not ascend.
struct PlanStep {
  Collective collective = Collective::AllReduce;
  std::vector<PlanGroup> groups;
  friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

/// The prediction for a plan when it was made.
struct Prediction {
  double seconds = 0;
  std::vector<StepCost> steps;
  std::vector<std::string> links;  ///< name of each step's busiest link
  double singleSeconds = 0;        ///< of singleProgram(): one collective over the whole reduction group
  LowerBound limit;                ///< no program of the placement is faster; zero if the file does not say
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// Contents of a plan.
struct PlanParts {
  Workspace workspace;  ///< with matrix and program set
  VectorCut cut;
  std::vector<DeviceGroup> reductionGroups;  ///< devices that end with the sum of each other's vectors
  std::vector<PlanStep> steps;
  Prediction predicted;
};

/// A chosen program, lowered and priced: a runner's input, and its prediction. It is what runs: nothing of
/// it is worked out again from the program. Never changes; copies share its contents.
class Plan {
 public:
  explicit Plan(PlanParts parts) : m_parts(std::make_shared<const PlanParts>(std::move(parts))) {}

  [[nodiscard]] const Workspace& workspace() const { return m_parts->workspace; }
  [[nodiscard]] const VectorCut& cut() const { return m_parts->cut; }
  [[nodiscard]] const std::vector<DeviceGroup>& reductionGroups() const { return m_parts->reductionGroups; }
  [[nodiscard]] const std::vector<PlanStep>& steps() const { return m_parts->steps; }
  [[nodiscard]] const Prediction& predicted() const { return m_parts->predicted; }
  [[nodiscard]] std::int64_t deviceCount() const { return m_parts->workspace.system.deviceCount(); }

 private:
  std::shared_ptr<const PlanParts> m_parts;
};

/// The chunks that a member of a reduction group of k holds at least in a distribution, those that are scattered in the
/// order of the members.
[[nodiscard]] ChunkSet chunksAt(const Distribution& distribution, std::int64_t members, std::int64_t member);

/// Largest number of devices a plan is made for: it lists every group of every step.
inline constexpr std::int64_t kMostPlanDevices = std::int64_t{1} << 18;

/// Lowers and prices the workspace's chosen matrix and program. Errors: what checkWorkspace() finds, no matrix, no
/// program, a step that cannot run, too many devices, too large a vector; cancelled.
[[nodiscard]] Result<Plan> makePlan(const Workspace& workspace, const std::stop_token& stop = {});

/// The seconds of the plan's own steps under its own system and options: the stored prediction, unless the file was
/// edited since or comes from a version that prices otherwise. Errors: a system that is not valid, cancelled.
[[nodiscard]] Result<double> secondsPricedAgain(const Plan& plan, const std::stop_token& stop = {});

/// The group as shares of the whole vector, as the cost models take it; `chunks` as in the plan's cut.
[[nodiscard]] LoweredGroup sharesOf(const PlanGroup& group, std::int64_t chunks);

/// The plan file, {"format": "p2-plan", "version": 2, …}; schema in resources/schemas.
[[nodiscard]] std::string planToJson(const Plan& plan);
/// Reads a plan file and checks that it is well formed; verify() says whether its steps reach the goal. A file of
/// version 1 lists no chunks: they follow from its program, with which its steps must agree. Unknown keys survive, a
/// newer version is refused, errors name the JSON pointer.
[[nodiscard]] Result<Plan> planFromJson(std::string_view text, std::stop_token stop = {});

}  // namespace p2::inline plan
