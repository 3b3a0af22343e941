// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/device.h"
#include "collective/collective.h"
#include "collective/detail/premise.h"

namespace p2::inline collective {

/// Why a rule does not apply to a group.
struct PremiseFailure {
  Collective rule{};
  Premise premise{};
  DeviceGroup group;         ///< the whole group, in order
  DeviceGroup members;       ///< the one or two devices that break the premise
  std::vector<int> rows;     ///< chunks concerned
  std::vector<int> columns;  ///< contributions concerned (reduction-group members)
  /// "chunk 3 already contains device 5's contribution on both device 1 and device 4".
  std::string sentence;
  friend bool operator==(const PremiseFailure&, const PremiseFailure&) = default;
};

/// Names for the numbers in a failure's sentence.
struct GroupNames {
  DeviceGroup devices;       ///< device of every member, in group order
  DeviceGroup contributors;  ///< device behind every column
};

/// Sentences about a failing rule in one group, the same from every engine. Members are numbers within the group; the
/// root is member 0.
class PremiseFailures {
 public:
  /// The names must outlive it.
  PremiseFailures(Collective rule, const GroupNames& names) : m_rule(rule), m_names(names) {}

  [[nodiscard]] PremiseFailure memberIsEmpty(std::size_t member) const;
  [[nodiscard]] PremiseFailure chunkOfOne(int chunk, std::size_t holder, std::size_t other) const;
  [[nodiscard]] PremiseFailure countedTwice(int chunk, int column, std::size_t earlier, std::size_t later) const;
  /// `chunks` are all that every member holds.
  [[nodiscard]] PremiseFailure cannotBeScattered(std::vector<int> chunks) const;
  [[nodiscard]] PremiseFailure countsDiffer(std::int64_t ofRoot, std::size_t member, std::int64_t count) const;
  [[nodiscard]] PremiseFailure heldTwice(int chunk, std::size_t earlier, std::size_t later) const;
  [[nodiscard]] PremiseFailure rootIsEmpty() const;
  [[nodiscard]] PremiseFailure beyondRoot(std::size_t member, int chunk, int column) const;
  [[nodiscard]] PremiseFailure nothingToTell() const;
  [[nodiscard]] PremiseFailure memberIsNotEmpty(std::size_t member) const;

 private:
  [[nodiscard]] std::string device(std::size_t member) const;
  [[nodiscard]] std::string contribution(int column) const;
  [[nodiscard]] PremiseFailure failure(Premise premise, const std::vector<std::size_t>& members, std::string sentence,
                                       std::vector<int> rows = {}, std::vector<int> columns = {}) const;

  Collective m_rule;
  const GroupNames& m_names;
};

}  // namespace p2::inline collective
