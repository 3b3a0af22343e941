// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/detail/premise_failure.h"

#include <algorithm>

#include "base/counted.h"

namespace p2::inline collective {
namespace {

std::string chunkText(int chunk) { return "chunk " + std::to_string(chunk); }

}  // namespace

std::string PremiseFailures::device(std::size_t member) const {
  return "device " + std::to_string(m_names.devices[member].value());
}

std::string PremiseFailures::contribution(int column) const {
  return "device " + std::to_string(m_names.contributors[static_cast<std::size_t>(column)].value()) + "'s contribution";
}

PremiseFailure PremiseFailures::failure(Premise premise, const std::vector<std::size_t>& members, std::string sentence,
                                        std::vector<int> rows, std::vector<int> columns) const {
  PremiseFailure result{m_rule, premise, m_names.devices, {}, std::move(rows), std::move(columns), std::move(sentence)};
  for (const std::size_t member : members) result.members.push_back(m_names.devices[member]);
  return result;
}

PremiseFailure PremiseFailures::memberIsEmpty(std::size_t member) const {
  return failure(Premise::MembersNonEmpty, {member}, device(member) + " holds nothing");
}

PremiseFailure PremiseFailures::chunkOfOne(int chunk, std::size_t holder, std::size_t other) const {
  return failure(Premise::RowsEqual, {std::min(holder, other), std::max(holder, other)},
                 device(holder) + " holds " + chunkText(chunk) + " but " + device(other) + " does not", {chunk});
}

PremiseFailure PremiseFailures::countedTwice(int chunk, int column, std::size_t earlier, std::size_t later) const {
  return failure(Premise::ColumnsDisjoint, {earlier, later},
                 chunkText(chunk) + " already contains " + contribution(column) + " on both " + device(earlier) +
                     " and " + device(later),
                 {chunk}, {column});
}

PremiseFailure PremiseFailures::cannotBeScattered(std::vector<int> chunks) const {
  std::string sentence = countedText(chunks.size(), "chunk") + " cannot be divided evenly among " +
                         countedText(m_names.devices.size(), "device");
  return failure(Premise::SizeDividesRows, {}, std::move(sentence), std::move(chunks));
}

PremiseFailure PremiseFailures::countsDiffer(std::int64_t ofRoot, std::size_t member, std::int64_t count) const {
  return failure(Premise::RowCountsEqual, {0, member},
                 device(0) + " holds " + countedText(ofRoot, "chunk") + " but " + device(member) + " holds " +
                     std::to_string(count));
}

PremiseFailure PremiseFailures::heldTwice(int chunk, std::size_t earlier, std::size_t later) const {
  return failure(Premise::RowsDisjoint, {earlier, later},
                 device(earlier) + " and " + device(later) + " both hold " + chunkText(chunk) + ", and " +
                     std::string(nameOf(m_rule)) + " only copies: one overwrites the other",
                 {chunk});
}

PremiseFailure PremiseFailures::rootIsEmpty() const {
  return failure(Premise::RootNonEmpty, {0}, "the root, " + device(0) + ", holds nothing");
}

PremiseFailure PremiseFailures::beyondRoot(std::size_t member, int chunk, int column) const {
  return failure(Premise::MembersWithinRoot, {0, member},
                 std::string(nameOf(m_rule)) + " would erase " + contribution(column) + " to " + chunkText(chunk) +
                     " from " + device(member) + ": the root, " + device(0) + ", does not have it",
                 {chunk}, {column});
}

PremiseFailure PremiseFailures::nothingToTell() const {
  return failure(Premise::RootTellsSomething, {0},
                 "every member already holds everything the root, " + device(0) + ", would send");
}

PremiseFailure PremiseFailures::memberIsNotEmpty(std::size_t member) const {
  return failure(Premise::OthersEmpty, {0, member},
                 device(member) + " holds something already; only the root, " + device(0) + ", may");
}

}  // namespace p2::inline collective
