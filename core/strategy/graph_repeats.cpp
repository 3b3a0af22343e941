// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/graph_repeats.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "strategy/graph_likeness.h"
#include "strategy/topological_order.h"

namespace p2::inline strategy {
namespace {

constexpr std::size_t kMostRepeatedVertices = 512;
constexpr int kMostRepeats = 16;

/// The vertices in a topological order, the first that may come first; with how each is wired to those before it.
class Sequence {
 public:
  /// An edge that comes in: its input, the place of its source, and the tensor that it carries.
  struct Input {
    std::size_t to = 0;
    std::size_t from = 0;
    std::size_t what = 0;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  Sequence(const StrategyProblem& problem, const ComputationGraph* graph) {
    sort(problem);
    // Tables of costs may have edges in a circle: nothing of them is folded.
    if (m_order.size() < problem.vertices.size()) {
      m_order.clear();
      return;
    }
    label(problem, graph);
    m_inputs.resize(m_order.size());
    for (std::size_t e = 0; e < problem.edges.size(); ++e) {
      const StrategyProblem::Edge& edge = problem.edges[e];
      Input input{0, m_place[edge.from], edge.table};
      if (graph != nullptr) input = {graph->edges[e].toTensor, m_place[edge.from], graph->edges[e].fromTensor};
      m_inputs[m_place[edge.to]].push_back(input);
    }
    for (auto& inputs : m_inputs) std::sort(inputs.begin(), inputs.end());
  }

  [[nodiscard]] std::size_t size() const { return m_order.size(); }
  [[nodiscard]] std::size_t vertexAt(std::size_t place) const { return m_order[place]; }
  /// Whether two places are equal; `entry` begins a copy before which nothing repeats, and whose inputs may be others'.
  [[nodiscard]] bool equal(std::size_t place, std::size_t next, std::size_t entry) const {
    if (m_labels[place] != m_labels[next] || m_inputs[place].size() != m_inputs[next].size()) return false;
    for (std::size_t i = 0; i < m_inputs[place].size(); ++i) {
      const Input& here = m_inputs[place][i];
      const Input& there = m_inputs[next][i];
      const bool same = here.from == there.from || place - here.from == next - there.from;
      const bool enters = here.from < entry && there.from >= entry && there.from < next;
      if (here.to != there.to || !(enters || (same && here.what == there.what))) return false;
    }
    return true;
  }

 private:
  void sort(const StrategyProblem& problem) {
    m_order = topologicalOrder(problem.vertices.size(), problem.edges);
    m_place.resize(problem.vertices.size());
    for (std::size_t place = 0; place < m_order.size(); ++place) m_place[m_order[place]] = place;
  }

  void label(const StrategyProblem& problem, const ComputationGraph* graph) {
    std::map<std::vector<std::int64_t>, std::size_t> known;
    for (const std::size_t vertex : m_order) {
      m_labels.push_back(graph == nullptr
                             ? problem.vertices[vertex].domain
                             : known.try_emplace(likenessOf(graph->operators[vertex]), known.size()).first->second);
    }
  }

