// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/detail/step_report.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/lists.h"
#include "base/units.h"
#include "training/memory.h"
#include "training_answer/launch_files.h"

namespace p2::inline training_answer {
namespace {

constexpr std::size_t kKeyWidth = 20;
constexpr std::size_t kPartWidth = 32;

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string line(const std::string& key, const std::string& value) { return padded(key, kKeyWidth) + value + "\n"; }

/// An assumption as the command line states it, without the option that changes it: people at the window have none.
std::string withoutOption(const std::string& sentence) {
  const std::size_t option = sentence.rfind(" (--");
  return option != std::string::npos && sentence.ends_with(')') ? sentence.substr(0, option) : sentence;
}

std::string bytes(double count) { return formatBytes(Bytes(count)); }

std::string ordersOf(const PlannedConfiguration& planned) {
  if (planned.needsRankFile()) return "a rank file puts the ranks on " + planned.matrix.text();
  const std::string all = joined(planned.orders);
  return all.empty() ? "any" : all;
}

std::string memoryOf(const TrainingQuestion& question, const PlannedConfiguration& planned) {
  const TrainingMemory& memory = planned.memory;
  const auto known = trainingAcceleratorOf(question.system);
  const double has = known.ok() ? known->memory : question.system.accelerator.memory;
  const double reserve = question.reserve > 0 ? question.reserve : defaultMemoryReserve(has);
  std::string text = line(
      "Memory", "needs " + bytes(memory.total()) + " + " + bytes(reserve) +
                    " kept free = " + bytes(memory.total() + reserve) + " of " + bytes(has) + " on the fullest device" +
                    (planned.configuration.plan.pipeline > 1 ? ", of stage " + std::to_string(memory.stage) : ""));
  return text + line("", "parameters " + bytes(memory.parameters) + ", gradients " + bytes(memory.gradients) +
                             ", optimizer " + bytes(memory.optimizer) + ", activations " + bytes(memory.activations) +
                             ", buffers " + bytes(memory.buffers));
}

std::string timeOf(const StepEstimate& estimate) {
  const StepParts& parts = estimate.parts;
  std::vector<std::pair<std::string, double>> all{{"computation at the peak", parts.compute},
                                                  {"kernels slower than the peak", parts.inefficiency},
                                                  {"recomputation", parts.recompute},
                                                  {"bubble of the pipeline", parts.bubble},
                                                  {"imbalance", parts.imbalance},
                                                  {"optimizer", parts.optimizer},
                                                  {"host", parts.host}};
  for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) {
    all.emplace_back("exposed communication, " + std::string(kExposedAxes[axis]), parts.exposed[axis]);
  }
  std::erase_if(all, [](const auto& part) { return part.second <= 0; });
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = "\nWhere the time goes\n";
  for (const auto& [name, seconds] : all) {
    text += "  " + padded(name, kPartWidth) + padded(formatSeconds(seconds), 10) +
            formatPercent(seconds / estimate.seconds) + "\n";
  }
  return text;
}

}  // namespace

std::string stepReport(const TrainingQuestion& question, const PlannedConfiguration& planned,
                       const std::vector<std::string>& assumed) {
  const StepEstimate& estimate = planned.estimate;
  const TrainingPlan& plan = planned.configuration.plan;
  const std::int64_t devices = question.system.deviceCount();
  const auto known = trainingAcceleratorOf(question.system);
  const ProductPrecision precision =
      known.ok() ? runnableOn(planned.configuration, *known).precision : question.precision;
  const std::string& model = question.model.name;
  std::string text = "Training step" + (model.empty() ? "" : " of " + model) + " on " + question.system.name + ": " +
                     countedText(devices, "device") + " " + question.system.accelerator.type + "\n\n";
  text += line("Step of", countedText(question.batch, "sequence") + " of " + countedText(question.sequence, "token") +
                              ", products in " + std::string(nameOf(precision)));
  text += line("Configuration", describe(planned.configuration) + " with " + std::string(planned.framework->label));
  text += line("Microbatches", std::to_string(plan.microbatches) + " of " + countedText(plan.microbatch, "sequence"));
  if (plan.pipeline > 1) text += line("Layers of stages", layoutText(question.model, planned.configuration));
  text += line("Order of ranks", ordersOf(planned));
  const std::string untrained = untrainedPart(question.model, planned, assumed);
  if (!untrained.empty()) text += line("Left out", untrained);
  text += "\n" + line("Time", formatSeconds(estimate.seconds) + "; 80 % interval " + formatSeconds(estimate.low) +
                                  " to " + formatSeconds(estimate.high));
  text += line("Speed", formatPercent(estimate.mfu) + " MFU, " +
                            std::to_string(std::llround(estimate.tokensPerSecond / static_cast<double>(devices))) +
                            " tokens/s on each device");
  text += memoryOf(question, planned) + timeOf(estimate);
  if (!assumed.empty()) text += "\nAssumed\n";
  for (const std::string& sentence : assumed) text += "  " + withoutOption(sentence) + "\n";
  return text;
}

}  // namespace p2::inline training_answer
