// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/request.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "cost/cost_model.h"
#include "placement/containment.h"
#include "system/interconnects.h"
#include "system/part_states.h"
#include "system/valid_system.h"
#include "whatif/degraded_system.h"
#include "workspace/explore_fields.h"

namespace p2::cli {
namespace {

constexpr const char* kAxes = "--axes";

/// The levels to which a one-line description gives a bandwidth: "node" of "node:2@8GB/s gpu:4".
std::vector<std::string> levelsWithBandwidth(const std::string& argument) {
  std::vector<std::string> levels;
  std::istringstream words(argument);
  for (std::string word; words >> word;) {
    const auto figures = word.find('@');
    if (figures == std::string::npos) continue;
    const auto parts = commaParts(std::string_view(word).substr(figures + 1));
    const bool given =
        std::any_of(parts.begin(), parts.end(), [](const auto& part) { return parseBandwidth(part).ok(); });
    if (given) levels.push_back(word.substr(0, word.find(':')));
  }
  return levels;
}

/// Sets an option of exploreFields() that was typed.
Result<void> readOption(std::string_view key, const std::optional<std::string>& text, ExploreOptions& options) {
  if (!text) return {};
  const Property<ExploreOptions>& field = exploreField(key);
  P2_TRY_ASSIGN(const PropertyValue value, exploreOptionFrom(field.info, *text).within(optionOf(field.info)));
  field.set(options, value);
  return {};
}

/// The help of an option: its meaning, its values and its default.
std::string exploreHelp(std::string_view key, const std::string& values, const std::string& preset) {
  return std::string(exploreField(key).info.tip) + ": " + values + " (" + preset + ")";
}

Result<void> checkAlgorithm(const CostOptions& cost) {
  const std::vector<Algorithm> known = algorithmsOf(modelOf(cost));
  if (std::find(known.begin(), known.end(), cost.algorithm) != known.end()) return {};
  const std::string names = joined(known, ", ", [](const Algorithm algorithm) { return nameOf(algorithm); });
  return Error{
      "the " + cost.model + " model has no algorithm " + std::string(nameOf(cost.algorithm)) + "; use " + names,
      "--algorithm"};
}

}  // namespace

void addSystemArgument(CLI::App& command, std::string& system) {
  addValue(command, "SYSTEM", system, "A preset (gcp-a100:4), levels (\"rack:1 server:2 cpu:2 gpu:4\") or a file")
      ->required();
}

void addDegrade(CLI::App& command, std::vector<std::string>& degraded) {
  addValue(command, "--degrade STATE", degraded,
           "A part that is slow, shared or down; may be repeated: \"rail 3 of node 5: 50%\", \"NIC 0 of node 2: "
           "down\", \"spine: 4:1\", \"spine: shared by 2 jobs\", \"node 5: 80%\" (speed of its devices), \"node "
           "5: down\"")
      ->allow_extra_args(false);
}

void addSystemArguments(CLI::App& command, Request& request, bool axesRequired) {
  addSystemArgument(command, request.system);
  addDegrade(command, request.degraded);
  command.add_flag("--fitted", request.fitted, "Use the system's fitted figures in place of its nominal ones");
  addValue(command, "--axes AXES", request.axes, "Sizes of the parallelism axes: 8,2,4 or data=8,model=2,shards=4")
      ->required(axesRequired);
  addValue(command, "--inside AXIS=LEVEL,...", request.inside,
           "Axes that must stay inside an instance of a level: tensor=node,expert=rack; other placements are left out");
}

void addReducedAxes(CLI::App& command, Request& request, bool required) {
  addValue(command, "--reduce AXES", request.reduce,
           "Axes to reduce over, or over which to reach another --goal: 0,2 or data,shards")
      ->required(required);
}

void addReduction(CLI::App& command, Request& request) {
  addReducedAxes(command, request, true);
  addValue(command, "--scatter AXES", request.scatter,
           "With --goal ReduceScatter: the axes of --reduce over which the sum is scattered (all); along the others it "
           "is replicated, as HSDP's gradients are");
}

void addMatrix(CLI::App& command, Request& request, bool required) {
  addValue(command, "--matrix MATRIX", request.matrix, "One placement only: \"[[1,8],[2,1],[2,2]]\"")
      ->required(required);
}

void addGoal(CLI::App& command, Request& request) {
  addValue(command, "--goal GOAL", request.goal,
           exploreHelp("goal", knownGoals() + ", in upper or lower case", "AllReduce"));
}

void addSynthesis(CLI::App& command, Request& request) {
  addGoal(command, request);
  addRules(command, request);
}

void addRules(CLI::App& command, Request& request) {
  addValue(command, "--limit N", request.limit, exploreHelp("limit", rangeText(exploreField("limit").info), "5"));
  addRuleSet(command, request);
}

void addRuleSet(CLI::App& command, Request& request) {
  addValue(command, "--rules RULES", request.rules, optionHelp(exploreField("rules")));
}

void addModel(CLI::App& command, Request& request) {
  addValue(command, "--model MODEL", request.model,
           exploreHelp("model", knownCostModels(),
                       "nccl where the system says its GPUs' generation, torus on TPUs, else paper"));
  addValue(command, "--algorithm ALGORITHM", request.algorithm,
           exploreHelp("algorithm",
                       "ring, tree or auto, which chooses for each step; under nccl also nvls, nvlstree, pat, "
                       "collnet and direct, the kernels for registered buffers inside a node",
                       "ring under paper, auto under nccl"));
}

void addCost(CLI::App& command, Request& request) {
  addModel(command, request);
  addValue(command, "--bytes BYTES", request.bytes, optionHelp(exploreField("bytes")));
  addValue(command, "--repeat N", request.repeat, optionHelp(exploreField("repeat")));
}

namespace {

CLI::Option* addForm(CLI::App& command, const char* name, AnswerForm value, const char* help, AnswerForm& form) {
  return command.add_flag_callback(
      name, [&form, value] { form = value; }, help);
}

}  // namespace

void addJson(CLI::App& command, AnswerForm& form) {
  CLI::Option* const json =
      addForm(command, "--json", AnswerForm::AsJson, "Print one JSON object instead of text", form);
  addForm(command, "--schema", AnswerForm::AsSchema, "Print the JSON schema of the object that --json prints", form)
      ->excludes(json);
}

void addForms(CLI::App& command, AnswerForm& form) {
  addJson(command, form);
  addForm(command, "--csv", AnswerForm::AsCsv, "Print lines of comma-separated values", form)
      ->excludes(command.get_option("--json"))
      ->excludes(command.get_option("--schema"));
}

void tellNotes(const System& system) {
  for (const SystemNote& note : notesOn(system)) std::cerr << "p2: note: " << oneLine(note.sentence) << '\n';
}

void tellAssumed(const System& system, const std::string& argument) {
  if (const auto note = assumedFigures(system, levelsWithBandwidth(argument)))
    std::cerr << "p2: note: " << oneLine(note->sentence) << '\n';
}

Result<System> systemOfArgument(const std::string& argument, const std::string& name) {
  P2_TRY_ASSIGN(auto system, systemFromArgument(argument).within(name));
  tellNotes(system);
  return system;
}

Result<System> systemOfArgument(const std::string& argument, const std::string& name,
                                const std::vector<std::string>& degraded) {
  P2_TRY_ASSIGN(auto system, systemOfArgument(argument, name));
  if (degraded.empty()) return system;
  const std::int64_t devices = system.deviceCount();
  P2_TRY_ASSIGN(system, withDegraded(system, degraded).within("--degrade"));
  if (system.deviceCount() < devices) {
    std::cerr << "p2: note: without the parts that are down " << countedText(system.deviceCount(), "device")
              << " are left; nodes have new numbers\n";
  }
  if (auto valid = validated(system); !valid.ok()) return std::move(valid).within("--degrade").error();
  return system;
}

Result<Workspace> systemAndAxesOf(const Request& request, const std::vector<Axis>& axes, const std::string& from) {
  Workspace workspace;
  P2_TRY_ASSIGN(workspace.system, systemOfArgument(request.system, "SYSTEM", request.degraded));
  if (request.fitted && !hasFittedFigures(workspace.system)) {
    return Error{"the system has no fitted figures; fit some with p2 calibrate, or leave --fitted out", "--fitted"};
  }
  workspace.system.calibrated = workspace.system.calibrated || request.fitted;
  if (request.scatter && !request.reduce)
    return Error{"a sum is scattered over axes of --reduce; add --reduce", "--scatter"};
  workspace.axes = axes;
  if (from == kAxes) {
    P2_TRY_ASSIGN(workspace.axes, parseAxes(request.axes).within(kAxes));
  }
  P2_TRY(checkAxes(workspace.system, workspace.axes).within(from));
  if (request.inside) {
    P2_TRY_ASSIGN(workspace.axes, withInside(workspace.system, workspace.axes, *request.inside).within("--inside"));
    P2_TRY(checkInside(workspace.system, workspace.axes).within("--inside"));
  }
  if (!request.reduce) return workspace;
  P2_TRY_ASSIGN(workspace.axes, withReduction(workspace.axes, *request.reduce).within("--reduce"));
  P2_TRY(checkReduction(workspace.axes).within("--reduce"));
  if (!request.scatter) return workspace;
  P2_TRY_ASSIGN(workspace.axes, withScatter(workspace.axes, *request.scatter).within("--scatter"));
  return workspace;
}

Result<Workspace> systemAndAxesOf(const Request& request) { return systemAndAxesOf(request, {}, kAxes); }

Result<ExploreOptions> optionsOf(const Request& request, const System& system) {
  ExploreOptions options;
  P2_TRY(readOption("goal", request.goal, options));
  P2_TRY(readOption("limit", request.limit, options));
  P2_TRY(readOption("rules", request.rules, options));
  options.cost.model = defaultModel(system);
  P2_TRY(readOption("model", request.model, options));
  options.cost.algorithm = defaultAlgorithm(options.cost.model);
  P2_TRY(readOption("algorithm", request.algorithm, options));
  if (request.algorithm) P2_TRY(checkAlgorithm(options.cost));
  P2_TRY(readOption("bytes", request.bytes, options));
  P2_TRY(readOption("repeat", request.repeat, options));
  options.cost.overlap = request.overlap;
  return options;
}

Result<Workspace> workspaceOf(const Request& request) {
  P2_TRY_ASSIGN(auto workspace, systemAndAxesOf(request));
  if (request.matrix) {
    P2_TRY_ASSIGN(const auto matrix, parseMatrix(*request.matrix).within("--matrix"));
    P2_TRY(checkMatrix(workspace.system, workspace.axes, matrix).within("--matrix"));
    workspace.matrix = matrix;
  }
  P2_TRY_ASSIGN(workspace.options, optionsOf(request, workspace.system));
  if (request.scatter && workspace.options.goal != kReduceScatterGoal) {
    return Error{
        "only a ReduceScatter scatters over some of the axes; add --goal ReduceScatter, or leave --scatter out",
        "--scatter"};
  }
  P2_TRY(checkWorkspace(workspace));
  if (const auto slow = slowestPart(workspace.system); !slow.empty()) {
    std::cerr << "p2: note: " << slow << " computes slower; times of collectives stay the same, p2 train counts it\n";
  }
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
  const Goal& goal = workspace.options.goal;
  const std::string what = goal == kAllReduceGoal ? "reduce " : std::string(goal.name) + " over ";
  std::string scattered;
  for (const std::string& axis : scatteredAxes(workspace.axes))
    scattered += (scattered.empty() ? ", scattered over " : ", ") + axis;
  return name + "; " + axes + (reduced.empty() ? "" : "; " + what + reduced + scattered);
}

}  // namespace p2::cli
