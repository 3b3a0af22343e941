// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/program_notation.h"

#include <optional>

#include "base/lists.h"
#include "synthesis/detail/state_space.h"

namespace p2::inline synthesis {
namespace {

constexpr std::size_t kMostReadings = 100;
constexpr std::size_t kMostListed = 6;
constexpr std::size_t kMostVisits = 5'000;

/// The words of a text, with any separators of titles between them.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  const auto next = [&words] {
    if (!words.back().empty()) words.emplace_back();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool separates = false;
    for (const std::string_view separator : {"·", "→", "->", ";", ",", " ", "\t", "\n", "."}) {
      if (!text.substr(i).starts_with(separator)) continue;
      next();
      i += separator.size() - 1;
      separates = true;
      break;
    }
    if (!separates) words.back() += text[i];
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The collectives that a text consists of and nothing else.
std::optional<std::vector<Collective>> titleOf(const SynthesisHierarchy& hierarchy, std::string_view text) {
  std::vector<Collective> title;
  const std::vector<std::string> words = wordsOf(text);
  // A level may be called like a collective; "AllReduce·R" then is a step.
  if (words.size() == 2 && hierarchy.findLevel(words[1]) >= 0) return std::nullopt;
  for (const std::string& word : words) {
    const auto collective = collectiveFrom(word);
    if (!collective.ok()) return std::nullopt;
    title.push_back(*collective);
  }
  if (title.empty()) return std::nullopt;
  return title;
}

class TitleSearch {
 public:
  TitleSearch(const SynthesisHierarchy& hierarchy, const std::vector<Collective>& title, RuleSet rules,
              const Goal& goal, std::size_t most)
      : m_space(hierarchy.sizes(), rules, static_cast<int>(title.size()), goalOn(hierarchy, goal)),
        m_title(title),
        m_most(most) {}

  void run() { extend(m_space.first()); }
  [[nodiscard]] const std::vector<Program>& found() const { return m_found; }
  /// Whether there was more to look at than is looked at.
  [[nodiscard]] bool gaveUp() const { return m_visits > kMostVisits || m_found.size() >= m_most; }

 private:
  void extend(const CompactState& state) {
    if (m_found.size() >= m_most || ++m_visits > kMostVisits) return;
    if (m_prefix.size() == m_title.size()) {
      if (m_space.isGoal(state)) m_found.push_back(m_prefix);
      return;
    }
    const Collective wanted = m_title[m_prefix.size()];
    for (const StateSpace::Step& step : m_space.stepsFrom(state, static_cast<int>(m_prefix.size()))) {
      if (step.instruction.collective != wanted) continue;
      m_prefix.push_back(step.instruction);
      extend(step.after);
      m_prefix.pop_back();
    }
  }

  StateSpace m_space;
  const std::vector<Collective>& m_title;
  std::size_t m_most;
  std::size_t m_visits = 0;
  Program m_prefix;
  std::vector<Program> m_found;
};

Error ambiguousTitle(const SynthesisHierarchy& hierarchy, const std::string& title,
                     const std::vector<Program>& readings, bool all) {
  std::string sentence = title + " can be read in " + (all ? std::to_string(readings.size()) : "very many") +
                         " ways; say which groups each step works on: ";
  for (std::size_t i = 0; i < readings.size() && i < kMostListed; ++i) {
    sentence += (i == 0 ? "" : "; or ") + notationText(hierarchy, readings[i]);
  }
  if (readings.size() > kMostListed) sentence += "; …";
  return Error{sentence};
}

/// "·node∥root"
std::string groupsText(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern) {
  const Spelling spelling = spellingOf(pattern, hierarchy.levelCount());
  std::string text = "·" + hierarchy.levelName(spelling.slice);
  switch (spelling.form) {
    case Form::InsideGroup:
      return text;
    case Form::Shards:
      return text + "@shards";
    case Form::Replicas:
      return text + "@replicas";
    case Form::Parallel:
    case Form::Master:
      break;
  }
  return text + (spelling.form == Form::Parallel ? "∥" : "∥₁") + hierarchy.levelName(spelling.ancestor);
}

}  // namespace

std::string notationText(const SynthesisHierarchy& hierarchy, const Instruction& instruction) {
  return std::string(nameOf(instruction.collective)) + groupsText(hierarchy, instruction.pattern);
}

std::string shortNotation(const SynthesisHierarchy& hierarchy, const Program& program) {
  return joined(program, " → ", [&](const Instruction& instruction) {
    return std::string(shortNameOf(instruction.collective)) + groupsText(hierarchy, instruction.pattern);
  });
}

std::string notationText(const SynthesisHierarchy& hierarchy, const Program& program) {
  return joined(program, " → ", [&](const Instruction& instruction) { return notationText(hierarchy, instruction); });
}

std::vector<Program> programsOfTitle(const SynthesisHierarchy& hierarchy, const std::vector<Collective>& title,
                                     RuleSet rules, const Goal& goal, std::size_t most) {
  if (!checkSynthesisLevels(hierarchy.sizes().size()).ok()) return {};
  TitleSearch search(hierarchy, title, rules, goal, most);
  search.run();
  return search.found();
}

Result<Program> readProgram(const SynthesisHierarchy& hierarchy, std::string_view text, RuleSet rules,
                            const Goal& goal) {
  const auto title = titleOf(hierarchy, text);
  if (!title) return parseProgram(hierarchy, text);
  Program named;
  for (const Collective collective : *title) named.push_back({{}, collective});
  P2_TRY(checkSynthesisLevels(hierarchy.sizes().size()));
  TitleSearch search(hierarchy, *title, rules, goal, kMostReadings);
  search.run();
  const bool all = !search.gaveUp();
  const std::vector<Program>& readings = search.found();
  if (readings.size() == 1 && all) return readings[0];
  if (!readings.empty() || !all) return ambiguousTitle(hierarchy, programTitle(named), readings, all);
  return Error{"no groups make " + programTitle(named) + " a program for " + std::string(goal.name) +
               "; to see why one is wrong, say which groups each step works on, as in " +
               notationText(hierarchy, singleProgram(hierarchy, goal))};
}

}  // namespace p2::inline synthesis
