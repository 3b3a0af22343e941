// SPDX-License-Identifier: GPL-3.0-or-later
// The short words of a configuration, spelt out.
#include "base/counted.h"
#include "training/parameter_gathering.h"
#include "training_answer/configuration_text.h"

namespace p2::inline training_answer {
namespace {

std::string_view contextWords(ContextCollective kind) {
  constexpr std::string_view kWords[] = {
      "ring: keys and values travel from device to device during attention",
      "AllGather: keys and values are gathered before attention",
      "AllToAll: during attention the heads are split instead of the sequence",
      "AllToAll + ring: heads are split inside a group, keys and values travel between groups"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view zeroWords(std::int64_t stage) {
  constexpr std::string_view kWords[] = {"", "the optimizer's states", "the optimizer's states and the gradients",
                                         "the optimizer's states, the gradients and the parameters"};
  return kWords[static_cast<std::size_t>(stage)];
}

std::string recomputationWords(const TrainingConfiguration& configuration) {
  switch (configuration.recomputation) {
    case RecomputeKind::None:
      return "no recomputation: all activations are kept for the backward pass";
    case RecomputeKind::Selective:
      if (!configuration.recomputedModules.empty()) {
        return recomputationText(recomputationOf(configuration)) + ": the backward pass repeats these parts of a layer";
      }
      if (!repeatsCore(configuration)) {
        return "selective recomputation: the backward pass repeats some cheap operators of every layer";
      }
      return "selective recomputation: the backward pass repeats the core of attention, which is large and cheap";
    case RecomputeKind::Full:
      break;
  }
  return "full recomputation: the backward pass repeats the forward pass of every layer, to keep fewer activations";
}

std::string_view dispatchWords(ExpertDispatch dispatch) {
  constexpr std::string_view kWords[] = {
      "AllToAll: each expert of a token gets a copy, and the host waits for the numbers of tokens",
      "DeepEP: a token is sent to a node once, and copied to its experts there",
      "HybridEP: a token is sent to a node once, and sorted by experts in the same kernels"};
  return kWords[static_cast<std::size_t>(dispatch)];
}

std::string_view scheduleWords(const TrainingConfiguration& configuration) {
  switch (configuration.schedule) {
    case ScheduleKind::GPipe:
      return "gpipe: all forward passes, then all backward passes";
    case ScheduleKind::OneF1B:
      return configuration.plan.chunks > 1 ? "interleaved: each stage alternates the passes of its virtual stages"
                                           : "1f1b: each stage alternates one forward and one backward pass";
    case ScheduleKind::ZeroBubble1:
      return "zb1p: gradients of the weights are delayed to fill the bubble";
    case ScheduleKind::ZeroBubble2:
      return "zb2p: as zb1p with twice the activations, which leaves no bubble where passes are equal";
    case ScheduleKind::ZeroBubbleV:
      return "zbv: every stage has two chunks, and gradients of the weights are delayed to fill the bubble";
    case ScheduleKind::DualPipe:
      break;
  }
  return "dualpipe: microbatches enter the pipeline from both ends";
}

}  // namespace

std::vector<std::string> explainDegrees(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  std::vector<std::string> lines;
  const auto add = [&lines](std::string_view name, std::int64_t degree, const std::string& meaning) {
    if (degree > 1) lines.push_back(std::string(name) + ' ' + std::to_string(degree) + ": " + meaning);
  };
  const auto over = [](std::int64_t degree) { return " over " + countedText(degree, "device"); };
  add("tp", plan.tensor, "tensor parallelism, the matrices of every layer are split" + over(plan.tensor));
  if (plan.tensor > 1 && plan.sequenceParallel != SequenceParallelism::None) {
    lines.emplace_back("sp: sequence parallelism, between these matrices the same devices split the sequence");
    if (plan.tensorOverlap) lines.emplace_back("sp overlapped: matrix products hide the communication of tp");
  }
  add("cp", plan.context, "context parallelism, every sequence is split" + over(plan.context));
  if (plan.context > 1) lines.emplace_back(contextWords(plan.contextCollective));
  add("pp", plan.pipeline, "pipeline parallelism, the layers are split into " + countedText(plan.pipeline, "stage"));
  if (plan.pipeline > 1 && plan.chunks > 1) {
    lines.push_back("×" + std::to_string(plan.chunks) + ": every stage has " +
                    countedText(plan.chunks, "virtual stage") + ", which shortens the bubble");
  }
  if (configuration.predictedTokens > 0) {
    lines.push_back("mtp " + std::to_string(configuration.predictedTokens) + ": multi-token prediction, " +
                    countedText(configuration.predictedTokens, "further layer") +
                    " and as many heads behind the last layer");
  }
  add("ep", plan.expert, "expert parallelism, the experts of a layer are spread" + over(plan.expert));
  if (plan.expert > 1 && plan.expertOverlap) {
    lines.emplace_back(
        "ep overlapped: computation of another microbatch hides how tokens are sent to experts and back");
  }
  if (plan.expert > 1) lines.emplace_back(dispatchWords(configuration.dispatch));
  add("etp", plan.expertTensor, "the matrices of every expert are split" + over(plan.expertTensor));
  lines.push_back("dp " + std::to_string(plan.data) + ": data parallelism, " +
                  (plan.data > 1 ? countedText(plan.data, "part") + " of the batch are computed at the same time"
                                 : "the whole batch goes through one copy of the model"));
  if (plan.replicas > 1) {
    lines.push_back("in " + countedText(plan.replicas, "replica") + ": states are sharded over " +
                    countedText(plan.data / plan.replicas, "device") + " and repeated by every replica");
  }
  if (plan.zero > 0) {
    lines.push_back("ZeRO " + std::to_string(plan.zero) + ": the devices of dp share " +
                    std::string(zeroWords(plan.zero)) + " instead of holding copies");
  }
  if (isGatheredOnce(plan)) lines.emplace_back("gathered once: parameters are gathered once a step");
  return lines;
}

std::vector<std::string> explainBatches(const TrainingConfiguration& configuration) {
  const TrainingPlan& plan = configuration.plan;
  std::vector<std::string> lines{std::to_string(plan.microbatch) + " × " + std::to_string(plan.microbatches) + ": " +
                                 countedText(plan.microbatches, "microbatch", "microbatches") + " of " +
                                 countedText(plan.microbatch, "sequence") +
                                 ", one after another, in each of the dp parts"};
  lines.push_back(recomputationWords(configuration));
  if (configuration.graphs != GraphScope::None) {
    lines.push_back(graphsText(configuration.graphs) + ": recorded graphs start these kernels instead of the host");
  }
  if (plan.pipeline > 1) lines.emplace_back(scheduleWords(configuration));
  return lines;
}

}  // namespace p2::inline training_answer
