// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/fields.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/names.h"
#include "base/numbers.h"
#include "base/units.h"

namespace p2 {
namespace {

/// What a member pointer points into, and at.
template <auto Member>
struct Pointed;
template <class T, class V, V T::*Member>
struct Pointed<Member> {
  using Owner = T;
  using Value = V;
};
template <auto Member>
using OwnerOf = typename Pointed<Member>::Owner;

Error unfit(std::string_view text, const std::string& remedy) {
  return Error{"\"" + std::string(text) + "\" is not fit; " + remedy};
}

template <auto Member>
Field<OwnerOf<Member>> wholeField(std::string_view key, std::string_view label, std::string_view help) {
  using T = OwnerOf<Member>;
  return {key,
          label,
          help,
          {},
          [](const T& owner) { return std::to_string(owner.*Member); },
          [](T& owner, std::string_view text) -> Result<void> {
            const auto value = parseInteger(text);
            if (!value || *value < 0) return unfit(text, "use a whole number");
            owner.*Member = *value;
            return {};
          }};
}

template <auto Member>
Field<OwnerOf<Member>> flagField(std::string_view key, std::string_view label, std::string_view help) {
  using T = OwnerOf<Member>;
  return {key,
          label,
          help,
          {"yes", "no"},
          [](const T& owner) { return std::string(owner.*Member ? "yes" : "no"); },
          [](T& owner, std::string_view text) -> Result<void> {
            const bool yes = sameName(text, "yes") || sameName(text, "true");
            if (!yes && !sameName(text, "no") && !sameName(text, "false")) return unfit(text, "use yes or no");
            owner.*Member = yes;
            return {};
          }};
}

template <auto Member>
Field<OwnerOf<Member>> textField(std::string_view key, std::string_view label, std::string_view help) {
  using T = OwnerOf<Member>;
  return {key,
          label,
          help,
          {},
          [](const T& owner) { return owner.*Member; },
          [](T& owner, std::string_view text) -> Result<void> {
            owner.*Member = std::string(text);
            return {};
          }};
}

template <auto Member>
Field<OwnerOf<Member>> secondsField(std::string_view key, std::string_view label, std::string_view help) {
  using T = OwnerOf<Member>;
  return {key,
          label,
          help,
          {},
          [](const T& owner) { return exactNumber(owner.*Member); },
          [](T& owner, std::string_view text) -> Result<void> {
            P2_TRY_ASSIGN(owner.*Member, parseSeconds(text));
            return {};
          }};
}

template <class E>
using Word = std::pair<E, std::string_view>;

constexpr std::array kFormatWords{
    Word<NumberFormat>{NumberFormat::Bf16, "bf16"}, Word<NumberFormat>{NumberFormat::Fp16, "fp16"},
    Word<NumberFormat>{NumberFormat::Fp32, "fp32"}, Word<NumberFormat>{NumberFormat::Fp8, "fp8"}};
constexpr std::array kDispatchWords{kFormatWords[0], kFormatWords[1], kFormatWords[2], kFormatWords[3],
                                    Word<NumberFormat>{NumberFormat::Fp8Blocks, "fp8-blocks"}};
constexpr std::array kSequenceWords{Word<SequenceParallelism>{SequenceParallelism::None, "none"},
                                    Word<SequenceParallelism>{SequenceParallelism::Megatron, "megatron"},
                                    Word<SequenceParallelism>{SequenceParallelism::Torch, "torch"}};
constexpr std::array kContextWords{Word<ContextExchange>{ContextExchange::Ring, "ring"},
                                   Word<ContextExchange>{ContextExchange::AllGather, "allgather"},
                                   Word<ContextExchange>{ContextExchange::AllToAll, "a2a"},
                                   Word<ContextExchange>{ContextExchange::Hierarchy, "a2a+p2p"}};
constexpr std::array kRecomputeWords{Word<bool>{false, "none"}, Word<bool>{true, "full"}};

template <auto Member, const auto& Words>
Field<OwnerOf<Member>> wordField(std::string_view key, std::string_view label, std::string_view help) {
  using T = OwnerOf<Member>;
  std::vector<std::string_view> choices;
  for (const auto& word : Words) choices.push_back(word.second);
  return {key,
          label,
          help,
          std::move(choices),
          [](const T& owner) {
            const auto found =
                std::find_if(Words.begin(), Words.end(), [&](const auto& word) { return word.first == owner.*Member; });
            return std::string(found == Words.end() ? "" : found->second);
          },
          [](T& owner, std::string_view text) -> Result<void> {
            std::string known;
            for (const auto& [value, word] : Words) {
              known += (known.empty() ? "" : ", ") + std::string(word);
              if (!sameName(text, word)) continue;
              owner.*Member = value;
              return {};
            }
            return unfit(text, "use one of " + known);
          }};
}

template <class T>
bool setByKey(const std::vector<Field<T>>& fields, const std::string& key, T& owner, std::string_view text,
              Result<void>& result) {
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == key; });
  if (field == fields.end()) return false;
  result = field->set(owner, text);
  if (!result.ok()) result = result.error().at(key);
  return true;
}

}  // namespace

