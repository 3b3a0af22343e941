// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/axis_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/lists.h"
#include "strategy/operator_costs.h"

namespace p2::inline mapping {
namespace {

enum class Role { Data, Tensor, Context, Expert };

/// Words for a role: the name of its axis in workloads, and its degree in frameworks.
struct RoleWords {
  std::string_view name;
  std::string_view shortName;
};
constexpr std::array<RoleWords, 5> kRoles{
    {{"data", "dp"}, {"tensor", "tp"}, {"context", "cp"}, {"expert", "ep"}, {"pipeline", "pp"}}};
constexpr std::string_view kCopiesName = "copies";

/// Share of an axis's work that must agree on its role.
constexpr double kClearShare = 0.9;

bool hasParameters(const Operator& op) {
  return std::any_of(op.tensors.begin(), op.tensors.end(),
                     [](const Tensor& tensor) { return tensor.role == Tensor::Role::Parameter; });
}

bool isProduct(const Operator& op) {
  return op.kind != OperatorKind::Normalisation && (hasParameters(op) || op.kind == OperatorKind::Attention);
}

bool spans(const Tensor& tensor, std::size_t dimension) {
  return std::find(tensor.dimensions.begin(), tensor.dimensions.end(), dimension) != tensor.dimensions.end();
}

Role roleOf(const Operator& op, std::size_t dimension) {
  if (op.dimensions[dimension].experts) return Role::Expert;
  if (dimension == 0) return Role::Data;
  const bool weights = std::any_of(op.tensors.begin(), op.tensors.end(), [&](const Tensor& tensor) {
    return tensor.role == Tensor::Role::Parameter && spans(tensor, dimension);
  });
  const bool heads =
      op.kind == OperatorKind::Attention &&
      std::all_of(op.tensors.begin(), op.tensors.end(), [&](const Tensor& tensor) { return spans(tensor, dimension); });
  return weights || heads ? Role::Tensor : Role::Context;
}

using Work = std::array<double, 4>;

/// By role the multiply-adds that an axis splits, of products or of all operators.
Work workAlong(std::size_t axis, const ComputationGraph& graph, const MappedProblem& mapped, const Strategy& strategy,
               bool products) {
  Work work{};
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Operator& op = graph.operators[v];
    const std::int8_t at = mapped.assignmentOf(v, strategy.choice[v]).at[axis];
    if (at == AxisAssignment::kRepeated || (products && !isProduct(op))) continue;
    const Configuration whole(op.dimensions.size(), 1);
    // Embeddings multiply nothing, and count where there is nothing else.
    work[static_cast<std::size_t>(roleOf(op, static_cast<std::size_t>(at)))] += 1 + multiplyAdds(op, whole);
  }
  return work;
}

/// The roles that have a share of an axis's work worth naming, the largest first.
std::vector<Role> rolesIn(const Work& work) {
  double all = 0;
  for (const double each : work) all += each;
  // The devices that share out experts share out the batch of everything else.
  const double experts = work[static_cast<std::size_t>(Role::Expert)];
  if (experts > 0 && experts + work[static_cast<std::size_t>(Role::Data)] >= kClearShare * all) return {Role::Expert};
  std::vector<Role> roles;
  for (std::size_t role = 0; role < work.size(); ++role) {
    if (work[role] > (1 - kClearShare) * all) roles.push_back(static_cast<Role>(role));
  }
  std::stable_sort(roles.begin(), roles.end(), [&](Role a, Role b) {
    return work[static_cast<std::size_t>(a)] > work[static_cast<std::size_t>(b)];
  });
  return roles;
}

std::string nameOfAxis(std::size_t axis, const ComputationGraph& graph, const MappedProblem& mapped,
                       const Strategy& strategy) {
  for (const bool products : {true, false}) {
    const std::string name = joined(rolesIn(workAlong(axis, graph, mapped, strategy, products)), "-",
                                    [&](const Role role) { return kRoles[static_cast<std::size_t>(role)].name; });
    if (!name.empty()) return name;
  }
  return std::string(kCopiesName);
}

/// "data-tensor-2" in short words: "dp/tp".
std::string shortNameOf(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('-', at), name.size());
    const std::string_view word = name.substr(at, end - at);
    at = end + 1;
    const auto role =
        std::find_if(kRoles.begin(), kRoles.end(), [&](const RoleWords& each) { return each.name == word; });
    // The number of an axis of a role that others have as well.
    if (role == kRoles.end() && !text.empty()) continue;
    text += (text.empty() ? "" : "/") + std::string(role == kRoles.end() ? word : role->shortName);
  }
  return text;
}

bool splitsSequence(const Operator& op, std::int8_t dimension) {
  return dimension > 0 && op.dimensions[static_cast<std::size_t>(dimension)].splittable &&
         roleOf(op, static_cast<std::size_t>(dimension)) == Role::Context;
}

}  // namespace

std::vector<std::string> axisNamesOf(const ComputationGraph& graph, const MappedProblem& mapped,
                                     const Strategy& strategy) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < mapped.mesh.sizes.size(); ++axis) {
    const std::string name = nameOfAxis(axis, graph, mapped, strategy);
    std::string unique = name;
    for (int number = 2; std::find(names.begin(), names.end(), unique) != names.end(); ++number) {
      unique = name + "-" + std::to_string(number);
    }
    names.push_back(std::move(unique));
  }
  return names;
}

MeshAxes sequenceAxesOf(const ComputationGraph& graph, const MappedProblem& mapped, const Strategy& strategy) {
  MeshAxes axes = 0;
  for (std::size_t axis = 0; axis < mapped.mesh.sizes.size(); ++axis) {
    int norms = 0;
    int split = 0;
    for (std::size_t v = 0; v < graph.operators.size(); ++v) {
      const Operator& op = graph.operators[v];
      if (op.kind != OperatorKind::Normalisation) continue;
      ++norms;
      split += splitsSequence(op, mapped.assignmentOf(v, strategy.choice[v]).at[axis]) ? 1 : 0;
    }
    if (norms > 0 && split >= kClearShare * norms) axes |= static_cast<MeshAxes>(1u << axis);
  }
  return axes;
}

bool isSequenceParallel(const std::vector<std::string>& names, MeshAxes sequenceAxes) {
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    if (names[axis].starts_with("tensor") && (sequenceAxes >> axis & 1) != 0) return true;
  }
  return false;
}

std::vector<Axis> namedAxesOf(const Mesh& mesh, const std::vector<std::string>& names, MeshAxes reduced) {
  std::vector<Axis> axes = mesh.axes(reduced);
  for (std::size_t axis = 0; axis < axes.size() && axis < names.size(); ++axis) axes[axis].name = names[axis];
  return axes;
}

std::string meshText(const Mesh& mesh, const std::vector<std::string>& names) {
  const std::vector<Axis> axes = namedAxesOf(mesh, names);
  std::string text;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::string letter = meshAxisName(axis);
    const std::string name = shortNameOf(axes[axis].name);
    text += (axis == 0 ? "" : " · ") + name + " " + std::to_string(axes[axis].size) +
            (name == letter ? "" : " (" + letter + ")");
  }
  return text;
}

std::string degreesText(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) {
    if (axis.size > 1) text += (text.empty() ? "" : " · ") + shortNameOf(axis.name) + " " + std::to_string(axis.size);
  }
  return text;
}

}  // namespace p2::inline mapping
