// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "base/lists.h"
#include "base/units.h"
#include "lesson/detail/page_parts.h"
#include "lesson/detail/web_parts.h"
#include "lesson/lesson_check.h"
#include "synthesis/achieved.h"
#include "synthesis/step_words.h"

namespace p2::inline lesson {
namespace {

constexpr std::size_t kMostListedPrograms = 6;
constexpr std::size_t kMostOrdered = 5;

WebTask paintTask(const PreparedPage& prepared) {
  const PaintGrid& grid = prepared.grid;
  return {{{"kind", "paint"}, {"rows", grid.rows}, {"columns", grid.columns}},
          {{"right", grid.right}, {"why", grid.why}}};
}

WebTask chooseTask(const PreparedPage& prepared) {
  WebTask task{{{"kind", "choose"}, {"titles", Json::array()}}, {{"right", Json::array()}, {"why", Json::array()}}};
  for (const LessonCandidate& each : prepared.candidates) {
    task.asked["titles"].push_back(titleOfCandidate(prepared, each));
    task.key["right"].push_back(each.right);
    task.key["why"].push_back(each.why);
  }
  return task;
}

WebTask computeTask(const PreparedPage& prepared, const ComputeTask& compute) {
  constexpr std::array<const char*, 5> kUnits{"count", "seconds", "bytes", "share", "factor"};
  const auto number = prepared.facts.number(compute.fact).value();
  WebTask task{{{"kind", "compute"},
                {"unit", kUnits[static_cast<std::size_t>(number.unit)]},
                {"example", std::string(exampleOf(number.unit))}},
               {{"value", number.value},
                {"tolerance", compute.tolerance},
                {"text", numberText(number)},
                {"mistakes", Json::array()}}};
  for (const ComputeTask::Mistake& each : compute.mistakes) {
    task.key["mistakes"].push_back({{"value", prepared.facts.number(each.fact).value().value}, {"why", each.why}});
  }
  return task;
}

/// Every order of a few items with its verdict; of more items the right order alone.
WebTask orderTask(const PreparedPage& prepared) {
  WebTask task{{{"kind", "order"}, {"items", prepared.order.items}}, {{"right", prepared.order.right}}};
  const auto& order = std::get<OrderTask>(prepared.page.task.kind);
  if (order.what == OrderTask::What::Passes || prepared.order.items.size() > kMostOrdered) return task;
  Json verdicts = Json::object();
  std::vector<std::size_t> places(prepared.order.items.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  do {
    const LessonVerdict verdict = checkAnswer(prepared, ArrangedItems{places});
    const std::string name = joined(places, " ");
    verdicts[name] = Json::array({verdict.right, verdict.sentence});
  } while (std::next_permutation(places.begin(), places.end()));
  task.key["verdicts"] = std::move(verdicts);
  return task;
}

Json conditionsOf(const ComposeTask& task, const PreparedPage& prepared) {
  Json conditions{{"goal", achievedOn(prepared.trace->hierarchy(), prepared.trace->goal())}};
  const auto names = [](const std::vector<Collective>& collectives) {
    Json list = Json::array();
    for (const Collective each : collectives) list.push_back(std::string(nameOf(each)));
    return list;
  };
  if (task.atMost) conditions["at_most"] = *task.atMost;
  if (!task.only.empty()) conditions["only"] = names(task.only);
  if (!task.without.empty()) conditions["without"] = names(task.without);
  if (task.fasterThan) conditions["faster"] = *task.fasterThan;
  if (task.fasterThan) conditions["faster_text"] = formatSeconds(*task.fasterThan);
  if (task.fails) conditions["fails"] = std::string(nameOf(*task.fails));
  if (task.fails) conditions["fails_text"] = std::string(failureOf(*task.fails));
  return conditions;
}

/// On many devices the states are not looked up: the solution is one of some programs.
WebTask chosenProgram(const PreparedPage& prepared, const ComposeTask& compose) {
  WebTask task{{{"kind", "choose"}, {"titles", Json::array()}}, {{"right", Json::array()}, {"why", Json::array()}}};
  const SynthesisHierarchy& hierarchy = *prepared.result().hierarchy;
  std::vector<std::string> programs{compose.solution, "flat"};
  const auto& all = prepared.result().programs;
  for (std::size_t i = 0; i < kMostListedPrograms && !all.empty(); ++i) {
    programs.push_back(programText(hierarchy, all[i * (all.size() - 1) / kMostListedPrograms].program));
  }
  std::vector<std::pair<std::string, std::string>> offered;
  for (const std::string& text : programs) {
    const auto program = programOf(prepared, text);
    if (!program.ok()) continue;
    offered.emplace_back(programWords(hierarchy, *program), text);
  }
  std::sort(offered.begin(), offered.end());
  offered.erase(
      std::unique(offered.begin(), offered.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      offered.end());
  for (const auto& [title, text] : offered) {
    const LessonVerdict verdict = checkAnswer(prepared, ComposedProgram{text});
    task.asked["titles"].push_back(title);
    task.key["right"].push_back(verdict.right);
    task.key["why"].push_back(verdict.sentence);
  }
  return task;
}

}  // namespace

std::string titleOfCandidate(const PreparedPage& prepared, const LessonCandidate& candidate) {
  const auto* find = std::get_if<FindTask>(&prepared.page.task.kind);
  const bool matrix = find != nullptr && find->among == FindTask::Among::Placements;
  if (candidate.program.empty() || matrix) return candidate.title;
  return programWords(*prepared.result().hierarchy, candidate.program);
}

Result<WebTask> webTask(const PreparedPage& prepared, std::stop_token stop) {
  const auto& kind = prepared.page.task.kind;
  if (std::holds_alternative<WatchTask>(kind)) return WebTask{{{"kind", "watch"}}, Json::object()};
  if (std::holds_alternative<PaintTask>(kind)) return paintTask(prepared);
  if (const auto* compute = std::get_if<ComputeTask>(&kind)) return computeTask(prepared, *compute);
  if (std::holds_alternative<OrderTask>(kind)) return orderTask(prepared);
  const auto* compose = std::get_if<ComposeTask>(&kind);
  if (compose == nullptr) return chooseTask(prepared);
  if (!isDrawn(prepared)) return chosenProgram(prepared, *compose);
  P2_TRY_ASSIGN(auto states, reachableStates(prepared, *compose, std::move(stop)));
  states.key["conditions"] = conditionsOf(*compose, prepared);
  return WebTask{{{"kind", "compose"}, {"steps", std::move(states.asked)}}, std::move(states.key)};
}

}  // namespace p2::inline lesson
