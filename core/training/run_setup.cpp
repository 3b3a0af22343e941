// SPDX-License-Identifier: GPL-3.0-or-later
// Configuration and machine of published runs: columns of their rows, and defaults for empty cells.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

#include "base/counted.h"
#include "training/detail/real.h"
#include "training/detail/run_recipes.h"
#include "training/training_runs.h"

namespace p2::inline training {
namespace {

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// A row's cells as numbers, 0 for empty ones.
class RowCells {
 public:
  explicit RowCells(const TrainingRow& row) : m_row(row) {}
  [[nodiscard]] const std::string& text(std::string_view column) const {
    static const std::string kNone;
    const auto at = m_row.find(column);
    return at == m_row.end() ? kNone : at->second;
  }
  [[nodiscard]] double real(std::string_view column) const {
    const std::string& cell = text(column);
    double value = 0;
    std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return value;
  }
  [[nodiscard]] std::int64_t whole(std::string_view column) const { return static_cast<std::int64_t>(real(column)); }
  [[nodiscard]] std::int64_t atLeastOne(std::string_view column) const {
    return std::max<std::int64_t>(1, whole(column));
  }

 private:
  const TrainingRow& m_row;
};

FrameworkFamily familyOf(const TrainingRun& run, const std::string& framework) {
  if (has(run.table, "MLPerf")) return FrameworkFamily::MlPerf;
  if (has(run.table, "ZeRO-3")) return FrameworkFamily::DeepSpeed;
  if (has(framework, "MaxText") || has(framework, "Paxml") || has(framework, "Neuron")) return FrameworkFamily::Jax;
  if (has(framework, "FSDP") || has(framework, "Colossal") || has(framework, "itan")) return FrameworkFamily::Fsdp;
  if (has(framework, "Bridge") || has(framework, "NeMo") || has(framework, "Pai") || has(framework, "23e00ed") ||
      has(framework, "Primus") || has(framework, "Core")) {
    return FrameworkFamily::MegatronCore;
  }
  return FrameworkFamily::MegatronEager;
}

/// The number behind the first such word: 8 of "FSDP 8".
std::int64_t numberAfter(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return 0;
  std::int64_t value = 0;
  std::from_chars(text.data() + at + word.size(), text.data() + text.size(), value);
  return value;
}

void readSharding(const std::string& text, TrainingRun& run) {
  TrainingConfiguration& configuration = run.configuration;
  TrainingPlan& plan = configuration.plan;
  const bool core =
      configuration.family == FrameworkFamily::MegatronCore || configuration.family == FrameworkFamily::MlPerf;
  plan.zero = core ? 1 : 0;
  if (const std::int64_t stage = numberAfter(text, "ZeRO-"); has(text, "ZeRO-")) plan.zero = stage;
  if (has(text, "FULL_SHARD") || has(text, "SHARD_GRAD_OP") || has(text, "Megatron-FSDP")) plan.zero = 3;
  if (has(text, "SHARD_GRAD_OP")) plan.reshard = false;
  const std::int64_t shards = numberAfter(text, "FSDP ");
  if (shards > 1) {
    plan.zero = 3;
    plan.replicas = std::max<std::int64_t>(1, plan.data * plan.context / shards);
  }
  if (const std::int64_t group = numberAfter(text, "in groups of "); group > 0) {
    plan.replicas = std::max<std::int64_t>(1, plan.data / group);
  }
  if (configuration.family == FrameworkFamily::Jax && text.empty() && plan.data > 1 && run.accelerator.domain == 0) {
    plan.zero = 3;
  }
  if (run.source == "InternEvo" && has(text, "over all"))
    configuration.ownerBroadcasts = static_cast<double>(plan.data);
  if (plan.data % plan.replicas != 0) plan.replicas = 1;
  if (plan.pipeline > 1 && configuration.family != FrameworkFamily::Jax) plan.reshard = false;
}

void readDegrees(const RowCells& row, TrainingRun& run) {
  TrainingPlan& plan = run.configuration.plan;
  const std::int64_t gpus = row.atLeastOne("gpus");
  plan.devices = gpus;
  plan.tensor = row.atLeastOne("tp");
  plan.pipeline = row.atLeastOne("pp");
  plan.context = row.atLeastOne("cp");
  plan.data = row.whole("dp");
  const double batch = row.real("global_batch_sequences");
  if (plan.data == 0) {
    plan.data = std::max<std::int64_t>(1, gpus / (plan.tensor * plan.pipeline * plan.context));
    if (batch > 0 && batch < static_cast<double>(plan.data)) {
      plan.context *= static_cast<std::int64_t>(static_cast<double>(plan.data) / batch);
      plan.data = static_cast<std::int64_t>(batch);
    }
  }
  plan.expert = row.atLeastOne("ep");
  plan.expertTensor = row.atLeastOne("etp");
  plan.chunks = row.atLeastOne("vpp");
  if (row.text("vpp").empty() && plan.pipeline > 1 && run.source == "NeMo") {
    plan.chunks = std::max<std::int64_t>(1, run.model.layers / plan.pipeline);
    run.assumed.push_back("one layer in every virtual stage");
  }
}

/// Layers that were computed from a rounded number of parameters: the framework's assertion makes them a multiple of
/// the stages (Megatron-LM, megatron/model/transformer.py).
void makeStagesWhole(TrainingRun& run) {
  const std::int64_t stages = run.configuration.plan.pipeline;
  const FrameworkFamily family = run.configuration.family;
  const bool megatron = family == FrameworkFamily::MegatronCore || family == FrameworkFamily::MegatronEager;
  if (!run.hasDerivedLayers || !megatron || run.model.layers % stages == 0) return;
  run.model.layers = std::max(stages, (run.model.layers + stages / 2) / stages * stages);
  run.assumed.push_back(countedText(run.model.layers, "layer") + ", which its stages divide");
}

/// BigScience's chronicles of its preparations (train/tr11-176B-ml/chronicles-prequel.md).
void readBigScience(TrainingRun& run) {
  if (run.source != "BigScience tr11 A100") return;
  TrainingConfiguration& configuration = run.configuration;
  const std::int64_t stages = configuration.plan.pipeline;
  const std::int64_t layers = run.model.layers;
  // "dealing with JZ hanging on the large model": from 320 devices on, runs hung without it.
  configuration.blockingLaunches = configuration.plan.devices >= 320;
  // "the last stage has 1 block, while the rest have 7": DeepSpeed filled one stage after the other.
  if (layers % stages == 0 || (layers + 2) % stages == 0) return;
  const std::int64_t each = (layers + stages - 1) / stages;
  for (std::int64_t rest = layers, stage = 0; stage < stages; ++stage) {
    configuration.layersPerStage.push_back(std::min(each, rest));
    rest -= configuration.layersPerStage.back();
  }
}

void readBatch(const RowCells& row, TrainingRun& run) {
  TrainingPlan& plan = run.configuration.plan;
  plan.sequence = row.whole("seq");
  double batch = row.real("global_batch_sequences");
  if (batch == 0 && plan.sequence > 0) {
    batch = std::round(row.real("tokens_per_s_per_gpu") * row.real("gpus") * run.seconds /
                       static_cast<double>(plan.sequence));
    run.assumed.push_back("the batch from tokens per second");
  }
  plan.globalBatch = static_cast<std::int64_t>(batch);
  plan.microbatch = row.whole("micro_batch");
  if (plan.microbatch == 0) {
    const double share = batch / static_cast<double>(plan.data);
    plan.microbatch = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::min(share, run.configuration.family == FrameworkFamily::Jax ? 1e9 : 8.0)));
    run.assumed.push_back("a microbatch of " + std::to_string(plan.microbatch));
  }
  const double each = static_cast<double>(plan.microbatch * plan.data);
  plan.microbatches = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::round(batch / each)));
}

