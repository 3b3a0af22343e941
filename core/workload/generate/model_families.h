// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload: the public classes of models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace p2::inline workload {

/// Properties of a class of models that its config.json does not declare.
enum class ModelTrait : std::uint32_t {
  QkvBias = 1u << 0,            ///< queries, keys and values have biases without a key for them
  BiasOnQkvOnly = 1u << 1,      ///< attention_bias is one of queries, keys and values, not of the output
  HeadNorms = 1u << 2,          ///< norms of a head's queries and keys
  WideNorms = 1u << 3,          ///< norms of all heads' queries and keys together
  BareNorms = 1u << 4,          ///< such norms have no parameters
  FourNorms = 1u << 5,          ///< norms before and behind attention and MLP
  OneNorm = 1u << 6,            ///< attention and MLP share one norm
  LateNorms = 1u << 7,          ///< norms behind attention and MLP instead of before them
  NormBias = 1u << 8,           ///< norms have biases
  NoNorms = 1u << 9,            ///< norms have no parameters
  PlainMlp = 1u << 10,          ///< two matrices in an MLP
  AllBiases = 1u << 11,         ///< all matrices have biases
  Sinks = 1u << 12,             ///< a number of every head that attention may go to
  RouterBias = 1u << 13,        ///< the router has a number for every expert
  SharedGate = 1u << 14,        ///< the shared expert has a gate
  Tied = 1u << 15,              ///< the head is the embedding unless the config says otherwise
  QueryGate = 1u << 16,         ///< the queries' matrix also makes a gate of the output
  Positions = 1u << 17,         ///< learned positions
  HeadBias = 1u << 18,          ///< the head has a bias
  OneSharedExpert = 1u << 19,   ///< a shared expert as large as the others
  SharedEverywhere = 1u << 20,  ///< the shared MLP is there with and without experts
  InnerNorms = 1u << 21,        ///< norms inside a Mamba block
  BareInner = 1u << 22,         ///< a Mamba-2 block has no norm inside
  ParallelMamba = 1u << 23,     ///< every layer has attention and a Mamba-2 block
  OneBlock = 1u << 24,          ///< a layer is one block: attention, Mamba or MLP, with one norm
  ElementGate = 1u << 25,       ///< a matrix of its own makes a gate of attention's output
  SubNorms = 1u << 26,          ///< norms before the output matrices of attention and MLP
  SlopePair = 1u << 27,         ///< two numbers of the activation in every layer
  DoubleLayer = 1u << 29,       ///< a layer has two of attention and dense MLP, and the experts once
  ExpertsAndMlp = 1u << 30,     ///< experts stand next to a dense MLP, with norms and scales of their own (Gemma 4)
  EmbeddingNorm = 1u << 31,     ///< a norm behind the embedding
  HeadScaledNorms = 1u << 28,   ///< the norm inside attention is over all heads (lightning attention)
};

/// A class's default for a key of a config (transformers' configuration_*.py).
struct ConfigDefault {
  std::string key;
  std::int64_t value;
};

/// A class of models, by the model_type of its config: a row of resources/models/families.csv.
struct ModelFamily {
  std::string type;
  std::string architecture = {};  ///< the public class
  std::uint32_t traits = 0;
  std::vector<ConfigDefault> defaults = {};
  std::vector<std::string> otherTypes = {};  ///< built in the same way

  [[nodiscard]] bool has(ModelTrait trait) const { return (traits & static_cast<std::uint32_t>(trait)) != 0; }
};

/// The class of a model_type, with or without "_text" at its end, and of other names for it; null for types that are
/// not known.
[[nodiscard]] const ModelFamily* familyOfType(std::string_view type);
/// The class of an entry of "architectures"; null if it is not known.
[[nodiscard]] const ModelFamily* familyOfArchitecture(std::string_view architecture);
/// A transformer as most are built, for types that are not known: RMSNorm, gated MLP, no biases.
[[nodiscard]] const ModelFamily& plainFamily();
/// resources/models/families.csv; a trait there is an enumerator's name.
[[nodiscard]] std::string_view modelFamiliesFile();
/// Whether the type is an encoder, or reads no text: "bert", "t5", "vit".
[[nodiscard]] bool isOtherKindOfModel(std::string_view type);
/// Whether no layer of the type has attention: "mamba2", "rwkv".
[[nodiscard]] bool isWithoutAttention(std::string_view type);

}  // namespace p2::inline workload
