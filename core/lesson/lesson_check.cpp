// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "base/counted.h"
#include "base/lists.h"
#include "base/near.h"
#include "base/units.h"
#include "lesson/detail/page_parts.h"
#include "lesson/lesson_facts.h"
#include "synthesis/achieved.h"

namespace p2::inline lesson {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool endsWithDigit(std::string_view text) { return !text.empty() && text.back() >= '0' && text.back() <= '9'; }

/// A number, with what follows it.
Result<std::pair<double, std::string_view>> leadingNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return Error{"\"" + std::string(text) + "\" is not a number"};
  return std::pair(value, trimmed(text.substr(static_cast<std::size_t>(end - text.data()))));
}

Result<double> plain(std::string_view text, std::string_view unit, double scale, std::string_view example) {
  P2_TRY_ASSIGN(const auto read, leadingNumber(text));
  if (read.second.empty()) return read.first;
  if (read.second == unit || (unit == "×" && read.second == "x")) return read.first * scale;
  return Error{"\"" + std::string(read.second) + "\" is not the unit that is asked for; write it as in " +
               std::string(example)};
}

/// A typed number in the unit that is asked for: "2.15 GB", "280ms", "16 %" or "0.16", "1.68×", "12". Errors: no
/// number, no unit, another unit; the message shows one that would do.
Result<double> numberFrom(std::string_view typed, LessonFacts::Unit unit) {
  std::string text(trimmed(typed));
  // A decimal comma is a point.
  if (std::count(text.begin(), text.end(), ',') == 1 && text.find('.') == std::string::npos)
    std::replace(text.begin(), text.end(), ',', '.');
  if (text.empty()) return Error{"write a number, as in " + std::string(exampleOf(unit))};
  switch (unit) {
    case LessonFacts::Unit::Seconds:
    case LessonFacts::Unit::Bytes: {
      if (endsWithDigit(text) && text != "0") {
        return Error{"write the unit as well, as in " + std::string(exampleOf(unit))};
      }
      if (unit == LessonFacts::Unit::Seconds) return parseSeconds(text);
      P2_TRY_ASSIGN(const Bytes bytes, parseBytes(text));
      return bytes.value();
    }
    case LessonFacts::Unit::Share:
      return plain(text, "%", 0.01, exampleOf(unit));
    case LessonFacts::Unit::Factor:
      return plain(text, "×", 1, exampleOf(unit));
    case LessonFacts::Unit::Count:
      break;
  }
  return plain(text, "", 1, exampleOf(unit));
}

constexpr std::string_view kOtherKind = "this answers another question than the task's";

LessonVerdict wrong(std::string sentence) { return {false, std::move(sentence), {}, {}}; }

LessonVerdict checkWatched(const PreparedPage& prepared, const LessonAnswer& answer) {
  const auto* watched = std::get_if<WatchedSteps>(&answer);
  if (watched == nullptr) return wrong(std::string(kOtherKind));
  if (prepared.timeline && prepared.moments.empty()) return {true, "you have seen the timeline", {}, {}};
  const int last = prepared.trace ? prepared.trace->validSteps() : prepared.steps() - 1;
  if (watched->steps < last) {
    return wrong("there is more to see: play " + countedText(last - watched->steps, "more step"));
  }
  return {true, "you have seen every step", {}, {}};
}

LessonVerdict checkPainted(const PreparedPage& prepared, const LessonAnswer& answer) {
  const auto* painted = std::get_if<PaintedCells>(&answer);
  const PaintGrid& grid = prepared.grid;
  if (painted == nullptr || painted->cells.size() != grid.right.size()) return wrong(std::string(kOtherKind));
  LessonVerdict verdict;
  for (std::size_t cell = 0; cell < grid.right.size(); ++cell) {
    if (painted->cells[cell] != grid.right[cell]) verdict.wrong.push_back({cell, grid.why[cell]});
  }
  verdict.right = verdict.wrong.empty();
  if (verdict.right) {
    verdict.sentence = "every mark is right";
    return verdict;
  }
  const LessonVerdict::Cell& first = verdict.wrong.front();
  const std::size_t count = verdict.wrong.size();
  verdict.sentence = countedText(count, "cell") + (count == 1 ? " is wrong: " : " are wrong. For instance, ") +
                     cellName(grid, first.cell) +
                     (grid.right[first.cell] ? " should be marked (" : " should not be marked (") + first.why + ")";
  return verdict;
}

