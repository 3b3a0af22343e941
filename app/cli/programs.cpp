// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <charconv>

#include "app/cli/commands.h"
#include "app/cli/listing.h"
#include "app/cli/options.h"
#include "base/numbers.h"

namespace p2::cli {
namespace {

struct ProgramsRequest : Request {
  std::optional<std::string> best;
  std::optional<std::string> within;
  std::optional<std::string> hierarchy;
  bool countOnly = false;
  bool simulated = false;
  bool bound = false;
  /// Simulations and texts always have the lower bounds, other JSON with --bound.
  [[nodiscard]] bool limits() const { return simulated || bound || !isForPrograms(form); }
};

Error tooMany(const Count& count) {
  return {"there are " + count.toString() + " programs, more than " + std::to_string(kMostListed) +
          " to list; use --count, --best K or a smaller --limit"};
}

/// Counts first, without enumerating, so that too many programs are refused at once.
Result<std::shared_ptr<const Exploration>> exploreAll(const Workspace& workspace, bool countOnly, bool limits) {
  ExploreScope scope;
  scope.countOnly = true;
  scope.limits = limits && countOnly;
  const bool onlyMatrix = !workspace.matrix.empty();
  auto counts = exploreWorkspace(workspace, scope, onlyMatrix);
  if (countOnly || !counts.ok()) return counts;
  if ((*counts)->programCount > kMostListed) return tooMany((*counts)->programCount);
  scope.countOnly = false;
  scope.limits = limits;
  scope.programsPerPlacement = kMostListed;
  return exploreWorkspace(workspace, scope, onlyMatrix);
}

/// "5%" or "0.05" as a share.
Result<double> shareOf(const std::string& text) {
  const bool percent = text.ends_with('%');
  const std::string digits = percent ? text.substr(0, text.size() - 1) : text;
  double value = -1;
  const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc{} || stop != digits.data() + digits.size() || !(value >= 0 && value <= 1e6)) {
    return Error{"\"" + text + "\" is not a share; write, for example, 5% or 0.05", "--within"};
  }
  if (!percent && value > 1) {
    return Error{"\"" + text + "\" alone is " + exactNumber(100 * value) + " percent; write " + text + "%, or " +
                     exactNumber(100 * value) + "% to keep it",
                 "--within"};
  }
  return percent ? value / 100 : value;
}

Result<std::shared_ptr<const Exploration>> exploreWithin(const Workspace& workspace, const std::string& share,
                                                         bool limits) {
  P2_TRY_ASSIGN(const auto within, shareOf(share));
  ExploreScope scope;
  scope.within = within;
  scope.limits = limits;
  scope.programsPerPlacement = kMostListed;
  return exploreWorkspace(workspace, scope, !workspace.matrix.empty());
}

Result<std::shared_ptr<const Exploration>> answerOf(const ProgramsRequest& request, const Workspace& workspace,
                                                    std::size_t best) {
  P2_TRY_ASSIGN(const auto kind, hierarchyKindFrom(request.hierarchy.value_or("reduction")).within("--hierarchy"));
  if (kind != HierarchyKind::ReductionAxes) {
    if (request.within) return Error{"it works with the hierarchy reduction only; leave out --hierarchy", "--within"};
    return exploreExplicitly(workspace, kind, best);
  }
  if (request.within) return exploreWithin(workspace, *request.within, request.limits());
  if (best == 0) return exploreAll(workspace, request.countOnly, request.limits());
  ExploreScope scope;
  scope.bestOverall = best;
  scope.limits = request.limits();
  scope.programsPerPlacement = best;
  return exploreWorkspace(workspace, scope, !workspace.matrix.empty());
}

Result<int> run(const ProgramsRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto workspace, workspaceOf(request));
  std::int64_t best = 0;
  if (request.best) {
    P2_TRY_ASSIGN(best, wholeNumber(*request.best, "--best", 1, kMostListed));
  }
  P2_TRY_ASSIGN(const auto exploration, answerOf(request, workspace, static_cast<std::size_t>(best)));
  ListingStyle style{isForPrograms(request.form), !request.countOnly,       request.simulated,
                     best > 0 || request.within,  request.goal.has_value(), request.bound};
  if (request.simulated) {
    P2_TRY_ASSIGN(style.others, pricedOtherAxes(workspace));
  }
  if (!isForPrograms(request.form) && !request.countOnly) tellAssumed(workspace.system, request.system);
  writeAnswer(out, programsAnswer(*exploration, style), request.form);
  return kDone;
}

void add(CLI::App& command, Command& chosen, bool simulated) {
  const auto request = std::make_shared<ProgramsRequest>();
  request->simulated = simulated;
  addSystemArguments(command, *request);
  addReduction(command, *request);
  addMatrix(command, *request, false);
  addSynthesis(command, *request);
  addValue(command, "--hierarchy KIND", request->hierarchy,
           "Levels that programs can use: reduction, system, column or row (reduction; the others for small systems)");
  if (simulated) {
    addCost(command, *request);
    command.add_flag("--overlap", request->overlap,
                     "Also the time of programs whose steps overlap, chunk by chunk; the ranking uses it");
  }
  auto* best = addValue(command, "--best K", request->best, "List only the K cheapest programs, over all placements");
  auto* within = addValue(command, "--within SHARE", request->within,
                          "List only programs within this margin of the overall cheapest, as in 5%");
  within->excludes(best);
  command.add_flag("--count", request->countOnly, "Print only the number of programs")
      ->excludes(best)
      ->excludes(within);
  addJson(command, request->form);
  command.add_flag("--bound", request->bound,
                   "In JSON, also the lower bound of every placement and the link that sets it");
  command.callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace

void addPrograms(CLI::App& app, Command& chosen) {
  add(*app.add_subcommand("programs", "List the reduction programs of every placement, cheapest first"), chosen, false);
}

void addSimulate(CLI::App& app, Command& chosen) {
  add(*app.add_subcommand("simulate", "List the same programs with the time and the busiest link of every step"),
      chosen, true);
}

}  // namespace p2::cli
