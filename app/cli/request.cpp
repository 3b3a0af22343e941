// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/request.h"

#include "base/units.h"
#include "cost/cost_model.h"

namespace p2::cli {
namespace {

/// An option that may be left out, and is never taken for left out when it is given as an empty text.
CLI::Option* addOptional(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                         const std::string& help) {
  return command.add_option_function<std::string>(
      name, [&value](const std::string& text) { value = text; }, help);
}

Result<void> readSynthesis(const Request& request, ExploreOptions& options) {
  if (request.limit) {
    const auto limit = wholeNumber(*request.limit, "--limit", 1, kMostSizeLimit);
    if (!limit.ok()) return limit.error();
    options.sizeLimit = static_cast<int>(*limit);
  }
  if (request.rules) {
    const auto rules = ruleSetFrom(*request.rules);
    if (!rules.ok()) return rules.error().within("--rules");
    options.rules = *rules;
  }
  return {};
}

Result<void> readCost(const Request& request, CostOptions& cost) {
  if (request.model) {
    const auto model = costModelFrom(*request.model);
    if (!model.ok()) return model.error().within("--model");
    cost.model = (*model)->name();
  }
  if (request.algorithm) {
    const auto algorithm = algorithmFrom(*request.algorithm);
    if (!algorithm.ok()) return algorithm.error().within("--algorithm");
    cost.algorithm = *algorithm;
  }
  if (request.bytes) {
    const auto bytes = parseBytes(*request.bytes);
    if (!bytes.ok()) return bytes.error().within("--bytes");
    cost.bytes = *bytes;
  }
  if (request.repeat) {
    const auto repeat = wholeNumber(*request.repeat, "--repeat", 1, kMostRepeat);
    if (!repeat.ok()) return repeat.error();
    cost.repeat = static_cast<int>(*repeat);
  }
  return {};
}

}  // namespace

void addSystemArgument(CLI::App& command, std::string& system) {
  command.add_option("SYSTEM", system, "A preset (gcp-a100:4), levels (\"rack:1 server:2 cpu:2 gpu:4\") or a file")
      ->required();
}

void addSystemArguments(CLI::App& command, Request& request) {
  addSystemArgument(command, request.system);
  command.add_option("--axes", request.axes, "Sizes of the parallelism axes: 8,2,4 or data=8,model=2,shards=4")
      ->required();
}

void addReduction(CLI::App& command, Request& request, bool required) {
  addOptional(command, "--reduce", request.reduce, "Axes to reduce over: 0,2 or data,shards")->required(required);
}

void addMatrix(CLI::App& command, Request& request, bool required) {
  addOptional(command, "--matrix", request.matrix, "One placement only: \"[[1,8],[2,1],[2,2]]\"")->required(required);
}

void addSynthesis(CLI::App& command, Request& request) {
  addOptional(command, "--limit", request.limit, "Steps of the longest program, 1 to 44 (5)");
  addOptional(command, "--rules", request.rules, "Which instructions are legal: paper or all (paper)");
}

void addCost(CLI::App& command, Request& request) {
  addOptional(command, "--model", request.model, "Cost model: " + knownCostModels() + " (" + CostOptions{}.model + ")");
  addOptional(command, "--algorithm", request.algorithm, "How collectives send: ring, tree or auto (ring)");
  addOptional(command, "--bytes", request.bytes, "Bytes on every device, as in 2GiB (2147483648)");
  addOptional(command, "--repeat", request.repeat, "Runs that are predicted together (10)");
}

void addJson(CLI::App& command, Request& request) {
  command.add_flag("--json", request.json, "Print one JSON object instead of a table");
}

Result<Workspace> systemAndAxesOf(const Request& request) {
  Workspace workspace;
  auto system = systemFromArgument(request.system);
  if (!system.ok()) return system.error().within("SYSTEM");
  workspace.system = std::move(system).value();
  auto axes = parseAxes(request.axes);
  if (!axes.ok()) return axes.error().within("--axes");
  workspace.axes = std::move(axes).value();
  if (auto fit = checkAxes(workspace.system, workspace.axes); !fit.ok()) return fit.error().within("--axes");
  if (!request.reduce) return workspace;
  auto reduced = withReduction(workspace.axes, *request.reduce);
  if (!reduced.ok()) return reduced.error().within("--reduce");
  workspace.axes = std::move(reduced).value();
  if (auto sensible = checkReduction(workspace.axes); !sensible.ok()) return sensible.error().within("--reduce");
  return workspace;
}

Result<Workspace> workspaceOf(const Request& request) {
  auto workspace = systemAndAxesOf(request);
  if (!workspace.ok()) return workspace;
  Workspace& value = workspace.value();
  if (request.matrix) {
    const auto matrix = parseMatrix(*request.matrix);
    if (!matrix.ok()) return matrix.error().within("--matrix");
    if (auto fit = checkMatrix(value.system, value.axes, *matrix); !fit.ok()) return fit.error().within("--matrix");
    value.matrix = *matrix;
  }
  if (auto read = readSynthesis(request, value.options); !read.ok()) return read.error();
  if (auto read = readCost(request, value.options.cost); !read.ok()) return read.error();
  if (auto checked = checkWorkspace(value); !checked.ok()) return checked.error();
  return workspace;
}

Result<std::int64_t> wholeNumber(const std::string& text, const std::string& name, std::int64_t least,
                                 std::int64_t most) {
  const auto number = parseInteger(text);
  const std::string remedy = "use " + std::to_string(least) + " to " + std::to_string(most);
  if (!number) return Error{"\"" + text + "\" is not a whole number; " + remedy, name};
  if (*number < least || *number > most) return Error{text + " is out of range; " + remedy, name};
  return *number;
}

std::string titleOf(const Workspace& workspace) {
  std::string axes;
  std::string reduced;
  for (const Axis& axis : workspace.axes) {
    axes += (axes.empty() ? "" : ", ") + axis.name + " " + std::to_string(axis.size);
    if (axis.reduce) reduced += (reduced.empty() ? "" : ", ") + axis.name;
  }
  const std::string shape = describe(workspace.system);
  const std::string name = workspace.system.name.empty() ? shape : workspace.system.name + ": " + shape;
  return name + "; " + axes + (reduced.empty() ? "" : "; reduce " + reduced);
}

}  // namespace p2::cli