LessonVerdict checkChosen(const PreparedPage& prepared, const LessonAnswer& answer) {
  const auto* chosen = std::get_if<ChosenCandidate>(&answer);
  if (chosen == nullptr || chosen->index >= prepared.candidates.size()) return wrong(std::string(kOtherKind));
  const LessonCandidate& candidate = prepared.candidates[chosen->index];
  return {candidate.right, candidate.why, {}, {}};
}

using Conditions = std::vector<LessonVerdict::Condition>;

std::string listed(const std::vector<Collective>& collectives) {
  return joined(collectives, ", ", [](const Collective each) { return nameOf(each); });
}

bool uses(const Program& program, const std::vector<Collective>& collectives) {
  return std::any_of(program.begin(), program.end(), [&](const Instruction& each) {
    return std::find(collectives.begin(), collectives.end(), each.collective) != collectives.end();
  });
}

bool usesOnly(const Program& program, const std::vector<Collective>& collectives) {
  return std::all_of(program.begin(), program.end(), [&](const Instruction& each) {
    return std::find(collectives.begin(), collectives.end(), each.collective) != collectives.end();
  });
}

/// Conditions that depend on the program alone.
Conditions conditionsOf(const ComposeTask& task, const Program& program) {
  Conditions conditions;
  if (task.atMost) {
    conditions.push_back(
        {"at most " + countedText(*task.atMost, "step"), program.size() <= static_cast<std::size_t>(*task.atMost)});
  }
  if (!task.only.empty()) conditions.push_back({"only " + listed(task.only), usesOnly(program, task.only)});
  if (!task.without.empty()) conditions.push_back({"without " + listed(task.without), !uses(program, task.without)});
  return conditions;
}

void addOutcome(Conditions& conditions, const ComposeTask& task, const ProgramTrace& trace) {
  if (task.fails) {
    const auto& failure = trace.failure();
    conditions.push_back({"fails because " + std::string(failureOf(*task.fails)),
                          failure && failure->premise && failure->premise->premise == *task.fails});
  } else {
    conditions.insert(conditions.begin(), {achievedOn(trace.hierarchy(), trace.goal()), trace.complete()});
  }
}

/// The sentence of a program that does not do: why it does not end as it should, or the first condition it misses.
std::string composedSentence(const ComposeTask& task, const ProgramTrace& trace, const Conditions& conditions,
                             const std::string& takes) {
  const auto missed = std::find_if(conditions.begin(), conditions.end(), [](const auto& each) { return !each.holds; });
  if (!task.fails && trace.failure()) {
    return "step " + std::to_string(trace.validSteps() + 1) + ": " + trace.failure()->sentence;
  }
  if (!task.fails && trace.problem()) return trace.problem()->message;
  if (missed == conditions.end()) {
    return task.fails ? "it fails as asked: " + trace.failure()->sentence
                      : "it reaches the goal in " + countedText(trace.program().size(), "step") + takes;
  }
  if (!task.fails) return "it runs" + takes + "; the task asks for " + missed->text;
  if (!trace.failure()) return "every step runs; the task asks for a program that fails";
  return "it fails, but for another reason than asked: " + trace.failure()->sentence;
}

