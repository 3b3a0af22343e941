// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/sources.h"

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/lists.h"
#include "base/utf8.h"
#include "text/argument.h"
#include "text/text_file.h"
#include "workload/generate/fields.h"
#include "workload/generate/generator.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_recipe.h"
#include "workload/import/byte_source.h"
#include "workload/import/import.h"
#include "workload/workload_json.h"

namespace p2::inline workload {
namespace {

bool isWorkloadFile(std::string_view head) { return formatIn(head) == kWorkloadFormat; }

Result<WorkloadSource> readWorkloadFile(std::string_view text, const std::string& /*name*/,
                                        const WorkloadReading& reading) {
  P2_TRY(refuseChanges(reading, "a list of collectives"));
  P2_TRY_ASSIGN(auto workload, workloadFromJson(text));
  WorkloadSource source{std::move(workload), {}, {}, {}};
  source.understood.push_back(countedText(source.workload.collectives.size(), "entry", "entries") + " over " +
                              countedText(source.workload.axes.size(), "axis", "axes"));
  return source;
}

bool isModelFile(std::string_view head) { return formatIn(head) == kModelFormat; }

Result<WorkloadSource> readModelFile(std::string_view text, const std::string& /*name*/,
                                     const WorkloadReading& reading) {
  P2_TRY_ASSIGN(auto recipe, recipeFromJson(text));
  return recipeWorkload(std::move(recipe), reading.changes);
}

bool isGiven(const std::vector<PlanChange>& changes, std::string_view key) {
  return std::any_of(changes.begin(), changes.end(), [&](const PlanChange& change) { return change.key == key; });
}

/// Values that every plan has, where they were not given; generateWorkload() tells the others.
std::string unsaidOf(const std::vector<PlanChange>& changes, const TrainingPlan& plan) {
  std::string unsaid;
  for (const std::string_view key : {"sequence", "microbatch", "activations", "gradients"}) {
    if (isGiven(changes, key)) continue;
    const Property<TrainingPlan>& field = *propertyOf(planFields(), key);
    unsaid += (unsaid.empty() ? "" : ", ") + std::string(key) + " " + propertyText(field.info, field.get(plan));
  }
  return unsaid;
}

/// Under a pipeline frameworks reduce gradients once a step and keep gathered parameters (FSDP, TorchTitan).
void chooseSharding(const std::vector<PlanChange>& changes, TrainingPlan& plan) {
  const bool pipeline = plan.pipeline > 1;
  if (plan.zero >= 2 && !isGiven(changes, "accumulate")) plan.accumulate = pipeline;
  if (plan.zero == 3 && !isGiven(changes, "reshard")) plan.reshard = !pipeline;
}

Result<WorkloadSource> readModelConfig(std::string_view text, const std::string& /*name*/,
                                       const WorkloadReading& reading) {
  P2_TRY_ASSIGN(auto configured, modelFromConfig(text));
  TrainingPlan plan = unsaidPlan(configured.shape);
  P2_TRY(applyChanges(reading.changes, configured.shape, plan));
  chooseSharding(reading.changes, plan);
  std::vector<std::string> given;
  for (const PlanChange& change : reading.changes) given.push_back(change.key);
  P2_TRY_ASSIGN(auto source, generateWorkload(configured.shape, plan, given));
  source.understood.insert(source.understood.begin(), configured.understood.begin(), configured.understood.end());
  const std::string unsaid = unsaidOf(reading.changes, plan);
  if (!unsaid.empty()) configured.assumed.push_back("defaults of the plan: " + unsaid);
  source.assumed.insert(source.assumed.begin(), configured.assumed.begin(), configured.assumed.end());
  source.ignored = std::move(configured.ignored);
  return source;
}

/// A row for every importer; the more special before the more general.
constexpr std::array kFormats{
    WorkloadFormat{"a p2-workload file", isWorkloadFile, readWorkloadFile, nullptr},
    WorkloadFormat{"a p2-model file", isModelFile, readModelFile, nullptr},
    WorkloadFormat{"a Hugging Face config.json", isModelConfig, readModelConfig, nullptr},
    WorkloadFormat{"a PyTorch profiler trace", isForeign<ForeignFormat::Kineto>, readForeignText, readForeignFile},
    WorkloadFormat{"a Chakra trace", isForeign<ForeignFormat::Chakra>, readForeignText, readForeignFile},
    WorkloadFormat{"an AICB CSV", isForeign<ForeignFormat::Aicb>, readForeignText, readForeignFile},
    WorkloadFormat{"a SimAI list", isForeign<ForeignFormat::SimAi>, readForeignText, readForeignFile},
    WorkloadFormat{"a Calculon model", isForeign<ForeignFormat::Calculon>, readForeignText, readForeignFile},
};

std::string formatNames() { return joined(kFormats, ", ", &WorkloadFormat::name); }

Result<const WorkloadFormat*> formatOfHead(std::string_view bytes) {
  const std::string head = withoutMark(std::string(bytes));
  const auto found =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& format) { return format.recognises(head); });
  if (found != kFormats.end()) return &*found;
  // PyTorch's own, which the converter of Chakra reads.
  if (head.find("\"schema\"") != std::string::npos && head.find("\"nodes\"") != std::string::npos) {
    return Error{
        "it is an execution trace of PyTorch, without the times of the GPU; link and convert it with chakra_trace_link "
        "and "
        "chakra_converter and give the Chakra trace of a rank, or record a trace of the profiler"};
  }
  return Error{"unknown workload format; use " + formatNames()};
}

