// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/remote: rows of nccl-tests and what their columns say of the collective.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "remote/nccl_tests.h"

namespace p2::inline remote {

/// Bounds of a number that was printed rounded.
struct Interval {
  double low = 0;
  double high = 0;
};

/// A row of the table: size, count, type, and where the version has them operation and root; then time, two bandwidths
/// and #wrong, twice.
struct NcclRow {
  NcclTest test;
  bool timed = false;
  double count = 0;
  std::string type;
  std::string operation;         ///< empty where the version has no such column
  std::string root;              ///< empty where the version has no such column
  std::vector<Interval> shares;  ///< bus bandwidth / algorithm bandwidth, out of place and in place
};

/// Empty if the line is no such row. Words before the row are left out.
[[nodiscard]] std::optional<NcclRow> ncclRowIn(std::string_view line);

/// bus / algorithm bandwidth from two numbers as they were printed.
[[nodiscard]] std::optional<Interval> shareOf(std::string_view algorithm, std::string_view bus);

/// The text with every row on a line of its own, for tables that a browser or a narrow terminal has wrapped.
[[nodiscard]] std::string rowsUnwrapped(std::string_view text);

/// The collective of a table as its columns tell it, independent of its name.
class NcclEvidence {
 public:
  void add(const NcclRow& row);

  /// Why the rows cannot be of the collective, as in "the rows sum (redop sum)"; empty if they can.
  [[nodiscard]] std::string contradiction(std::string_view collective) const;
  /// Our collectives that the rows can be of; none without rows.
  [[nodiscard]] std::vector<std::string> possible() const;
  /// The least and the most ranks that all rows allow; both 0 where the rows do not tell.
  [[nodiscard]] std::pair<int, int> ranks(std::string_view collective) const;

 private:
  [[nodiscard]] std::string wrongShare(std::string_view collective) const;

  std::size_t m_rows = 0;
  std::optional<bool> m_sums;
  std::optional<bool> m_rooted;
  std::string m_operation;
  std::string m_root;
  double m_ratio = 0;  ///< size / bytes of the count where all rows have the same; 0 for unknown, −1 where they differ
  std::vector<Interval> m_shares;
};

}  // namespace p2::inline remote