LessonVerdict checkComposed(const PreparedPage& prepared, const ComposeTask& task, const LessonAnswer& answer) {
  const auto* composed = std::get_if<ComposedProgram>(&answer);
  if (composed == nullptr) return wrong(std::string(kOtherKind));
  const auto program = programOf(prepared, composed->text);
  if (!program.ok()) return wrong(program.error().text());
  const auto trace = traceOf(prepared, *program);
  if (!trace.ok()) return wrong(trace.error().text());
  LessonVerdict verdict;
  verdict.conditions = conditionsOf(task, *program);
  addOutcome(verdict.conditions, task, *trace);
  std::string takes;
  if (trace->complete()) {
    const Exploration& exploration = *prepared.exploration;
    const auto priced = evaluateProgram(exploration.workspace, *exploration.topology,
                                        Placement(exploration.workspace.axes, prepared.result().matrix),
                                        *prepared.result().hierarchy, *program);
    if (!priced.ok()) return wrong(priced.error().text());
    takes = " and takes " + formatSeconds(priced->seconds);
    if (task.fasterThan) {
      verdict.conditions.push_back(
          {"faster than " + formatSeconds(*task.fasterThan), priced->seconds < *task.fasterThan});
    }
  } else if (task.fasterThan) {
    verdict.conditions.push_back({"faster than " + formatSeconds(*task.fasterThan), false});
  }
  verdict.right =
      std::all_of(verdict.conditions.begin(), verdict.conditions.end(), [](const auto& each) { return each.holds; });
  verdict.sentence = composedSentence(task, *trace, verdict.conditions, takes);
  return verdict;
}

/// Whether a number equals another within the task's tolerance.
bool isClose(double value, double right, double tolerance) {
  return std::abs(value - right) <= (tolerance + kArithmeticTolerance) * std::abs(right);
}

LessonVerdict checkTyped(const PreparedPage& prepared, const ComputeTask& task, const LessonAnswer& answer) {
  const auto* typed = std::get_if<TypedNumber>(&answer);
  if (typed == nullptr) return wrong(std::string(kOtherKind));
  const auto right = prepared.facts.number(task.fact);
  if (!right.ok()) return wrong(right.error().message);
  const auto value = numberFrom(typed->text, right->unit);
  if (!value.ok()) return wrong(value.error().message);
  if (isClose(*value, right->value, task.tolerance)) return {true, "it is " + numberText(*right), {}, {}};
  for (const ComputeTask::Mistake& mistake : task.mistakes) {
    const auto number = prepared.facts.number(mistake.fact);
    if (number.ok() && isClose(*value, number->value, task.tolerance)) return wrong(mistake.why);
  }
  if (right->unit == LessonFacts::Unit::Share && isClose(*value, right->value * 100, task.tolerance)) {
    return wrong("that is 100 times too high; write the share with its unit, as in " +
                 std::string(exampleOf(right->unit)));
  }
  for (const auto& [factor, words] : {std::pair{1000.0, "1000"}, std::pair{1e6, "a million"}, std::pair{8.0, "8"}}) {
    if (isClose(*value, right->value * factor, task.tolerance)) {
      return wrong(std::string("that is ") + words + " times too high; check the unit");
    }
    if (isClose(*value * factor, right->value, task.tolerance)) {
      return wrong(std::string("that is ") + words + " times too low; check the unit");
    }
  }
  return wrong(*value < right->value ? "that is too low" : "that is too high");
}

bool isArrangement(const std::vector<std::size_t>& order, std::size_t count) {
  if (order.size() != count) return false;
  std::vector<std::size_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < count; ++i) {
    if (sorted[i] != i) return false;
  }
  return true;
}

LessonVerdict checkArrangedProgram(const PreparedPage& prepared, const std::vector<std::size_t>& order) {
  const Program program = orderedProgram(prepared, order);
  const auto trace = traceOf(prepared, program);
  if (!trace.ok()) return wrong(trace.error().text());
  if (trace->complete()) return {true, "in this order " + achievedOn(trace->hierarchy(), trace->goal()), {}, {}};
  if (trace->failure()) {
    return wrong("step " + std::to_string(trace->validSteps() + 1) + " fails: " + trace->failure()->sentence);
  }
  return wrong(trace->problem()->message);
}

