// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/configuration_space.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "base/counted.h"

namespace p2::inline strategy {
namespace {

constexpr auto kMostListed = static_cast<std::int64_t>(kMostConfigurations);

/// Whether only divisors of the devices come into question.
bool mustDivide(const ConfigurationSpace& space) { return space.exactly || space.dividing; }

/// Every number of parts that could do, ascending, without the checks of fits(); all numbers up to one more than can
/// be listed.
std::vector<std::int64_t> candidates(const Dimension& dimension, const ConfigurationSpace& space,
                                     std::int64_t devices) {
  if (mustDivide(space)) return divisorsOf(devices);
  if (space.kind == SpaceKind::Divisors) return divisorsOf(dimension.size);
  std::vector<std::int64_t> parts;
  const bool doubling = space.kind == SpaceKind::PowersOfTwo;
  const std::int64_t most = std::min({devices, dimension.size, doubling ? devices : kMostListed + 1});
  for (std::int64_t part = 1; part <= most; part = doubling ? 2 * part : part + 1) parts.push_back(part);
  return parts;
}

bool fits(const Dimension& dimension, const ConfigurationSpace& space, std::int64_t part) {
  if (part > dimension.size) return false;
  if (space.kind == SpaceKind::PowersOfTwo) return std::has_single_bit(static_cast<std::uint64_t>(part));
  if (space.kind == SpaceKind::All || part == 1) return true;
  return dimension.size % part == 0 && (dimension.experts || dimension.size / part >= space.cutoff);
}

std::vector<std::int64_t> partsOf(const Dimension& dimension, const ConfigurationSpace& space, std::int64_t devices) {
  if (!dimension.splittable) return {1};
  std::vector<std::int64_t> parts = candidates(dimension, space, devices);
  std::erase_if(parts, [&](std::int64_t part) { return !fits(dimension, space, part); });
  return parts;
}

/// Counts and lists in one way: every choice of parts whose product fits.
class Space {
 public:
  Space(const Operator& op, const ConfigurationSpace& space, std::int64_t devices)
      : m_space(space), m_devices(devices) {
    for (const Dimension& dimension : op.dimensions) m_parts.push_back(partsOf(dimension, space, devices));
  }

  [[nodiscard]] Count count() const {
    std::map<std::int64_t, Count> products{{1, Count(1)}};
    for (const std::vector<std::int64_t>& parts : m_parts) {
      std::map<std::int64_t, Count> next;
      for (const auto& [product, ways] : products) {
        for (const std::int64_t part : parts) {
          if (part > m_devices / product) break;
          if (canEnd(product * part)) next[product * part] += ways;
        }
      }
      products = std::move(next);
      // Splits of other dimensions only add to these.
      if (products.size() > kMostConfigurations) break;
    }
    Count total;
    for (const auto& [product, ways] : products) {
      if (ends(product) || products.size() > kMostConfigurations) total += ways;
    }
    return total;
  }

  [[nodiscard]] std::vector<Configuration> list() const {
    std::vector<Configuration> all;
    Configuration chosen(m_parts.size(), 1);
    extend(chosen, 0, 1, all);
    return all;
  }

 private:
  /// Whether a product can still become one that ends().
  [[nodiscard]] bool canEnd(std::int64_t product) const { return !mustDivide(m_space) || m_devices % product == 0; }
  [[nodiscard]] bool ends(std::int64_t product) const {
    return m_space.exactly ? product == m_devices : canEnd(product);
  }

  void extend(Configuration& chosen, std::size_t dimension, std::int64_t product,
              std::vector<Configuration>& all) const {
    if (dimension == m_parts.size()) {
      if (ends(product)) all.push_back(chosen);
      return;
    }
    for (const std::int64_t part : m_parts[dimension]) {
      if (part > m_devices / product) break;
      chosen[dimension] = part;
      if (canEnd(product * part)) extend(chosen, dimension + 1, product * part, all);
    }
    chosen[dimension] = 1;
  }

  ConfigurationSpace m_space;
  std::int64_t m_devices;
  std::vector<std::vector<std::int64_t>> m_parts;
};

}  // namespace

bool allowsParts(const Dimension& dimension, const ConfigurationSpace& space, std::int64_t parts) {
  return parts == 1 || (dimension.splittable && fits(dimension, space, parts));
}

Count countConfigurations(const Operator& op, const ConfigurationSpace& space, std::int64_t devices) {
  return Space(op, space, devices).count();
}

Result<std::vector<Configuration>> configurationsOf(const Operator& op, const ConfigurationSpace& space,
                                                    std::int64_t devices) {
  const Space all(op, space, devices);
  const Count count = all.count();
  if (count > kMostConfigurations) {
    return Error{"\"" + op.name + "\" has " + count.toString() + " configurations or more on " +
                     countedText(devices, "device") + "; " + std::to_string(kMostConfigurations) +
                     " at most are listed, so use fewer devices or the space powers-of-two",
                 {},
                 ErrorKind::TooLarge};
  }
  if (count == Count(0)) {
    return Error{"\"" + op.name + "\" cannot be split into exactly " + countedText(devices, "part") +
                 " in this space; allow fewer, or use another space or a smaller cutoff"};
  }
  return all.list();
}

}  // namespace p2::inline strategy
