// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/strategy_fields.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/figures.h"

namespace p2::inline workspace {
namespace {

constexpr double kMostCount = 4611686018427387904.0;  // 2^62
constexpr double kMostCapacityFactor = 64;

PropertyValue valueOf(std::int64_t field) { return field; }
PropertyValue valueOf(int field) { return std::int64_t{field}; }
PropertyValue valueOf(bool field) { return field; }
PropertyValue valueOf(double field) { return field; }
PropertyValue valueOf(Bytes field) { return field.value(); }

void take(std::int64_t& field, const PropertyValue& value) { field = std::get<std::int64_t>(value); }
void take(int& field, const PropertyValue& value) { field = static_cast<int>(std::get<std::int64_t>(value)); }
void take(bool& field, const PropertyValue& value) { field = std::get<bool>(value); }
void take(double& field, const PropertyValue& value) { field = std::get<double>(value); }
void take(Bytes& field, const PropertyValue& value) { field = Bytes(std::get<double>(value)); }

/// The row of the field that `Of` finds in a choice.
template <auto Of>
constexpr Property<StrategyChoice> row(PropertyInfo info) {
  return {info, [](const StrategyChoice& choice) -> PropertyValue { return valueOf(Of(choice)); },
          [](StrategyChoice& choice, const PropertyValue& value) { take(Of(choice), value); }};
}

/// As row(), for an enumeration with these names in its order.
template <auto Of, const auto& Names>
constexpr Property<StrategyChoice> named(PropertyInfo info) {
  info.kind = PropertyKind::Choice;
  info.choices = Names;
  info.always = true;
  return {info, [](const StrategyChoice& choice) -> PropertyValue { return std::string(nameOf(Of(choice))); },
          [](StrategyChoice& choice, const PropertyValue& text) {
            const auto found = std::find(Names.begin(), Names.end(), std::get<std::string>(text));
            auto& field = Of(choice);
            field = static_cast<std::remove_reference_t<decltype(field)>>(found - Names.begin());
          }};
}

// Fields of a choice, constant or not.
constexpr auto kBatch = [](auto& c) -> auto& { return c.batch; };
constexpr auto kSequence = [](auto& c) -> auto& { return c.sequence; };
constexpr auto kCapacityFactor = [](auto& c) -> auto& { return c.capacityFactor; };
constexpr auto kStages = [](auto& c) -> auto& { return c.stages; };
constexpr auto kDevices = [](auto& c) -> auto& { return c.options.devices; };
constexpr auto kSpace = [](auto& c) -> auto& { return c.options.space.kind; };
constexpr auto kCutoff = [](auto& c) -> auto& { return c.options.space.cutoff; };
constexpr auto kExactly = [](auto& c) -> auto& { return c.options.space.exactly; };
constexpr auto kModel = [](auto& c) -> auto& { return c.options.model; };
constexpr auto kFlops = [](auto& c) -> auto& { return c.options.flops; };
constexpr auto kBandwidth = [](auto& c) -> auto& { return c.options.bandwidth; };
constexpr auto kBytesPerElement = [](auto& c) -> auto& { return c.options.bytesPerElement; };
constexpr auto kMemoryBandwidth = [](auto& c) -> auto& { return c.options.memoryBandwidth; };
constexpr auto kOptimizer = [](auto& c) -> auto& { return c.options.memory.optimizer; };
constexpr auto kZero = [](auto& c) -> auto& { return c.options.memory.zero; };
constexpr auto kRecomputation = [](auto& c) -> auto& { return c.options.memory.recomputation; };
constexpr auto kMicrobatches = [](auto& c) -> auto& { return c.options.microbatches; };

constexpr std::array kStrategyFields{
    property<&StrategyChoice::graph>({.key = "graph",
                                      .label = "Graph",
                                      .tip = "The computation graph to divide among the devices",
                                      .need = "a graph is a bundled one's name or a path",
                                      .always = true}),
    row<kBatch>(
        {.key = "batch",
         .kind = PropertyKind::Whole,
         .label = "Batch size",
         .tip = "Samples or sequences of one microbatch on all devices, where the model leaves them open; the global "
                "batch is this times the microbatches",
         .need = "a batch has 1 or more samples",
         .least = 1,
         .most = double(kMostDimensionSize),
         .none = 0}),
    row<kSequence>({.key = "sequence",
                    .kind = PropertyKind::Whole,
                    .label = "Sequence",
                    .tip = "Tokens of a transformer's sequence",
                    .need = "a sequence has 1 or more tokens",
                    .least = 1,
                    .most = 1 << 24,
                    .none = 0}),
    row<kCapacityFactor>({.key = "capacity_factor",
                          .kind = PropertyKind::Number,
                          .label = "Capacity",
                          .tip = "Capacity of an expert, as a multiple of its tokens under an even distribution",
                          .need = "experts have room for 1 to 64 times",
                          .least = 1,
                          .most = kMostCapacityFactor,
                          .none = 0}),
    row<kStages>({.key = "stages",
                  .kind = PropertyKind::Whole,
                  .label = "Stages",
                  .tip = "Number of pipeline stages, through which the microbatches of a step pass",
                  .need = "a pipeline has 1 or more stages",
                  .least = 1,
                  .most = kMostCount,
                  .none = 0}),
    row<kDevices>({.key = "devices",
                   .kind = PropertyKind::Whole,
                   .label = "Devi&ces",
                   .tip = "Most devices that are used; 0 for all of the system",
                   .need = "use 1 or more devices",
                   .least = 1,
                   .most = kMostCount,
                   .none = 0}),
    named<kSpace, kSpaceNames>(
        {.key = "space",
         .label = "&Splits",
         .tip = "Into how many parts a dimension may be split (any number, its divisors, or powers of two)",
         .need = "a space of configurations"}),
    row<kCutoff>({.key = "cutoff",
                  .kind = PropertyKind::Whole,
                  .label = "Minimum shard size",
                  .tip = "Minimum shard size of a dimension, for divisors; 1 allows every divisor",
                  .need = "a part has 1 or more",
                  .least = 1,
                  .most = double(kMostDimensionSize),
                  .always = true}),
    row<kExactly>({.key = "exactly",
                   .kind = PropertyKind::Flag,
                   .label = "&Use all devices",
                   .tip = "Split every operator among all devices, never among fewer",
                   .need = "exactly asks for all devices to be used",
                   .always = true}),
    named<kModel, kStrategyModelNames>(
        {.key = "model",
         .label = "&Model",
         .tip = "Cost model of communication (flat has one bandwidth between any two devices, hierarchical has all "
                "operators on one mesh of the system's devices and simulates collectives)",
         .need = "a cost model of strategies"}),
    row<kFlops>(
        {.key = "flops",
         .kind = PropertyKind::Speed,
         .label = "Speed",
         .tip = "Floating-point operations per second of one device, a multiply-add is two; 0: the system's figure",
         .need = "use FLOP/s, 1 or more",
         .least = kSpeedRange.least,
         .most = kSpeedRange.most,
         .none = 0}),
    row<kBandwidth>({.key = "bandwidth",
                     .kind = PropertyKind::Bandwidth,
                     .label = "Bandwidth",
                     .tip = "Bandwidth of one device in the flat model, as in 4GB/s",
                     .need = "use bytes/s, 1 or more",
                     .least = kBandwidthRange.least,
                     .most = kBandwidthRange.most,
                     .always = true}),
    row<kBytesPerElement>({.key = "word_bytes",
                           .kind = PropertyKind::Number,
                           .label = "&Data type",
                           .tip = "Data type of parameters, gradients and activations",
                           .need = "use bytes, 1 or more",
                           .least = kElementRange.least,
                           .most = kElementRange.most,
                           .none = 0}),
    row<kMemoryBandwidth>({.key = "memory_bandwidth",
                           .kind = PropertyKind::Bandwidth,
                           .label = "Memory bandwidth",
                           .tip = "Memory bandwidth of one device, as in 3.35TB/s; 0 for the system's figure",
                           .need = "use bytes/s, 1 or more",
                           .least = kBandwidthRange.least,
                           .most = kBandwidthRange.most,
                           .none = 0}),
    named<kOptimizer, kOptimizerNames>({.key = "optimizer",
                                        .label = "Optimi&zer",
                                        .tip = "State kept for every parameter (adam has two moments, momentum one, "
                                               "each in 4 bytes, with a copy in 4 bytes where parameters have fewer)",
                                        .need = "an optimizer"}),
    row<kZero>({.key = "zero",
                .kind = PropertyKind::Whole,
                .label = "ZeRO",
                .tip = "Stage of ZeRO: the devices of a gradient's sum shard optimizer states (1), gradients (2) and "
                       "parameters (3) instead of keeping copies; 3 gathers parameters once more",
                .need = "ZeRO has stages 0 to 3",
                .least = 0,
                .most = kMostZero,
                .always = true}),
    named<kRecomputation, kRecomputationNames>(
        {.key = "recomputation",
         .label = "&Recomputation",
         .tip = "Forward work that the backward pass repeats (selective keeps the outputs of products and embeddings, "
                "full keeps the inputs of layers)",
         .need = "a recomputation"}),
    row<kMicrobatches>({.key = "passes",
                        .kind = PropertyKind::Whole,
                        .label = "Microbatches",
                        .tip = "Microbatches of a step: forward and backward passes before the parameters are updated",
                        .need = "a step has 1 or more microbatches",
                        .least = 1,
                        .most = kMostMicrobatches,
                        .always = true}),
};

}  // namespace

std::span<const Property<StrategyChoice>> strategyFields() { return kStrategyFields; }

const Property<StrategyChoice>& strategyField(std::string_view key) {
  const Property<StrategyChoice>* const found = propertyOf(strategyFields(), key);
  assert(found != nullptr);
  return *found;
}

}  // namespace p2::inline workspace
