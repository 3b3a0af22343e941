// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "text/document.h"
#include "workspace/workspace.h"

namespace CLI {
class App;
}

namespace p2::cli {

inline constexpr int kDone = 0;
inline constexpr int kNo = 1;        ///< the answer is no: an invalid program, a failed run
inline constexpr int kBadInput = 2;  ///< explained by one line on stderr

/// A subcommand after its arguments are parsed: writes its answer and returns the exit status. On an error it has
/// written nothing.
using Command = std::function<Result<int>(std::ostream&)>;

/// The arguments that several subcommands share, as typed. workspaceOf() reads them, so every mistake gets the sentence
/// of the function that reads it.
struct Request {
  std::string system;
  std::string axes;
  std::optional<std::string> inside;
  std::optional<std::string> reduce;
  std::optional<std::string> scatter;
  std::optional<std::string> matrix;
  std::optional<std::string> limit;
  std::optional<std::string> goal;
  std::optional<std::string> rules;
  std::optional<std::string> model;
  std::optional<std::string> algorithm;
  std::optional<std::string> bytes;
  std::optional<std::string> repeat;
  std::vector<std::string> degraded;  ///< "rail 3 of node 5: 50%"
  bool fitted = false;                ///< whether the system's fitted figures are used
  bool overlap = false;
  AnswerForm form = AnswerForm::AsText;
};

/// SYSTEM.
void addSystemArgument(CLI::App& command, std::string& system);
/// --degrade, several times.
void addDegrade(CLI::App& command, std::vector<std::string>& degraded);
/// SYSTEM, --degrade, --fitted, --axes and --inside.
void addSystemArguments(CLI::App& command, Request& request, bool axesRequired = true);
/// --reduce.
void addReducedAxes(CLI::App& command, Request& request, bool required);
/// --reduce, which must be given, and --scatter.
void addReduction(CLI::App& command, Request& request);
void addMatrix(CLI::App& command, Request& request, bool required);
/// --goal.
void addGoal(CLI::App& command, Request& request);
/// --goal, --limit and --rules.
void addSynthesis(CLI::App& command, Request& request);
/// --limit and --rules.
void addRules(CLI::App& command, Request& request);
/// --rules.
void addRuleSet(CLI::App& command, Request& request);
/// --model and --algorithm.
void addModel(CLI::App& command, Request& request);
/// --model, --algorithm, --bytes and --repeat.
void addCost(CLI::App& command, Request& request);
/// --json and --schema, which exclude each other. `form` must outlive the command.
void addJson(CLI::App& command, AnswerForm& form);
/// --json, --schema and --csv.
void addForms(CLI::App& command, AnswerForm& form);

/// Prints the notes on a usable system to stderr.
void tellNotes(const System& system);
/// Prints to stderr which figures of the system are assumed, so that no price depends on them silently. Not for output
/// that programs read.
void tellAssumed(const System& system, const std::string& argument);
/// The system of an argument; errors begin with the argument's name. Prints its notes.
[[nodiscard]] Result<System> systemOfArgument(const std::string& argument, const std::string& name);
/// The system with states of its parts, as --degrade gives them. Errors of those begin with --degrade.
[[nodiscard]] Result<System> systemOfArgument(const std::string& argument, const std::string& name,
                                              const std::vector<std::string>& degraded);
/// System and axes, checked to fit; with the reduction marked if one was given.
[[nodiscard]] Result<Workspace> systemAndAxesOf(const Request& request);
/// System and these axes, which came from the argument `from`.
[[nodiscard]] Result<Workspace> systemAndAxesOf(const Request& request, const std::vector<Axis>& axes,
                                                const std::string& from);
/// The whole workspace, checked. Errors begin with the argument that is wrong.
[[nodiscard]] Result<Workspace> workspaceOf(const Request& request);
/// Options of synthesis and costs; those not given have the system's defaults.
[[nodiscard]] Result<ExploreOptions> optionsOf(const Request& request, const System& system);
/// A whole number from `least` to `most`, or an error that begins with `name`.
[[nodiscard]] Result<std::int64_t> wholeNumber(const std::string& text, const std::string& name, std::int64_t least,
                                               std::int64_t most);

/// "gcp-a100:4: 4 nodes × 16 GPUs; data 8, model 2, shards 4; reduce data, shards".
[[nodiscard]] std::string titleOf(const Workspace& workspace);

}  // namespace p2::cli
