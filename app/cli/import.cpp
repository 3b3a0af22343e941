// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "app/cli/answer_keys.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "base/counted.h"
#include "base/units.h"
#include "importers/gpu_parts.h"
#include "importers/importers.h"
#include "remote/nccl_choice_log.h"
#include "system/text_drawing.h"
#include "system/valid_system.h"
#include "text/document.h"
#include "text/text_file.h"
#include "training_files/stated_training.h"
#include "workspace/import_files.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kImportedSystem{"system", "The system, as in a file of p2 (p2-system.schema.json)"};
constexpr AnswerKey kChoices{
    "choices",
    "From a log of NCCL, a list: collective, bytes (whole vector), ranks, algorithm, protocol and channels (0 where "
    "not logged), and expected_algorithm, expected_protocol, expected_seconds by the model of NCCL"};

using Align = TextTable::Align;

/// An option for what descriptions leave open.
struct SpeedOption {
  const char* name;
  SpeedKind kind;
  const char* text;
};
constexpr std::array kSpeedOptions{
    SpeedOption{"--nvlink", SpeedKind::GpuLink, "One NVLink or xGMI link between GPUs, as in 25GB/s"},
    SpeedOption{"--pcie", SpeedKind::Pcie, "A PCIe slot, as in 32GB/s"},
    SpeedOption{"--socket", SpeedKind::Socket, "The link between sockets, as in 20GB/s"},
    SpeedOption{"--nic", SpeedKind::Nic, "A network card, as in 100Gbit/s"},
    SpeedOption{"--on-chip", SpeedKind::OnChip, "The links within a socket, as in 64GB/s"}};

struct ImportRequest {
  std::vector<std::string> files;
  std::optional<std::string> synthetic;
  std::optional<std::string> nodes;
  std::optional<std::string> cards;
  std::optional<std::string> gpu;
  std::optional<std::string> output;
  std::array<std::string, kSpeedOptions.size()> speeds;
  bool thisMachine = false;
  bool list = false;  ///< of formats
  AnswerForm form = AnswerForm::AsText;
};

Result<ImportOptions> optionsOf(const ImportRequest& request) {
  ImportOptions options;
  if (request.nodes) {
    P2_TRY_ASSIGN(options.nodes, wholeNumber(*request.nodes, "--nodes", 1, kMostDevices));
  }
  if (request.cards) {
    P2_TRY_ASSIGN(options.cards, wholeNumber(*request.cards, "--nics", 1, kMostCards));
  }
  if (request.gpu) {
    P2_TRY(gpuPartNamed(*request.gpu).within("--gpu"));
    options.gpu = *request.gpu;
  }
  for (std::size_t i = 0; i < kSpeedOptions.size(); ++i) {
    if (request.speeds[i].empty()) continue;
    P2_TRY_ASSIGN(const auto speed, parseBandwidth(request.speeds[i]).within(kSpeedOptions[i].name));
    options.speeds[kSpeedOptions[i].kind] = speed;
  }
  return options;
}

Result<Imported> importedFrom(const ImportRequest& request) {
  P2_TRY_ASSIGN(const auto options, optionsOf(request));
  if (!request.files.empty() + request.synthetic.has_value() + request.thisMachine != 1) {
    return Error{"name one thing to import: FILEs, --this-machine or --synthetic"};
  }
  if (request.thisMachine) return importThisMachine(options);
  if (request.synthetic) {
    P2_TRY_ASSIGN(auto imported, importSynthetic(*request.synthetic, options).within("--synthetic"));
    return imported;
  }
  auto imported = importFiles(request.files, options);
  if (imported.ok() || request.files.size() != 1) return imported;
  if (const auto stated = readTrainingFile(request.files[0]); stated.ok()) {
    return Error{"it is a training configuration (" + stated->format +
                     "), not a system: price it with p2 train MODEL SYSTEM --evaluate " + request.files[0] +
                     ", or open it in the window",
                 request.files[0]};
  }
  return imported;
}

constexpr Column<ImportFormat> kImportColumns[] = {
    {"name", "format", [](const ImportFormat& format) { return Value::text(format.name); }, Align::Left},
    {"description", "description", [](const ImportFormat& format) { return Value::text(format.help); }, Align::Left},
    {"extension", "extension", [](const ImportFormat& format) { return Value::text(format.extension); }, Align::Left,
     "File name extension of a format"},
};

Document formatsAnswer() {
  Document answer;
  answer.table("formats", tableOver<ImportFormat>(kImportColumns, importFormats()));
  return answer;
}

/// "understood", "assumed" or "ignored" and its things, one below the other.
void addNotes(Document& answer, TextTable& table, const char* title, const std::vector<std::string>& things) {
  answer.field(title, Value::texts(things, Value::Layout::Lines));
  for (std::size_t i = 0; i < things.size(); ++i) table.add({i == 0 ? title : "", things[i]});
}

