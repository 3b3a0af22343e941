// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include <stop_token>
#include <vector>

#include "cost/calibration/detail/library_samples.h"
#include "cost/calibration/detail/log_fit.h"
#include "cost/calibration/detail/site_fit.h"
#include "cost/nccl/nccl_constants.h"

namespace p2::inline cost {

/// Fits of the nccl model to some of the samples. Unknowns are the constants, then each interconnect's bandwidth over
/// the nominal one, then their latencies.
class LibraryFit {
 public:
  using Values = LogProblem::Values;
  using List = LibrarySamples::List;

  /// Fixes the unknowns on which no sample depends under any algorithm and protocol. The samples must outlive it.
  LibraryFit(const LibrarySamples& samples, const System& system, const NcclConstants& start, MeasuredNodes nodes,
             std::stop_token stop);

  [[nodiscard]] LogProblem problemOf(const List& used) const;
  [[nodiscard]] LogFit fit(const List& used, int steps, const Progress& progress) const {
    return fitLogarithms(problemOf(used), steps, m_stop, progress);
  }
  [[nodiscard]] std::vector<double> secondsAt(const Values& at, const List& list) const;
  [[nodiscard]] NcclConstants constantsOf(const Values& at) const;
  [[nodiscard]] std::size_t links() const { return m_links; }
  [[nodiscard]] bool isFixed(std::size_t unknown) const { return m_all.fixed[unknown]; }
  [[nodiscard]] double start(std::size_t unknown) const { return m_all.start[unknown]; }
  [[nodiscard]] double spread(std::size_t unknown) const { return m_all.spread[unknown]; }

 private:
  void addUnknown(double start, double spread);
  void fixWhatChangesNothing();

  const LibrarySamples& m_samples;
  std::size_t m_links;
  MeasuredNodes m_nodes;
  std::stop_token m_stop;
  LogProblem m_all;
};

}  // namespace p2::inline cost
