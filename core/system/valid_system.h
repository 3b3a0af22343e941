// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "system/link_graph.h"

namespace p2::inline system {

/// A checked system, and its links if they have to be listed. Only validated() makes one, so holders need no further
/// checks. Immutable and cheap to copy: copies share everything.
class ValidSystem {
 public:
  [[nodiscard]] const System& operator*() const { return *m_system; }
  [[nodiscard]] const System* operator->() const { return m_system.get(); }
  operator const System&() const { return *m_system; }  // NOLINT: a valid system is a system

  /// Every link one by one; null for a uniform system, whose links are known in closed form.
  [[nodiscard]] const std::shared_ptr<const LinkGraph>& linkGraph() const { return m_graph; }

  /// Capabilities of one interconnect, as in Interconnect.
  struct Figures {
    double bandwidth = 0;
    double core = 0;
    double latency = 0;
    double ringCap = 0;
    double treeCap = 0;
  };
  /// This system with other nominal figures, one for each of interconnects(), and not calibrated, so that they are
  /// used. They must be finite and not negative, but need not be within the ranges of the properties, which a fit may
  /// leave on its way. O(links) unless uniform.
  [[nodiscard]] ValidSystem withFigures(std::span<const Figures> figures) const;

 private:
  ValidSystem(std::shared_ptr<const System> system, std::shared_ptr<const LinkGraph> graph)
      : m_system(std::move(system)), m_graph(std::move(graph)) {}
  friend Result<ValidSystem> validated(System system);

  std::shared_ptr<const System> m_system;
  std::shared_ptr<const LinkGraph> m_graph;
};

/// The system when it can be worked with: checkParts(), known names in `disabled`, and a way from every device to every
/// other. Errors as those, with the faulty part. O(levels) if uniform, else O(links): tenths of a second for 65,536
/// devices on rails, so not for the thread that draws.
[[nodiscard]] Result<ValidSystem> validated(System system);

}  // namespace p2::inline system
