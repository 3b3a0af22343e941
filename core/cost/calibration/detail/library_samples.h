// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include "cost/calibration/detail/calibration_rows.h"
#include "cost/nccl/detail/nccl_model.h"
#include "cost/prediction_ranges.h"

namespace p2::inline cost {

/// Measurements as the nccl model sees them: traffic that is found once, to be priced under many constants and figures.
class LibrarySamples {
 public:
  using List = std::vector<std::size_t>;  ///< numbers of measurements

  /// Errors name the line of a measurement that does not fit the system; told to stop. O(flows of all different steps,
  /// times the interconnects).
  [[nodiscard]] static Result<LibrarySamples> prepared(const System& system,
                                                       const std::vector<MeasuredTime>& measurements,
                                                       const std::stop_token& stop);

  [[nodiscard]] std::size_t size() const { return m_samples.size(); }
  [[nodiscard]] double measured(std::size_t sample) const { return m_samples[sample].seconds; }
  [[nodiscard]] const std::vector<RangeCell>& cells(std::size_t sample) const { return m_samples[sample].cells; }
  [[nodiscard]] Bytes bytes(std::size_t sample) const { return m_samples[sample].bytes; }
  /// A number that measurements of the same program on the same devices share.
  [[nodiscard]] std::size_t table(std::size_t sample) const { return m_samples[sample].work; }
  /// Weights of these samples, each at most 1; the samples of one table weigh at most `most` together.
  [[nodiscard]] std::vector<double> weights(const List& samples, double most) const;
  [[nodiscard]] const Figures& nominal() const { return m_nominal; }
  /// By interconnect: whether it joins nodes.
  [[nodiscard]] const std::vector<bool>& across() const { return m_across; }

  /// Seconds of some measurements. For a path with several slowest hops, nominal latencies decide.
  [[nodiscard]] std::vector<double> predicted(const NcclConstants& constants, const Figures& figures,
                                              const List& samples) const;
  /// The sum over all algorithms and protocols that might have run: a figure that changes it may change a time.
  [[nodiscard]] std::vector<double> ofAllWays(const NcclConstants& constants, const Figures& figures,
                                              const List& samples) const;

 private:
  struct Step {
    std::vector<Traffic> ways;            // by algorithm
    std::vector<ChannelPath> perLatency;  // by interconnect: the path's change per second of latency
  };
  using Work = std::vector<Step>;
  struct Sample {
    std::size_t work = 0;
    Bytes bytes;
    int repeat = 1;
    Protocol only = Protocol::None;
    bool backToBack = false;
    double seconds = 0;
    std::vector<RangeCell> cells;
  };
  template <class Price>
  [[nodiscard]] std::vector<double> priced(const NcclConstants& constants, const Figures& figures, const List& samples,
                                           const Price& price) const;
  [[nodiscard]] Work scaled(const Work& work, const Figures& figures) const;
  [[nodiscard]] Work workOf(const CalibrationRows& rows, std::size_t row, Algorithm wanted) const;

  Figures m_nominal;
  std::vector<bool> m_across;
  std::vector<Work> m_works;
  std::vector<Sample> m_samples;
};

}  // namespace p2::inline cost
