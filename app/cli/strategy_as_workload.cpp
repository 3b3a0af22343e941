// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/strategy_as_workload.h"

#include <iostream>

#include "app/cli/output.h"
#include "text/text_file.h"

namespace p2::cli {

Result<void> writeAsWorkload(const WorkloadSource& source, const std::optional<std::string>& path, std::ostream& out) {
  for (const std::string& text : source.assumed) std::cerr << "p2: assumed: " << oneLine(text) << '\n';
  for (const std::string& text : source.ignored) std::cerr << "p2: ignored: " << oneLine(text) << '\n';
  const std::string json = workloadToJson(source.workload);
  if (path) return writeTextFile(*path, json);
  out << json;
  return {};
}

}  // namespace p2::cli
