// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <unordered_map>

#include "base/bytes.h"
#include "base/result.h"
#include "graphs/hierarchical_prices.h"
#include "mapping/detail/redistribution.h"

namespace p2::inline mapping {

/// Times of collectives on meshes. Implementations may keep answers: not to be shared between threads.
class MeshPricer {
 public:
  virtual ~MeshPricer() = default;
  /// Seconds of a collective over some axes of a mesh, which all groups along the other axes run at the same time.
  /// `bytes`: Redistribution::Step::elements as bytes, above 0.
  [[nodiscard]] virtual Result<double> secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes,
                                                 Bytes bytes) = 0;
};

/// Prices by simulation on a system: the cheapest program for every collective on the mesh's own placement.
class SimulatedMeshPricer : public MeshPricer {
 public:
  /// `prices` must outlive this.
  explicit SimulatedMeshPricer(HierarchicalPrices& prices) : m_prices(prices) {}
  [[nodiscard]] Result<double> secondsAt(const Mesh& mesh, MeshCollective collective, MeshAxes axes,
                                         Bytes bytes) override;

 private:
  HierarchicalPrices& m_prices;
};

/// The goal that a collective is a program for.
[[nodiscard]] const Goal& goalOf(MeshCollective collective);

/// Times of collectives on one mesh; each question is asked once of the pricer.
class MeshPrices {
 public:
  /// Mesh and pricer must outlive this.
  MeshPrices(const Mesh& mesh, MeshPricer& pricer);

  [[nodiscard]] const MeshShares& shares() const { return m_shares; }

  /// Seconds on that many bytes; 0 over axes of size 1 only.
  [[nodiscard]] Result<double> seconds(MeshCollective collective, MeshAxes axes, Bytes bytes);
  /// Seconds of all steps, with this many bytes per element.
  [[nodiscard]] Result<double> seconds(const Redistribution& redistribution, Bytes bytesPerElement);

 private:
  const Mesh& m_mesh;
  MeshPricer& m_pricer;
  MeshShares m_shares;
  /// By collective and axes, seconds by bytes.
  std::array<std::array<std::unordered_map<double, double>, std::size_t{1} << kMostMeshAxes>, kMeshCollectives> m_known;
};

}  // namespace p2::inline mapping
