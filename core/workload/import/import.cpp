// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/import.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/numbers.h"
#include "base/utf8.h"
#include "workload/import/byte_source.h"
#include "workload/import/chakra_import.h"
#include "workload/import/file_kind.h"
#include "workload/import/import_notes.h"
#include "workload/import/kineto_import.h"
#include "workload/import/readers.h"

namespace p2::inline workload {
namespace {

constexpr std::size_t kMostText = std::size_t{64} << 20;
constexpr std::size_t kBeginning = std::size_t{64} << 10;

/// A file that can be opened as often as it is needed.
struct Input {
  std::string name;
  std::function<Result<std::unique_ptr<ByteSource>>()> open;
  FileKind kind = FileKind::Unknown;
};

Result<std::string> readUpTo(ByteSource& source, std::size_t most, const std::stop_token& stop) {
  std::string text;
  while (text.size() < most) {
    if (stop.stop_requested()) return cancelledError();
    P2_TRY_ASSIGN(const std::string_view bytes, source.next());
    if (bytes.empty()) break;
    text += bytes;
  }
  return text;
}

Result<std::string> wholeText(const Input& input, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto source, input.open());
  P2_TRY_ASSIGN(std::string text, readUpTo(*source, kMostText + 1, stop));
  if (text.size() <= kMostText) return withoutMark(std::move(text));
  return Error{"it is larger than 64 MiB; only traces may be", {}, ErrorKind::TooLarge};
}

Error unknownFile() {
  return Error{
      "it is none of the traces and lists that workloads are imported from: PyTorch, Chakra, AICB, SimAI, Calculon"};
}

/// Formats of one file, or of two that belong together.
Result<WorkloadSource> readInputs(const std::vector<Input>& inputs, std::int64_t devices, const std::stop_token& stop,
                                  const Progress& progress) {
  const auto of = [&](FileKind kind) {
    return std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) { return input.kind == kind; });
  };
  const Input& first = inputs.front();
  const auto model = of(FileKind::CalculonModel);
  const auto execution = of(FileKind::CalculonExecution);
  if (model != inputs.end() || execution != inputs.end()) {
    if (inputs.size() != 2 || model == inputs.end() || execution == inputs.end()) {
      return Error{"Calculon needs two files, a model (\"num_blocks\") and an execution (\"tensor_par\")", first.name};
    }
    P2_TRY_ASSIGN(const std::string modelText, wholeText(*model, stop).within(model->name));
    P2_TRY_ASSIGN(const std::string executionText, wholeText(*execution, stop).within(execution->name));
    return readCalculon({model->name, modelText}, {execution->name, executionText});
  }
  const auto trace =
      std::find_if(inputs.begin(), inputs.end(), [](const Input& input) { return isChakra(input.kind); });
  if (trace != inputs.end()) {
    const auto groups = of(FileKind::CommunicatorGroups);
    if (inputs.size() != (groups == inputs.end() ? 1 : 2)) {
      return Error{"one rank's trace and its comm_group.json are read together; name these two only", first.name};
    }
    std::string groupText;
    if (groups != inputs.end()) {
      P2_TRY_ASSIGN(groupText, wholeText(*groups, stop).within(groups->name));
    }
    P2_TRY_ASSIGN(const auto source, trace->open().within(trace->name));
    return readChakra(*source, trace->kind, {groups == inputs.end() ? "" : groups->name, groupText}, stop, progress)
        .within(trace->name);
  }
  if (inputs.size() > 1) return Error{"this is read by itself; import one file at a time", first.name};
  if (first.kind == FileKind::CommunicatorGroups) {
    return Error{"these are the groups of a Chakra trace; name the trace of a rank as well", first.name};
  }
  P2_TRY_ASSIGN(const auto source, first.open().within(first.name));
  if (first.kind == FileKind::Kineto) {
    P2_TRY_ASSIGN(const KinetoTrace kineto, readKinetoTrace(*source, stop, progress).within(first.name));
    return workloadOfTrace(kineto).within(first.name);
  }
  P2_TRY_ASSIGN(const std::string text, wholeText(first, stop).within(first.name));
  const auto read = first.kind == FileKind::Aicb ? readAicb : readSimAi;
  return read(text, devices, stop).within(first.name);
}

