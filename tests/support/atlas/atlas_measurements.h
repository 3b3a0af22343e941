// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements that constants are fitted to.
#pragma once

#include <algorithm>
#include <map>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "atlas/atlas.h"
#include "atlas/predictions.h"

namespace p2 {

/// The samples of all healthy tables with their tables and machines.
class AtlasMeasurements {
 public:
  explicit AtlasMeasurements(const std::stop_token& stop) {
    for (const AtlasTable& table : atlasTables()) {
      if (stop.stop_requested()) return;
      if (table.healthy != "yes") continue;
      const auto samples = samplesOf(table, m_labels);
      if (!samples.ok()) continue;
      for (const NcclSample& sample : *samples) {
        m_samples.push_back(sample);
        m_tables.push_back(&table);
      }
    }
    weigh();
  }

  [[nodiscard]] const std::vector<NcclSample>& samples() const { return m_samples; }
  [[nodiscard]] const AtlasTable& tableOf(std::size_t sample) const { return *m_tables[sample]; }
  [[nodiscard]] const NetworkLabels& labels() const { return m_labels; }

  [[nodiscard]] std::vector<bool> areOf(const std::string& machine) const {
    std::vector<bool> are;
    for (const AtlasTable* table : m_tables) are.push_back(table->machine() == machine);
    return are;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::size_t, int>;
  [[nodiscard]] Key keyOf(std::size_t i) const {
    const int nodes = m_tables[i]->nodes;
    const int scale = nodes == 1 ? 0 : nodes <= kFewNodes ? 1 : nodes <= kSomeNodes ? 2 : 3;
    return {m_tables[i]->machine(), m_tables[i]->collective, sizeBand(m_samples[i].bytes), scale};
  }
  // Machines that publish more rows do not count more; those that publish a few count less. Large machines count
  // as much as their small parts.
  static constexpr int kFewNodes = 8;
  static constexpr int kSomeNodes = 48;
  void weigh() {
    constexpr double kEnough = 6;
    std::map<Key, double> counts;
    for (std::size_t i = 0; i < m_samples.size(); ++i) ++counts[keyOf(i)];
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
      const double count = counts[keyOf(i)];
      m_samples[i].weight = std::min(1.0, count / kEnough) / count;
    }
  }

  std::vector<NcclSample> m_samples;
  std::vector<const AtlasTable*> m_tables;
  NetworkLabels m_labels;
};

}  // namespace p2
