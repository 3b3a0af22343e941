// SPDX-License-Identifier: GPL-3.0-or-later
// p2-onnx-reader NAME [--batch N] [NAME=SIZE …]: an ONNX model on standard input, its computation graph as p2-graph
// JSON on standard output.
// p2-onnx-reader --open: the dimensions its inputs leave open, as JSON.
#include <iostream>
#include <new>

#include "base/helper_program.h"
#include "base/numbers.h"
#include "graphs/detail/graph_json.h"
#include "graphs/onnx/dimensions.h"
#include "graphs/onnx/file.h"
#include "text/json_writer.h"

namespace p2::inline graphs {
namespace {

std::string oneLine(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return text;
}

int statusOf(const Error& error) {
  std::cerr << kHelperMark << oneLine(error.text()) << '\n';
  if (error.kind == ErrorKind::TooLarge) return kHelperTooLarge;
  return error.kind == ErrorKind::Failed ? kHelperFailed : kHelperRefused;
}

int finished() {
  std::cout << std::flush;
  return std::cout.good() ? kHelperDone : kHelperFailed;
}

int answerGraph(const std::string& name, const OnnxSizes& sizes) {
  auto file = modelFrom(std::cin);
  if (!file.ok()) return statusOf(file.error());
  const auto graph = graphOf(*std::move(file), name, sizes);
  if (!graph.ok()) return statusOf(graph.error());
  std::cout << graphToJson(*graph);
  return finished();
}

int answerOpen() {
  const auto file = modelFrom(std::cin);
  if (!file.ok()) return statusOf(file.error());
  JsonWriter writer(std::cout);
  writer.beginObject().key("open").beginArray();
  for (const OpenDimension& each : openDimensionsOf(*file)) {
    writer.beginObject(JsonWriter::Layout::OneLine).key("name").text(each.name).key("input").text(each.input);
    writer.key("axis").whole(each.axis).key("suggestion").whole(each.suggestion).end();
  }
  writer.end().end();
  return finished();
}

int answer(const std::vector<std::string>& arguments) {
  if (arguments.size() == 1 && arguments[0] == "--open") return answerOpen();
  OnnxSizes sizes;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--batch" && i + 1 < arguments.size()) {
      sizes.batch = parseInteger(arguments[++i]);
      continue;
    }
    const std::size_t equals = arguments[i].rfind('=');
    if (equals == std::string::npos) continue;
    if (const auto size = parseInteger(std::string_view(arguments[i]).substr(equals + 1))) {
      sizes.dimensions[arguments[i].substr(0, equals)] = *size;
    }
  }
  return answerGraph(arguments.empty() ? std::string() : arguments[0], sizes);
}

}  // namespace
}  // namespace p2::inline graphs

int main(int argc, char** argv) {
  try {
    return p2::answer(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    return p2::kHelperNoMemory;
  }
}
