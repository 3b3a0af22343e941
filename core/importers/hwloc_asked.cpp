// SPDX-License-Identifier: GPL-3.0-or-later
// What hwloc itself is asked, in its own process.
#include "base/helper_program.h"
#include "base/numbers.h"
#include "importers/detail/machine.h"

namespace p2::inline importers {
namespace {

constexpr std::int64_t kMostSyntheticUnits = 65536;
constexpr double kThisMachineSeconds = 30;

/// The number of objects that hwloc would make of "pack:2 core:4(size=1)": the product of its counts; nothing above the
/// limit.
bool isSmall(std::string_view description) {
  std::int64_t units = 1;
  int depth = 0;
  for (std::size_t i = 0; i < description.size(); ++i) {
    const char c = description[i];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    const bool starts = c >= '0' && c <= '9' &&
                        (i == 0 || description[i - 1] == ':' || description[i - 1] == ' ' || description[i - 1] == '+');
    if (!starts || depth != 0) continue;
    const std::size_t end = std::min(description.find_first_not_of("0123456789", i), description.size());
    const auto count = parseInteger(description.substr(i, end - i));
    const auto product = count && *count > 0 ? checkedProduct(units, *count) : std::nullopt;
    if (!product || *product > kMostSyntheticUnits) return false;
    units = *product;
  }
  return true;
}

Result<Imported> importWritten(const std::string& xml, const std::string& format, const ImportOptions& options) {
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size())) return Error{"hwloc wrote no XML", {}, ErrorKind::Failed};
  P2_TRY_ASSIGN(auto described, readHwloc(document.document_element(), format));
  return systemOf(described.machine, options, std::move(described.notes));
}

}  // namespace

Result<Imported> importSynthetic(std::string_view description, const ImportOptions& options,
                                 const std::stop_token& stop) {
  const std::string quoted = "\"" + std::string(description) + "\"";
  if (!isSmall(description)) {
    return Error{quoted + " has a count of 0 or over " + std::to_string(kMostSyntheticUnits) +
                 " units in all; lower the counts"};
  }
  HelperCall call;
  call.program = "p2-hwloc-reader";
  call.library = "hwloc";
  call.arguments = {"synthetic"};
  call.input = description;
  const auto answer = askHelper(call, stop);
  if (answer.ok()) return importWritten(answer->output, "hwloc synthetic", options);
  if (answer.error().kind != ErrorKind::BadInput) return answer.error();
  return Error{quoted + " is not a machine in hwloc's notation; write types and counts, as in \"pack:2 core:4 pu:2\""};
}

Result<Imported> importThisMachine(const ImportOptions& options, const std::stop_token& stop) {
  HelperCall call;
  call.program = "p2-hwloc-reader";
  call.library = "hwloc";
  call.arguments = {"this-machine"};
  // It may ask the drivers of GPUs, which reserve addresses as they like.
  call.memory = 0;
  call.seconds = kThisMachineSeconds;
  P2_TRY_ASSIGN(const auto answer, askHelper(call, stop));
  return importWritten(answer.output, "this machine through hwloc", options);
}

}  // namespace p2::inline importers
