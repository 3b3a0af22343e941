// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <vector>

#include "cost/calibration/calibration.h"
#include "synthesis/lowering.h"
#include "system/topology.h"

namespace p2::inline cost {

/// The unknowns of a fit, in the order of interconnects().
struct Figures {
  /// Nominal bandwidth / bandwidth of each, then nominal bandwidth / ring cap of each, then the same of tree caps; 0
  /// for no cap.
  std::vector<double> slowness;
  std::vector<double> latency;  ///< seconds

  [[nodiscard]] std::size_t interconnects() const { return latency.size(); }
  [[nodiscard]] std::size_t ringCap(std::size_t interconnect) const { return interconnects() + interconnect; }
  [[nodiscard]] std::size_t treeCap(std::size_t interconnect) const { return 2 * interconnects() + interconnect; }
};

/// How a measurement's time follows from the figures, as long as every message keeps its route: each step takes as long
/// as its busiest interconnect or its most limited group, and latencies add to the sum.
struct TimeProfile {
  std::vector<std::vector<double>> busy;  ///< by step and as Figures::slowness, seconds at slowness 1
  std::vector<double> perLatency;         ///< by interconnect, hops; empty when latencies are not fitted
  double rest = 0;                        ///< seconds that no figure changes

  /// The slowness that a step takes its time from.
  [[nodiscard]] std::size_t busiest(std::size_t step, const Figures& figures) const;
  [[nodiscard]] double seconds(const Figures& figures) const;
};

/// How many of the profiles have a step that takes its time from the slowness.
[[nodiscard]] std::size_t rowsLimitedBy(std::size_t slowness, const std::vector<TimeProfile>& profiles,
                                        const Figures& figures);

/// Measurements lowered once, to be priced under many figures.
class CalibrationRows {
 public:
  using List = std::vector<std::size_t>;  ///< numbers of rows

  /// Errors name the line of a measurement that does not fit the system. After a stop request rows are no longer
  /// priced: predictions then have the right shape and no meaning.
  [[nodiscard]] static Result<CalibrationRows> prepared(const System& system,
                                                        const std::vector<MeasuredTime>& measurements,
                                                        std::stop_token stop);

  [[nodiscard]] std::size_t size() const { return m_rows.size(); }
  [[nodiscard]] double measured(std::size_t row) const { return m_rows[row].seconds; }
  /// The steps that were timed, and the vector and the runs that they were timed on.
  [[nodiscard]] const LoweredProgram& steps(std::size_t row) const { return m_rows[row].steps; }
  [[nodiscard]] const CostOptions& cost(std::size_t row) const { return m_rows[row].cost; }
  /// The part of the system that a row was measured on.
  [[nodiscard]] const System& system(std::size_t row) const { return *m_parts.at(m_rows[row].part); }
  /// The row's topology under the figures.
  [[nodiscard]] Topology topology(std::size_t row, const Figures& figures) const;
  [[nodiscard]] Figures nominal() const;
  /// Whether the measurements have different sizes, so that bandwidth and latency can be separated.
  [[nodiscard]] bool tellLatency() const { return m_tellLatency; }

  /// Whether the measurements determine a slowness: always for a bandwidth; for a cap if some groups are alone and some
  /// share.
  [[nodiscard]] bool canReport(std::size_t slowness) const { return m_canReport[slowness]; }

  /// Prediction of the cost model under the figures, in seconds.
  [[nodiscard]] std::vector<double> predicted(const Figures& figures, const List& rows) const;
  /// The profiles for the routes and the algorithms that are right under the figures.
  [[nodiscard]] std::vector<TimeProfile> profiles(const Figures& figures, const List& rows) const;

 private:
  /// Instances of the outermost level and devices of an innermost group that took part; 0 for all.
  using PartKey = std::pair<std::int64_t, std::int64_t>;
  struct Row {
    PartKey part;
    LoweredProgram steps;
    CostOptions cost;
    double seconds;
  };
  using Topologies = std::map<PartKey, std::unique_ptr<const Topology>>;

  [[nodiscard]] std::vector<ValidSystem::Figures> tried(const Figures& figures) const;
  [[nodiscard]] Result<Row> prepare(const MeasuredTime& measurement);
  [[nodiscard]] Topologies topologies(const Figures& figures, const List& rows) const;
  [[nodiscard]] double price(std::size_t row, const Topologies& topologies, bool withBytes) const;
  [[nodiscard]] std::vector<double> busySeconds(const Topology& topology, const LoweredStep& step,
                                                const CostOptions& cost, const Figures& figures) const;
  void findReportable();
  [[nodiscard]] std::vector<double> latencySeconds(const Figures& figures, const List& rows) const;

  std::stop_token m_stop;
  System m_system;
  std::map<PartKey, ValidSystem> m_parts;
  std::vector<Row> m_rows;
  std::vector<double> m_bandwidths;  // nominal, by interconnect
  std::vector<bool> m_canReport;
  bool m_tellLatency = false;
};

}  // namespace p2::inline cost
