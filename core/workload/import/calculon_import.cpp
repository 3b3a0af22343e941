// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <optional>

#include "base/counted.h"
#include "base/numbers.h"
#include "text/json_stream.h"
#include "workload/import/degrees.h"
#include "workload/import/import_notes.h"
#include "workload/import/readers.h"

namespace p2::inline workload {
namespace {

constexpr std::int64_t kMostSize = std::int64_t{1} << 40;

struct CalculonModel {
  std::int64_t hidden = 0;
  std::int64_t feedforward = 0;
  std::int64_t sequence = 0;
  std::int64_t heads = 0;
  std::int64_t headSize = 0;
  std::int64_t blocks = 0;
};

struct CalculonExecution {
  Degrees degrees;
  std::int64_t batch = 0;
  std::int64_t microbatch = 0;
  std::int64_t interleaving = 1;
  std::string datatype;
  std::string recompute;
  std::string tensorComm;
  std::string tensorOverlap = "none";
  std::string attention = "multihead";
  bool sharded = false;
  bool gatherAgain = false;
  bool dataOverlap = false;
  bool training = true;
};

Result<CalculonModel> modelFrom(const NamedJson& file) {
  CalculonModel model;
  const std::array<std::pair<std::string_view, std::int64_t*>, 6> numbers{{{"hidden", &model.hidden},
                                                                           {"feedforward", &model.feedforward},
                                                                           {"seq_size", &model.sequence},
                                                                           {"attn_heads", &model.heads},
                                                                           {"attn_size", &model.headSize},
                                                                           {"num_blocks", &model.blocks}}};
  JsonStream in{std::string(file.text)};
  in.object("a model of Calculon is an object", [&](std::string_view key) {
    for (const auto& [name, value] : numbers) {
      if (key == name) *value = in.whole(1, kMostSize, "a model's sizes are whole numbers from 1");
    }
  });
  in.finish();
  if (in.failed()) return in.problem().within(file.name);
  for (const auto& [name, value] : numbers) {
    if (*value == 0) return Error{"\"" + std::string(name) + "\" is missing; a model of Calculon has it", file.name};
  }
  return model;
}

Result<CalculonExecution> executionFrom(const NamedJson& file) {
  CalculonExecution run;
  std::int64_t processes = 0;
  const std::array<std::pair<std::string_view, std::int64_t*>, 7> numbers{
      {{"num_procs", &processes},
       {"tensor_par", &run.degrees.tensor},
       {"pipeline_par", &run.degrees.pipeline},
       {"data_par", &run.degrees.data},
       {"batch_size", &run.batch},
       {"microbatch_size", &run.microbatch},
       {"pipeline_interleaving", &run.interleaving}}};
  const std::array<std::pair<std::string_view, std::string*>, 5> words{{{"datatype", &run.datatype},
                                                                        {"activation_recompute", &run.recompute},
                                                                        {"attention_type", &run.attention},
                                                                        {"tensor_par_comm_type", &run.tensorComm},
                                                                        {"tensor_par_overlap", &run.tensorOverlap}}};
  const std::array<std::pair<std::string_view, bool*>, 4> flags{{{"optimizer_sharding", &run.sharded},
                                                                 {"seq_par_ag_redo", &run.gatherAgain},
                                                                 {"data_par_overlap", &run.dataOverlap},
                                                                 {"training", &run.training}}};
  JsonStream in{std::string(file.text)};
  in.object("an execution of Calculon is an object", [&](std::string_view key) {
    for (const auto& [name, value] : numbers) {
      if (key == name) *value = in.whole(1, kMostSize, "degrees and batches are whole numbers from 1");
    }
    for (const auto& [name, value] : words) {
      if (key == name) *value = in.text("a word of Calculon is expected");
    }
    for (const auto& [name, value] : flags) {
      if (key == name) *value = in.boolean("true or false is expected");
    }
  });
  in.finish();
  if (in.failed()) return in.problem().within(file.name);
  run.degrees.devices = processes;
  for (const auto& [name, value] : numbers) {
    if (*value == 0) return Error{"\"" + std::string(name) + "\" is missing; an execution has it", file.name};
  }
  return run;
}

std::optional<std::int64_t> bytesOfType(const std::string& type) {
  if (type == "float8") return 1;
  if (type == "float16" || type == "bfloat16") return 2;
  return type == "float32" ? std::optional<std::int64_t>(4) : std::nullopt;
}

/// What Calculon's layers do in a block: F gathers in front of attention and of the MLP, G adds up behind them.
class CalculonList {
 public:
  CalculonList(const CalculonModel& model, const CalculonExecution& run) : m_model(model), m_run(run) {}
  Result<EntryTally> tally();
  [[nodiscard]] std::int64_t blocks() const { return m_blocks; }
  [[nodiscard]] std::int64_t microbatches() const { return m_microbatches; }

