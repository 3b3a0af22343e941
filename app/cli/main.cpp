// SPDX-License-Identifier: GPL-3.0-or-later
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/empty_values.h"
#include "app/cli/output.h"
#include "base/memory_reserve.h"
#include "base/write_signals.h"
#include "strategy/step_memory.h"

using namespace p2::cli;

namespace {

constexpr const char* kNoMemory =
    "there is not enough memory for this; ask for less (--best K, a smaller --limit or file), or allow more (ulimit "
    "-v)";

/// Where a library has run out of it while it tidied up. Nothing may be allocated any more.
[[noreturn]] void endWithoutMemory() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    for (const std::string_view part :
         {std::string_view("p2: "), std::string_view(kNoMemory), std::string_view("\n")}) {
      if (::write(STDERR_FILENO, part.data(), part.size()) < 0) break;
    }
    ::_exit(kBadInput);
  } catch (...) {
  }
  std::abort();
}

int refuse(const std::string& sentence, int status = kBadInput) {
  std::cerr << "p2: " << oneLine(sentence) << std::endl;
  return status;
}

/// Why an argument was refused, as in: p2 strategy has no option --fast.
std::string unexpected(const CLI::App& command, const std::string& argument) {
  const std::string name = "p2 " + command.get_name();
  if (argument.starts_with('-')) return name + " has no option " + argument;
  std::string takes;
  for (const CLI::Option* each :
       command.get_options([](const CLI::Option* option) { return option->get_positional(); }))
    takes += (takes.empty() ? "" : " ") + each->get_single_name();
  return name + " takes " + (takes.empty() ? "options only" : takes) + ", so there is no place for \"" + argument +
         "\"";
}

/// The library's message as a sentence that names the fault and the help to read.
std::string reworded(const CLI::App& app, const CLI::ParseError& error) {
  const auto given = app.get_subcommands();
  const auto unread = app.remaining(true);
  std::string text = error.what();
  if (given.empty()) {
    text = unread.empty() ? "a subcommand is needed" : "there is no subcommand \"" + unread[0] + "\"";
  } else if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !unread.empty()) {
    text = unexpected(*given[0], unread[0]);
  } else if (error.get_name() == "ArgumentMismatch") {
    const bool repeated = text.find("At Most") != std::string::npos;
    text = text.substr(0, text.find(':')) + (repeated ? " is given more than once" : " needs a value");
  } else if (text.starts_with("The ")) {
    text[0] = 't';
  }
  return text + "; see p2 " + (given.empty() ? "" : given[0]->get_name() + " ") + "--help";
}

int answer(const Command& command) {
  StandardOutput standardOutput;
  std::ostream out(&standardOutput);
  const auto status = command(out);
  if (!status.ok()) {
    // "Nothing fits" is an answer.
    const bool isAnswer = status.error().where.part == p2::kNothingFits;
    return refuse(status.error().text(), isAnswer ? kNo : kBadInput);
  }
  out.flush();
  const int error = standardOutput.error();
  if (error == 0 || error == EPIPE) return *status;
  return refuse(std::string("the answer cannot be written: ") + std::strerror(error));
}

/// Keeps freed memory in the process. Tables of megabytes are allocated and freed all the time; pages that are reused
/// need not be cleared by the system, which takes an eighth of the time of a large p2 strategy.
void keepFreedMemory() {
  constexpr int kMostOfOneBlock = 1 << 25;  // as much as mallopt() allows
  constexpr int kMostKept = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kMostOfOneBlock);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
}

}  // namespace

int main(int argc, char** argv) {
  p2::ignoreWriteSignals();
  p2::keepMemoryReserve();
  std::set_terminate(endWithoutMemory);
  keepFreedMemory();
  const ErrorOutput standardError;
  CLI::App app("Plan how a model is spread over accelerators: configurations, placements, reduction programs, times",
               "p2");
  app.set_version_flag("--version", "p2 " P2_VERSION "\n" P2_BUILD);
  app.require_subcommand(1);
  Command chosen;
  for (const auto add : {addTrain,  addWhatIf, addCompare,   addCompareRun, addPlacements, addPrograms, addSimulate,
                         addSweep,  addStep,   addCheck,     addPlan,       addExport,     addRun,      addStrategy,
                         addSystem, addImport, addCalibrate, addAtlas,      addWorkload,   addLesson,   addHelp}) {
    add(app, chosen);
  }
  const std::span<char* const> arguments(argv + 1, static_cast<std::size_t>(std::max(argc, 1) - 1));
  if (const std::string option = optionWithoutValue(app, arguments); !option.empty()) {
    return refuse(option + ": its value is empty; give one, or leave the option out");
  }
  try {
    app.parse(argc, argv);
    return answer(chosen);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return answer([&](std::ostream& out) { return app.exit(error, out, std::cerr); });
    return refuse(reworded(app, error));
  } catch (const std::bad_alloc&) {
    return refuse(kNoMemory);
  }
}
