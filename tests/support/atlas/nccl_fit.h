// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "cost/calibration/nccl_sample.h"

namespace p2 {

struct NcclFit {
  NcclConstants constants;
  std::vector<double> networks;  ///< by NcclSample::network: fitted over nominal latency between nodes
  /// By constant: its spread given the measurements, relative to the prior; 1 if they do not determine it.
  std::array<double, kNcclConstants> open{};
};

/// A fit as fitNccl() makes it, from which samples can be left out again.
class NcclRefit {
 public:
  NcclRefit(std::vector<NcclSample> samples, std::size_t networks, const NcclConstants& start, int steps,
            std::stop_token stop = {}, const Progress& progress = {});
  ~NcclRefit();
  [[nodiscard]] const NcclFit& all() const { return m_all; }
  /// The fit to the other samples, by a few Gauss–Newton steps from the fit to all with its slopes. `leftOut` has an
  /// entry for each sample. O(samples · constants²).
  [[nodiscard]] NcclFit without(const std::vector<bool>& leftOut) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
  NcclFit m_all;
};

/// Fits the constants, and the latency of each network, to measured times: least squares of logarithms, in which errors
/// far above 20 % hardly count (Cauchy's loss), each value with its start as prior mean and its spread, and kept within
/// three spreads. By Gauss–Newton steps from `start`. O(steps · constants · samples). Returns early with its present
/// result after a stop request.
[[nodiscard]] NcclFit fitNccl(std::vector<NcclSample> samples, std::size_t networks,
                              const NcclConstants& start = ncclPriors(), int steps = 40, std::stop_token stop = {},
                              const Progress& progress = {});

}  // namespace p2
