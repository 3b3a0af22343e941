// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/train_listing.h"
#include "base/counted.h"
#include "base/units.h"
#include "training/framework_placements.h"
#include "training/model_argument.h"

namespace p2::cli {
namespace {

struct TrainRequest {
  std::string model;
  std::string system;
  std::int64_t batch = 0;
  std::optional<std::int64_t> sequence;
  std::string framework = "any";
  std::string precision = "bf16";
  std::string fixed;
  std::optional<std::string> reserve;
  std::int64_t best = 10;
  bool everyVariant = false;
  std::optional<std::int64_t> flags;  ///< place of the configuration whose launch flags are printed
  bool json = false;
};

constexpr std::int64_t kMostListedConfigurations = 10000;
constexpr std::int64_t kDefaultSequence = 4096;

Result<std::vector<const TrainingFramework*>> frameworksOf(const std::string& name) {
  if (name == "any") {
    const auto all = trainingFrameworks();
    return std::vector<const TrainingFramework*>(all.begin(), all.end());
  }
  P2_TRY_ASSIGN(const auto framework, trainingFrameworkFrom(name).within("--framework"));
  return std::vector<const TrainingFramework*>{framework};
}

Result<TrainingQuestion> questionOf(const TrainRequest& request, std::vector<std::string>& assumed) {
  TrainingQuestion question;
  P2_TRY_ASSIGN(auto source, modelFromArgument(request.model).within("MODEL"));
  question.model = std::move(source.shape);
  assumed = std::move(source.assumed);
  P2_TRY_ASSIGN(question.system, systemOfArgument(request.system, "SYSTEM"));
  question.batch = request.batch;
  question.sequence = request.sequence.value_or(kDefaultSequence);
  if (!request.sequence) assumed.push_back("sequences of 4096 tokens; --sequence changes it");
  P2_TRY(checkSequence(question.model, question.sequence).within("--sequence"));
  P2_TRY_ASSIGN(question.frameworks, frameworksOf(request.framework));
  P2_TRY_ASSIGN(question.precision, productPrecisionFrom(request.precision).within("--precision"));
  P2_TRY_ASSIGN(question.fixed, fixedChoicesFrom(request.fixed).within("--fix"));
  if (request.reserve) {
    P2_TRY_ASSIGN(const auto reserve, parseBytes(*request.reserve).within("--reserve"));
    question.reserve = static_cast<double>(reserve.value());
  }
  question.best = static_cast<std::size_t>(request.best);
  question.everyVariant = request.everyVariant;
  return question;
}

Result<int> run(const TrainRequest& request, std::ostream& out) {
  std::vector<std::string> assumed;
  P2_TRY_ASSIGN(const auto question, questionOf(request, assumed));
  TerminalProgress progress("searching configurations");
  const PlacementPricer placements = frameworkPlacements(question.model, question.system);
  P2_TRY_ASSIGN(auto answer, planTraining(question, placements, {}, progress.progress()));
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
  answer.assumed.insert(answer.assumed.begin(), assumed.begin(), assumed.end());
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
  command->add_option("--batch", request->batch, "Sequences of a step")->required()->check(CLI::Range(1, 1 << 30));
  command->add_option("--sequence", request->sequence, "Tokens of a sequence")->check(CLI::Range(1, 1 << 30));
  command->add_option("--framework", request->framework, "megatron, torchtitan, deepspeed, fsdp, maxtext or any");
  command->add_option("--precision", request->precision, "Of products: bf16, fp8 or fp4");
  command->add_option("--fix", request->fixed, "Choices that are made, as in tp=8,pp=4,recompute=full");
  command->add_option("--reserve", request->reserve, "Memory of a device that is kept free, as in 6GB");
  command->add_option("--best", request->best, "Number of configurations that are listed")
      ->check(CLI::Range(std::int64_t{1}, kMostListedConfigurations));
  command->add_flag("--variants", request->everyVariant,
                    "List every variant of the same degrees: microbatches, virtual stages, recomputation, placements");
  command
      ->add_option("--flags", request->flags,
                   "Print the launch flags or the file of the framework for this place of the listing, as in 1")
      ->check(CLI::Range(std::int64_t{1}, kMostListedConfigurations));
  command->add_flag("--json", request->json, "Print one JSON object instead of a table");
  command->callback([request, &chosen] { chosen = [request](std::ostream& out) { return run(*request, out); }; });
}

}  // namespace p2::cli
