// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "mapping/detail/redistribution.h"

namespace p2::test {

/// Devices of a mesh that hold elements of a tensor one by one, each as the set of contributions that are summed into
/// it: what a redistribution does, and how many elements its steps work on, found without any formula.
class SetMachine {
 public:
  using Elements = std::map<std::int64_t, std::uint64_t>;  // by element, bits of contributions

  SetMachine(Mesh mesh, std::vector<std::int64_t> shape) : m_mesh(std::move(mesh)), m_shape(std::move(shape)) {
    m_devices = m_mesh.sizeOf(m_mesh.all());
  }

  [[nodiscard]] std::int64_t coordinate(std::int64_t device, std::size_t axis) const {
    for (std::size_t a = m_mesh.sizes.size(); --a > axis;) device /= m_mesh.sizes[a];
    return device % m_mesh.sizes[axis];
  }

  /// Of a dimension's index the digit that an axis stands for, where a layout cuts the dimension by several.
  [[nodiscard]] std::int64_t digit(const TensorLayout& layout, std::size_t axis, std::int64_t index) const {
    const std::int8_t dimension = layout.at[axis];
    std::int64_t part = index * m_mesh.sizeOf(layout.axesAt(dimension)) / m_shape[std::size_t(dimension)];
    for (std::size_t a = m_mesh.sizes.size(); --a > axis;) {
      if (layout.at[a] == dimension) part /= m_mesh.sizes[a];
    }
    return part % m_mesh.sizes[axis];
  }

  /// Whether an element is the device's as far as these axes decide.
  [[nodiscard]] bool isOf(std::int64_t device, std::int64_t element, const TensorLayout& layout, unsigned axes) const {
    const std::vector<std::int64_t> index = indexOf(element);
    for (std::size_t axis = 0; axis < m_mesh.sizes.size(); ++axis) {
      if ((axes >> axis & 1) == 0 || layout.at[axis] < 0) continue;
      if (digit(layout, axis, index[std::size_t(layout.at[axis])]) != coordinate(device, axis)) return false;
    }
    return true;
  }

  /// What every device holds in a layout.
  [[nodiscard]] std::vector<Elements> held(const TensorLayout& layout) const {
    std::vector<Elements> all;
    all.resize(std::size_t(m_devices));
    for (std::int64_t device = 0; device < m_devices; ++device) {
      std::uint64_t contribution = 0;
      for (std::size_t axis = 0; axis < m_mesh.sizes.size(); ++axis) {
        if (layout.at[axis] != TensorLayout::kPartial) continue;
        contribution = contribution * std::uint64_t(m_mesh.sizes[axis]) + std::uint64_t(coordinate(device, axis));
      }
      for (std::int64_t element = 0; element < elements(); ++element) {
        if (isOf(device, element, layout, m_mesh.all())) all[std::size_t(device)][element] = 1ull << contribution;
      }
    }
    return all;
  }

  /// Bits of an element that everybody has contributed to.
  [[nodiscard]] std::uint64_t whole(const TensorLayout& from) const {
    const std::int64_t contributions = m_mesh.sizeOf(from.axesAt(TensorLayout::kPartial));
    return contributions == 64 ? ~0ull : (1ull << contributions) - 1;
  }

  /// Whether along a dimension what each device has before contains what it has after, or the other way round.
  [[nodiscard]] bool nests(const TensorLayout& from, const TensorLayout& to, std::int8_t dimension) const {
    bool shrinks = true;
    bool grows = true;
    for (std::int64_t device = 0; device < m_devices; ++device) {
      for (std::int64_t index = 0; index < m_shape[std::size_t(dimension)]; ++index) {
        const auto has = [&](const TensorLayout& layout) {
          for (std::size_t axis = 0; axis < m_mesh.sizes.size(); ++axis) {
            if (layout.at[axis] == dimension && digit(layout, axis, index) != coordinate(device, axis)) return false;
          }
          return true;
        };
        const bool before = has(from);
        const bool after = has(to);
        shrinks = shrinks && (before || !after);
        grows = grows && (after || !before);
      }
    }
    return shrinks || grows;
  }