 private:
  Result<void> count();
  void addTensor(EntryTally& tally) const;
  void addPipeline(EntryTally& tally) const;
  [[nodiscard]] Result<std::int64_t> blockWeights() const;
  Result<void> addData(EntryTally& tally) const;

  const CalculonModel& m_model;
  const CalculonExecution& m_run;
  std::int64_t m_blocks = 0;        // per stage
  std::int64_t m_microbatches = 0;  // per data rank
  std::int64_t m_width = 0;         // bytes per element
  std::int64_t m_activation = 0;    // bytes of a microbatch
};

Result<void> CalculonList::count() {
  const std::int64_t each = m_run.batch / m_run.degrees.data;
  if (each * m_run.degrees.data != m_run.batch || each % m_run.microbatch != 0) {
    return Error{"a batch of " + std::to_string(m_run.batch) + " is not " +
                 countedText(m_run.degrees.data, "data rank") + " × whole microbatches of " +
                 std::to_string(m_run.microbatch)};
  }
  m_microbatches = each / m_run.microbatch;
  const std::int64_t stages = m_run.degrees.pipeline;
  m_blocks = m_model.blocks / stages + (m_model.blocks % stages == 0 ? 0 : 1);
  if (m_blocks % m_run.interleaving != 0) {
    return Error{"an interleaving of " + std::to_string(m_run.interleaving) + " does not divide the " +
                 counted(m_blocks, "block") + " of a stage"};
  }
  const auto width = bytesOfType(m_run.datatype);
  if (!width)
    return Error{"\"" + shownName(m_run.datatype) + "\" is not a datatype; use float8, bfloat16, float16 or float32"};
  m_width = *width;
  const std::array<std::int64_t, 4> factors{m_run.microbatch, m_model.sequence, m_model.hidden, m_width};
  const auto activation = checkedProduct(factors);
  const auto times = checkedProduct(std::array<std::int64_t, 3>{12, m_blocks, m_microbatches});
  if (!activation || !times) return Error{"activations or counts leave 63 bits"};
  m_activation = *activation;
  return {};
}

void CalculonList::addTensor(EntryTally& tally) const {
  using enum CommunicationKind;
  const auto overlap =
      m_run.tensorOverlap == "none" ? CommunicationOverlap::Extent::None : CommunicationOverlap::Extent::Compute;
  const auto add = [&](const std::string& name, CommunicationKind kind, std::int64_t each, std::int64_t blocks) {
    if (blocks > 0) tally.add({name, "tp_group", kind, m_activation, overlap}, each * blocks * m_microbatches);
  };
  // Between pipeline stages p2p_rs_ag splits the AllReduce of the last block of every chunk.
  const std::int64_t edges = m_run.tensorComm == "p2p_rs_ag" ? m_run.interleaving : 0;
  const std::int64_t split = m_run.tensorComm == "rs_ag" ? m_blocks : edges;
  const std::int64_t whole = m_blocks - split;
  const bool full = m_run.recompute == "full";
  add("forward", AllReduce, 2, whole);
  add("forward gather", AllGather, 2, split);
  add("forward reduce", ReduceScatter, 2, split);
  if (!m_run.training) return;
  add("backward", AllReduce, 2, whole);
  add("backward gather", AllGather, 2, split);
  add("backward reduce", ReduceScatter, 2, split);
  if (full) {
    add("recomputation", AllReduce, 2, whole);
    add("recomputation gather", AllGather, 2, split);
    add("recomputation reduce", ReduceScatter, 2, split);
  } else if (m_run.gatherAgain) {
    add("gather again for weights", AllGather, 2, split);
  }
}

void CalculonList::addPipeline(EntryTally& tally) const {
  const std::int64_t bytes = m_run.tensorComm == "ar" ? m_activation : m_activation / m_run.degrees.tensor;
  if (bytes < 1) return;
  const std::int64_t times = m_run.interleaving * m_microbatches;
  tally.add({"activations to the next stage", "pp_group", CommunicationKind::Shift, bytes}, times);
  if (m_run.training) tally.add({"gradients to the stage before", "pp_group", CommunicationKind::Shift, bytes}, times);
}

/// Parameters of a block, of one tensor rank, as Calculon counts them: matrices, and two norms that are not split.
Result<std::int64_t> CalculonList::blockWeights() const {
  const auto mlp = checkedProduct(std::array<std::int64_t, 3>{2, m_model.hidden, m_model.feedforward});
  const auto attention =
      checkedProduct(std::array<std::int64_t, 4>{4, m_model.hidden, m_model.heads, m_model.headSize});
  constexpr std::int64_t kMostWeights = std::int64_t{1} << 56;
  if (!mlp || !attention || *mlp > kMostWeights || *attention > kMostWeights)
    return Error{"a block has too many weights"};
  return (*mlp + *attention) / m_run.degrees.tensor + 4 * m_model.hidden;
}

Result<void> CalculonList::addData(EntryTally& tally) const {
  P2_TRY_ASSIGN(const std::int64_t weights, blockWeights());
  const auto bytes = checkedProduct(weights, m_width);
  if (!bytes) return Error{"the weights of a block leave 63 bits"};
  const auto overlap = m_run.dataOverlap ? CommunicationOverlap::Extent::Compute : CommunicationOverlap::Extent::None;
  if (!m_run.sharded) {
    tally.add({"gradients", "dp_group", CommunicationKind::AllReduce, *bytes, overlap}, m_blocks);
    return {};
  }
  tally.add({"gradients", "dp_group", CommunicationKind::ReduceScatter, *bytes, overlap}, m_blocks);
  tally.add({"weights", "dp_group", CommunicationKind::AllGather, *bytes, overlap}, m_blocks);
  return {};
}

Result<EntryTally> CalculonList::tally() {
  P2_TRY(count());
  EntryTally tally;
  if (m_run.degrees.tensor > 1) addTensor(tally);
  if (m_run.degrees.pipeline > 1) addPipeline(tally);
  if (m_run.degrees.data > 1 && m_run.training) P2_TRY(addData(tally));
  return tally;
}

}  // namespace

Result<WorkloadSource> readCalculon(const NamedJson& model, const NamedJson& execution) {
  P2_TRY_ASSIGN(const CalculonModel shape, modelFrom(model));
  P2_TRY_ASSIGN(const CalculonExecution run, executionFrom(execution));
  if (run.tensorComm != "ar" && run.tensorComm != "p2p_rs_ag" && run.tensorComm != "rs_ag") {
    return Error{"\"tensor_par_comm_type\" is \"" + shownName(run.tensorComm) + "\"; ar, p2p_rs_ag and rs_ag are known",
                 execution.name};
  }
  const auto groups = groupsOf(run.degrees, false);
  if (!groups.ok()) return groups.error().within(execution.name);
  CalculonList list(shape, run);
  const auto tally = list.tally();
  if (!tally.ok()) return tally.error().within(execution.name);
  WorkloadSource source;
  source.workload.name = "Calculon: " + counted(shape.blocks, "block") + " of width " + std::to_string(shape.hidden);
  source.understood = {counted(groups->world, "device"), counted(list.blocks(), "block") + " in a stage",
                       std::to_string(list.microbatches()) + " × a microbatch of " + std::to_string(run.microbatch)};
  source.assumed = {"the vocabulary communicates nothing: a model of Calculon has none",
                    "gradients are of the same type as activations, " + run.datatype};
  if (shape.blocks % run.degrees.pipeline != 0) source.assumed.push_back("every stage has as many blocks as the first");
  if (run.attention != "multihead") {
    source.assumed.push_back("keys and values have as many weights as multihead attention has, not " +
                             shownName(run.attention));
  }
  if (run.tensorComm == "p2p_rs_ag") {
    source.assumed.push_back("one block of every chunk splits its AllReduce, as p2p_rs_ag does before the next stage");
  }
  source.ignored = {"networks, offloading and processor of the execution"};
  P2_TRY(addEntries(*tally, *groups, 1, source).within(execution.name));
  return source;
}

}  // namespace p2::inline workload
