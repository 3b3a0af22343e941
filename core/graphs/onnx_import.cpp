// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx_import.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/child_process.h"
#include "base/helper_program.h"
#include "graphs/detail/graph_json.h"
#include "text/json_document.h"
#include "text/json_value.h"

namespace p2::inline graphs {
namespace {

namespace fs = std::filesystem;

/// libonnx's shape inference divides by zero and reads out of bounds on malformed models, and its
/// libraries take as long to start as all of p2: it lives in a program of its own.
constexpr const char* kReader = "p2-onnx-reader";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 31;  // the most that a protobuf message can hold
constexpr double kMostSeconds = 120;
constexpr std::size_t kMemory = std::size_t{2} << 30;

Result<Descriptor> opened(const std::string& path, std::uintmax_t& size) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) return Error{"it is a directory; name a file"};
  size = fs::file_size(path, failed);
  if (failed) return Error{"it cannot be read: " + failed.message(), {}, ErrorKind::Failed};
  if (size >= kMostBytes) {
    return Error{"it is larger than 2 GB, the most an ONNX file can hold; save its weights as external data",
                 {},
                 ErrorKind::TooLarge};
  }
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Error{"no permission to read it; check its owner and mode", {}, ErrorKind::Failed};
  return file;
}

Result<HelperAnswer> ask(const std::string& path, std::vector<std::string> arguments, const std::stop_token& stop) {
  if (!hasHelper(kReader)) {
    return Error{std::string("ONNX models are read by ") + kReader + ", which is not in " P2_HELPERS +
                     "; install P² Explorer again",
                 {},
                 ErrorKind::Failed};
  }
  std::uintmax_t size = 0;
  P2_TRY_ASSIGN(const auto file, opened(path, size));
  HelperCall call;
  call.program = kReader;
  call.library = "libonnx";
  call.arguments = std::move(arguments);
  call.inputFile = file.get();
  call.seconds = kMostSeconds;
  // The message, its parsed form, and what shapes are inferred on.
  call.memory = kMemory + 4 * static_cast<std::size_t>(size);
  return askHelper(call, stop);
}

Result<LoadedGraph> read(const std::string& path, const OnnxSizes& sizes, const std::stop_token& stop) {
  std::vector<std::string> arguments{fs::path(path).stem().string()};
  if (sizes.batch) arguments.insert(arguments.end(), {"--batch", std::to_string(*sizes.batch)});
  for (const auto& [name, size] : sizes.dimensions) arguments.push_back(name + "=" + std::to_string(size));
  P2_TRY_ASSIGN(auto answer, ask(path, std::move(arguments), stop));
  P2_TRY_ASSIGN(auto graph, graphFromJson(answer.output));
  return LoadedGraph{std::move(graph), std::move(answer.notes)};
}

Result<std::vector<OpenDimension>> readOpen(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto answer, ask(path, {"--open"}, stop));
  P2_TRY_ASSIGN(const auto json, parseJson(answer.output));
  std::optional<Error> problem;
  std::vector<OpenDimension> open;
  for (const JsonValue& each : JsonValue(json, problem).at("open", {}).items({})) {
    open.push_back({each.at("name", {}).text({}), each.at("input", {}).text({}),
                    each.at("axis", {}).whole(0, kMostDimensionSize, {}),
                    each.at("suggestion", {}).whole(1, kMostDimensionSize, {})});
  }
  if (problem) return *problem;
  return open;
}

}  // namespace

Result<LoadedGraph> importOnnx(const std::string& path, const OnnxSizes& sizes, const std::stop_token& stop) {
  if (sizes.batch && (*sizes.batch < 1 || *sizes.batch > kMostDimensionSize)) {
    return Error{"a batch of " + std::to_string(*sizes.batch) + "; use 1 to 2^40"};
  }
  for (const auto& [name, size] : sizes.dimensions) {
    if (size >= 1 && size <= kMostDimensionSize) continue;
    return Error{"a size of " + std::to_string(size) + " for \"" + name + "\"; use 1 to 2^40"};
  }
  return read(path, sizes, stop).within(path);
}

Result<std::vector<OpenDimension>> openDimensions(const std::string& path, const std::stop_token& stop) {
  return readOpen(path, stop).within(path);
}

OnnxSizes withSuggestions(const OnnxSizes& given, const std::vector<OpenDimension>& open) {
  OnnxSizes sizes;
  for (const OpenDimension& each : open) {
    const auto named = given.dimensions.find(each.name);
    const std::int64_t fallback = each.axis == 0 ? given.batch.value_or(each.suggestion) : each.suggestion;
    sizes.dimensions[each.name] = named == given.dimensions.end() ? fallback : named->second;
  }
  return sizes;
}

}  // namespace p2::inline graphs
