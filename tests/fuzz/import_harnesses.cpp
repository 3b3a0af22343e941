// SPDX-License-Identifier: GPL-3.0-or-later
// Files of others. What libhwloc and libonnx themselves read, programs of their own read for us, and it is not fuzzed
// here; what we make of their answers is.
#include <google/protobuf/util/json_util.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "fuzz/expect.h"
#include "fuzz/harness.h"
#include "graphs/detail/graph_json.h"
#include "graphs/onnx/dimensions.h"
#include "graphs/onnx/file.h"
#include "importers/importers.h"
#include "remote/measured_files.h"
#include "system/valid_system.h"
#include "timeline/run_timeline.h"
#include "training_answer/training_plan_file.h"
#include "training_files/stated_training.h"
#include "workload/generate/training_recipe.h"
#include "workload/import/import.h"
#include "workload/import/run_trace.h"
#include "workspace/presets.h"

namespace p2::fuzz {
namespace {

void topology(std::string_view text) {
  const auto value = importTopology(text);
  if (read(value)) expect(validated(value->system).ok(), "an imported system can be worked with");
}

/// A text with this character in it is two files.
constexpr char kNextFile = '\x1e';

void foreignWorkload(std::string_view text) {
  const std::size_t cut = std::min(text.find(kNextFile), text.size());
  const std::array<WorkloadText, 2> files{
      {{"one", text.substr(0, cut)}, {"two", text.substr(std::min(cut + 1, text.size()))}}};
  const auto value = importWorkloadTexts(std::span(files).first(cut < text.size() ? 2 : 1));
  if (read(value)) expect(checkWorkload(value->workload).ok(), "an imported workload can be worked with");
}

/// A file for a reader that takes no text; it goes with the value.
class WrittenFile {
 public:
  explicit WrittenFile(std::string_view text) {
    const int descriptor = ::mkstemp(m_path.data());
    expect(descriptor >= 0, "there is room for a file");
    ::close(descriptor);
    std::ofstream(m_path, std::ios::binary) << text;
  }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  ~WrittenFile() { ::unlink(m_path.c_str()); }
  [[nodiscard]] const std::string& path() const { return m_path; }

 private:
  std::string m_path = (std::filesystem::temp_directory_path() / "p2-fuzz-XXXXXX").string();
};

void runTrace(std::string_view text) {
  const WrittenFile file(text);
  const auto traces = readRunTraces(file.path());
  if (!read(traces)) return;
  std::size_t slices = 0;
  for (const RunTrace& trace : *traces) slices += trace.slices.size();
  expect(runTimeline(*traces).slices.size() == slices, "every slice of a run is drawn");
  for (const MeasuredCollective& each : collectivesOf(*traces)) {
    expect(!describeVerdict(each).empty(), "a verdict has words");
  }
}

void measurements(std::string_view text) {
  static const System kSystem = parseSystem("node:4@25GB/s gpu:8@300GB/s").value();
  for (const char* name : {"all_reduce_perf.txt", "times.csv"}) read(measurementsIn(text, name, kSystem));
}

/// A framework's configuration, completed for a small machine.
void training(std::string_view text) {
  static const System kSystem = parseSystem("node:2@50GB/s gpu:8@450GB/s").value();
  static const ModelShape kModel = resolved(bundledRecipe("llama3-8b").value().model);
  auto stated = readTraining(text);
  if (!read(stated)) return;
  const auto made = configurationOf(stated.value(), kModel, kSystem, {});
  if (read(made)) expect(checkConfiguration(kModel, *made).ok(), "a configuration that was read can be priced");
}

void trainingPlan(std::string_view text) {
  const auto plan = trainingPlanFromJson(text);
  if (read(plan)) read(exportTrainingPlan(*plan, "workload"));
}

/// An ONNX model, or one in protobuf's JSON, of which a change leaves more.
Result<onnx::ModelProto> modelOf(std::string_view text) {
  onnx::ModelProto model;
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  const bool json = text.starts_with('{');
  if (json && google::protobuf::util::JsonStringToMessage(std::string(text), &model, options).ok()) return model;
  std::istringstream bytes{std::string(text)};
  return modelFrom(bytes);
}

void onnxModel(std::string_view text) {
  auto model = modelOf(text);
  if (!read(model)) return;
  const OnnxSizes sizes = withSuggestions({}, openDimensionsOf(*model));
  const auto value = graphOf(*std::move(model), "model", sizes);
  if (!read(value)) return;
  expectStable(*value, graphToJson, [](const std::string& written) { return graphFromJson(written); });
}

constexpr std::array kHarnesses{
    Harness{"nccl_xml", topology, "tests/data/import/*nccl*.xml tests/data/import/g*.xml tests/data/import/aws*.xml"},
    Harness{"hwloc_xml", topology, "tests/data/import/*hwloc*.xml tests/data/import/no-*.xml"},
    Harness{"smi", topology, "tests/data/import/*.txt"},
    Harness{"astra", topology, "tests/data/import/*.yml"},
    Harness{"onnx", onnxModel, ""},
    Harness{"kineto", foreignWorkload, "tests/data/workload/kineto*.json"},
    Harness{"chakra", foreignWorkload, "tests/data/workload/chakra*.json tests/data/workload/stg.json"},
    Harness{"training_logs", foreignWorkload,
            "tests/data/workload/aicb*.csv tests/data/workload/simai*.txt tests/data/workload/calculon*.json"},
    Harness{"run_trace", runTrace, "tests/data/workload/kineto*.json tests/fuzz/corpus/kineto/*"},
    Harness{"training", training, "tests/data/training_files/*"},
    Harness{"training_plan", trainingPlan, "tests/data/plans/training/*.json"},
    Harness{"measurements", measurements, "tests/data/nccl/*.txt resources/atlas/*.csv"},
};

}  // namespace

std::span<const Harness> importHarnesses() { return kHarnesses; }

}  // namespace p2::fuzz