  /// One collective, within the devices that differ along its axes alone; nothing where it makes no sense: sums of
  /// other elements, or contributions that count twice.
  [[nodiscard]] std::optional<std::vector<Elements>> after(MeshCollective collective, unsigned axes,
                                                           const std::vector<Elements>& before,
                                                           const TensorLayout& to) const {
    std::vector<Elements> result(before.size());
    const bool sums = collective == MeshCollective::ReduceScatter || collective == MeshCollective::AllReduce;
    const bool scatters = collective == MeshCollective::ReduceScatter || collective == MeshCollective::AllToAll;
    for (std::int64_t device = 0; device < m_devices; ++device) {
      for (std::int64_t other = 0; other < m_devices; ++other) {
        if (!together(device, other, axes)) continue;
        if (sums && before[std::size_t(device)].size() != before[std::size_t(other)].size()) return std::nullopt;
        for (const auto& [element, contributions] : before[std::size_t(other)]) {
          if (sums && before[std::size_t(device)].count(element) == 0) return std::nullopt;
          if (scatters && !isOf(device, element, to, axes)) continue;
          std::uint64_t& known = result[std::size_t(device)][element];
          if (sums && (known & contributions) != 0) return std::nullopt;
          known |= contributions;
        }
      }
    }
    return result;
  }

  /// Drops what nobody needs who can be reached along the axes.
  void forget(std::vector<Elements>& held, const TensorLayout& to, unsigned axes) const {
    for (std::int64_t device = 0; device < m_devices; ++device) {
      std::erase_if(held[std::size_t(device)],
                    [&](const auto& each) { return !isOf(device, each.first, to, m_mesh.all() & ~axes); });
    }
  }

  [[nodiscard]] std::int64_t devices() const { return m_devices; }
  [[nodiscard]] std::int64_t elements() const {
    std::int64_t count = 1;
    for (const std::int64_t size : m_shape) count *= size;
    return count;
  }
  [[nodiscard]] const Mesh& mesh() const { return m_mesh; }

 private:
  [[nodiscard]] std::vector<std::int64_t> indexOf(std::int64_t element) const {
    std::vector<std::int64_t> index(m_shape.size());
    for (std::size_t d = m_shape.size(); d-- > 0; element /= m_shape[d]) index[d] = element % m_shape[d];
    return index;
  }
  [[nodiscard]] bool together(std::int64_t a, std::int64_t b, unsigned axes) const {
    for (std::size_t axis = 0; axis < m_mesh.sizes.size(); ++axis) {
      if ((axes >> axis & 1) == 0 && coordinate(a, axis) != coordinate(b, axis)) return false;
    }
    return true;
  }

  Mesh m_mesh;
  std::vector<std::int64_t> m_shape;
  std::int64_t m_devices = 1;
};

/// The axes of every collective that gets a tensor from one layout to another, from what each device holds and needs.
inline std::array<unsigned, kMeshCollectives> neededAxes(const SetMachine& machine, const TensorLayout& from,
                                                         const TensorLayout& to) {
  std::array<unsigned, kMeshCollectives> axes{};
  const auto over = [&](MeshCollective collective) -> unsigned& { return axes[std::size_t(collective)]; };
  for (std::size_t axis = 0; axis < machine.mesh().sizes.size(); ++axis) {
    const std::int8_t before = from.at[axis];
    const std::int8_t after = to.at[axis];
    const bool direct = after >= 0 && machine.nests(from, to, after);
    if (before == TensorLayout::kPartial) {
      over(direct ? MeshCollective::ReduceScatter : MeshCollective::AllReduce) |= 1u << axis;
    } else if (before >= 0 && before != after) {
      over(direct ? MeshCollective::AllToAll : MeshCollective::AllGather) |= 1u << axis;
    } else if (before >= 0 && !direct) {
      // It cuts the dimension before and after; what it begins with alike stays.
      TensorLayout outer = from;
      TensorLayout outerAfter = to;
      for (std::size_t inner = axis + 1; inner < kMostMeshAxes; ++inner) {
        outer.at[inner] = outerAfter.at[inner] = TensorLayout::kReplicated;
      }
      bool equal = true;
      for (std::size_t a = 0; a <= axis; ++a) equal = equal && (outer.at[a] == before) == (outerAfter.at[a] == before);
      if (!equal) over(MeshCollective::AllGather) |= 1u << axis;
    }
  }
  return axes;
}

}  // namespace p2::test