/// Unpacked where it is packed.
Result<std::string> headOf(const std::string& path) {
  std::string head;
  const auto file = openFile(path);
  while (file.ok() && head.size() < kFileHead) {
    const auto bytes = (*file)->next();
    if (!bytes.ok() || bytes->empty()) break;
    head += *bytes;
  }
  head.resize(std::min(head.size(), kFileHead));
  if (!head.empty()) return head;
  // A missing or empty file or a directory gets the same sentence as any file.
  return readTextFile(path);
}

Result<WorkloadSource> checkedSource(Result<WorkloadSource> source) {
  if (!source.ok()) return source;
  P2_TRY(checkWorkload(source->workload));
  return source;
}

}  // namespace

std::span<const WorkloadFormat> workloadFormats() { return kFormats; }

Result<WorkloadSource> workloadFromText(std::string_view text, const std::string& name,
                                        const WorkloadReading& reading) {
  const auto format = formatOfHead(text.substr(0, kFileHead));
  if (!format.ok()) return format.error().within(name);
  return checkedSource((*format)->read(text, name, reading)).within(name);
}

Result<const WorkloadFormat*> workloadFormatOf(const std::string& path) {
  P2_TRY_ASSIGN(const auto head, headOf(path));
  return formatOfHead(head).within(path);
}

bool needsDegrees(const WorkloadFormat& format) { return format.recognises == isModelConfig; }

Result<WorkloadSource> workloadFromArgument(const std::string& argument, const WorkloadReading& reading) {
  if (const ArgumentText source(argument); !source.isPath()) {
    auto recipe = bundledRecipe(argument);
    if (recipe.ok()) return checkedSource(recipeWorkload(std::move(recipe).value(), reading.changes)).within(argument);
    if (!source.exists()) return recipe.error();
  }
  if (isPipe(argument)) {
    P2_TRY_ASSIGN(const auto text, readTextFile(argument));
    return workloadFromText(text, argument, reading);
  }
  const auto format = workloadFormatOf(argument);
  P2_TRY(format);
  if ((*format)->readFile != nullptr) return checkedSource((*format)->readFile(argument, reading)).within(argument);
  P2_TRY_ASSIGN(const auto text, readTextFile(argument));
  return workloadFromText(text, argument, reading);
}

Result<void> refuseChanges(const WorkloadReading& reading, std::string_view what) {
  if (reading.changes.empty()) return {};
  return Error{"\"" + reading.changes.front().key + "\" changes a model or its plan, and this is " + std::string(what) +
               "; leave it out"};
}

}  // namespace p2::inline workload
