// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/train_listing.h"
#include "base/counted.h"
#include "text/text_file.h"
#include "timeline/chrome_trace.h"
#include "timeline/step_timeline.h"
#include "training_answer/training_request.h"

namespace p2::cli {
namespace {

struct TrainRequest {
  std::string model;
  std::string system;
  TrainingRequest asked;
  std::optional<std::int64_t> flags;  ///< place of the configuration whose launch flags are printed
  std::optional<std::string> trace;   ///< file for the timeline of the first configuration
  bool json = false;
};

constexpr std::size_t kMostListedConfigurations = 10000;

Result<TrainingInput> inputOf(const TrainRequest& request) {
  P2_TRY_ASSIGN(auto model, modelFromArgument(request.model).within("MODEL"));
  P2_TRY_ASSIGN(auto system, systemOfArgument(request.system, "SYSTEM"));
  auto input = readTrainingRequest(request.asked, std::move(model), std::move(system));
  if (!input.ok()) {
    Error error = input.error();
    error.where.document.insert(0, "--");
    return error;
  }
  return input;
}

Result<void> writeTrace(const std::string& file, const TrainingQuestion& question, const TrainingAnswer& answer) {
  P2_TRY_ASSIGN(const auto study, studyStep(question, answer.configurations.front(), answer.reserve));
  return writeTextFile(file, chromeTraceText(study.timeline));
}

Result<int> run(const TrainRequest& request, std::ostream& out) {
  P2_TRY_ASSIGN(const auto input, inputOf(request));
  const TrainingQuestion& question = input.question;
  TerminalProgress progress("searching configurations");
  P2_TRY_ASSIGN(const auto answer, answerTraining(input, {}, progress.progress()));
  if (request.trace) P2_TRY(writeTrace(*request.trace, question, answer));
  if (request.flags) {
    const auto place = static_cast<std::size_t>(*request.flags);
    if (place > answer.configurations.size()) {
      return Error{std::to_string(place) + " is not in the listing of " +
                       countedText(answer.configurations.size(), "configuration") + "; raise --best",
                   "--flags"};
    }
    out << launchTextOf(question.model, question.system, answer.configurations[place - 1]);
    return kDone;
  }
  const Document document = trainingDocument(question, answer, request.model, request.system);
  writeAnswer(out, document, request.json ? AnswerForm::Json : AnswerForm::Text);
  return kDone;
}

}  // namespace

void addTrain(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("train", "Find how to train a model on a system: degrees, memory, placement and step time");
  const auto request = std::make_shared<TrainRequest>();
  command->add_option("MODEL", request->model, "A bundled model, as in llama3-70b, or a config.json")->required();
  command->add_option("SYSTEM", request->system, "A preset, as in dgx-h100:16, levels as text, or a file")->required();
  command->add_option("--batch", request->asked.batch, "Sequences of a step")
      ->required()
      ->check(CLI::Range(1, 1 << 30));
  command->add_option("--sequence", request->asked.sequence, "Tokens of a sequence")->check(CLI::Range(1, 1 << 30));
  command->add_option("--framework", request->asked.framework, "megatron, torchtitan, deepspeed, fsdp, maxtext or any");
  command->add_option("--precision", request->asked.precision, "Of products: bf16, fp8 or fp4");
  command->add_option("--fix", request->asked.fixed, "Choices that are made, as in tp=8,pp=4,recompute=full");
  command->add_option("--reserve", request->asked.reserve, "Memory of a device that is kept free, as in 6GB");
  command->add_option("--best", request->asked.best, "Number of configurations that are listed")
      ->check(CLI::Range(std::size_t{1}, kMostListedConfigurations));
  command->add_flag("--variants", request->asked.everyVariant,
                    "List every variant of the same degrees: microbatches, virtual stages, recomputation, placements");
  command
      ->add_option("--flags", request->flags,
                   "Print the launch flags or the file of the framework for this place of the listing, as in 1")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{kMostListedConfigurations}));
  command->add_option_function<std::string>(
      "--trace", [request](const std::string& file) { request->trace = file; },
      "Also write the step of the first configuration as a timeline for Perfetto to this file");
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
