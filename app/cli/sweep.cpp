// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/sweep.h"

#include <CLI/CLI.hpp>
#include <array>

#include "app/cli/assumed.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/sweep_listing.h"
#include "base/numbers.h"
#include "base/units.h"
#include "explore/sweep_csv.h"

namespace p2::cli {
namespace {

struct SweepRequest : Request {
  std::optional<std::string> over;
  std::optional<std::string> sizes;
  std::optional<std::string> range;
  std::optional<std::string> points;
  bool map = false;
  AnswerForm form = AnswerForm::AsText;
};

constexpr std::string_view kDots = "..";

/// "bytes", "nodes", "bandwidth:NVSwitch", "latency:gpu"; a name alone stands for its bandwidth.
Result<SweepRange> overOf(const System& system, const std::string& text) {
  constexpr std::array kAll{SweepOver::Bytes, SweepOver::Nodes, SweepOver::Bandwidth, SweepOver::Latency};
  const auto colon = text.find(':');
  const std::string word = text.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const SweepOver over : kAll) {
    if (word != nameOf(over)) continue;
    const bool named = over == SweepOver::Bandwidth || over == SweepOver::Latency;
    if (named == name.empty()) {
      return Error{named ? "\"" + text + "\" names no interconnect; write, for example, " + word + ":gpu"
                         : "\"" + text + "\" takes no name; use " + word};
    }
    return defaultRange(system, over, name);
  }
  auto link = defaultRange(system, SweepOver::Bandwidth, text);
  if (link.ok()) return link;
  return Error{"\"" + text +
               "\" cannot be swept over; use bytes, nodes, bandwidth:NAME or latency:NAME with the name of a level "
               "or network"};
}

Result<double> valueOf(SweepOver over, const std::string& text) {
  switch (over) {
    case SweepOver::Bytes: {
      P2_TRY_ASSIGN(const Bytes bytes, parseBytes(text));
      return bytes.value();
    }
    case SweepOver::Nodes: {
      P2_TRY_ASSIGN(const auto nodes, wholeNumber(text, "", 1, kMostDevices));
      return static_cast<double>(nodes);
    }
    case SweepOver::Bandwidth:
      return parseBandwidth(text);
    case SweepOver::Latency:
      return parseSeconds(text);
  }
  return 0.0;
}

Result<void> readRange(const std::string& text, SweepRange& range) {
  const auto dots = text.find(kDots);
  if (dots == std::string::npos) {
    return Error{"\"" + text + "\" is not a range; write the first and the last value with two dots, as in 1KB..16GB"};
  }
  P2_TRY_ASSIGN(range.from, valueOf(range.over, text.substr(0, dots)));
  P2_TRY_ASSIGN(range.to, valueOf(range.over, text.substr(dots + kDots.size())));
  if (range.from > 0 && range.to > range.from) return {};
  return Error{"\"" + text + "\" is an empty range; write a value above 0 and then a larger one"};
}

Result<SweepRange> rangeOf(const SweepRequest& request, const System& system, const std::optional<std::string>& sizes) {
  P2_TRY_ASSIGN(auto range, overOf(system, request.over.value_or("bytes")).within("--over"));
  if (request.points) {
    P2_TRY_ASSIGN(const auto points, wholeNumber(*request.points, "--points", 2, kMostSweepPoints));
    range.points = static_cast<int>(points);
  }
  if (request.bytes && range.over == SweepOver::Bytes) {
    return Error{"--over bytes sweeps over sizes; give a range, as in 1KB..16GB, or sweep over something else",
                 "--bytes"};
  }
  if (sizes && range.over != SweepOver::Bytes) {
    return Error{"sizes are swept over with --over bytes only; use --range, and --bytes for one size", "--sizes"};
  }
  if (sizes) P2_TRY(readRange(*sizes, range).within("--sizes"));
  if (request.range) P2_TRY(readRange(*request.range, range).within("--range"));
  return range;
}

Result<int> run(SweepRequest request, std::ostream& out) {
  // Bytes from one to the other are sizes.
  if (request.bytes && request.bytes->find(kDots) != std::string::npos) {
    if (request.sizes) return Error{"the sizes are given twice; leave out --bytes", "--sizes"};
    request.sizes = std::exchange(request.bytes, std::nullopt);
  }
  P2_TRY_ASSIGN(const auto workspace, workspaceOf(request));
  P2_TRY_ASSIGN(const auto range, rangeOf(request, workspace.system, request.sizes));
  if (request.map) {
    if (!workspace.matrix.empty()) return Error{"a map shows all placements; leave out --matrix", "--map"};
    P2_TRY_ASSIGN(const auto map, sweepMap(workspace, range).within("--map"));
    if (request.form == AnswerForm::AsCsv) {
      out << sweepMapCsv(*map);
    } else {
      writeAnswer(out, sweepMapAnswer(*map, assumedBy(request, workspace.options)), request.form);
    }
    return kDone;
  }
  P2_TRY_ASSIGN(const auto answer, sweep(workspace, range, !workspace.matrix.empty()));
  if (request.form == AnswerForm::AsCsv) {
    out << sweepCsv(*answer);
  } else {
    writeAnswer(out, sweepAnswer(*answer, assumedBy(request, workspace.options)), request.form);
  }
  return kDone;
}

}  // namespace

void addSweep(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("sweep", "Find the best program over a range of sizes, nodes or a link's figures");
  const auto request = std::make_shared<SweepRequest>();
  addSystemArguments(*command, *request);
  addReduction(*command, *request);
  addMatrix(*command, *request, false);
  addSynthesis(*command, *request);
  addModel(*command, *request);
  addValue(*command, "--over QUANTITY", request->over,
           "What changes: bytes, nodes, bandwidth:NAME or latency:NAME (bytes)");
  addValue(*command, "--sizes FROM..TO", request->sizes,
           "First and last size of the vector on every device (1KB..16GB)");
  addValue(*command, "--range FROM..TO", request->range,
           "Range of the quantity of --over, as in 1..64 or 10GB/s..400GB/s");
  addValue(*command, "--bytes BYTES", request->bytes,
           "Size of the vector on every device when another quantity changes (2GiB)");
  addValue(*command, "--points N", request->points, "Number of values (60)");
  command->add_flag("--map", request->map, "Show the best program of every placement, not only of the best one");
  addForms(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