const std::vector<Field<ModelShape>>& modelFields() {
  using M = ModelShape;
  static const std::vector<Field<M>> kFields{
      textField<&M::name>("name", "Name", "What the model is called"),
      wholeField<&M::layers>("layers", "Layers", "L, transformer layers"),
      wholeField<&M::hidden>("hidden", "Hidden size", "h, elements of a token between layers"),
      wholeField<&M::ffn>("ffn", "MLP size", "f, elements inside the MLP of a dense layer"),
      wholeField<&M::heads>("heads", "Heads", "a, attention heads"),
      wholeField<&M::kvHeads>("kv_heads", "KV heads", "g, heads of keys and values; 0 for as many as heads"),
      wholeField<&M::headSize>("head_size", "Head size", "d_h, elements of a head; 0 for hidden size by heads"),
      wholeField<&M::vocabulary>("vocabulary", "Vocabulary", "V, tokens"),
      wholeField<&M::experts>("experts", "Experts", "E, routed experts of a layer; 0 for a dense model"),
      wholeField<&M::expertsPerToken>("experts_per_token", "Experts per token", "k, to which a token goes"),
      wholeField<&M::expertFfn>("expert_ffn", "Expert size", "Elements inside an expert; 0 for the MLP size"),
      wholeField<&M::sharedFfn>("shared_ffn", "Shared experts' size", "Elements inside all shared experts together"),
      wholeField<&M::denseLayers>("dense_layers", "Dense layers", "Layers before the first with experts"),
      wholeField<&M::expertStep>("expert_step", "Step of experts", "Every so many layers have experts; 0 for all"),
      wholeField<&M::expertGroups>("expert_groups", "Groups of experts", "Of as many each; 0 for one on every node"),
      wholeField<&M::groupsPerToken>("groups_per_token", "Groups per token", "It goes to at most; 0 for no limit"),
      flagField<&M::routerBias>("router_bias", "Router bias", "Whether the router has a number for every expert"),
      flagField<&M::sharedGate>("shared_gate", "Shared gate", "Whether the shared experts have a gate"),
      flagField<&M::gatedMlp>("gated_mlp", "Gated MLP", "Three matrices in an MLP (SwiGLU), not two"),
      flagField<&M::biases>("biases", "Biases", "Of all matrices and norms, as in GPT"),
      flagField<&M::matrixBiases>("matrix_biases", "Matrix biases", "Of all matrices but no norms, as in gpt-oss"),
      flagField<&M::qkvBias>("qkv_bias", "QKV bias", "Of queries, keys and values alone, as in Qwen2"),
      flagField<&M::qkNorm>("qk_norm", "QK norm", "Norms of queries and keys, as in Qwen3"),
      flagField<&M::wideQkNorm>("wide_qk_norm", "Wide QK norm",
                                "Norms of queries and keys over all heads, as in OLMo 2"),
      flagField<&M::postNorms>("post_norms", "Post norms", "Norms behind attention and MLP as well, as in Gemma 2"),
      flagField<&M::sinks>("sinks", "Sinks", "A number of every head that attention may go to, as in gpt-oss"),
      flagField<&M::tiedEmbeddings>("tied_embeddings", "Tied embeddings", "Whether the head is the embedding"),
      flagField<&M::finalNorm>("final_norm", "Final norm", "Whether there is a norm before the head"),
      wholeField<&M::positions>("positions", "Learned positions", "Position embeddings; 0 for rotary ones"),
      wholeField<&M::qRank>("q_rank", "Query rank", "Of latent attention: rank of the queries; 0 for full"),
      wholeField<&M::kvRank>("kv_rank", "KV rank", "Of latent attention: rank of keys and values; 0 for none"),
      wholeField<&M::ropeSize>("rope_size", "Rotary part", "Of latent attention: elements of a head"),
      wholeField<&M::nopeSize>("nope_size", "Other part", "Of latent attention: elements of a head"),
      wholeField<&M::valueSize>("value_size", "Value size", "Of latent attention: elements of a head's values"),
  };
  return kFields;
}

