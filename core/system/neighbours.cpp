// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/neighbours.h"

#include <algorithm>
#include <vector>

#include "system/detail/system_shape.h"

namespace p2::inline system {
namespace {

/// A digit of a number that counts things of a system: the position, among its siblings, of the instance of that level
/// that holds the thing, or a part of that position.
struct Digit {
  std::size_t level = 0;
  std::int64_t size = 1;
  bool whole = true;
};
/// Most significant first.
using Number = std::vector<Digit>;

/// A number's most and least significant digits.
struct Cut {
  Number high;
  Number low;
};

/// Such that the low digits count to `count`. A digit that is cut in two is whole in neither part.
Cut cutOff(Number number, std::int64_t count) {
  Cut cut;
  while (count > 1 && !number.empty()) {
    Digit last = number.back();
    number.pop_back();
    if (count % last.size == 0) {
      count /= last.size;
      cut.low.insert(cut.low.begin(), last);
      continue;
    }
    last.whole = false;
    cut.low.insert(cut.low.begin(), last);
    if (last.size % count == 0) {
      number.push_back({last.level, last.size / count, false});
      break;
    }
    // The run ends inside a digit, so all higher digits are covered only in part.
    for (Digit& above : number) above.whole = false;
    count = 1;
  }
  cut.high = std::move(number);
  return cut;
}

/// The assignment of the members of one entry to the instances of a network.
struct Scattered {
  Number instance;  ///< which of the instances
  Number members;   ///< which of that instance's members
};

class Assigning {
 public:
  explicit Assigning(const System& system) : m_system(system), m_shape(system) {}

  [[nodiscard]] Scattered scattered(std::size_t network, const Member& member) const {
    const Network& own = m_system.networks[network];
    const Place place = *m_shape.find(member.of);
    const std::size_t depth = m_shape.depthOf(network);
    Number number = numberOf(place, depth);
    const std::int64_t count = m_shape.count(network, member);
    if (count != m_shape.available(depth, place)) {
      for (Digit& digit : number) digit.whole = false;
    }
    if (own.assignment == Network::Assignment::Blocks) {
      Cut cut = cutOff(std::move(number), count / own.instances);
      return {std::move(cut.high), std::move(cut.low)};
    }
    Cut cut = cutOff(std::move(number), own.instances);
    return {std::move(cut.low), std::move(cut.high)};
  }

  /// Members of one instance of a network.
  [[nodiscard]] std::int64_t share(std::size_t network) const {
    std::int64_t all = 0;
    for (const Member& member : m_system.networks[network].members) all += m_shape.count(network, member);
    return all / m_system.networks[network].instances;
  }

 private:
  /// Number of a level's or a network's instances among those in one enclosure of that depth.
  [[nodiscard]] Number numberOf(const Place& place, std::size_t depth) const {
    const bool isLevel = place.kind == Place::Kind::Level;
    const std::size_t end = isLevel ? place.index + 1 : m_shape.depthOf(place.index);
    Number number;
    for (std::size_t level = depth; level < end; ++level) number.push_back({level, m_system.levels[level].count, true});
    if (isLevel || m_system.networks[place.index].members.empty()) return number;
    const Number inside = scattered(place.index, m_system.networks[place.index].members.front()).instance;
    number.insert(number.end(), inside.begin(), inside.end());
    return number;
  }

  const System& m_system;
  SystemShape m_shape;
};

const Digit* digitOf(const Number& number, std::size_t level) {
  const auto isIts = [&](const Digit& digit) { return digit.level == level; };
  const auto found = std::find_if(number.begin(), number.end(), isIts);
  return found == number.end() ? nullptr : &*found;
}

/// Increase of the number when the level's digit grows by 1; 0 if that makes no difference.
std::int64_t weightOf(const Number& number, std::size_t level) {
  std::int64_t weight = 1;
  for (auto digit = number.rbegin(); digit != number.rend(); ++digit) {
    if (digit->level == level) return weight;
    weight *= digit->size;
  }
  return 0;
}

bool joinsNeighbours(const System& system, const Assigning& assigning, std::size_t network, std::size_t level) {
  const Network& own = system.networks[network];
  const bool isRing = own.interconnect.kind == InterconnectKind::Ring && assigning.share(network) > 2;
  std::vector<std::int64_t> weights;
  for (const Member& member : own.members) {
    const Scattered scattered = assigning.scattered(network, member);
    const Digit* instance = digitOf(scattered.instance, level);
    const Digit* joined = digitOf(scattered.members, level);
    if ((instance != nullptr && !instance->whole) || (joined != nullptr && (isRing || !joined->whole))) return true;
    weights.push_back(weightOf(scattered.instance, level));
  }
  // Members of several kinds go to the same instance together, or part.
  return std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) != weights.end();
}

}  // namespace

bool hasNeighbours(const System& system, std::size_t level) {
  const Level& own = system.levels[level];
  if (own.count == 1) return false;
  if (!system.disabled.empty()) return true;
  if (own.interconnect.kind == InterconnectKind::Ring && own.count > 2) return true;
  const Assigning assigning(system);
  for (std::size_t network = 0; network < system.networks.size(); ++network) {
    if (joinsNeighbours(system, assigning, network, level)) return true;
  }
  return false;
}

}  // namespace p2::inline system
