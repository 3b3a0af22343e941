// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "lesson/detail/page_parts.h"

namespace p2::inline lesson {
namespace {

/// The failure of each premise, in the order of Premise.
constexpr std::array<std::string_view, 10> kFailures{
    "a member holds nothing",
    "the members hold different chunks",
    "a contribution would be counted twice",
    "the chunks do not divide evenly",
    "the members hold different numbers of chunks",
    "two members hold the same chunk",
    "the root holds nothing",
    "the root lacks data of a member, so the member would lose it",
    "every member already holds the data of the root",
    "a member other than the root holds data, so it would lose it",
};

/// Programs that take the same time are equally good answers.
bool atMost(double a, double b) { return !definitelyLess(b, a); }

/// Feedback for choosing a premise that holds.
std::string wrongPremiseText(Premise guessed, const StepFailure* failure, std::span<const Premise> order) {
  const std::string holds = "this rule is satisfied here: " + std::string(nameOf(guessed));
  if (failure == nullptr || !failure->premise) return holds;
  const Premise failed = failure->premise->premise;
  const auto before = std::find(order.begin(), order.end(), guessed) < std::find(order.begin(), order.end(), failed);
  if (before) return holds + ". The step fails because " + failure->sentence;
  return "an earlier rule fails first: " + failure->sentence;
}

/// The step runs, or one of its premises fails: every premise is an answer.
Result<std::vector<LessonCandidate>> outcomes(const PreparedPage& prepared, const ChoiceTask& task) {
  const ProgramTrace& trace = *prepared.trace;
  const auto step = static_cast<std::size_t>(task.step);
  if (step > prepared.program.size() || task.step > trace.validSteps() + 1) {
    return Error{"no run reaches step " + std::to_string(task.step) + ": the program has " +
                     countedText(prepared.program.size(), "step") + " and " + std::to_string(trace.validSteps()) +
                     " of them run",
                 "/task/step"};
  }
  const bool fails = task.step == trace.validSteps() + 1;
  const StepFailure* failure = fails ? &*trace.failure() : nullptr;
  if (fails && !failure->premise) {
    return Error{"step " + std::to_string(task.step) + " fails by no premise: " + failure->sentence, "/task/step"};
  }
  const auto& rule = traitsOf(prepared.program[step - 1].collective);
  std::vector<LessonCandidate> answers;
  answers.push_back(
      {"It runs: " + std::string(rule.effect), !fails,
       fails ? failure->sentence : "all conditions of " + std::string(rule.name) + " are met in every group"});
  for (const Premise premise : rule.premises) {
    const bool right = fails && failure->premise->premise == premise;
    answers.push_back({"It fails: " + std::string(failureOf(premise)), right,
                       right ? failure->sentence : wrongPremiseText(premise, failure, rule.premises)});
  }
  return answers;
}

Result<std::vector<LessonCandidate>> fastest(const PreparedPage& prepared, const ChoiceTask& task) {
  const Exploration& exploration = *prepared.exploration;
  const Placement placement(exploration.workspace.axes, prepared.result().matrix);
  std::vector<LessonCandidate> answers;
  std::vector<double> seconds;
  std::vector<StepCost> decisive;  // the step of each that takes longest
  for (std::size_t i = 0; i < task.programs.size(); ++i) {
    const std::string pointer = "/task/of/" + std::to_string(i);
    const auto program = programOf(prepared, task.programs[i]);
    if (!program.ok()) return program.error().at(pointer);
    const auto priced = evaluateProgram(exploration.workspace, *exploration.topology, placement,
                                        *prepared.result().hierarchy, *program);
    if (!priced.ok()) return priced.error().at(pointer);
    seconds.push_back(priced->seconds);
    decisive.push_back(*std::max_element(priced->steps.begin(), priced->steps.end(),
                                         [](const StepCost& a, const StepCost& b) { return a.seconds < b.seconds; }));
    answers.push_back({programText(*prepared.result().hierarchy, *program), false, {}, *program, prepared.placement});
  }
  if (answers.size() < 2) return Error{"one program is fastest only among two or more; name another", "/task/of"};
  const double least = *std::min_element(seconds.begin(), seconds.end());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].right = atMost(seconds[i], least);
    answers[i].why = "it takes " + formatSeconds(seconds[i]) +
                     (answers[i].right ? ", the least" : "; the fastest takes " + formatSeconds(least)) +
                     ". In its longest step " + formatBytes(decisive[i].linkBytes) + " cross the busiest link";
  }
  return answers;
}

Result<std::vector<LessonCandidate>> given(const ChoiceTask& task) {
  std::vector<LessonCandidate> answers;
  for (const ChoiceTask::Answer& answer : task.answers) answers.push_back({answer.text, answer.right, answer.why});
  return answers;
}

/// Result of a literal run: one of three endings.
Result<std::vector<LessonCandidate>> returned(const PreparedPage& prepared) {
  if (!prepared.solution) return Error{"only a page of the literal algorithm returns a strategy", "/task/choose"};
  const auto& trace = *prepared.solution->trace;
  if (!trace.optimum) return Error{"the tables are too large for the optimum to be known", "/literal/tables"};
  const auto& strategy = prepared.solution->strategy;
  const bool best = strategy && strategy->cost <= *trace.optimum;
  const std::string end = strategy ? "it returns a strategy of cost " + exactNumber(strategy->cost) +
                                         "; the optimum is " + exactNumber(*trace.optimum)
                                   : "no strategy has a row left in every table, so it returns nothing";
  return std::vector<LessonCandidate>{{"The best strategy", best, end},
                                      {"A strategy that costs more than the best", strategy && !best, end},
                                      {"Nothing at all", !strategy, end}};
}