/// "zb1p"; empty for 1f1b.
void readSchedule(const std::string& text, TrainingRun& run) {
  if (auto read = scheduleKindFrom(text); read.ok()) {
    run.configuration.schedule = *read;
  } else if (!text.empty()) {
    run.unscored = read.error().text();
  }
}

/// Whether the activations of the backward pass fit: 34 bytes of every hidden element (Korthikanti et al., table 2).
bool activationsFit(const TrainingRun& run) {
  const TrainingPlan& plan = run.configuration.plan;
  if (run.configuration.adapters || run.model.experts > 0) return true;
  const double tokens = real(plan.microbatch * plan.sequence) / real(plan.context);
  return 34 * tokens * real(run.model.hidden * run.model.layers) / real(plan.tensor) < run.accelerator.memory;
}

void readRecomputation(const std::string& text, TrainingRun& run) {
  TrainingConfiguration& configuration = run.configuration;
  if (!text.empty()) {
    if (auto read = recomputeKindFrom(text); read.ok()) configuration.recomputation = *read;
    return;
  }
  const bool full =
      configuration.family == FrameworkFamily::MegatronEager || run.accelerator.domain == 0 || !activationsFit(run);
  configuration.recomputation = full ? RecomputeKind::Full : RecomputeKind::None;
  run.assumed.push_back(recomputationText(recomputationOf(configuration)));
}

