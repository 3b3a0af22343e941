// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "training/frameworks/all.h"
#include "training/frameworks/common_rules.h"

namespace p2 {
namespace {

using rules::Broken;

Broken dataAlone(const ModelShape&, const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  if (plan.tensor == 1 && plan.pipeline == 1 && plan.context == 1 && plan.expert == 1) return std::nullopt;
  return "FSDP alone shards over data; tp, pp, cp and ep need TorchTitan or another framework";
}

constexpr std::array kRules{
    FrameworkRule{"data parallelism alone", "torch/distributed/fsdp/fully_sharded_data_parallel.py", dataAlone},
};

constexpr std::array<std::int64_t, 2> kZeroStages{3, 2};
constexpr std::array kRecomputed{RecomputeKind::None, RecomputeKind::Full};
constexpr std::array<std::string_view, 1> kOrders{"plain reshape"};

}  // namespace

const TrainingFramework kFsdp{
    .name = "fsdp",
    .label = "PyTorch FSDP",
    .release = "PyTorch 2",
    .family = FrameworkFamily::Fsdp,
    .zeroStages = kZeroStages,
    .recomputations = kRecomputed,
    .sequenceParallel = SequenceParallelism::None,
    .tensorAlone = false,
    .pipelines = false,
    .interleaves = false,
    .experts = false,
    .expertTensor = false,
    .replicates = true,
    .orders = kOrders,
    .rules = kRules,
    .applyDefaults =
        [](TrainingConfiguration& configuration) {
          configuration.fullPrecisionSums = true;
          configuration.fusedAttention = true;
          configuration.plan.reshard = configuration.plan.zero == 3;
        },
};

}  // namespace p2
