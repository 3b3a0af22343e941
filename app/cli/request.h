// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "workspace/workspace.h"

namespace CLI {
class App;
}

namespace p2::cli {

inline constexpr int kDone = 0;
inline constexpr int kNo = 1;        ///< the answer is no
inline constexpr int kBadInput = 2;  ///< one line on stderr says what

/// What a subcommand does once its arguments are parsed: writes its answer and gives the exit status. Nothing is
/// written when it ends in an error.
using Command = std::function<Result<int>(std::ostream&)>;

/// The arguments that several subcommands share, as typed; read by workspaceOf(), so that every mistake gets the
/// sentence of the function that reads it.
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
  bool fitted = false;  ///< whether the system's fitted figures are used
  bool overlap = false;
  bool json = false;
};

/// SYSTEM.
void addSystemArgument(CLI::App& command, std::string& system);
/// SYSTEM, --fitted, --axes and --inside.
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
/// The same without a goal.
void addRules(CLI::App& command, Request& request);
/// --model and --algorithm.
void addModel(CLI::App& command, Request& request);
/// The same, --bytes and --repeat.
void addCost(CLI::App& command, Request& request);
void addJson(CLI::App& command, Request& request);

/// Tells on stderr what the user should know about a system that can be worked with.
void tellNotes(const System& system);
/// The same of figures that nobody gave, so that no price rests on them unsaid. Not beside what is printed for
/// programs.
void tellAssumed(const System& system, const std::string& argument);
/// The system of an argument; errors begin with the argument's name, notes are told.
[[nodiscard]] Result<System> systemOfArgument(const std::string& argument, const std::string& name);
/// System and axes, checked to fit; with the reduction marked if one was given.
[[nodiscard]] Result<Workspace> systemAndAxesOf(const Request& request);
/// The same with these axes, which came from the argument `from`.
[[nodiscard]] Result<Workspace> systemAndAxesOf(const Request& request, const std::vector<Axis>& axes,
                                                const std::string& from);
/// Everything, checked. Errors begin with the argument that is wrong.
[[nodiscard]] Result<Workspace> workspaceOf(const Request& request);
/// Synthesis and costs as asked for, where nothing was asked for as the system would have it.
[[nodiscard]] Result<ExploreOptions> optionsOf(const Request& request, const System& system);
/// A whole number from `least` to `most`, or an error that begins with `name`.
[[nodiscard]] Result<std::int64_t> wholeNumber(const std::string& text, const std::string& name, std::int64_t least,
                                               std::int64_t most);

/// "gcp-a100:4: 4 nodes × 16 GPUs; data 8, model 2, shards 4; reduce data, shards".
[[nodiscard]] std::string titleOf(const Workspace& workspace);

}  // namespace p2::cli
