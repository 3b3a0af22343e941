// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/result.h"

namespace p2::inline collective {

/// The collective operations a step can perform on each of its groups (paper §3.2). traitsOf() in collective_traits.h
/// defines each of them.
enum class Collective { AllReduce, ReduceScatter, AllGather, Reduce, Broadcast, AllToAll, Scatter };

/// All collectives, in the order in which instructions are listed.
inline constexpr std::array kCollectives{Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather,
                                         Collective::Reduce,    Collective::Broadcast,     Collective::AllToAll,
                                         Collective::Scatter};

/// A set of collectives.
class CollectiveSet {
 public:
  constexpr CollectiveSet(std::initializer_list<Collective> collectives) {
    for (const Collective collective : collectives) add(collective);
  }
  constexpr void add(Collective collective) { m_bits |= bitOf(collective); }
  [[nodiscard]] constexpr bool contains(Collective collective) const { return (m_bits & bitOf(collective)) != 0; }
  friend constexpr bool operator==(const CollectiveSet&, const CollectiveSet&) = default;

 private:
  static constexpr unsigned bitOf(Collective collective) { return 1u << static_cast<unsigned>(collective); }
  unsigned m_bits = 0;
};

[[nodiscard]] std::string_view nameOf(Collective collective);
/// "RS" for ReduceScatter: the shorthand of program titles.
[[nodiscard]] std::string_view shortNameOf(Collective collective);
/// "AllToAll" or "AllReduce, Reduce or Broadcast": their names in the order of kCollectives.
[[nodiscard]] std::string namesOf(CollectiveSet collectives);
/// The collective of a name or short name; the error lists the names.
[[nodiscard]] Result<Collective> collectiveFrom(std::string_view name);

}  // namespace p2::inline collective