LessonVerdict checkArranged(const PreparedPage& prepared, const OrderTask& task, const LessonAnswer& answer) {
  const auto* arranged = std::get_if<ArrangedItems>(&answer);
  if (arranged == nullptr || !isArrangement(arranged->order, prepared.order.items.size())) {
    return wrong(std::string(kOtherKind));
  }
  if (task.what == OrderTask::What::Program) return checkArrangedProgram(prepared, arranged->order);
  const auto [mine, right] =
      std::mismatch(arranged->order.begin(), arranged->order.end(), prepared.order.right.begin());
  if (mine == arranged->order.end()) return {true, "this is the order of the schedule", {}, {}};
  const auto good = mine - arranged->order.begin();
  return wrong(
      (good == 0 ? std::string("a different pass comes first")
                 : "the first " + countedText(good, "pass", "passes") + " are in order, the next is not") +
      ": " + prepared.order.items[*mine] + " comes " +
      (std::find(prepared.order.right.begin(), prepared.order.right.end(), *mine) > right ? "later" : "earlier"));
}

}  // namespace

std::string_view exampleOf(LessonFacts::Unit unit) {
  switch (unit) {
    case LessonFacts::Unit::Seconds:
      return "1.5 ms";
    case LessonFacts::Unit::Bytes:
      return "1.5 GB";
    case LessonFacts::Unit::Share:
      return "15 %";
    case LessonFacts::Unit::Factor:
      return "1.5×";
    case LessonFacts::Unit::Count:
      break;
  }
  return "15";
}

std::string cellName(const PaintGrid& grid, std::size_t cell) {
  const std::string& row = grid.rows[cell / grid.columns.size()];
  const std::string& column = grid.columns[cell % grid.columns.size()];
  return column.empty() ? row : row + ", " + column;
}

LessonVerdict checkAnswer(const PreparedPage& prepared, const LessonAnswer& answer) {
  const auto& kind = prepared.page.task.kind;
  if (std::holds_alternative<WatchTask>(kind)) return checkWatched(prepared, answer);
  if (std::holds_alternative<PaintTask>(kind)) return checkPainted(prepared, answer);
  if (const auto* compose = std::get_if<ComposeTask>(&kind)) return checkComposed(prepared, *compose, answer);
  if (const auto* compute = std::get_if<ComputeTask>(&kind)) return checkTyped(prepared, *compute, answer);
  if (const auto* order = std::get_if<OrderTask>(&kind)) return checkArranged(prepared, *order, answer);
  return checkChosen(prepared, answer);
}

std::optional<LessonAnswer> expectedAnswer(const PreparedPage& prepared) {
  const auto& kind = prepared.page.task.kind;
  if (std::holds_alternative<WatchTask>(kind)) return WatchedSteps{prepared.steps()};
  if (std::holds_alternative<PaintTask>(kind)) return PaintedCells{prepared.grid.right};
  if (const auto* compose = std::get_if<ComposeTask>(&kind)) return ComposedProgram{compose->solution};
  if (const auto* compute = std::get_if<ComputeTask>(&kind)) {
    const auto number = prepared.facts.number(compute->fact);
    return number.ok() ? std::optional<LessonAnswer>(TypedNumber{numberText(*number)}) : std::nullopt;
  }
  if (std::holds_alternative<OrderTask>(kind)) return ArrangedItems{prepared.order.right};
  const auto& all = prepared.candidates;
  const auto right = std::find_if(all.begin(), all.end(), [](const LessonCandidate& each) { return each.right; });
  if (right == all.end()) return std::nullopt;
  return ChosenCandidate{static_cast<std::size_t>(right - all.begin())};
}

}  // namespace p2::inline lesson
