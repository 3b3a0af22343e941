// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/sources.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "text/text_file.h"
#include "workload/workload_json.h"

namespace p2 {
namespace {

bool isWorkloadFile(std::string_view head) {
  return head.find('"' + std::string(kWorkloadFormat) + '"') != std::string_view::npos;
}

Result<WorkloadSource> readWorkloadFile(std::string_view text, const std::string& /*name*/,
                                        const WorkloadReading& reading) {
  P2_TRY(refuseChanges(reading, "a list of collectives"));
  P2_TRY_ASSIGN(auto workload, workloadFromJson(text));
  WorkloadSource source{std::move(workload), {}, {}, {}};
  source.understood.push_back(std::to_string(source.workload.collectives.size()) + " entries over " +
                              std::to_string(source.workload.axes.size()) + " axes");
  return source;
}

/// A row for every importer; the more special before the more general.
constexpr std::array kFormats{
    WorkloadFormat{"a p2-workload file", isWorkloadFile, readWorkloadFile, nullptr},
};

std::string formatNames() {
  std::string names;
  for (const WorkloadFormat& format : kFormats) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

Result<const WorkloadFormat*> formatOfHead(std::string_view head) {
  const auto found =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& format) { return format.recognises(head); });
  if (found != kFormats.end()) return &*found;
  return Error{"its content is none from which a workload can be read; use " + formatNames()};
}

Result<std::string> headOf(const std::string& path) {
  std::string head(kWorkloadHead, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (file.gcount() > 0) {
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
  }
  // What is missing, empty or a directory gets the sentence that any file gets.
  return readTextFile(path);
}

Result<WorkloadSource> checkedSource(Result<WorkloadSource> source) {
  if (!source.ok()) return source;
  P2_TRY(checkWorkload(source->workload));
  return source;
}

}  // namespace

std::span<const WorkloadFormat> workloadFormats() { return kFormats; }

Result<WorkloadSource> workloadFromText(std::string_view text, const std::string& name,
                                        const WorkloadReading& reading) {
  const auto format = formatOfHead(text.substr(0, kWorkloadHead));
  if (!format.ok()) return format.error().within(name);
  return checkedSource((*format)->read(text, name, reading)).within(name);
}

Result<WorkloadSource> workloadFromArgument(const std::string& argument, const WorkloadReading& reading) {
  P2_TRY_ASSIGN(const auto head, headOf(argument));
  const auto format = formatOfHead(head);
  if (!format.ok()) return format.error().within(argument);
  if ((*format)->readFile != nullptr) return checkedSource((*format)->readFile(argument, reading)).within(argument);
  P2_TRY_ASSIGN(const auto text, readTextFile(argument));
  return workloadFromText(text, argument, reading);
}

Result<void> refuseChanges(const WorkloadReading& reading, std::string_view what) {
  if (reading.changes.empty()) return {};
  return Error{"\"" + reading.changes.front().key + "\" changes a model or its plan, and this is " + std::string(what) +
               "; leave it out"};
}

}  // namespace p2
