// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/ring_search.h"

#include <algorithm>
#include <numeric>

namespace p2::inline importers {
namespace {

using Ring = std::vector<std::size_t>;

constexpr int kMostSteps = 400'000;

class DisjointRings {
 public:
  explicit DisjointRings(LinkMatrix links) : m_links(std::move(links)), m_most(bound()) {}

  std::vector<Ring> run() {
    if (m_most > 0) next();
    return m_best;
  }

 private:
  [[nodiscard]] std::size_t bound() const {
    int least = -1;
    for (const std::vector<int>& row : m_links) {
      const int links = std::accumulate(row.begin(), row.end(), 0);
      least = least < 0 ? links : std::min(least, links);
    }
    return static_cast<std::size_t>(std::max(least, 0)) / 2;
  }

  /// Searches one more ring. True when the rings are as many as possible, or the time is up.
  bool next() {
    if (m_found.size() > m_best.size()) m_best = m_found;
    if (m_best.size() == m_most) return true;
    Ring ring{0};
    return extend(ring);
  }

  bool extend(Ring& ring) {
    if (--m_steps < 0) return true;
    const std::size_t at = ring.back();
    if (ring.size() == m_links.size()) return m_links[at][0] > 0 && close(ring);
    Ring neighbours;
    for (std::size_t other = 1; other < m_links.size(); ++other) {
      if (m_links[at][other] > 0 && std::find(ring.begin(), ring.end(), other) == ring.end()) {
        neighbours.push_back(other);
      }
    }
    // Pairs with the most links left over first: pairs with a single link run out.
    std::stable_sort(neighbours.begin(), neighbours.end(),
                     [&](std::size_t a, std::size_t b) { return m_links[at][a] > m_links[at][b]; });
    for (const std::size_t other : neighbours) {
      ring.push_back(other);
      if (extend(ring)) return true;
      ring.pop_back();
    }
    return false;
  }

  bool close(const Ring& ring) {
    take(ring, 1);
    m_found.push_back(ring);
    const bool done = next();
    m_found.pop_back();
    take(ring, -1);
    return done;
  }

  void take(const Ring& ring, int links) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const std::size_t a = ring[i];
      const std::size_t b = ring[(i + 1) % ring.size()];
      m_links[a][b] -= links;
      m_links[b][a] -= links;
    }
  }

  LinkMatrix m_links;
  std::size_t m_most;
  std::vector<Ring> m_found;
  std::vector<Ring> m_best;
  int m_steps = kMostSteps;
};

class BlockRing {
 public:
  BlockRing(const LinkMatrix& links, const std::vector<std::vector<int>>& divisions)
      : m_links(links), m_divisions(divisions), m_used(links.size(), false) {}

  Ring run() {
    for (std::size_t first = 0; first < m_links.size(); ++first) {
      m_ring = {first};
      m_used.assign(m_links.size(), false);
      m_used[first] = true;
      if (extend()) return m_ring;
    }
    return {};
  }

 private:
  bool extend() {
    if (--m_steps < 0) return false;
    const std::size_t at = m_ring.back();
    if (m_ring.size() == m_links.size()) return m_links[at][m_ring[0]] > 0;
    for (std::size_t other = 0; other < m_links.size(); ++other) {
      if (m_used[other] || m_links[at][other] == 0 || leavesSome(at, other)) continue;
      m_ring.push_back(other);
      m_used[other] = true;
      if (extend()) return true;
      m_used[other] = false;
      m_ring.pop_back();
    }
    return false;
  }

  /// Whether the step goes out of a block that still holds others.
  [[nodiscard]] bool leavesSome(std::size_t from, std::size_t to) const {
    return std::any_of(m_divisions.begin(), m_divisions.end(), [&](const std::vector<int>& blocks) {
      if (blocks[from] == blocks[to]) return false;
      for (std::size_t gpu = 0; gpu < blocks.size(); ++gpu) {
        if (blocks[gpu] == blocks[from] && !m_used[gpu]) return true;
      }
      return false;
    });
  }

  const LinkMatrix& m_links;
  const std::vector<std::vector<int>>& m_divisions;
  std::vector<bool> m_used;
  Ring m_ring;
  int m_steps = kMostSteps;
};

bool isSearched(const LinkMatrix& links) { return links.size() >= 3 && links.size() <= kMostRingGpus; }

}  // namespace

std::vector<Ring> disjointRings(LinkMatrix links) {
  return isSearched(links) ? DisjointRings(std::move(links)).run() : std::vector<Ring>();
}

Ring ringInBlocks(const LinkMatrix& links, const std::vector<std::vector<int>>& divisions) {
  return isSearched(links) ? BlockRing(links, divisions).run() : Ring();
}

}  // namespace p2::inline importers