/// The bytes/s of NICs that a node has, by the largest product of a number and Gbit/s in the text.
double nodeNics(const std::string& text) {
  static const std::regex kMany("([0-9]+) ?x ?[^;,]*?([0-9]+) ?Gb");
  static const std::regex kOne("([0-9]+) ?Gb/s[^;,]*between nodes");
  double gigabits = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), kMany), end; match != end; ++match) {
    gigabits = std::max(gigabits, std::stod((*match)[1]) * std::stod((*match)[2]));
  }
  std::smatch one;
  if (gigabits == 0 && std::regex_search(text, one, kOne)) gigabits = std::stod(one[1]);
  if (gigabits == 0 && has(text, "one 100 Gb/s")) gigabits = 100;
  return gigabits * 1e9 / 8;
}

void readMachine(const RowCells& row, TrainingRun& run) {
  auto known = trainingAcceleratorOf(run.device);
  if (!known.ok()) {
    run.unscored = "an accelerator that is not known";
    return;
  }
  run.accelerator = *known;
  const std::int64_t node = row.atLeastOne("gpus_per_node");
  const std::string& text = row.text("interconnect");
  std::int64_t& domain = run.accelerator.domain;
  if (domain == 72) {
    if (row.whole("gpus") > 72) domain = 64;
  } else if (domain > 0 && row.whole("gpus_per_node") > 0) {
    domain = node;
  }
  if (has(text, "PCIe") && !has(text, "NVL") && domain > 0) run.accelerator.link = std::min(run.accelerator.link, 32e9);
  if (const double nics = nodeNics(text); nics > 0 && domain > 0 && !has(text, "NDR InfiniBand 400 Gb/s between")) {
    run.accelerator.nic = nics / static_cast<double>(node);
  }
}

/// How tokens go to their experts, by the row's note; a recipe says more.
void readExperts(TrainingRun& run) {
  TrainingConfiguration& configuration = run.configuration;
  if (run.model.experts == 0) return;
  if (has(run.note, "HybridEP")) configuration.dispatch = ExpertDispatch::HybridEp;
  if (has(run.note, "deepep")) configuration.dispatch = ExpertDispatch::DeepEp;
  configuration.padsExperts = has(run.note, "tokendrop");
  configuration.plan.expertOverlap = has(run.note, "EP overlap on");
}

void readKernels(const RowCells& row, TrainingRun& run, const std::string& framework) {
  TrainingConfiguration& configuration = run.configuration;
  const std::string& precision = row.text("precision");
  configuration.adapters = has(run.name, "LoRA") || has(run.note, "LoRA");
  // The scripts of KempnerForge compile all but one model (benchmarks/mfu_scaling/mfu_bench.sh).
  const bool kempner = run.source == "KempnerForge" && run.model.experts == 0 &&
                       !(run.model.hidden == 5120 && configuration.plan.tensor == 1);
  configuration.compiled = (has(run.note, "torch.compile") || kempner) && !has(run.note, "compile off");
  configuration.overlaps = !has(run.note, "overlap of communication off") && !configuration.blockingLaunches;
  // NVIDIA's recipes set tp_comm_overlap for dense models (Megatron-Bridge, scripts/performance/utils/overrides.py),
  // and not for mixtures of experts (recipes/deepseek).
  const bool recipe =
      configuration.family == FrameworkFamily::MlPerf ||
      (configuration.family == FrameworkFamily::MegatronCore && (has(framework, "Bridge") || has(framework, "NeMo")));
  configuration.plan.tensorOverlap =
      configuration.overlaps && configuration.plan.tensor > 1 &&
      (has(run.note, "tp overlap") || (recipe && run.model.experts == 0 && row.text("sp") != "no"));
  configuration.precision = ProductPrecision::Bf16;
  if (auto read = productPrecisionFrom(precision == "TE FP8" ? "fp8" : precision); read.ok())
    configuration.precision = *read;
  if (has(run.name, "LoRA") && configuration.precision == ProductPrecision::Bf16)
    configuration.precision = ProductPrecision::Fp8;
  if (has(run.note, "all-to-all)")) configuration.plan.contextCollective = ContextCollective::AllToAll;
  // Without fused attention the scores of what ran on Aurora alone are larger than a tile's memory.
  const bool eager = configuration.family == FrameworkFamily::MegatronEager && run.source != "InternEvo" &&
                     run.source != "Argonne Aurora";
  configuration.blockingPipeline =
      configuration.plan.pipeline > 1 && (has(framework, "DeepSpeed") || has(framework, "Neuron"));
  configuration.fusedLoss = run.source == "llm-foundry";
  configuration.fusedAttention = !eager && !(has(framework, "Paxml") && !has(precision, "TE")) &&
                                 configuration.family != FrameworkFamily::DeepSpeed &&
                                 run.table != "AWS Neuron / Trainium1 NeuronCore / GPT-3";
  if (configuration.family == FrameworkFamily::MlPerf) configuration.graphs = GraphScope::All;
  // ALCF's scripts train in bf16 unless told not to (ALCF/helpers.sh, DTYPE).
  const bool half = has(precision, "fp16") || (precision.empty() && run.source != "Argonne Aurora");
  const bool megatron = configuration.family == FrameworkFamily::MegatronCore ||
                        (configuration.family == FrameworkFamily::MegatronEager && run.source != "InternEvo");
  configuration.fullPrecisionSums = megatron && !half;
  configuration.plan.gradients = configuration.family == FrameworkFamily::Jax ? NumberFormat::Fp32 : NumberFormat::Bf16;
  // NVIDIA's recipes: Megatron-Bridge's presets (src/megatron/bridge/training/mixed_precision.py), and FP8_PARAMS of
  // MLPerf's submissions.
  configuration.fp8Parameters =
      recipe && configuration.precision == ProductPrecision::Fp8 && configuration.plan.zero > 0;
  const bool tensors = has(precision, "cs") || has(precision, "current") || has(precision, "delayed");
  const bool blackwell = run.accelerator.generation == "B200" || run.accelerator.generation == "B300";
  configuration.microScales = configuration.fp8Parameters && blackwell && !tensors;
  if (row.text("sp") == "no" || (row.text("sp").empty() && configuration.family == FrameworkFamily::MegatronEager)) {
    configuration.plan.sequenceParallel = SequenceParallelism::None;
  }
}