constexpr Column<ComparedChoice> kChoiceColumns[] = {
    {"collective", "NCCL logged", [](const ComparedChoice& row) { return Value::text(row.logged.collective); },
     Align::Left},
    {"bytes", "bytes", [](const ComparedChoice& row) { return Value::number(row.logged.bytes.value(), Unit::Bytes); }},
    {"ranks", "ranks", [](const ComparedChoice& row) { return Value::whole(row.logged.ranks); }},
    {"algorithm", "algorithm", [](const ComparedChoice& row) { return Value::text(row.logged.algorithm); },
     Align::Left},
    {"protocol", "protocol", [](const ComparedChoice& row) { return Value::text(row.logged.protocol); }, Align::Left},
    {"channels", "channels", [](const ComparedChoice& row) { return Value::whole(row.logged.channels); }},
    {"expected_algorithm", "expected", [](const ComparedChoice& row) { return Value::text(row.algorithm); },
     Align::Left},
    {"expected_protocol", "protocol expected", [](const ComparedChoice& row) { return Value::text(row.protocol); },
     Align::Left},
    {"expected_seconds", "time", [](const ComparedChoice& row) { return Value::number(row.seconds, Unit::Seconds); }},
};

/// The choices in a log of NCCL next to those that the model of the library expects on the imported system.
void addChoices(const std::vector<ComparedChoice>& choices, std::size_t logged, Document& answer) {
  if (logged > choices.size()) {
    answer.line(
        countedText(logged - choices.size(), "logged choice") +
        " left out: they have more ranks than the system has devices; give the number of machines with --nodes");
  }
  if (choices.empty()) return;
  answer.table(kChoices, tableOver<ComparedChoice>(kChoiceColumns, choices));
  const auto agree = std::count_if(choices.begin(), choices.end(), [](const auto& row) { return row.agrees(); });
  answer.line("the model of NCCL expects " + std::to_string(agree) + " of " +
              countedText(choices.size(), "logged choice") + " on this system");
}

Document importAnswer(const Imported& imported) {
  Document answer;
  answer.field("source", Value::text(imported.format));
  answer.line(imported.format + ": " + describe(imported.system)).line("");
  TextTable notes({{}, {}});
  addNotes(answer, notes, "understood", imported.understood);
  addNotes(answer, notes, "assumed", imported.assumed);
  addNotes(answer, notes, "ignored", imported.ignored);
  answer.text([&imported, text = notes.text()] { return text + '\n' + drawnAsText(imported.system); });
  std::string system = systemToJson(imported.system);
  system.erase(system.find_last_not_of('\n') + 1);
  answer.field(kImportedSystem, Value::digits(std::move(system)));
  return answer;
}

/// The choices that a single file logs; none for other files.
Result<std::vector<LoggedChoice>> loggedChoices(const ImportRequest& request) {
  if (request.files.size() != 1 || request.files[0] == "-") return std::vector<LoggedChoice>{};
  P2_TRY_ASSIGN(const auto text, readTextFile(request.files[0]));
  return ncclChoicesIn(text);
}

Result<int> run(const ImportRequest& request, std::ostream& out) {
  if (request.list) {
    writeAnswer(out, formatsAnswer(), request.form);
    return kDone;
  }
  P2_TRY_ASSIGN(const auto imported, importedFrom(request));
  P2_TRY(validated(imported.system));
  tellNotes(imported.system);
  if (request.output) {
    P2_TRY(writeTextFile(*request.output, systemToJson(imported.system)));
  }
  P2_TRY_ASSIGN(const auto logged, loggedChoices(request));
  P2_TRY_ASSIGN(const auto choices, compareChoices(logged, imported.system));
  Document answer = importAnswer(imported);
  addChoices(choices, logged.size(), answer);
  writeAnswer(out, answer, request.form);
  return kDone;
}

}  // namespace

std::vector<AnswerKey> importKeys() { return together({{kImportedSystem, kChoices}, keysOf(kImportColumns)}); }

void addImport(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("import", "Import a system from another program's description of a machine");
  const auto request = std::make_shared<ImportRequest>();
  addValue(*command, "FILE", request->files,
           "Output of " + importFormatNames() +
               ", a system file, or - for standard input; several files describe one node each");
  command->add_flag("--this-machine", request->thisMachine, "The machine this runs on");
  addValue(*command, "--synthetic MACHINE", request->synthetic,
           "A machine in hwloc's notation: \"pack:2 core:4 pu:2\"");
  addValue(*command, "--nodes N", request->nodes, "Number of such machines, joined by their network cards (1)");
  addValue(*command, "--nics N", request->cards, "Network cards of every machine (those described, or 1)");
  addValue(*command, "--gpu NAME", request->gpu,
           "GPU whose data sheet completes links that the description cannot show, "
           "as in H800 (the GPU that it names)");
  command->add_flag("--list", request->list, "List the formats that can be imported");
  for (std::size_t i = 0; i < kSpeedOptions.size(); ++i) {
    addValue(*command, kSpeedOptions[i].name + std::string(" BANDWIDTH"), request->speeds[i], kSpeedOptions[i].text);
  }
  addValue(*command, "-o,--output FILE", request->output, "The system file to write");
  addJson(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
