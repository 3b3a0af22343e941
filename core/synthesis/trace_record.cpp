// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/trace_record.h"

#include <algorithm>

namespace p2::inline synthesis {
namespace {

Holding holdingIn(const std::vector<FoldedState>& parts) {
  Holding holding;
  for (const FoldedState& part : parts) {
    const std::int64_t summed = countOf(part.columns);
    holding.leastSummed = holding.chunks == 0 ? summed : std::min(holding.leastSummed, summed);
    holding.mostSummed = std::max(holding.mostSummed, summed);
    holding.chunks += countOf(part.rows);
  }
  return holding;
}

ChunkSet setOf(const std::vector<int>& numbers) {
  ChunkSet set;
  for (const int number : numbers) {
    if (!set.empty() && set.back().to == number) {
      ++set.back().to;
    } else {
      set.push_back({number, number + 1});
    }
  }
  return set;
}

/// Bit matrices.
class ExplicitRecord : public TraceRecord {
 public:
  using TraceRecord::TraceRecord;

  [[nodiscard]] int validSteps() const override { return static_cast<int>(matrices.size()) - 1; }
  [[nodiscard]] Holding holdingOf(MemberId member, int steps) const override {
    return holdingIn(partsOf(member, steps));
  }

  [[nodiscard]] ChunkSet chunksOf(MemberId member, int steps) const override {
    return setOf(matrices[static_cast<std::size_t>(steps)][member.index()].rows());
  }

  [[nodiscard]] std::vector<std::int64_t> chunkCounts(int steps) const override {
    std::vector<std::int64_t> counts;
    for (const DeviceState& state : matrices[static_cast<std::size_t>(steps)]) counts.push_back(state.rowCount());
    return counts;
  }

  [[nodiscard]] std::vector<FoldedState> partsOf(MemberId member, int steps) const override {
    const DeviceState& state = matrices[static_cast<std::size_t>(steps)][member.index()];
    std::map<std::vector<int>, std::vector<int>> rowsOf;  // by columns
    for (const int row : state.rows()) rowsOf[state.columns(row)].push_back(row);
    std::vector<FoldedState> parts;
    for (const auto& [columns, rows] : rowsOf) parts.push_back({state.size(), setOf(rows), setOf(columns)});
    return parts;
  }

  [[nodiscard]] std::int64_t mostRunsOf(MemberId /*member*/, int /*steps*/) const override {
    return std::max<std::int64_t>(1, chunks / 2);
  }
};

/// Compact states as far as the goal can be reached, and what every member holds from then on.
class CompactRecord : public TraceRecord {
 public:
  CompactRecord(const SynthesisHierarchy& own, Program ran, const Goal& wanted, CompactExecution execution)
      : TraceRecord(own, std::move(ran), wanted), m_sizes(own.sizes()) {
    members = hierarchy.deviceCount();
    chunks = members;
    complete = execution.complete;
    compactStates = std::move(execution.states);
    if (execution.refusal) failure = StepFailure{{}, std::move(*execution.refusal)};
  }

  /// Follows the program device by device from the last compact state on.
  void goOn(const Placement& placement, RuleSet rules) {
    const std::size_t first = compactStates.size() - 1;
    auto engine = std::make_shared<FoldedEngine>(placement, hierarchy, rules, goal);
    std::vector<FoldedEngine::States> after;
    FoldedEngine::States states = engine->statesOf(compactStates.back());
    for (std::size_t step = first; step < program.size(); ++step) {
      auto outcome = engine->apply(states, program[step]);
      if (!outcome) return;
      if (auto* why = std::get_if<StepFailure>(&*outcome)) {
        failure = std::move(*why);
        m_after = std::move(after);
        m_engine = std::move(engine);
        return;
      }
      states = std::move(std::get<FoldedEngine::States>(*outcome));
      after.push_back(states);
    }
    failure.reset();
    m_after = std::move(after);
    m_engine = std::move(engine);
  }

  [[nodiscard]] int validSteps() const override { return static_cast<int>(compactStates.size() + m_after.size()) - 1; }

  [[nodiscard]] ChunkSet chunksOf(MemberId member, int steps) const override {
    if (!isFolded(steps)) return foldedRows(compactStates[static_cast<std::size_t>(steps)], m_sizes, member);
    ChunkSet all;
    for (const FoldedState& part : partsOf(member, steps)) all.insert(all.end(), part.rows.begin(), part.rows.end());
    return merged(std::move(all));
  }

