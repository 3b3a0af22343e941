// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/system_figures.h"

#include "base/counted.h"
#include "base/units.h"
#include "system/part_states.h"
#include "training/kernel_choice.h"
#include "training/memory.h"

namespace p2::inline strategy_answer {
namespace {

constexpr Bytes kHalfBytes{2};  // of bf16 and fp16

bool isOnMesh(const GraphCostOptions& options, const std::optional<System>& system) {
  return options.model == StrategyCostModel::Hierarchical && system;
}

TrainingConfiguration configurationFor(Bytes bytesPerElement) {
  TrainingConfiguration configuration;
  if (bytesPerElement < kHalfBytes) configuration.precision = ProductPrecision::Fp8;
  return configuration;
}

/// Products in fp32 reach the same share of their peak as those in 16 bits.
std::optional<KernelRates> kernelsOf(const GraphCostOptions& filled, const System& system) {
  const auto known = trainingAcceleratorOf(system);
  if (!known.ok()) return std::nullopt;
  TrainingAccelerator accelerator = *known;
  (filled.bytesPerElement < kHalfBytes ? accelerator.fp8 : accelerator.bf16) = filled.flops;
  if (filled.memoryBandwidth > 0) accelerator.memoryBandwidth = filled.memoryBandwidth;
  KernelRates rates = kernelRatesOf(accelerator, configurationFor(filled.bytesPerElement));
  rates.inputBytes = filled.bytesPerElement.value();
  return rates;
}

std::string pricingSentence(const GraphCostOptions& filled, const std::optional<System>& system) {
  if (filled.kernels) {
    return "kernels as fast as in public training runs on " + system->accelerator.type + ": large products reach " +
           formatFlops(filled.kernels->products) + " of " + formatFlops(filled.kernels->peak);
  }
  if (!isOnMesh(filled, system)) return "computation at " + formatFlops(filled.flops);
  return "computation at all of " + formatFlops(filled.flops) + ", since no figures are known of the accelerator";
}

std::string memorySentence(const GraphCostOptions& filled, const std::optional<System>& system) {
  const Bytes limit = filled.deviceMemory.value_or(Bytes(0));
  if (limit == Bytes(0) || !system) return "any amount of memory on a device";
  return formatBytes(Bytes(system->accelerator.memory) + Bytes(-limit.value())) + " of a device kept free";
}

}  // namespace

GraphCostOptions withTrainingFigures(GraphCostOptions filled, const GraphCostOptions& asked,
                                     const std::optional<System>& system) {
  if (filled.bytesPerElement <= kHalfBytes && filled.memory.optimizer != Optimizer::None) {
    const StateBytes states = stateBytesOf(configurationFor(filled.bytesPerElement));
    filled.memory.parameterBytes = Bytes(states.parameter);
    filled.memory.gradientBytes = Bytes(states.gradient);
  }
  if (!isOnMesh(filled, system)) return filled;
  filled.kernels = kernelsOf(filled, *system);
  if (!asked.deviceMemory && system->accelerator.memory > 0) {
    const double memory = system->accelerator.memory;
    filled.deviceMemory = Bytes(memory - defaultMemoryReserve(memory));
  }
  return filled;
}

std::vector<AssumedDefault> defaultsOf(const GraphCostOptions& filled, const GraphCostOptions& asked,
                                       const std::optional<System>& system) {
  const GraphCostOptions none;
  const MemoryOptions& memory = asked.memory;
  std::vector<AssumedDefault> defaults;
  const auto add = [&](bool isDefault, const char* option, std::string sentence) {
    if (isDefault) defaults.push_back({option, std::move(sentence)});
  };
  const bool onMesh = isOnMesh(filled, system);
  add(asked.space.kind == none.space.kind, "--space", "numbers of parts that divide a dimension");
  add(asked.space.cutoff == none.space.cutoff && asked.space.kind == SpaceKind::Divisors, "--cutoff",
      "parts of at least " + countedText(none.space.cutoff, "element"));
  add(!asked.space.exactly, "--exactly", "devices may repeat work");
  add(asked.flops == 0, "--flops", pricingSentence(filled, system));
  if (onMesh && asked.flops == 0) {
    if (auto slow = describeSlowestDevices(*system); !slow.empty()) defaults.push_back({"", std::move(slow)});
  }
  add(!onMesh && asked.bandwidth == none.bandwidth, "--bandwidth",
      formatBandwidth(none.bandwidth) + " between any two devices");
  add(asked.bytesPerElement == Bytes(0), "--dtype", formatBytes(filled.bytesPerElement) + " an element");
  add(!asked.deviceMemory, "--device-memory", memorySentence(filled, system));
  add(asked.microbatches == none.microbatches, "--passes", "one microbatch a step, without gradient accumulation");
  add(memory.optimizer == Optimizer::Adam, "--optimizer", "Adam");
  add(memory.zero == 0, "--zero", "parameters, gradients and optimizer states whole on every device (ZeRO 0)");
  add(memory.recomputation == Recomputation::None, "--recompute", "no recomputation");
  add(onMesh, "--stages", "no pipeline");
  defaults.push_back({"", "communication that no computation hides"});
  if (onMesh) {
    defaults.push_back({"", filled.memory.zero < kMostZero
                                ? "gradients of one group of devices summed at once"
                                : "parameters gathered and gradients summed a layer at a time"});
  }
  return defaults;
}

}  // namespace p2::inline strategy_answer
