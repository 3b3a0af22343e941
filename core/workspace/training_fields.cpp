// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/training_fields.h"

#include <array>

#include "base/figures.h"

namespace p2::inline workspace {
namespace {

constexpr double kMostSequences = 1 << 30;

constexpr std::array kTrainingFields{
    property<&TrainingChoice::model>({.key = "model",
                                      .label = "&Model",
                                      .tip = "A model that comes with the program",
                                      .need = "a model is a name, as in llama3-70b"}),
    property<&TrainingChoice::config>({.key = "config",
                                       .label = "Configuration",
                                       .tip = "The text of a Hugging Face config.json or a p2-model file",
                                       .need = "a config is the text of a config.json"}),
    property<&TrainingChoice::batch>({.key = "batch",
                                      .kind = PropertyKind::Whole,
                                      .label = "Global &batch",
                                      .tip = "Sequences of a step, over all devices together",
                                      .need = "a step has 1 or more sequences",
                                      .least = 1,
                                      .most = kMostSequences,
                                      .always = true}),
    property<&TrainingChoice::sequence>({.key = "sequence",
                                         .kind = PropertyKind::Whole,
                                         .label = "&Sequence",
                                         .tip = "Tokens of a sequence",
                                         .need = "a sequence has 1 or more tokens",
                                         .least = 1,
                                         .most = kMostSequences,
                                         .always = true}),
    property<&TrainingChoice::precision>({.key = "precision",
                                          .label = "&Precision",
                                          .tip = "Number type of the large matrix products: bf16, fp8 or fp4",
                                          .need = "a precision is bf16, fp8 or fp4",
                                          .always = true}),
    property<&TrainingChoice::framework>({.key = "framework",
                                          .label = "Frame&work",
                                          .tip = "Only configurations that this framework can run: megatron, "
                                                 "torchtitan, deepspeed, fsdp, maxtext or neuronx; any for all",
                                          .need = "a framework is a name, as in megatron"}),
    property<&TrainingChoice::reserve>({.key = "reserve",
                                        .kind = PropertyKind::Amount,
                                        .label = "Memor&y kept free",
                                        .tip = "Memory of a device for the CUDA context, communication buffers and "
                                               "gaps of the allocator, as in 6GB; 0 for the default",
                                        .need = "use bytes, 0 for the default",
                                        .least = 0,
                                        .most = kAmountRange.most,
                                        .none = 0}),
    property<&TrainingChoice::fixed>(
        {.key = "fixed",
         .label = "Fixe&d choices",
         .tip =
             "Choices that are made, as in tp=8,pp=4; the others are searched. Keys: "
             "tp, pp, vpp, cp, cp_kind, ep, etp, dp, replicas, zero, microbatch, sp, "
             "tp_overlap, ep_overlap, fp8_param_gather, fused_attention, mtp, dispatch, graphs, recompute, schedule, "
             "reshard, layers",
         .need = "fixed choices are a text, as in tp=8,pp=4"}),
    property<&TrainingChoice::mine>({.key = "mine",
                                     .label = "My configuration",
                                     .tip = "The text of a configuration, in any form that can be read",
                                     .need = "an own configuration is a string"}),
};

}  // namespace

std::span<const Property<TrainingChoice>> trainingFields() { return kTrainingFields; }

}  // namespace p2::inline workspace
