// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/axis_names.h"

#include <algorithm>

#include "strategy/operator_costs.h"

namespace p2::inline mapping {
namespace {

enum class Role { Data, Tensor, Context, Expert };
constexpr std::array<std::string_view, 4> kRoleNames{"data", "tensor", "context", "expert"};

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

using Work = std::array<double, kRoleNames.size()>;

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

bool splitsNothing(std::size_t axis, const MappedProblem& mapped, const Strategy& strategy) {
  for (std::size_t v = 0; v < strategy.choice.size(); ++v) {
    if (mapped.assignmentOf(v, strategy.choice[v]).at[axis] != AxisAssignment::kRepeated) return false;
  }
  return true;
}

std::string nameOfAxis(std::size_t axis, const ComputationGraph& graph, const MappedProblem& mapped,
                       const Strategy& strategy) {
  for (const bool products : {true, false}) {
    const Work work = workAlong(axis, graph, mapped, strategy, products);
    double all = 0;
    for (const double each : work) all += each;
    if (all == 0) continue;
    // The devices that share out experts share out the batch of everything else.
    const double experts = work[static_cast<std::size_t>(Role::Expert)];
    if (experts > 0 && experts + work[static_cast<std::size_t>(Role::Data)] >= kClearShare * all) {
      return std::string(kRoleNames[static_cast<std::size_t>(Role::Expert)]);
    }
    const auto most = std::max_element(work.begin(), work.end());
    if (*most < kClearShare * all) break;
    return std::string(kRoleNames[static_cast<std::size_t>(most - work.begin())]);
  }
  return splitsNothing(axis, mapped, strategy) ? "copies" : meshAxisName(axis);
}

}  // namespace

std::vector<std::string> axisNamesOf(const ComputationGraph& graph, const MappedProblem& mapped,
                                     const Strategy& strategy) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < mapped.mesh.sizes.size(); ++axis) {
    std::string name = nameOfAxis(axis, graph, mapped, strategy);
    const bool taken = std::find(names.begin(), names.end(), name) != names.end();
    names.push_back(taken ? meshAxisName(axis) : std::move(name));
  }
  return names;
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
    text += (axis == 0 ? "" : " · ") + axes[axis].name + " " + std::to_string(axes[axis].size) +
            (axes[axis].name == letter ? "" : " (" + letter + ")");
  }
  return text;
}

std::string degreesText(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) {
    if (axis.size > 1) text += (text.empty() ? "" : " · ") + axis.name + " " + std::to_string(axis.size);
  }
  return text;
}

}  // namespace p2::inline mapping
