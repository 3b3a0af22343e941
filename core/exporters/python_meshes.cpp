// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/detail/python_text.h"
#include "exporters/detail/formats.h"
#include "placement/realisation.h"
#include "system/topology.h"

namespace p2::inline exporters {
namespace {

Placement placementOf(const Plan& plan) { return {plan.workspace().axes, plan.workspace().matrix}; }

/// The numbers in lines of 16.
std::string flatList(const std::vector<Device>& devices) {
  std::string text = "[";
  for (std::size_t i = 0; i < devices.size(); ++i) {
    text += (i % 16 == 0 ? "\n    " : " ") + std::to_string(devices[i].value()) + ",";
  }
  return text + "\n]";
}

/// The numbers as lists in lists, one level per axis from `axis` on; takes as many as it needs from `next` on.
void nestedList(const std::vector<Device>& devices, const std::vector<Axis>& axes, std::size_t axis, std::size_t& next,
                std::string& text) {
  if (axis == axes.size()) {
    text += std::to_string(devices[next++].value());
    return;
  }
  text += "[";
  for (std::int64_t i = 0; i < axes[axis].size; ++i) {
    if (i > 0) text += axis + 1 == axes.size() ? ", " : ",\n" + std::string(axis + 1, ' ');
    nestedList(devices, axes, axis + 1, next, text);
  }
  text += "]";
}

/// The smallest and the largest step that a device number takes along one axis; both 0 for an axis of size 1.
std::pair<std::int64_t, std::int64_t> stridesOf(const Placement& placement, std::size_t axis) {
  std::pair<std::int64_t, std::int64_t> strides{0, 0};
  for (const Digit& digit : placement.digits()) {
    if (digit.axis != axis || digit.size == 1) continue;
    if (strides.second == 0) strides.second = digit.stride;
    strides.first = digit.stride;
  }
  return strides;
}

/// Along one axis device numbers always ascend, as torch sorts them. Flattened, two axes are in another order whenever
/// the first does not take the larger steps throughout.
std::string sortNote(const Placement& placement) {
  std::string note =
      "# new_group sorts the ranks of a group. Along each dimension they ascend, so that nothing changes; a dimension "
      "as\n"
      "# large as the world is the default group.\n";
  const std::vector<Axis>& axes = placement.axes();
  for (std::size_t a = 0; a < axes.size(); ++a) {
    for (std::size_t b = a + 1; b < axes.size(); ++b) {
      const auto first = stridesOf(placement, a);
      const auto second = stridesOf(placement, b);
      if (first.second == 0 || second.second == 0 || first.first > second.second) continue;
      note += "# Flattened, the dimensions " + pythonString(axes[a].name) + " and " + pythonString(axes[b].name) +
              " are not in ascending order: their group has the ranks sorted.\n";
    }
  }
  return note;
}

/// Finds an order of an axis in which neighbours share a link, on machines wired as rings, meshes and tori.
class AxisRing {
 public:
  /// `devices`: by the coordinates, the last axis fastest. Positions i and k of `axis` are neighbours if a link joins
  /// them in every group along the axis.
  AxisRing(const Topology& topology, const std::vector<Device>& devices, const std::vector<Axis>& axes,
           std::size_t axis)
      : m_size(static_cast<std::size_t>(axes[axis].size)) {
    for (std::size_t later = axis + 1; later < axes.size(); ++later) {
      m_stride *= static_cast<std::size_t>(axes[later].size);
    }
    m_joined.assign(m_size * m_size, m_size >= 4 && m_size <= kMostPositions);
    if (!m_joined.front()) return;
    std::vector<LinkId> links;
    for (std::size_t first = 0; first < devices.size(); ++first) {
      if (first / m_stride % m_size != 0) continue;
      for (std::size_t i = 0; i < m_size * m_size; ++i) {
        if (!m_joined[i] || i / m_size == i % m_size) continue;
        links.clear();
        topology.route(devices[first + i / m_size * m_stride], devices[first + i % m_size * m_stride], links);
        m_joined[i] = links.size() == 1;
      }
    }
  }

  /// Positions in ring order from 0; empty where the order is a ring already, or none is found. At most some 10⁵ steps.
  std::vector<std::size_t> order() {
    if (m_size < 4 || m_size > kMostPositions) return {};
    bool isRing = true;
    for (std::size_t i = 0; i < m_size; ++i) isRing = isRing && joins(i, (i + 1) % m_size);
    if (isRing) return {};
    m_way = {0};
    m_used.assign(m_size, false);
    m_used[0] = true;
    return extend() ? m_way : std::vector<std::size_t>();
  }
  [[nodiscard]] std::size_t stride() const { return m_stride; }

