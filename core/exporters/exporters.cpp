// SPDX-License-Identifier: GPL-3.0-or-later
#include "exporters/exporters.h"

#include <algorithm>
#include <array>

#include "exporters/detail/formats.h"

namespace p2::inline exporters {
namespace {

template <class Subject>
Result<std::string> exported(const Subject& subject, std::string_view name, std::string_view unknown,
                             const ExportOptions& options = {}) {
  std::string known;
  for (const ExportFormat& format : exportFormats()) {
    const auto* write = std::get_if<Writer<Subject>>(&format.write);
    if (write == nullptr) continue;
    if (format.name == name) return (*write)(subject, options);
    known += (known.empty() ? "" : ", ") + format.name;
  }
  return Error{"\"" + std::string(name) + "\" is not " + std::string(unknown) + "; use one of " + known};
}

}  // namespace

std::string_view nameOf(ExportSubject subject) {
  constexpr std::array<std::string_view, 3> kNames{"plan", "cost tables", "strategy"};
  return kNames[static_cast<std::size_t>(subject)];
}

const std::vector<ExportFormat>& exportFormats() {
  static const std::vector<ExportFormat> kFormats = formatRows();
  return kFormats;
}

std::vector<ExportFormat> exportFormats(ExportSubject subject) {
  std::vector<ExportFormat> formats;
  std::copy_if(exportFormats().begin(), exportFormats().end(), std::back_inserter(formats),
               [&](const ExportFormat& format) { return format.subject() == subject; });
  return formats;
}

Result<std::string> exportPlan(const Plan& plan, std::string_view format, const ExportOptions& options) {
  return exported(plan, format, "an export format", options);
}

Result<std::string> exportCostTables(const StrategyProblem& problem, std::string_view format) {
  return exported(problem, format, "an export format of cost tables");
}

Result<std::string> exportStrategy(const StrategyReport& report, std::string_view format) {
  return exported(report, format, "a format of strategies");
}

}  // namespace p2::inline exporters
