// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/training_mesh.h"

#include <algorithm>

#include "base/counted.h"
#include "placement/axis_roles.h"
#include "workload/axis_names.h"
#include "workload/generate/factorization.h"

namespace p2::inline workload {
namespace {

std::vector<std::string> orderParts(const std::string& order) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < order.size(); from += 3) parts.push_back(order.substr(from, 2));
  if (std::find(parts.begin(), parts.end(), "ep") == parts.end()) {
    parts.insert(std::find(parts.begin(), parts.end(), "dp"), "ep");
  }
  return parts;
}

/// Adds an axis outside of those there are.
void addOutside(std::vector<Axis>& axes, std::string_view name, std::int64_t size) {
  axes.insert(axes.begin(), {std::string(name), size, false});
}

std::vector<Axis> denseAxes(const TrainingPlan& plan) {
  std::vector<Axis> axes;
  for (const std::string& part : orderParts(plan.order)) {
    if (part == "tp") addOutside(axes, kTensorAxis, plan.tensor);
    if (part == "cp") {
      const std::int64_t inner = plan.contextInner > 0 ? plan.contextInner : plan.context;
      const bool isRing = plan.contextInner > 0;
      addOutside(axes, kContextAxis, inner);
      if (isRing) addOutside(axes, kContextRingAxis, plan.context / inner);
    }
    if (part == "dp") {
      addOutside(axes, kDataAxis, plan.data / plan.replicas);
      addOutside(axes, kReplicaAxis, plan.replicas);
    }
    if (part == "pp") addOutside(axes, kPipelineAxis, plan.pipeline);
  }
  return axes;
}

Result<std::vector<Axis>> expertAxes(const TrainingPlan& plan) {
  const std::int64_t copies = expertCopies(plan);
  if (copies % plan.replicas != 0) {
    return Error{"the " + countedText(copies, "copy", "copies") +
                 " of an expert (tp·cp·dp/(ep·etp)) are not a multiple of the " +
                 countedText(plan.replicas, "replica") + "; use fewer replicas, or smaller ep and etp"}
        .at("replicas");
  }
  std::vector<Axis> axes;
  for (const std::string& part : orderParts(plan.order)) {
    if (part == "tp") addOutside(axes, kExpertTensorAxis, plan.expertTensor);
    if (part == "ep") addOutside(axes, kExpertAxis, plan.expert);
    if (part == "dp") {
      addOutside(axes, kExpertDataAxis, copies / plan.replicas);
      addOutside(axes, kReplicaAxis, plan.replicas);
    }
    if (part == "pp") addOutside(axes, kPipelineAxis, plan.pipeline);
  }
  return axes;
}

/// The pieces of one axis of a way.
TrainingMesh::Names piecesOf(std::string_view name, const std::vector<Axis>& way,
                             const std::vector<std::vector<std::string>>& pieces) {
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (way[i].name == name) return pieces[i];
  }
  return {};
}

/// The axis of a way that a piece is a part of.
const Axis& axisOf(const std::string& piece, const std::vector<Axis>& way,
                   const std::vector<std::vector<std::string>>& pieces) {
  const auto found = std::find_if(pieces.begin(), pieces.end(), [&](const std::vector<std::string>& each) {
    return std::find(each.begin(), each.end(), piece) != each.end();
  });
  return way[static_cast<std::size_t>(found - pieces.begin())];
}

/// Whether one name gives the roles that another does.
bool saysAs(const std::string& name, const std::string& other) {
  const auto stated = rolesOf(name);
  const auto meant = rolesOf(other);
  return stated && meant && stated->dense == meant->dense && stated->expert == meant->expert;
}

/// Calls a piece after both axes where its name would not give its role in dense layers and for experts: "tensor"
/// for a piece over which experts are split becomes "tensor-expert". So a placement of the axes says all that
/// frameworks have to be given (placement/axis_roles.h).
void nameRoles(CommonRefinement& refined, const std::vector<Axis>& dense, const std::vector<Axis>& expert) {
  for (Axis& piece : refined.axes) {
    const Axis& first = axisOf(piece.name, dense, refined.first);
    const Axis& second = axisOf(piece.name, expert, refined.second);
    if (first.name == second.name) continue;
    const std::string both = first.name + "-" + second.name;
    if (saysAs(piece.name, both)) continue;
    const std::string name = piece.size == second.size && saysAs(second.name, both) ? second.name : both;
    for (auto* way : {&refined.first, &refined.second}) {
      for (auto& pieces : *way) std::replace(pieces.begin(), pieces.end(), piece.name, name);
    }
    piece.name = name;
  }
}

TrainingMesh::Names joined(TrainingMesh::Names names, const TrainingMesh::Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

}  // namespace

Result<TrainingMesh> trainingMesh(const ModelShape& model, const TrainingPlan& plan) {
  const std::vector<Axis> dense = denseAxes(plan);
  std::vector<Axis> expert = dense;
  if (model.experts > 0) {
    P2_TRY_ASSIGN(expert, expertAxes(plan));
  }
  const auto refinement = commonRefinement(dense, expert);
  if (!refinement.ok()) return refinement.error().at("order");
  CommonRefinement refined = *refinement;
  const auto first = [&](std::string_view name) { return piecesOf(name, dense, refined.first); };
  const auto second = [&](std::string_view name) { return piecesOf(name, expert, refined.second); };
  for (const std::string_view both : {kPipelineAxis, kReplicaAxis}) {
    if (first(both) == second(both)) continue;
    return Error{
        "in the order " + plan.order + " the " + std::string(both) +
        " axis has different places for experts and dense layers; put pp last, or choose ep·etp so that edp = " +
        std::to_string(plan.data)}
        .at("order");
  }
  if (model.experts > 0) nameRoles(refined, dense, expert);
  TrainingMesh mesh;
  mesh.axes = refined.axes;
  mesh.pipeline = first(kPipelineAxis);
  mesh.replica = first(kReplicaAxis);
  mesh.context = first(kContextAxis);
  mesh.contextRing = first(kContextRingAxis);
  mesh.shard = joined(first(kDataAxis), joined(mesh.contextRing, mesh.context));
  mesh.tensor = first(kTensorAxis);
  mesh.expert = second(kExpertAxis);
  mesh.expertData = second(kExpertDataAxis);
  mesh.expertTensor = second(kExpertTensorAxis);
  // The ring goes round all of context unless there are groups inside.
  if (plan.contextInner == 0 && plan.contextCollective == ContextCollective::Ring) mesh.contextRing = mesh.context;
  return mesh;
}

}  // namespace p2::inline workload
