// SPDX-License-Identifier: GPL-3.0-or-later
// Run under mpirun, one rank per device: every program of a system reduces right, and a broken one is caught.
//   every_program SYSTEM RULES BEST PIECES [GOAL…], 0 for all of them
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "app/runner/backends.h"
#include "app/runner/executor.h"
#include "app/runner/schedule.h"
#include "app/runner/timing.h"
#include "plan/verify.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::runner;

namespace {

constexpr std::size_t kChunk = 257;  // elements; odd, so that nothing is aligned by luck

[[noreturn]] void fail(const std::string& sentence) {
  std::cerr << sentence << std::endl;
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) fail(result.error().text());
  return std::move(result).value();
}

RuleSet ruleSetOf(const std::string& name) {
  for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
    if (nameOf(rules) == name) return rules;
  }
  fail("there is no set of rules " + name);
}

Workspace workspaceOf(const std::string& system, const std::string& rules, const std::string& goal) {
  Workspace workspace;
  workspace.system = valueOf(parseSystem(system));
  workspace.axes = {{"all", workspace.system.deviceCount(), true}};
  workspace.options.goal = valueOf(goalFrom(goal));
  workspace.options.rules = ruleSetOf(rules);
  return workspace;
}

std::int64_t wrongElements(const Schedule& schedule, int pieces) {
  const auto transport = valueOf(makeTransport(P2_BACKEND, MPI_COMM_WORLD));
  Executor executor = valueOf(Executor::prepare(schedule, *transport));
  const TimingTask what{MPI_COMM_WORLD, kChunk, 1, 0, pieces, [](const Error& error) { fail(error.text()); }};
  std::int64_t wrong = 0;
  for (const Element element : {Element::Float32, Element::Int64}) {
    wrong += valueOf(countWrongElements(executor, *transport, what, element));
  }
  return wrong;
}

/// A program that leaves out its last step must be noticed.
void breakAndCheck(Schedule schedule, const std::string& program, int pieces) {
  schedule.steps.pop_back();
  if (wrongElements(schedule, pieces) == 0) fail(program + " without its last step was not caught");
}

/// How many programs there are, all of them right.
int runAll(const Workspace& workspace, std::size_t best, int pieces, int rank) {
  ExploreScope scope;
  scope.bestOverall = best;
  const auto exploration = valueOf(exploreWorkspace(workspace, scope));
  int programs = 0;
  for (const PlacementResult& placement : exploration->placements) {
    for (const ProgramResult& program : placement.programs) {
      Workspace chosen = workspace;
      chosen.matrix = placement.matrix;
      chosen.program = programText(*placement.hierarchy, program.program);
      const Plan plan = valueOf(makePlan(chosen));
      if (const auto verified = verify(plan); !verified.ok()) fail(chosen.program + ": " + verified.error().text());
      for (const GatherOrder order : {GatherOrder::Devices, GatherOrder::Chunks}) {
        if (const std::int64_t wrong = wrongElements(scheduleOf(plan, rank, order), pieces); wrong != 0) {
          fail(chosen.program + ": " + std::to_string(wrong) + " wrong elements");
        }
      }
      breakAndCheck(scheduleOf(plan, rank, GatherOrder::Devices), chosen.program, pieces);
      ++programs;
      if (rank == 0 && programs % 10 == 0) std::cout << programs << " programs so far" << std::endl;
    }
  }
  return programs;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 5) fail("usage: every_program SYSTEM RULES BEST PIECES [GOAL...]");
  const auto pieces = int(std::strtol(argv[4], nullptr, 10));
  std::vector<std::string> wanted(argv + 5, argv + argc);
  if (wanted.empty()) wanted.emplace_back(kAllReduceGoal.name);
  int programs = 0;
  for (const std::string& goal : wanted) {
    programs += runAll(workspaceOf(argv[1], argv[2], goal), std::strtoul(argv[3], nullptr, 10), pieces, rank);
  }
  if (rank == 0) std::cout << programs << " programs, every element right" << std::endl;
  MPI_Finalize();
  return 0;
}
