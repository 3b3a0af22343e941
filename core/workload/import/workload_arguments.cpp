// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/workload_arguments.h"

#include <algorithm>

#include "workload/import/byte_source.h"
#include "workload/import/import.h"

namespace p2 {
namespace {

/// How a file begins, unpacked. Empty where it cannot be read, or is no file at all but a name.
std::string beginningOf(const std::string& argument) {
  std::string beginning;
  const auto source = openFile(argument);
  if (!source.ok()) return beginning;
  while (beginning.size() < kWorkloadHead) {
    const auto bytes = (*source)->next();
    if (!bytes.ok() || bytes->empty()) break;
    beginning += *bytes;
  }
  beginning.resize(std::min(beginning.size(), kWorkloadHead));
  return beginning;
}

Error noWorkload(const std::string& name) {
  std::string known;
  const auto add = [&](std::string_view format) { known += (known.empty() ? "" : ", ") + std::string(format); };
  for (const auto& format : workloadFormats()) add(format.name);
  for (const ForeignFormat format : kForeignFormats) add(nameOf(format));
  return Error{"its content is none from which a workload can be read; use " + known}.within(name);
}

}  // namespace

Result<WorkloadSource> workloadFromArguments(std::span<const std::string> arguments, const WorkloadReading& reading,
                                             const Progress& progress) {
  if (arguments.empty()) return Error{"there is nothing to read; name a model or a file"};
  const std::string beginning = beginningOf(arguments[0]);
  const auto formats = workloadFormats();
  const bool ours = beginning.empty() || std::any_of(formats.begin(), formats.end(),
                                                     [&](const auto& format) { return format.recognises(beginning); });
  if (ours) {
    if (arguments.size() > 1) {
      return Error{"this is read by itself; name one model or file"}.within(arguments[0]);
    }
    return workloadFromArgument(arguments[0], reading);
  }
  if (!isWorkloadOfOthers(beginning)) return noWorkload(arguments[0]);
  P2_TRY(refuseChanges(reading, "a list of collectives"));
  return importWorkload(arguments, reading.stop, progress);
}

}  // namespace p2
