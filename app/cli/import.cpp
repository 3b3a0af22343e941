// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <array>

#include "app/cli/commands.h"
#include "base/units.h"
#include "importers/importers.h"
#include "system/text_drawing.h"
#include "system/valid_system.h"
#include "text/json_writer.h"
#include "text/text_file.h"
#include "text/text_table.h"
#include "workspace/import_files.h"

namespace p2::cli {
namespace {

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
  std::optional<std::string> output;
  std::array<std::string, kSpeedOptions.size()> speeds;
  bool thisMachine = false;
  bool json = false;
};

Result<ImportOptions> optionsOf(const ImportRequest& request) {
  ImportOptions options;
  if (request.nodes) {
    P2_TRY_ASSIGN(options.nodes, wholeNumber(*request.nodes, "--nodes", 1, kMostDevices));
  }
  if (request.cards) {
    P2_TRY_ASSIGN(options.cards, wholeNumber(*request.cards, "--nics", 1, kMostCards));
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
  return importFiles(request.files, options);
}

void writeText(std::ostream& out, const Imported& imported) {
  out << imported.format << ": " << describe(imported.system) << "\n\n";
  TextTable table({{}, {}});
  const auto add = [&](const char* title, const std::vector<std::string>& things) {
    for (std::size_t i = 0; i < things.size(); ++i) table.add({i == 0 ? title : "", things[i]});
  };
  add("understood", imported.understood);
  add("assumed", imported.assumed);
  add("ignored", imported.ignored);
  out << table.text() << '\n' << drawnAsText(imported.system);
}

void writeJson(std::ostream& out, const Imported& imported) {
  JsonWriter json(out);
  json.beginObject().key("source").text(imported.format);
  const auto list = [&](const char* key, const std::vector<std::string>& things) {
    json.key(key).beginArray();
    for (const std::string& thing : things) json.text(thing);
    json.end();
  };
  list("understood", imported.understood);
  list("assumed", imported.assumed);
  list("ignored", imported.ignored);
  std::string system = systemToJson(imported.system);
  system.erase(system.find_last_not_of('\n') + 1);
  json.key("system").raw(system).end();
}

Result<int> run(const ImportRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto imported, importedFrom(request));
  P2_TRY(validated(imported.system));
  tellNotes(imported.system);
  if (request.output) {
    P2_TRY(writeTextFile(*request.output, systemToJson(imported.system)));
  }
  if (request.json) {
    writeJson(out, imported);
  } else {
    writeText(out, imported);
  }
  return kDone;
}

}  // namespace

void addImport(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("import", "Make a system of another program's description of a machine");
  const auto request = std::make_shared<ImportRequest>();
  const auto set = [request](std::optional<std::string> ImportRequest::*member) {
    return [request, member](const std::string& text) { (*request).*member = text; };
  };
  command->add_option(
      "FILE", request->files,
      "lstopo, NCCL or RCCL XML, nvidia-smi topo -m, rocm-smi --showtopo, an ASTRA-sim network, a system "
      "file, - for standard input; several for so many nodes");
  command->add_flag("--this-machine", request->thisMachine, "The machine this runs on");
  command->add_option_function<std::string>("--synthetic", set(&ImportRequest::synthetic),
                                            "A machine in hwloc's notation: \"pack:2 core:4 pu:2\"");
  command->add_option_function<std::string>("--nodes", set(&ImportRequest::nodes),
                                            "So many such machines, joined by their network cards (1)");
  command->add_option_function<std::string>("--nics", set(&ImportRequest::cards),
                                            "Network cards of every machine (those described, or 1)");
  for (std::size_t i = 0; i < kSpeedOptions.size(); ++i) {
    command->add_option(kSpeedOptions[i].name, request->speeds[i], kSpeedOptions[i].text);
  }
  command->add_option_function<std::string>("-o,--output", set(&ImportRequest::output), "The system file to write");
  command->add_flag("--json", request->json, "Print one JSON object instead of a preview");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
