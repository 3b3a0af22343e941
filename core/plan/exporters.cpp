// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/exporters.h"

#include <array>

namespace p2 {
namespace {

struct Exporter {
  ExportFormat format;
  std::string (*write)(const Plan&);
};

const std::array<Exporter, 3>& exporters() {
  static const std::array<Exporter, 3> kExporters{{
      {{"json", "json", "the plan file itself"}, planToJson},
      {{"csv", "csv", "one row per step and group, for spreadsheets"}, planToCsv},
      {{"text", "txt", "a report for people"}, planToText},
  }};
  return kExporters;
}

}  // namespace

const std::vector<ExportFormat>& exportFormats() {
  static const std::vector<ExportFormat> kFormats = [] {
    std::vector<ExportFormat> formats;
    for (const Exporter& exporter : exporters()) formats.push_back(exporter.format);
    return formats;
  }();
  return kFormats;
}

Result<std::string> exportPlan(const Plan& plan, std::string_view format) {
  std::string known;
  for (const Exporter& exporter : exporters()) {
    if (exporter.format.name == format) return exporter.write(plan);
    known += (known.empty() ? "" : ", ") + exporter.format.name;
  }
  return Error{"\"" + std::string(format) + "\" is not an export format; use one of " + known};
}

}  // namespace p2
