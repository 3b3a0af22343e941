// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/training_request.h"

#include <array>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "system/part_states.h"
#include "training/framework_placements.h"
#include "training_answer/detail/training_reasons.h"

namespace p2::inline training_answer {
namespace {

constexpr std::array kSearchFields{
    property<&TrainingRequest::best>({.key = "best",
                                      .kind = PropertyKind::Whole,
                                      .tip = "Number of configurations that are listed",
                                      .least = 1,
                                      .most = static_cast<double>(kMostListedConfigurations)}),
    property<&TrainingRequest::listsLarge>(
        {.key = "too_large",
         .kind = PropertyKind::Flag,
         .tip = "Also list the fastest configurations that do not fit, or the smallest where none fits, and what each "
                "lacks"}),
    property<&TrainingRequest::everyVariant>(
        {.key = "variants",
         .kind = PropertyKind::Flag,
         .tip = "List every variant of the same degrees: microbatches, virtual stages, recomputation, placements"}),
    property<&TrainingRequest::expertLoad>(
        {.key = "expert_load",
         .tip = "Distribution of tokens over experts: uniform, power:EXPONENT, or a file with a load for each expert"}),
    property<&TrainingRequest::capacity>(
        {.key = "capacity",
         .kind = PropertyKind::Number,
         .tip = "Capacity of an expert, as a multiple of its even share of tokens; further tokens are dropped",
         .least = 0.01,
         .most = 1e6,
         .none = 0}),
};

Result<std::vector<const TrainingFramework*>> frameworksOf(const std::string& name) {
  if (name == "any") {
    const auto all = trainingFrameworks();
    return std::vector<const TrainingFramework*>(all.begin(), all.end());
  }
  P2_TRY_ASSIGN(const auto framework, trainingFrameworkFrom(name));
  return std::vector<const TrainingFramework*>{framework};
}

/// Leaves out the frameworks that do not run on the system's accelerator. Errors: none of them does.
Result<void> keepRunnable(TrainingInput& input) {
  TrainingQuestion& question = input.question;
  const auto accelerator = trainingAcceleratorOf(question.system);
  if (!accelerator.ok()) return {};  // the search names the missing figures
  auto runnable = frameworksOn(accelerator->platform, question.frameworks);
  if (runnable.empty()) return checkPlatform(*question.frameworks.front(), accelerator->platform);
  const std::string devices(devicesOf(accelerator->platform));
  if (runnable.size() > 1) {
    input.open.insert(input.open.begin(), "all frameworks that run on " + devices + " (--framework)");
  } else if (question.frameworks.size() > 1) {
    input.assumed.push_back("only " + std::string(runnable.front()->label) + ": the other frameworks do not run on " +
                            devices);
  }
  question.frameworks = std::move(runnable);
  return {};
}

/// Choices that the question leaves open, as the framework of the first place makes them; each can change that place.
std::vector<std::string> defaultsOf(const TrainingQuestion& question, const TrainingAnswer& answer) {
  const PlannedConfiguration& best = answer.configurations.front();
  const TrainingConfiguration& made = best.configuration;
  const TrainingPlan& plan = made.plan;
  const std::string framework(best.framework->label);
  std::vector<std::string> sentences;
  const auto tell = [&](bool holds, std::string sentence) {
    if (holds) sentences.push_back(std::move(sentence));
  };
  tell(question.precision == ProductPrecision::Bf16, "products in bf16 (--precision)");
  tell(question.reserve == 0, formatBytes(Bytes(answer.reserve)) + " of a device kept free (--reserve)");
  tell(true, made.overlaps ? "communication is hidden behind computation as far as " + framework + " hides it"
                           : "no communication is hidden behind computation");
  const bool shards = plan.data * plan.context > plan.replicas;
  tell(shards && plan.zero == 3, plan.reshard ? "parameters are released after the forward pass and gathered again"
                                              : "parameters stay gathered after the forward pass");
  tell(shards && plan.zero >= 2 && plan.microbatches > 1, plan.accumulate
                                                              ? "gradients are reduced once, after the last microbatch"
                                                              : "gradients are reduced in every microbatch");
  tell(plan.tensorOverlap && !question.fixed.tensorOverlap,
       "products hide tensor parallelism, which is off by default in " + framework + " (--fix tp_overlap=no)");
  tell(plan.expertOverlap && !question.fixed.expertOverlap,
       "dispatch and combine overlap with computation, which is off by default in " + framework +
           " (--fix ep_overlap=no)");
  tell(plan.tensor > 1 && !plan.tensorOverlap, "tensor parallelism without an overlap of its own");
  const bool hasRecipe = made.dispatch != ExpertDispatch::AllToAll || made.graphs != GraphScope::None;
  tell(question.model.experts > 0 && hasRecipe && !question.fixed.dispatch && !question.fixed.graphs,
       "tokens go to experts by " + dispatchText(made.dispatch) + ", with " + graphsText(made.graphs) +
           ", as in the recipes of " + framework + " (--fix dispatch=alltoall,graphs=none)");
  tell(made.fp8Parameters && !question.fixed.fp8Parameters,
       "parameters are kept and gathered in fp8, as in the recipes of " + framework + " (--fix fp8_param_gather=no)");
  tell(made.compiled, "layers are compiled (torch.compile)");
  tell(made.fullPrecisionSums, "gradients are summed in fp32");
  tell(question.model.experts > 0 && question.expertLoad.shares.empty(),
       "tokens are spread evenly over the experts (--expert-load)");
  return sentences;
}

}  // namespace

std::span<const Property<TrainingRequest>> trainingSearchFields() { return kSearchFields; }

std::string frameworkNameOf(const System& system, const TrainingChoice& choice) {
  if (!choice.framework.empty()) return choice.framework;
  const auto accelerator = trainingAcceleratorOf(system);
  const auto runnable = accelerator.ok() ? frameworksOn(accelerator->platform, trainingFrameworks())
                                         : std::vector<const TrainingFramework*>();
  return std::string((runnable.empty() ? trainingFrameworks().front() : runnable.front())->name);
}

Result<TrainingInput> readTrainingRequest(const TrainingRequest& request, ModelSource model, System system) {
  TrainingInput input{{}, std::move(model.assumed)};
  TrainingQuestion& question = input.question;
  question.model = std::move(model.shape);
  question.system = std::move(system);
  question.batch = request.batch;
  question.sequence = request.sequence > 0 ? request.sequence : unsaidPlan(question.model).sequence;
  question.reserve = request.reserve;
  if (request.sequence == 0) {
    input.open.push_back("sequences of " + countedText(question.sequence, "token") + " (--sequence)");
  }
  P2_TRY(checkSequence(question.model, question.sequence).within(kSequenceKey));
  P2_TRY_ASSIGN(question.frameworks, frameworksOf(frameworkNameOf(question.system, request)).within(kFrameworkKey));
  P2_TRY(keepRunnable(input).within(kFrameworkKey));
  P2_TRY_ASSIGN(question.precision, productPrecisionFrom(request.precision).within(kPrecisionKey));
  P2_TRY_ASSIGN(question.fixed, fixedChoicesFrom(request.fixed).within(kFixKey));
  if (request.expertLoad != "uniform") {
    P2_TRY_ASSIGN(question.expertLoad,
                  expertLoadFrom(request.expertLoad, question.model.experts).within(kExpertLoadKey));
    question.expertLoad.capacity = request.capacity;
  }
  if (request.capacity > 0 && question.model.experts == 0) {
    return Error{"the model has no experts, so none has a capacity; leave it out"}.within("capacity");
  }
  question.best = static_cast<std::size_t>(request.best);
  question.everyVariant = request.everyVariant;
  question.listsLarge = request.listsLarge;
  return input;
}

Result<TrainingAnswer> answerTraining(const TrainingInput& input, std::stop_token stop, const Progress& progress) {
  const TrainingQuestion& question = input.question;
  const TrainingPlacements placements = trainingPlacements(question.model, question.system);
  auto found = planTraining(question, placements.orders, stop, progress, placements.rankFiles);
  const auto accelerator = trainingAcceleratorOf(question.system);
  if (found.ok() && found->configurations.empty() && accelerator.ok()) {
    if (const auto reason = reasonOfNoAnswer(question, *accelerator, stop)) found.value().problem = reason->message;
    if (stop.stop_requested()) return cancelledError();
  }
  if (!found.ok() && found.error().kind != ErrorKind::Cancelled && accelerator.ok()) {
    const auto reason = reasonOfNoAnswer(question, *accelerator, stop);
    if (stop.stop_requested()) return cancelledError();
    if (reason) return *reason;
  }
  P2_TRY_ASSIGN(auto answer, std::move(found));
  if (answer.droppedTokens > 0) {
    answer.assumed.push_back("experts take at most " + exactNumber(question.expertLoad.capacity) +
                             " times their even part of the tokens' copies; " + formatPercent(answer.droppedTokens) +
                             " of the copies are dropped");
  }
  if (auto slow = describeSlowestDevices(question.system); !slow.empty()) answer.assumed.push_back(std::move(slow));
  answer.assumed.insert(answer.assumed.begin(), input.open.begin(), input.open.end());
  answer.assumed.insert(answer.assumed.begin(), input.assumed.begin(), input.assumed.end());
  if (answer.configurations.empty()) return answer;
  if (accelerator.ok()) {
    TrainingConfiguration wanted;
    wanted.precision = question.precision;
    const ProductPrecision known = runnableOn(wanted, *accelerator).precision;
    if (known != question.precision) {
      answer.assumed.push_back("products in " + std::string(nameOf(known)) + ": the accelerator has none in " +
                               std::string(nameOf(question.precision)));
    }
  }
  for (std::string& sentence : defaultsOf(question, answer)) answer.assumed.push_back(std::move(sentence));
  return answer;
}

}  // namespace p2::inline training_answer
