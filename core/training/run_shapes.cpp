// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of published runs: columns of their rows, completed by published figures of models of that name.
#include <array>
#include <charconv>

#include "base/counted.h"
#include "training/model_argument.h"
#include "training/training_runs.h"

namespace p2::inline training {
namespace {

std::int64_t wholeIn(const TrainingRow& row, std::string_view column) {
  const auto at = row.find(column);
  std::int64_t value = 0;
  if (at != row.end()) std::from_chars(at->second.data(), at->second.data() + at->second.size(), value);
  return value;
}

double realIn(const TrainingRow& row, std::string_view column) {
  const auto at = row.find(column);
  double value = 0;
  if (at != row.end()) std::from_chars(at->second.data(), at->second.data() + at->second.size(), value);
  return value;
}

/// Shapes that rows give by name alone: InternLM's config.json, NeMo's and Paxml's recipes, NxD's examples, Llama 2.
struct NamedShape {
  std::string_view begins;
  std::int64_t layers, hidden, heads, keyValueHeads, ffn, vocabulary;
};
constexpr std::array<NamedShape, 11> kNamed{{
    {"InternLM 7B", 32, 4096, 32, 32, 11008, 103168},
    {"GPT-3 126M", 12, 768, 12, 12, 3072, 51200},
    {"GPT-3 5B", 24, 4096, 32, 32, 16384, 51200},
    {"GPT-3 20B", 44, 6144, 48, 48, 24576, 51200},
    {"Nemotron 8B", 32, 4096, 32, 32, 16384, 256000},
    {"Nemotron 22B", 40, 6144, 48, 48, 24576, 256000},
    {"GPT3-23B", 28, 8192, 64, 64, 32768, 50304},
    {"GPT3-46B", 56, 8192, 64, 64, 32768, 50304},
    {"Llama-like 7B", 32, 4096, 32, 32, 11008, 32000},
    {"Llama-like 70B", 80, 8192, 64, 8, 28672, 32000},
    {"AuroraGPT small (Llama3 shape)", 0, 3072, 24, 8, 8192, 256000},
}};

void nameExperts(ModelShape& model, TrainingRun& run) {
  model.expertFfn = model.ffn;
  if (model.name.starts_with("DeepSeek")) {
    model.denseLayers = 3;
    model.ffn = 18432;
    model.sharedFfn = model.expertFfn;
    model.qRank = 1536;
    model.kvRank = 512;
    model.ropeSize = 64;
    model.nopeSize = 128;
    model.valueSize = 128;
    model.expertGroups = 8;
    model.groupsPerToken = 4;
    // A layer that predicts the token after next, with the head once more. Recipes balance the stages around it.
    if (run.note.find("w/ MTP") != std::string::npos) ++model.layers;
  } else if (model.name.starts_with("GPT-OSS")) {
    model.headSize = 64;
    model.matrixBiases = true;
    model.sinks = true;
    model.window = 128;
    model.windowStep = 2;
  } else if (model.name.starts_with("Qwen3")) {
    model.headSize = 128;
    model.qkNorm = true;
  }
}

bool isGpt(const ModelShape& model) {
  const std::string& name = model.name;
  return name.starts_with("GPT") || name.starts_with("MPT") || name.starts_with("Nemotron") ||
         name.starts_with("BERT") || name.starts_with("MT-NLG") || name.starts_with("Megatron");
}

/// Layers or width that only the number of parameters gives.
void fromParameters(double parameters, TrainingRun& run) {
  ModelShape& model = run.model;
  const auto h = static_cast<double>(model.hidden);
  const auto embeddings = (model.tiedEmbeddings ? 1.0 : 2.0) * static_cast<double>(model.vocabulary) * h;
  if (parameters <= 0 || h <= 0) return;
  if (model.layers == 0 && model.ffn > 0) {
    const double layer = 4 * h * h + (model.gatedMlp ? 3 : 2) * h * static_cast<double>(model.ffn);
    model.layers = static_cast<std::int64_t>((parameters - embeddings) / layer + .5);
    run.hasDerivedLayers = true;
    run.assumed.push_back("layers from the number of parameters");
  } else if (model.ffn == 0 && model.layers > 0) {
    const double keys = model.kvHeads > 0 ? static_cast<double>(model.kvHeads) / static_cast<double>(model.heads) : 1;
    const double width =
        ((parameters - embeddings) / static_cast<double>(model.layers) - 2 * h * h * (1 + keys)) / (3 * h);
    model.ffn = static_cast<std::int64_t>(width / 256 + .5) * 256;
    run.assumed.push_back("feed-forward width from the number of parameters");
  }
}

}  // namespace

void completeShape(const TrainingRow& row, TrainingRun& run) {
  ModelShape& model = run.model;
  model.name = run.name;
  if (wholeIn(row, "hidden") == 0) {
    if (auto bundled = bundledModelNamed(run.name); bundled.ok()) {
      model = std::move(bundled).value().shape;
      if (const std::int64_t layers = wholeIn(row, "layers"); layers > 0) model.layers = layers;
      return;
    }
  }
  model.layers = wholeIn(row, "layers");
  model.hidden = wholeIn(row, "hidden");
  model.heads = wholeIn(row, "heads");
  model.kvHeads = wholeIn(row, "kv_heads");
  model.ffn = wholeIn(row, "ffn");
  model.vocabulary = wholeIn(row, "vocab");
  model.experts = wholeIn(row, "experts");
  model.expertsPerToken = wholeIn(row, "topk");
  for (const NamedShape& named : kNamed) {
    if (model.hidden > 0 || !run.name.starts_with(named.begins)) continue;
    if (model.layers == 0) model.layers = named.layers;
    model.hidden = named.hidden;
    model.heads = named.heads;
    model.kvHeads = named.keyValueHeads;
    model.ffn = named.ffn;
    model.vocabulary = named.vocabulary;
    run.assumed.push_back("the shape that is published of " + std::string(named.begins));
    break;
  }
  model.gatedMlp = !isGpt(model);
  model.biases = !model.gatedMlp;
  model.tiedEmbeddings = !model.gatedMlp;
  if (model.vocabulary == 0) {
    const bool wide = run.note.find("250k") != std::string::npos || run.source == "BigScience tr11 A100";
    const bool gemma = run.name.starts_with("AuroraGPT small");  // its notes name gemma-7b's tokenizer
    model.vocabulary = wide ? 250880 : gemma ? 256000 : 51200;
    run.assumed.push_back("a vocabulary of " + std::to_string(model.vocabulary));
  }
  if (model.heads == 0 && model.hidden > 0) {
    model.heads = model.hidden % 128 == 0 ? model.hidden / 128 : model.hidden / 144;
    run.assumed.push_back(countedText(model.heads, "head") + "");
  }
  fromParameters(realIn(row, "params_b") * 1e9, run);
  if (model.ffn == 0) model.ffn = 4 * model.hidden;
  if (model.experts > 0) nameExperts(model, run);
  model = resolved(model);
}

}  // namespace p2::inline training