  [[nodiscard]] std::vector<SharedChunks> chunksOfMembers(int steps) const override {
    if (isFolded(steps)) return TraceRecord::chunksOfMembers(steps);
    std::map<std::pair<std::size_t, MemberId>, SharedChunks> known;
    std::vector<SharedChunks> all;
    for (const MemberId member : IdRange<MemberId>(members)) {
      const LevelSet split = classAt(member, steps).splitLevels();
      SharedChunks& held = known[{classOf(member, m_sizes), keepingDigits(member, m_sizes, split)}];
      if (!held) held = std::make_shared<const ChunkSet>(chunksOf(member, steps));
      all.push_back(held);
    }
    return all;
  }

  [[nodiscard]] std::vector<std::int64_t> chunkCounts(int steps) const override {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(members));
    const IdRange<MemberId> all(members);
    if (isFolded(steps)) {
      for (const MemberId member : all) counts[member.index()] = holdingOf(member, steps).chunks;
      return counts;
    }
    std::vector<std::int64_t> ofClass;
    for (const ClassState& own : compactStates[static_cast<std::size_t>(steps)].classes) {
      ofClass.push_back(own.present ? chunks / productOver(own.splitLevels(), m_sizes) : 0);
    }
    for (const MemberId member : all) counts[member.index()] = ofClass[classOf(member, m_sizes)];
    return counts;
  }

  [[nodiscard]] Holding holdingOf(MemberId member, int steps) const override {
    if (isFolded(steps)) return holdingIn(partsOf(member, steps));
    const ClassState& own = classAt(member, steps);
    if (!own.present) return {};
    const std::int64_t summed = productOver(own.summed, m_sizes);
    return {chunks / productOver(own.splitLevels(), m_sizes), summed, summed};
  }

  [[nodiscard]] std::vector<FoldedState> partsOf(MemberId member, int steps) const override {
    if (isFolded(steps)) {
      const FoldedEngine::States& states = m_after[static_cast<std::size_t>(steps) - compactStates.size()];
      return m_engine->partsOf(states[member.index()]);
    }
    if (!classAt(member, steps).present) return {};
    return {foldedState(compactStates[static_cast<std::size_t>(steps)], m_sizes, member)};
  }

  [[nodiscard]] std::int64_t mostRunsOf(MemberId member, int steps) const override {
    if (!isFolded(steps)) return mostRuns(classAt(member, steps), m_sizes);
    std::size_t most = 1;
    for (const FoldedState& part : partsOf(member, steps))
      most = std::max({most, part.rows.size(), part.columns.size()});
    return static_cast<std::int64_t>(most);
  }

 private:
  [[nodiscard]] bool isFolded(int steps) const { return static_cast<std::size_t>(steps) >= compactStates.size(); }
  [[nodiscard]] const ClassState& classAt(MemberId member, int steps) const {
    return compactStates[static_cast<std::size_t>(steps)].classes[classOf(member, m_sizes)];
  }

  std::vector<std::int64_t> m_sizes;
  std::vector<FoldedEngine::States> m_after;  // after the steps behind the compact states
  std::shared_ptr<const FoldedEngine> m_engine;
};

}  // namespace

std::vector<SharedChunks> TraceRecord::chunksOfMembers(int steps) const {
  std::vector<SharedChunks> all;
  for (const MemberId member : IdRange<MemberId>(members)) {
    all.push_back(std::make_shared<const ChunkSet>(chunksOf(member, steps)));
  }
  return all;
}

Result<std::shared_ptr<const TraceRecord>> recordExplicitly(const Placement& placement,
                                                            const SynthesisHierarchy& hierarchy, const Program& program,
                                                            RuleSet rules, const Goal& goal) {
  P2_TRY_ASSIGN(auto done, execute(placement, hierarchy, program, rules, goal));
  const auto record = std::make_shared<ExplicitRecord>(hierarchy, program, goal);
  record->members = std::ssize(done.states[0]);
  record->chunks = placement.groupSize();
  record->complete = done.complete;
  record->matrices = std::move(done.states);
  if (done.failure) {
    const std::string sentence = done.failure->sentence;
    record->failure = StepFailure{std::move(done.failure), sentence};
  } else if (done.refusal) {
    record->failure = StepFailure{{}, std::move(*done.refusal)};
  }
  return std::shared_ptr<const TraceRecord>(record);
}

Result<std::shared_ptr<const TraceRecord>> recordCompactly(const Placement& placement,
                                                           const SynthesisHierarchy& hierarchy, const Program& program,
                                                           RuleSet rules, const Goal& goal) {
  P2_TRY_ASSIGN(auto execution, executeCompactly(hierarchy, program, rules, goal));
  const bool refused = execution.refusal.has_value();
  const auto record = std::make_shared<CompactRecord>(hierarchy, program, goal, std::move(execution));
  if (refused && record->members <= kMostFoldedMembers) record->goOn(placement, rules);
  return std::shared_ptr<const TraceRecord>(record);
}

}  // namespace p2::inline synthesis