/// What checkWorkload() refuses is no answer, and lists of notes are for people.
Result<WorkloadSource> acceptable(Result<WorkloadSource> result) {
  if (!result.ok()) return result;
  for (auto* list : {&result.value().understood, &result.value().assumed, &result.value().ignored}) {
    if (list->size() <= kMostImportNotes) continue;
    const std::size_t more = list->size() - kMostImportNotes;
    list->resize(kMostImportNotes);
    list->push_back("and " + std::to_string(more) + " more");
  }
  P2_TRY(checkWorkload(result->workload));
  return result;
}

Result<WorkloadSource> importInputs(std::vector<Input> inputs, std::int64_t devices, const std::stop_token& stop,
                                    const Progress& progress) {
  if (inputs.empty()) return Error{"there is nothing to import; name at least one file"};
  for (Input& input : inputs) {
    P2_TRY_ASSIGN(const auto source, input.open().within(input.name));
    P2_TRY_ASSIGN(const std::string beginning, readUpTo(*source, kBeginning, stop).within(input.name));
    input.kind = fileKindOf(beginning);
    if (input.kind == FileKind::Unknown) return unknownFile().within(input.name);
    const bool isStreamed = input.kind == FileKind::Kineto || input.kind == FileKind::ChakraJson;
    if (isStreamed && (beginning.starts_with("\xFF\xFE") || beginning.starts_with("\xFE\xFF"))) {
      return Error{"traces are read in UTF-8, and this is UTF-16; convert it, as with iconv -f utf-16 -t utf-8",
                   input.name};
    }
  }
  const bool takes = inputs[0].kind == FileKind::Aicb || inputs[0].kind == FileKind::SimAi;
  if (devices > 0 && !takes) P2_TRY(refuseChanges({{{"devices", ""}}, {}}, "a list of collectives"));
  return acceptable(readInputs(inputs, devices, stop, progress));
}

}  // namespace

std::optional<ForeignFormat> foreignFormatOf(std::string_view beginning) {
  switch (fileKindOf(beginning)) {
    case FileKind::Kineto:
      return ForeignFormat::Kineto;
    case FileKind::ChakraBinary:
    case FileKind::ChakraJson:
    case FileKind::CommunicatorGroups:
      return ForeignFormat::Chakra;
    case FileKind::Aicb:
      return ForeignFormat::Aicb;
    case FileKind::SimAi:
      return ForeignFormat::SimAi;
    case FileKind::CalculonModel:
    case FileKind::CalculonExecution:
      return ForeignFormat::Calculon;
    case FileKind::Unknown:
      break;
  }
  return std::nullopt;
}

Result<WorkloadSource> importWorkload(std::span<const std::string> paths, const std::stop_token& stop,
                                      const Progress& progress) {
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    inputs.push_back({path, [path] { return openFile(path); }, FileKind::Unknown});
  }
  return importInputs(std::move(inputs), 0, stop, progress);
}

namespace {

std::vector<Input> inputsOf(std::span<const WorkloadText> texts) {
  std::vector<Input> inputs;
  for (const WorkloadText& text : texts) {
    const auto open = [bytes = text.bytes] { return Result<std::unique_ptr<ByteSource>>(bytesOf(bytes)); };
    inputs.push_back({text.name, open, FileKind::Unknown});
  }
  return inputs;
}

/// The one value that may be given in addition to a list: the devices of a micro test. 0 for none.
Result<std::int64_t> devicesIn(const WorkloadReading& reading) {
  if (reading.changes.size() != 1 || reading.changes[0].key != "devices") {
    P2_TRY(refuseChanges(reading, "a list of collectives"));
    return std::int64_t{0};
  }
  const auto devices = parseInteger(reading.changes[0].value);
  if (devices && *devices > 0 && *devices <= (std::int64_t{1} << 31)) return *devices;
  return Error{"\"" + reading.changes[0].value + "\" is not a number of devices; use a whole number from 1", "devices"};
}

}  // namespace

Result<WorkloadSource> importWorkloadTexts(std::span<const WorkloadText> texts) {
  return importInputs(inputsOf(texts), 0, {}, {});
}

Result<WorkloadSource> readForeignText(std::string_view text, const std::string& /*name*/,
                                       const WorkloadReading& reading) {
  P2_TRY_ASSIGN(const auto devices, devicesIn(reading));
  const WorkloadText unnamed{{}, text};
  return importInputs(inputsOf({&unnamed, 1}), devices, reading.stop, {});
}

Result<WorkloadSource> readForeignFile(const std::string& path, const WorkloadReading& reading) {
  P2_TRY_ASSIGN(const auto devices, devicesIn(reading));
  return importInputs({{{}, [path] { return openFile(path); }, FileKind::Unknown}}, devices, reading.stop, {});
}

}  // namespace p2::inline workload
