// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "graphs/hierarchical_prices.h"
#include "mapping/redistribution.h"

namespace p2 {

/// What collectives take on meshes, at powers of two of bytes. May keep what it learnt: not to be shared between
/// threads.
class MeshPricer {
 public:
  virtual ~MeshPricer() = default;
  /// Seconds of a collective over some axes of a mesh, for every value of the others at once, on 2^exponent bytes.
  [[nodiscard]] virtual Result<double> secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes,
                                                 int exponent) = 0;
  /// Whether times are proportional to the bytes, as without latencies.
  [[nodiscard]] virtual bool isProportional() const = 0;
};

/// By simulation on a system: the cheapest program for every collective on the mesh's own placement.
class SimulatedMeshPricer : public MeshPricer {
 public:
  /// `prices` must outlive this.
  explicit SimulatedMeshPricer(HierarchicalPrices& prices) : m_prices(prices) {}
  [[nodiscard]] Result<double> secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes,
                                         int exponent) override;
  [[nodiscard]] bool isProportional() const override { return !m_prices.hasLatency(); }

 private:
  HierarchicalPrices& m_prices;
};

/// The goal that a collective is a program for.
[[nodiscard]] const Goal& goalOf(MeshCollective collective);

/// What collectives take on one mesh. Between two powers of two of bytes the chord is taken, as in HierarchicalPrices.
class MeshPrices {
 public:
  /// Both must outlive this.
  MeshPrices(const Mesh& mesh, MeshPricer& pricer);

  /// Seconds on that many bytes; 0 over axes of size 1 alone.
  [[nodiscard]] Result<double> seconds(MeshCollective collective, MeshAxes axes, Bytes bytes);
  /// Of all steps, with so many bytes a word.
  [[nodiscard]] Result<double> seconds(const Redistribution& redistribution, Bytes bytesPerElement);

 private:
  [[nodiscard]] Result<double> at(MeshCollective collective, MeshAxes axes, int exponent);

  const Mesh& m_mesh;
  MeshPricer& m_pricer;
  bool m_proportional;
  /// By collective and axes, then exponent; below 0 where nobody asked yet.
  std::array<std::array<std::vector<double>, std::size_t{1} << kMostMeshAxes>, kMeshCollectives> m_known;
};

}  // namespace p2
