// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory_runs.h"

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

namespace p2::test {
namespace {

constexpr double kGigabyte = 1e9;
constexpr double kGibibyte = 1073741824;

/// Publisher of a row, its unit, and its way to count.
struct MemorySource {
  std::string_view begins;  ///< start of its `source` column
  std::string_view name;
  double unit;
  MemoryFigure figure;
};
// KempnerForge prints torch.cuda.max_memory_allocated() / 1024³ as GB (kempnerforge/metrics/memory.py). BigScience
// reads nvidia-smi.
constexpr std::array<MemorySource, 5> kSources{{
    {"bigscience-workshop", "BigScience", kGigabyte, MemoryFigure::Driver},
    {"KempnerInstitute", "KempnerForge", kGibibyte, MemoryFigure::Allocated},
    {"AMD-AGI/Primus", "Primus", kGigabyte, MemoryFigure::Driver},
    {"MooreThreads/SimuMax", "SimuMax", kGibibyte, MemoryFigure::Allocated},
    {"argonne-lcf", "Argonne Aurora", kGigabyte, MemoryFigure::Driver},
}};

const std::string& cellOf(const TrainingRow& row, std::string_view column) {
  static const std::string kNone;
  const auto at = row.find(column);
  return at == row.end() ? kNone : at->second;
}

double realOf(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string whyNotOf(const MemoryRun& memory, const TrainingRow& row) {
  const TrainingRun& run = memory.run;
  if (cellOf(row, "seq").empty()) return "the sequence length is not published";
  if (run.model.layers <= 0 || run.model.hidden <= 0) return "the model's shape is not published";
  if (cellOf(row, "micro_batch").empty()) return "the microbatch is not published";
  if (cellOf(row, "ffn").empty() && cellOf(row, "params_b").empty() && run.model.experts > 0) {
    return "the width of the feed-forward layers is not published";
  }
  if (memory.bytes <= 0 && memory.figure != MemoryFigure::Exceeded) return "the peak is not published";
  const TrainingPlan& plan = run.configuration.plan;
  if (run.source == "Argonne Aurora" && plan.pipeline == 16 && plan.globalBatch == 192) {
    return "the notes also list a run of this configuration that fitted";
  }
  if (auto checked = checkModel(run.model); !checked.ok()) {
    return checked.error().where.text() + " " + checked.error().message;
  }
  return {};
}

/// KempnerForge trains in 16 bits throughout, reduces in fp32, and only after the last microbatch
/// (kempnerforge/config/training.py, distributed/parallel.py, training/grad.py). Under a pipeline it keeps parameters
/// gathered.
void setKempner(TrainingConfiguration& configuration) {
  configuration.halfStates = true;
  configuration.wholeEnds = configuration.plan.tensor > 1;
  configuration.fullPrecisionSums = configuration.plan.zero == 3;
  configuration.plan.accumulate = configuration.plan.zero == 3;
  configuration.plan.reshard = configuration.plan.pipeline == 1;
}

MemoryRun memoryRunOf(TrainingRow row) {
  MemoryRun memory;
  const std::string& source = cellOf(row, "source");
  for (const MemorySource& known : kSources) {
    if (!source.starts_with(known.begins)) continue;
    row["table"] = std::string(known.name) + " / " + cellOf(row, "gpu_type");
    memory.figure = known.figure;
    memory.bytes = realOf(cellOf(row, "peak_memory_gb")) * known.unit;
  }
  if (cellOf(row, "oom") == "yes") memory.figure = MemoryFigure::Exceeded;
  memory.run = runFromRow(row);
  if (memory.run.source == "KempnerForge") setKempner(memory.run.configuration);
  memory.unscored = whyNotOf(memory, row);
  return memory;
}

}  // namespace

std::vector<MemoryRun> memoryRuns() {
  std::ifstream file(P2_RESOURCES "/training/memory.csv");
  std::stringstream csv;
  csv << file.rdbuf();
  const std::vector<TrainingRow> rows = trainingRowsFrom(csv.str()).value();
  std::vector<MemoryRun> runs;
  for (const TrainingRow& row : rows) runs.push_back(memoryRunOf(row));
  return runs;
}

double predictedBytes(const MemoryRun& memory) {
  const double peak = peakMemory(memory.run.model, memory.run.configuration).total();
  const bool all = memory.figure != MemoryFigure::Allocated;
  return peak + (all ? defaultMemoryReserve(memory.run.accelerator.memory) : 0);
}

}  // namespace p2::test