const std::vector<Field<TrainingPlan>>& planFields() {
  using P = TrainingPlan;
  static const std::vector<Field<P>> kFields{
      wholeField<&P::devices>("devices", "Devices", "That the degrees must multiply to; 0 for as many as they do"),
      wholeField<&P::data>("dp", "Data parallel", "d, replicas included; 0 for what the others leave"),
      wholeField<&P::replicas>("replicas", "Replicas", "HSDP: copies of what is sharded over the rest of dp"),
      wholeField<&P::tensor>("tp", "Tensor parallel", "t"),
      wholeField<&P::context>("cp", "Context parallel", "c"),
      wholeField<&P::contextInner>("cp_inner", "Inner context", "Of a2a+p2p: devices of a group, a divisor of cp"),
      wholeField<&P::pipeline>("pp", "Pipeline parallel", "p, stages"),
      wholeField<&P::chunks>("vpp", "Virtual stages", "v, chunks of layers on every stage"),
      wholeField<&P::expert>("ep", "Expert parallel", "e"),
      wholeField<&P::expertTensor>("etp", "Expert tensor parallel", "t_e"),
      wholeField<&P::sequence>("sequence", "Sequence", "s, tokens"),
      wholeField<&P::microbatch>("microbatch", "Microbatch", "b, sequences"),
      wholeField<&P::microbatches>("microbatches", "Microbatches", "m, of a step; 0 for what the global batch makes"),
      wholeField<&P::globalBatch>("global_batch", "Global batch", "b·m·d, sequences of a step; 0 for what they make"),
      wordField<&P::activations, kFormatWords>("activations", "Activations", "Number format of activations"),
      wordField<&P::parameters, kFormatWords>("parameters", "Parameters", "Number format of gathered parameters"),
      wordField<&P::gradients, kFormatWords>("gradients", "Gradients", "Number format of reduced gradients"),
      wordField<&P::dispatch, kDispatchWords>("dispatch", "Dispatch", "Number format of tokens sent to experts"),
      wholeField<&P::zero>("zero", "ZeRO stage", "0 none, 1 optimizer states, 2 gradients, 3 parameters are sharded"),
      flagField<&P::reshard>("reshard", "Reshard", "ZeRO-3: gather parameters again in the backward pass"),
      flagField<&P::accumulate>("accumulate", "Accumulate", "ZeRO-2, 3: reduce gradients once a step"),
      wordField<&P::sequenceParallel, kSequenceWords>("sp", "Sequence parallel", "Of tensor parallelism"),
      wordField<&P::contextExchange, kContextWords>("cp_kind", "Context exchange", "How attention crosses cp"),
      flagField<&P::tensorOverlap>("tp_overlap", "TP overlap", "Tensor parallelism runs beside computation"),
      flagField<&P::expertOverlap>("ep_overlap", "EP overlap", "Dispatch and combine run beside computation"),
      wordField<&P::recompute, kRecomputeWords>("recompute", "Recomputation", "What the backward pass computes again"),
      textField<&P::order>("order", "Order", "Of the axes, innermost first: tp-cp-ep-dp-pp"),
      flagField<&P::layersOnly>("layers_only", "Layers only", "Leave out embeddings, head, loss and norms"),
      secondsField<&P::computeSeconds>("compute_seconds", "Computation", "Seconds of a step; 0 for unknown"),
  };
  return kFields;
}

Result<void> applyChange(const PlanChange& change, ModelShape& model, TrainingPlan& plan) {
  std::string key = change.key;
  std::replace(key.begin(), key.end(), '-', '_');
  Result<void> result;
  if (setByKey(planFields(), key, plan, change.value, result)) return result;
  if (setByKey(modelFields(), key, model, change.value, result)) return result;
  std::string known;
  for (const auto& field : planFields()) known += (known.empty() ? "" : ", ") + std::string(field.key);
  for (const auto& field : modelFields()) known += ", " + std::string(field.key);
  return Error{"nothing is called \"" + change.key + "\"; use one of " + known};
}

Result<void> applyChanges(std::span<const PlanChange> changes, ModelShape& model, TrainingPlan& plan) {
  for (const PlanChange& change : changes) P2_TRY(applyChange(change, model, plan));
  return {};
}

}  // namespace p2
