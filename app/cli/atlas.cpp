// SPDX-License-Identifier: GPL-3.0-or-later
#include "atlas/atlas.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "app/cli/answer_keys.h"
#include "app/cli/atlas_listing.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/training_runs_listing.h"
#include "cost/nccl/nccl_versions.h"
#include "text/document.h"

namespace p2::cli {
namespace {

constexpr AnswerKey kVersionChanges{
    "changes",
    "Differences between NCCL versions: since (the version), priced (whether the model has it), "
    "feature, generations, what (in words), tag (of NCCL's source)"};

using Align = TextTable::Align;

Value generationsOf(const NcclChange& change) {
  std::vector<Value> words;
  for (const Generation generation : change.generations) {
    words.push_back(Value::text(kGenerations[static_cast<std::size_t>(generation) - 1]));
  }
  return Value::list(std::move(words));
}

Value tagOf(const NcclChange& change) { return Value::text(change.tag); }

constexpr Column<NcclChange> kVersionColumns[] = {
    {"since", "since", [](const NcclChange& change) { return Value::text(change.since); }, Align::Left},
    {"priced", "priced", [](const NcclChange& change) { return Value::flag(change.priced); }, Align::Left},
    {"feature", "", [](const NcclChange& change) { return Value::text(change.feature); }},
    {"generations", "", generationsOf},
    {"", "tag", tagOf, Align::Left},
    {"what", "what", [](const NcclChange& change) { return Value::text(change.text); }, Align::Left},
    {"tag", "", tagOf},
};

/// How NCCL's versions differ, oldest first: since when, in what, whether the nccl model prices it, and the first tag
/// of NCCL's source that has it.
Document ncclVersionsAnswer() {
  Document answer;
  answer.table(kVersionChanges, tableOver<NcclChange>(kVersionColumns, ncclChanges()));
  return answer;
}

struct AtlasRequest {
  std::string system;
  std::string collective;
  bool list = false;
  bool all = false;
  bool versions = false;
  AnswerForm form = AnswerForm::AsText;
  bool training = false;
  bool fit = false;
  std::string runs;
  bool unseen = false;
};

/// "allreduce" for AllReduce and all_reduce.
std::string plainName(std::string name) {
  std::erase(name, '_');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

Result<void> keepCollective(std::vector<const AtlasTable*>& tables, const std::string& wanted) {
  if (wanted.empty()) return {};
  std::vector<std::string> known;
  for (const AtlasTable& table : atlasTables()) {
    if (std::find(known.begin(), known.end(), table.collective) == known.end()) known.push_back(table.collective);
  }
  const auto isWanted = [&](const std::string& name) { return plainName(name) == plainName(wanted); };
  if (std::none_of(known.begin(), known.end(), isWanted)) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    return Error{"--collective: \"" + wanted + "\" is not a collective that was measured; use " + alternatives(names)};
  }
  std::erase_if(tables, [&](const AtlasTable* table) { return !isWanted(table->collective); });
  return {};
}

/// The tables of that name or machine.
std::vector<const AtlasTable*> tablesOf(const std::string& name) {
  std::vector<const AtlasTable*> tables;
  for (const AtlasTable& table : atlasTables()) {
    if (table.name == name || table.machine() == name) tables.push_back(&table);
  }
  return tables;
}

/// The tables of similar systems; only those with as many nodes, where there are any, unless all are wanted.
Result<std::vector<const AtlasTable*>> tablesLikeArgument(const AtlasRequest& request) {
  const auto system = systemOfArgument(request.system, "SYSTEM");
  if (!system.ok()) {
    return Error{"\"" + request.system + "\" is not a machine or table of p2 atlas --list; " + system.error().text()};
  }
  auto tables = tablesLike(*system);
  P2_TRY(keepCollective(tables, request.collective));
  if (request.all || tables.empty()) return tables;
  const auto isFirsts = [&](const AtlasTable* table) {
    return table->nodes == tables.front()->nodes && table->gpusPerNode == tables.front()->gpusPerNode;
  };
  std::vector<const AtlasTable*> first;
  std::copy_if(tables.begin(), tables.end(), std::back_inserter(first), isFirsts);
  return first;
}

Result<std::vector<const AtlasTable*>> tablesOf(const AtlasRequest& request) {
  std::vector<const AtlasTable*> tables;
  if (request.list) {
    for (const AtlasTable& table : atlasTables()) tables.push_back(&table);
  } else {
    tables = tablesOf(request.system);
  }
  if (tables.empty()) return tablesLikeArgument(request);
  P2_TRY(keepCollective(tables, request.collective));
  return tables;
}

Result<int> run(const AtlasRequest& request, std::ostream& out) {
  if (request.versions) {
    writeAnswer(out, ncclVersionsAnswer(), request.form);
    return kDone;
  }
  if (request.fit) {
    writeFittedConstants(out);
    return kDone;
  }
  if (request.unseen) {
    writeUnseenRuns(out, request.form);
    return kDone;
  }
  if (!request.runs.empty()) {
    P2_TRY(writeOtherTrainingRuns(out, request.runs, request.form));
    return kDone;
  }
  if (request.training) {
    writeTrainingRuns(out, request.form);
    return kDone;
  }
  if (request.list == !request.system.empty()) {
    return Error{request.list ? "--list lists all systems; leave out SYSTEM"
                              : "name a SYSTEM, or use --list to see them"};
  }
  P2_TRY_ASSIGN(const auto tables, tablesOf(request));
  Document answer = request.list ? atlasListAnswer(tables) : atlasTablesAnswer(tables);
  if (tables.empty()) answer.line("no machine like " + request.system + " was measured; see p2 atlas --list");
  writeAnswer(out, answer, request.form);
  return tables.empty() ? kNo : kDone;
}

}  // namespace

std::vector<AnswerKey> versionKeys() { return {kVersionChanges}; }

void addAtlas(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("atlas", "Show public measurements of collectives, with their sources");
  const auto request = std::make_shared<AtlasRequest>();
  addValue(*command, "SYSTEM", request->system,
           "A machine or table of --list, or a system: then the tables of similar machines are shown");
  command->add_flag("--list", request->list, "List the machines that were measured");
  addValue(*command, "--collective NAME", request->collective,
           "Only tables of this one, as in all_reduce or AllReduce");
  command->add_flag("--all", request->all, "With a system: also tables of other numbers of nodes");
  command
      ->add_flag("--versions", request->versions,
                 "List how NCCL's versions differ and which differences are priced, instead of measurements")
      ->excludes("SYSTEM")
      ->excludes("--list");
  auto* training = command
                       ->add_flag("--training", request->training,
                                  "List published training steps next to their predictions, instead of collectives")
                       ->excludes("SYSTEM")
                       ->excludes("--list")
                       ->excludes("--versions");
  auto* fit =
      command
          ->add_flag(
              "--fit", request->fit,
              "Fit the constants of the training model to these steps again and print their file; takes a minute")
          ->needs(training);
  auto* unseen =
      command
          ->add_flag("--unseen", request->unseen,
                     "Compare the published steps that are held back to test the model instead: no constant was "
                     "fitted to them")
          ->needs(training)
          ->excludes(fit);
  addValue(*command, "--runs FILE", request->runs,
           "A CSV file with runs of your own, or of other publishers, to compare instead of the published steps")
      ->needs(training)
      ->excludes(fit)
      ->excludes(unseen);
  addForms(*command, request->form);
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