/// Runs of other architectures, or without a figure that a step depends on.
std::string whyNot(const TrainingRun& run) {
  const TrainingPlan& plan = run.configuration.plan;
  if (!run.unscored.empty()) return run.unscored;
  if (has(run.name, "BERT")) return "the number of tokens is not published";
  if (run.model.layers <= 0 || run.model.hidden <= 0 || run.model.ffn <= 0) return "the model's shape is not published";
  if (plan.sequence <= 0) return "the sequence length is not published";
  if (plan.globalBatch <= 0) return "the batch is not published";
  if (run.seconds <= 0) return "the step time is not published";
  if (const std::int64_t product = plan.tensor * plan.pipeline * plan.context * plan.data; product != plan.devices) {
    return "its degrees are for " + countedText(product, "device") + " and not for " + std::to_string(plan.devices);
  }
  if (has(run.note, "capacity=")) return "the loads of the experts are not published";
  if (has(run.note, "the numbers equal")) return "its figures repeat another row of its table";
  if (auto checked = checkModel(run.model); !checked.ok())
    return checked.error().where.text() + " " + checked.error().message;
  return {};
}

/// "NeMo" of "NeMo docs / H100-80GB": all tables of one publisher are one source.
std::string sourceOf(const std::string& table) {
  std::string source = table.substr(0, table.find(" / "));
  for (const std::string maker : {"Megatron-Bridge", "NeMo", "JAX-Toolbox", "DLPerf", "TPU recipes", "AWS Neuron"}) {
    if (source.starts_with(maker)) return maker;
  }
  return source;
}

}  // namespace

TrainingRun runFromRow(const TrainingRow& columns) {
  const RowCells row(columns);
  TrainingRun run;
  run.table = row.text("table");
  run.source = sourceOf(run.table);
  run.reference = row.text("source");
  run.name = row.text("model");
  run.device = row.text("gpu_type");
  run.note = row.text("note");
  run.seconds = row.real("step_seconds");
  if (const std::size_t at = run.note.find(" NeMo Container"); at != std::string::npos)
    run.release = run.note.substr(0, at);
  const std::string& framework = row.text("framework");
  run.configuration.family = familyOf(run, framework);
  readMachine(row, run);
  completeShape(columns, run);
  readDegrees(row, run);
  makeStagesWhole(run);
  readBigScience(run);
  readBatch(row, run);
  readSchedule(row.text("schedule"), run);
  readKernels(row, run, framework);
  readExperts(run);
  readSharding(row.text("zero_stage_or_fsdp"), run);
  readRecomputation(row.text("recompute"), run);
  applyRecipe(row.text("precision"), run);
  run.unscored = whyNot(run);
  return run;
}

}  // namespace p2::inline training