  std::vector<std::size_t> m_order;
  std::vector<std::size_t> m_place;   // by vertex
  std::vector<std::size_t> m_labels;  // by place
  std::vector<std::vector<Input>> m_inputs;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
/// Bytes of other letters than ASCII's count as letters.
bool isWordPart(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// A name cut at its first number: "layer", 24, "_query".
struct NumberedName {
  std::string before;
  std::string number;
  std::string after;
};

NumberedName cutAtNumber(const std::string& name, std::size_t from) {
  std::size_t begin = from;
  while (begin < name.size() && !isDigit(name[begin])) ++begin;
  std::size_t end = begin;
  while (end < name.size() && isDigit(name[end])) ++end;
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

/// The name cut at the number in which two names differ; an empty number where they differ otherwise.
NumberedName cutWhereDifferent(const std::string& name, const std::string& other) {
  for (std::size_t from = 0; from < name.size();) {
    const NumberedName one = cutAtNumber(name, from);
    const NumberedName two = cutAtNumber(other, from);
    if (one.number.empty() || one.before != two.before) return {name, {}, {}};
    if (one.number != two.number) return one.after == two.after ? one : NumberedName{name, {}, {}};
    from = one.before.size() + one.number.size();
  }
  return {name, {}, {}};
}

class RepeatFinder {
 public:
  RepeatFinder(const StrategyProblem& problem, const ComputationGraph* graph)
      : m_problem(problem), m_sequence(problem, graph), m_taken(m_sequence.size(), false) {}

  std::vector<Repeat> find() {
    std::vector<Repeat> repeats;
    while (static_cast<int>(repeats.size()) < kMostRepeats) {
      Run run = longest();
      if (run.copies < 2) break;
      align(run);
      lengthen(run);
      std::fill_n(m_taken.begin() + static_cast<std::ptrdiff_t>(run.begin), run.copies * run.period, true);
      repeats.push_back(repeatOf(run));
    }
    return repeats;
  }

 private:
  struct Run {
    std::size_t begin = 0;
    std::size_t period = 0;
    std::size_t copies = 1;
    std::size_t rest = 0;  ///< equal places after the last copy
    [[nodiscard]] std::size_t folded() const { return (copies - 1) * period; }
  };

  [[nodiscard]] bool goesOn(std::size_t place, std::size_t period) const {
    return !m_taken[place] && !m_taken[place + period] && m_sequence.equal(place, place + period, 0);
  }

  [[nodiscard]] Run longest() const {
    Run best;
    const std::size_t size = m_sequence.size();
    for (std::size_t period = kLeastRepeatedVertices; period <= std::min(size / 2, kMostRepeatedVertices); ++period) {
      for (std::size_t begin = 0; begin + 2 * period <= size;) {
        std::size_t length = 0;
        while (begin + length + period < size && goesOn(begin + length, period)) ++length;
        const Run run{begin, period, 1 + length / period, length % period};
        if (run.folded() > best.folded()) best = run;
        begin += length + 1;
      }
    }
    return best;
  }

  /// Begins every copy where its names begin to count together.
  void align(Run& run) const {
    const auto begun = [&](std::size_t shift) {
      const std::string& first = nameAt(run.begin + shift);
      const NumberedName cut = cutWhereDifferent(first, nameAt(run.begin + shift + run.period));
      if (cut.number.empty()) return std::size_t{0};
      std::size_t matches = 0;
      for (std::size_t k = 0; k < run.period; ++k) {
        matches += nameAt(run.begin + shift + k).starts_with(cut.before + cut.number) ? 1 : 0;
      }
      return matches;
    };
    std::size_t best = 0;
    for (std::size_t shift = 1; shift <= run.rest; ++shift) {
      if (begun(shift) > begun(best)) best = shift;
    }
    run.begin += best;
  }

  /// By a first copy that others feed.
  void lengthen(Run& run) const {
    if (run.begin < run.period) return;
    const std::size_t begin = run.begin - run.period;
    for (std::size_t k = 0; k < run.period; ++k) {
      if (m_taken[begin + k] || !m_sequence.equal(begin + k, run.begin + k, begin)) return;
    }
    run.begin = begin;
    ++run.copies;
  }

  [[nodiscard]] const std::string& nameAt(std::size_t place) const {
    return m_problem.vertices[m_sequence.vertexAt(place)].name;
  }

  [[nodiscard]] Repeat repeatOf(const Run& run) const {
    Repeat repeat;
    for (std::size_t copy = 0; copy < run.copies; ++copy) {
      repeat.copies.emplace_back();
      for (std::size_t k = 0; k < run.period; ++k) {
        repeat.copies.back().push_back(m_sequence.vertexAt(run.begin + copy * run.period + k));
      }
    }
    // A copy may begin with an operator that is named after the copy before, such as the share of its output.
    NumberedName from;
    std::size_t named = 0;
    for (; named < run.period; ++named) {
      from = cutWhereDifferent(nameAt(run.begin + named), nameAt(run.begin + (run.copies - 1) * run.period + named));
      if (!from.number.empty()) break;
    }
    if (named == run.period) return repeat;
    repeat.stem = from.before.substr(from.before.rfind('/') + 1);
    while (!repeat.stem.empty() && !isWordPart(repeat.stem.back())) repeat.stem.pop_back();
    if (repeat.stem.empty()) repeat.stem = from.before;
    for (std::size_t copy = 0; copy < run.copies; ++copy) {
      const std::string& name = nameAt(run.begin + copy * run.period + named);
      repeat.numbers.push_back(cutAtNumber(name, std::min(from.before.size(), name.size())).number);
      repeat.lastNumbers.push_back(lastNumber(repeat.copies[copy], from.before, repeat.numbers.back()));
    }
    return repeat;
  }

  /// The largest number that follows `before` in names of a copy, its first being `number`.
  [[nodiscard]] std::string lastNumber(const std::vector<std::size_t>& copy, const std::string& before,
                                       std::string number) const {
    for (const std::size_t vertex : copy) {
      const std::string& name = m_problem.vertices[vertex].name;
      if (!name.starts_with(before)) continue;
      auto [until, other, after] = cutAtNumber(name, before.size());
      if (until != before) continue;
      if (std::pair(other.size(), std::string_view(other)) > std::pair(number.size(), std::string_view(number))) {
        number = std::move(other);
      }
    }
    return number;
  }

  const StrategyProblem& m_problem;
  Sequence m_sequence;
  std::vector<bool> m_taken;  // by place
};

}  // namespace

std::vector<Repeat> repeatsOf(const StrategyProblem& problem, const ComputationGraph* graph) {
  return RepeatFinder(problem, graph).find();
}

std::string Repeat::nameOf(std::size_t first, std::size_t last) const {
  if (numbers.empty()) return {};
  std::string text = stem.empty() ? "" : stem + " ";
  text += numbers[first];
  return numbers[first] == lastNumbers[last] ? text : text + "–" + lastNumbers[last];
}

std::string sharedName(const std::string& first, const std::string& last) {
  const NumberedName cut = cutWhereDifferent(first, last);
  if (cut.number.empty()) return first;
  const auto begin = std::find_if(cut.after.begin(), cut.after.end(), isWordPart);
  return begin == cut.after.end() ? first : std::string(begin, cut.after.end());
}

}  // namespace p2::inline strategy