/// Marks the right candidates by their seconds, with the reason.
void judge(std::vector<LessonCandidate>& candidates, const std::vector<double>& seconds, const FindTask& task) {
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string takes = "it takes " + formatSeconds(seconds[i]);
    bool right = false;
    std::string why;
    switch (task.condition) {
      case FindTask::Condition::Best:
        right = atMost(seconds[i], *least);
        why = right ? ", and none is faster" : "; there is a faster one";
        break;
      case FindTask::Condition::Slowest:
        right = atMost(*most, seconds[i]);
        why = right ? ", and none is slower" : "; there is a slower one";
        break;
      case FindTask::Condition::SlowerThan:
        right = seconds[i] > task.seconds;
        why = right ? ", more than " : ", no more than ";
        why += formatSeconds(task.seconds);
        break;
      case FindTask::Condition::FasterThan:
        right = seconds[i] < task.seconds;
        why = right ? ", less than " : ", no less than ";
        why += formatSeconds(task.seconds);
        break;
      case FindTask::Condition::Loses:
        break;
    }
    candidates[i].right = right;
    candidates[i].why = takes + why;
  }
}

Result<std::vector<LessonCandidate>> programs(const PreparedPage& prepared, const FindTask& task) {
  std::vector<LessonCandidate> candidates;
  std::vector<double> seconds;
  for (const ProgramResult& each : prepared.result().programs) {
    candidates.push_back(
        {programText(*prepared.result().hierarchy, each.program), false, {}, each.program, prepared.placement});
    seconds.push_back(each.rankedSeconds());
  }
  if (candidates.empty()) return Error{"there is no program to be found here", "/task/among"};
  judge(candidates, seconds, task);
  // Cheapest first would tell the answer: in the order of their texts they tell nothing.
  std::stable_sort(candidates.begin(), candidates.end(), [](const LessonCandidate& a, const LessonCandidate& b) {
    return std::pair(a.program.size(), a.program) < std::pair(b.program.size(), b.program);
  });
  return candidates;
}

/// "data: gpu 4 · shards: server 2 × cpu 2": the levels that each axis runs along.
std::string placementWords(const Workspace& workspace, const ParallelismMatrix& matrix) {
  std::string words;
  for (std::size_t axis = 0; axis < workspace.axes.size(); ++axis) {
    std::string along;
    for (std::size_t level = 0; level < workspace.system.levels.size(); ++level) {
      const std::int64_t factor = matrix.at(axis, level);
      if (factor == 1) continue;
      along += (along.empty() ? "" : " × ") + workspace.system.levels[level].name + " " + std::to_string(factor);
    }
    words += (words.empty() ? "" : " · ") + workspace.axes[axis].name + ": " + (along.empty() ? "1" : along);
  }
  return words;
}

Result<std::vector<LessonCandidate>> placements(const PreparedPage& prepared, const FindTask& task) {
  std::vector<LessonCandidate> candidates;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < prepared.exploration->placements.size(); ++i) {
    const PlacementResult& each = prepared.exploration->placements[i];
    candidates.push_back(
        {placementWords(prepared.exploration->workspace, each.matrix), false, {}, each.programs.front().program, i});
    seconds.push_back(each.rankedBestSeconds());
  }
  judge(candidates, seconds, task);
  return candidates;
}

Result<std::vector<LessonCandidate>> moments(const PreparedPage& prepared) {
  if (!prepared.solution) return Error{"only a page of the literal algorithm has steps to be found", "/task/among"};
  const auto& all = prepared.solution->trace->moments;
  std::vector<LessonCandidate> candidates;
  bool lost = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].invariant) return Error{"the tables are too large for the optimum to be known", "/literal/tables"};
    const bool holds = all[i].invariant->holds;
    const std::string why = holds  ? "after this step the optimum can still be put together from the rows that are left"
                            : lost ? "the optimum was lost in a step before"
                                   : "before this step the optimum could still be put together, and now it cannot";
    candidates.push_back({"step " + std::to_string(i + 1), !holds && !lost, why});
    lost = lost || !holds;
  }
  return candidates;
}

}  // namespace

std::string_view failureOf(Premise premise) { return kFailures[static_cast<std::size_t>(premise)]; }

Result<std::vector<LessonCandidate>> candidatesOf(const PreparedPage& prepared, const ChoiceTask& task) {
  const bool literal = prepared.solution != nullptr;
  switch (task.about) {
    case ChoiceTask::About::Outcome:
    case ChoiceTask::About::Fastest:
      if (literal) return Error{"a page of the literal algorithm has no program to ask about", "/task/choose"};
      if (!prepared.exploration) return Error{"this page has no program to ask about", "/task/choose"};
      return task.about == ChoiceTask::About::Outcome ? outcomes(prepared, task) : fastest(prepared, task);
    case ChoiceTask::About::Returned:
      return returned(prepared);
    case ChoiceTask::About::Given:
      return given(task);
    case ChoiceTask::About::Variant:
      return variantsOf(prepared, task);
    case ChoiceTask::About::Part:
      return partsOf(prepared, task);
  }
  return std::vector<LessonCandidate>{};
}

Result<std::vector<LessonCandidate>> candidatesOf(const PreparedPage& prepared, const FindTask& task) {
  if (task.among == FindTask::Among::Steps) return moments(prepared);
  if (prepared.solution) return Error{"a page of the literal algorithm has no programs to choose from", "/task/among"};
  if (!prepared.exploration) return Error{"this page has no programs to choose from", "/task/among"};
  return task.among == FindTask::Among::Programs ? programs(prepared, task) : placements(prepared, task);
}

}  // namespace p2::inline lesson