 private:
  static constexpr std::size_t kMostPositions = 64;
  [[nodiscard]] bool joins(std::size_t a, std::size_t b) const { return m_joined[a * m_size + b]; }

  bool extend() {
    if (m_way.size() == m_size) return joins(m_way.back(), 0);
    if (++m_steps > 100'000) return false;
    for (std::size_t next = 1; next < m_size; ++next) {
      if (m_used[next] || !joins(m_way.back(), next)) continue;
      m_used[next] = true;
      m_way.push_back(next);
      if (extend()) return true;
      m_way.pop_back();
      m_used[next] = false;
    }
    return false;
  }

  std::size_t m_size;
  std::size_t m_stride = 1;
  std::vector<bool> m_joined;
  std::vector<std::size_t> m_way;
  std::vector<bool> m_used;
  int m_steps = 0;
};

/// The devices of a mesh, along every axis in the order of its links; `notes` gets a comment for each other order.
std::vector<Device> alongLinks(const Plan& plan, std::vector<Device> devices, std::string& notes) {
  const auto system = validated(plan.workspace().system);
  const std::vector<Axis>& axes = plan.workspace().axes;
  if (!system.ok() || devices.size() > static_cast<std::size_t>(kMostListedDevices)) return devices;
  const Topology topology(*system);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    AxisRing ring(topology, devices, axes, axis);
    const std::vector<std::size_t> order = ring.order();
    if (order.empty()) continue;
    std::vector<Device> moved = devices;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const std::size_t position = i / ring.stride() % order.size();
      moved[i] = devices[i - position * ring.stride() + order[position] * ring.stride()];
    }
    devices = std::move(moved);
    notes += "# Along " + pythonString(axes[axis].name) +
             " every device has a link to the next, and the last to the first.\n";
  }
  return devices;
}

}  // namespace

Result<std::string> planToJax(const Plan& plan, const ExportOptions&) {
  const std::vector<Axis>& axes = plan.workspace().axes;
  std::string notes;
  const std::vector<Device> devices = alongLinks(plan, devicesByRank(placementOf(plan), listedOrder(axes)), notes);
  return placementComment(plan) + notes +
         "# Process i drives the GPUs of node i, so that ids count devices node by node.\n"
         "import jax\n"
         "import numpy as np\n\n"
         "names = " +
         pythonNames(axes) + "\nshape = " + pythonTuple(sizesOf(axes)) + "\npermutation = " + flatList(devices) +
         "\ndevices = sorted(jax.devices(), key=lambda device: device.id)\n"
         "mesh = jax.sharding.Mesh(np.array(devices)[permutation].reshape(shape), names)\n";
}

Result<std::string> planToTorch(const Plan& plan, const ExportOptions&) {
  const std::vector<Axis>& axes = plan.workspace().axes;
  const Placement placement = placementOf(plan);
  std::string ranks;
  std::size_t next = 0;
  nestedList(devicesByRank(placement, listedOrder(axes)), axes, 0, next, ranks);
  return placementComment(plan) + "# Ranks are numbered node by node, as torchrun does.\n" + sortNote(placement) +
         "import torch\n"
         "from torch.distributed.device_mesh import DeviceMesh\n\n"
         "names = " +
         pythonNames(axes) + "\nranks = \\\n" + ranks +
         "\nmesh = DeviceMesh(\"cuda\", mesh=torch.tensor(ranks), mesh_dim_names=names)\n";
}

Result<std::string> planToAxlearn(const Plan& plan, const ExportOptions&) {
  const Workspace& workspace = plan.workspace();
  P2_TRY_ASSIGN(const auto split,
                nodeSplit(workspace.system, workspace.axes, workspace.matrix, listedOrder(workspace.axes)));
  return placementComment(plan) +
         "# Granules are nodes: across them dcn, inside one ici.\n"
         "from axlearn.common.utils import HybridMeshShape\n\n"
         "mesh_axis_names = " +
         pythonNames(workspace.axes) + "\nmesh_shape = HybridMeshShape(ici_mesh_shape=" + pythonTuple(split.inside) +
         ", dcn_mesh_shape=" + pythonTuple(split.across) + ")\n";
}

}  // namespace p2::inline exporters
