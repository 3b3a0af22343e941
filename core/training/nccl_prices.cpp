// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/nccl_prices.h"

#include <algorithm>

#include "cost/flows/torus_rings.h"
#include "step/dispatch.h"
#include "step/shift.h"
#include "synthesis/state_graph.h"
#include "training/accelerator_data.h"
#include "training/detail/constants.h"
#include "training/detail/placement_bound.h"

namespace p2::inline training {
namespace {

using Names = TrainingMesh::Names;

Names bothOf(const Names& one, const Names& other) {
  Names both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

Names axesOf(TrainingGroup group, const TrainingMesh& mesh) {
  switch (group) {
    case TrainingGroup::Tensor:
      return mesh.tensor;
    case TrainingGroup::Context:
      return bothOf(mesh.context, mesh.contextRing);
    case TrainingGroup::Shards:
      return mesh.shard;
    case TrainingGroup::Replicas:
      return mesh.replica;
    case TrainingGroup::Data:
      return bothOf(mesh.replica, mesh.shard);
    case TrainingGroup::Expert:
      return mesh.expert;
    case TrainingGroup::ExpertTensor:
      return mesh.expertTensor;
    case TrainingGroup::ExpertData:
      return bothOf(mesh.replica, mesh.expertData);
    case TrainingGroup::Pipeline:
    case TrainingGroup::Ends:
      return mesh.pipeline;
  }
  return {};
}

const Goal& goalOf(CommunicationKind kind) {
  switch (kind) {
    case CommunicationKind::ReduceScatter:
      return kReduceScatterGoal;
    case CommunicationKind::AllGather:
      return kAllGatherGoal;
    case CommunicationKind::AllToAll:
      return kAllToAllGoal;
    default:
      return kAllReduceGoal;
  }
}

/// The digits of all levels, outermost first: the factors of reduced axes by their numbers, neighbouring factors of all
/// others as one. Placements with equal texts have the same groups, with their members in the same order.
std::string digitsOf(const std::vector<Axis>& axes, const ParallelismMatrix& matrix) {
  std::string text;
  for (std::size_t level = 0; level < matrix.columns(); ++level) {
    std::int64_t others = 1;
    std::size_t number = 0;
    const auto endOthers = [&] {
      if (others > 1) text += " " + std::to_string(others);
      others = 1;
    };
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      number += axes[axis].reduce ? 1 : 0;
      const std::int64_t factor = matrix.at(axis, level);
      if (factor == 1) continue;
      if (!axes[axis].reduce) {
        others *= factor;
        continue;
      }
      endOthers();
      text += " r" + std::to_string(number) + ":" + std::to_string(factor);
    }
    endOthers();
    text += " /";
  }
  return text;
}

}  // namespace

NcclGroups::NcclGroups(std::shared_ptr<const Topology> topology) : m_topology(std::move(topology)) {
  const auto accelerator = trainingAcceleratorOf(*m_topology->system());
  if (accelerator.ok() && accelerator->platform == AcceleratorPlatform::Tpu) m_torus = m_topology->torus();
}

std::size_t NcclGroups::count() const {
  const std::lock_guard lock(m_mutex);
  return m_known.size();
}

NcclPrices::NcclPrices(std::shared_ptr<const Topology> topology, const TrainingMesh& mesh,
                       const ParallelismMatrix& matrix, const std::optional<ExpertRouting>& routing)
    : NcclPrices(std::make_shared<NcclGroups>(std::move(topology)), mesh, matrix, routing) {}

NcclPrices::NcclPrices(std::shared_ptr<NcclGroups> groups, const TrainingMesh& mesh, const ParallelismMatrix& matrix,
                       const std::optional<ExpertRouting>& routing)
    : m_shared(std::move(groups)),
      m_topology(*m_shared->topology()),
      m_mesh(mesh),
      m_matrix(matrix),
      m_routing(routing) {
  m_options.model = defaultModel(*m_topology.system());
  m_options.algorithm = defaultAlgorithm(m_options.model);
  m_options.repeat = 1;
  m_outside = outsideOf(*m_topology.system());
  m_nodeDepth = nodeDepth(*m_topology.system());
}

NcclPrices::Groups& NcclPrices::groupsOf(TrainingGroup group) const {
  Groups*& mine = m_groups[static_cast<std::size_t>(group)];
  if (mine != nullptr) return *mine;
  const Names names = axesOf(group, m_mesh);
  std::vector<Axis> axes = m_mesh.axes;
  bool any = false;
  for (Axis& axis : axes) {
    axis.reduce = std::find(names.begin(), names.end(), axis.name) != names.end();
    any = any || axis.reduce;
  }
  auto& known = m_shared->m_known[any ? digitsOf(axes, m_matrix) : std::string()];
  if (!known) {
    known = std::make_unique<Groups>();
    if (any) {
      known->hierarchy = std::make_unique<SynthesisHierarchy>(*m_topology.system(), Placement(axes, m_matrix));
      known->pricer = std::make_unique<PatternPricer>(m_topology, *known->hierarchy, m_options);
    }
  }
  mine = known.get();
  return *mine;
}

const std::vector<StateEdge>& NcclPrices::steps(Groups& groups, CommunicationKind kind) const {
  auto& known = groups.steps[kind];
  if (known.empty()) known = singleSteps(*groups.hierarchy, goalOf(kind));
  return known;
}

double NcclPrices::seconds(TrainingGroup group, CommunicationKind kind, double bytes) const {
  if (bytes <= 0) return 0;
  const std::lock_guard lock(m_shared->m_mutex);
  Groups& groups = groupsOf(group);
  return known(groups, group, kind, bytes);
}

double NcclPrices::known(Groups& groups, TrainingGroup group, CommunicationKind kind, double bytes) const {
  if (!groups.hierarchy || groups.hierarchy->deviceCount() <= 1) return 0;
  groups.priced |= 1U << static_cast<unsigned>(kind);
  const auto routing = kind == CommunicationKind::Dispatch ? m_routing : std::nullopt;
  auto [found, isNew] = groups.known.try_emplace({kind, group == TrainingGroup::Ends, routing, bytes}, 0);
  if (isNew) found->second = priced(groups, group, kind, bytes);
  return found->second;
}

double NcclPrices::priced(Groups& groups, TrainingGroup group, CommunicationKind kind, double bytes) const {
  // The sum of the two ends of a pipeline crosses as many links as a message between neighbours, half of it each way
  // and the sums back.
  if (group == TrainingGroup::Ends || kind == CommunicationKind::Shift) return shift(groups, bytes);
  return kind == CommunicationKind::Dispatch ? dispatch(groups, bytes) : collective(groups, kind, bytes);
}

double NcclPrices::secondsAtLeast(TrainingGroup group, CommunicationKind kind, double bytes) const {
  if (bytes <= 0) return 0;
  const std::lock_guard lock(m_shared->m_mutex);
  Groups* mine = m_groups[static_cast<std::size_t>(group)];
  if (mine == nullptr || !mine->isPriced(kind)) {
    if (m_outside <= 0) return 0;
    mine = &groupsOf(group);
    if (!mine->hierarchy) return 0;
    if (!mine->isPriced(kind)) {
      const Reach& reach = reachOf(group);
      return outsideSecondsAtLeast(kind, bytes, reach.across, reach.inside, m_outside, m_routing, m_shared->m_reached);
    }
  }
  return known(*mine, group, kind, bytes);
}

const NcclPrices::Reach& NcclPrices::reachOf(TrainingGroup group) const {
  std::optional<Reach>& known = m_reach[static_cast<std::size_t>(group)];
  if (known) return *known;
  Reach& reach = known.emplace();
  const Names names = axesOf(group, m_mesh);
  for (std::size_t axis = 0; axis < m_mesh.axes.size(); ++axis) {
    if (std::find(names.begin(), names.end(), m_mesh.axes[axis].name) == names.end()) continue;
    for (std::size_t level = 0; level < m_matrix.columns(); ++level) {
      (level < m_nodeDepth ? reach.across : reach.inside) *= m_matrix.at(axis, level);
    }
    if (m_matrix.at(axis, m_matrix.columns() - 1) != m_mesh.axes[axis].size) reach.isInnermost = false;
  }
  return reach;
}

bool NcclPrices::isInnermost(TrainingGroup group) const {
  const std::lock_guard lock(m_shared->m_mutex);
  return reachOf(group).isInnermost;
}

std::string NcclPrices::busiestLink(TrainingGroup group, CommunicationKind kind, double bytes) const {
  const std::lock_guard lock(m_shared->m_mutex);
  Groups& groups = groupsOf(group);
  if (!groups.hierarchy || groups.hierarchy->deviceCount() <= 1) return {};
  std::vector<LinkLoad> loads;
  if (group == TrainingGroup::Ends || kind == CommunicationKind::Shift) {
    std::ignore = shift(groups, 1);
    loads = groups.shift->loads;
  } else if (kind == CommunicationKind::Dispatch) {
    loads = groups.pricer->busiestLinks({{longestExchange(groups, bytes), Collective::AllToAll}, 0, {GroupShare{}}});
  } else {
    loads = groups.pricer->busiestLinks(steps(groups, kind).front());
  }
  const auto busiest = std::max_element(loads.begin(), loads.end(),
                                        [](const LinkLoad& a, const LinkLoad& b) { return b.isBusierThan(a); });
  return busiest == loads.end() ? std::string() : m_topology.linkName(busiest->link);
}

std::optional<double> NcclPrices::overTorus(Groups& groups, CommunicationKind kind, double bytes) const {
  const bool gathers = kind == CommunicationKind::AllGather || kind == CommunicationKind::ReduceScatter;
  if (m_shared->m_torus == nullptr || !(gathers || kind == CommunicationKind::AllReduce)) return std::nullopt;
  if (!groups.torusGather) {
    const GroupPattern whole{0, groups.hierarchy->levelCount(), false};
    const double share = trainingConstants().value(static_cast<std::size_t>(trainingConstants().find("link-share")));
    const auto rings = torusRings(m_topology, *m_shared->m_torus, groups.hierarchy->groups(whole).front());
    groups.torusGather = rings ? rings->gatherSeconds / share : 0;
  }
  if (*groups.torusGather == 0) return std::nullopt;
  return bytes * *groups.torusGather * (gathers ? 1 : 2);
}

double NcclPrices::collective(Groups& groups, CommunicationKind kind, double bytes) const {
  if (const auto seconds = overTorus(groups, kind, bytes)) return *seconds;
  groups.pricer->setBytes(Bytes(bytes));
  double seconds = 0;
  for (const StateEdge& step : steps(groups, kind)) seconds += groups.pricer->price(step).seconds;
  return seconds;
}

double NcclPrices::shift(Groups& groups, double bytes) const {
  const CostModel& model = modelOf(m_options);
  if (!groups.shift) groups.shift = shiftTraffic(m_topology, *groups.hierarchy, false, model);
  return model.price(*groups.shift, Bytes(bytes)).seconds;
}

double NcclPrices::allToAll(Groups& groups, const GroupPattern& pattern, double bytes) const {
  groups.pricer->setBytes(Bytes(bytes));
  return groups.pricer->price({{pattern, Collective::AllToAll}, 0, {GroupShare{}}}).seconds;
}

NcclPrices::Exchanges NcclPrices::exchanges(Groups& groups, double bytes) const {
  const SynthesisHierarchy& hierarchy = *groups.hierarchy;
  const GroupPattern whole{0, hierarchy.levelCount(), false};
  Exchanges direct{{whole, allToAll(groups, whole, bytes)}, {}};
  if (!m_routing) return direct;
  const auto onceForEveryNode = dispatchExchanges(m_topology, hierarchy);
  if (!onceForEveryNode) return direct;
  const auto& [rails, inside] = *onceForEveryNode;
  const double copies = m_shared->m_reached.deduplicated(bytes, *m_routing, hierarchy.groupSize(rails));
  Exchanges twice{{rails, allToAll(groups, rails, copies)}, {}};
  if (inside) twice.second = {*inside, allToAll(groups, *inside, bytes)};
  return direct.seconds() <= twice.seconds() ? direct : twice;
}

double NcclPrices::dispatch(Groups& groups, double bytes) const { return exchanges(groups, bytes).seconds(); }

GroupPattern NcclPrices::longestExchange(Groups& groups, double bytes) const {
  const Exchanges made = exchanges(groups, bytes);
  return made.first.seconds >= made.second.seconds ? made.first.pattern : made.second.pattern;
}

Result<ParallelismMatrix> defaultPlacement(const System& system, const TrainingMesh& mesh) {
  P2_TRY(checkAxes(system, mesh.axes));
  ParallelismMatrix matrix = rowMajorMatrix(system, mesh.axes);
  if (matrix.empty()) {
    return Error{"the degrees cannot be laid out one after the other along the levels of " + shapeOf(system) +
                 "; use degrees that divide them"};
  }
  return matrix;
}

}  // namespace p2::inline training
