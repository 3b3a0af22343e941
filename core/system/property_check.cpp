// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "system/properties.h"

namespace p2::inline system {
namespace {

/// Numbers with dots between them, or nothing; a single number would not identify a version of NCCL.
bool isVersion(std::string_view text) {
  if (text.empty()) return true;
  const bool spelt = std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return spelt && text.size() <= 32 && text.front() != '.' && text.back() != '.' &&
         text.find('.') != std::string_view::npos && text.find("..") == std::string_view::npos;
}

}  // namespace

Result<void> checkProperties(const Interconnect& link) { return checkFigures(interconnectProperties(), link); }

Result<void> checkProperties(const Library& library) {
  const bool known = std::find(kGenerations.begin(), kGenerations.end(), library.generation) != kGenerations.end();
  if (!library.generation.empty() && !known) {
    return Error{"\"" + library.generation + "\" is not a generation of GPUs; use " + alternatives(kGenerations)}.about(
        "/generation");
  }
  if (!isVersion(library.version)) {
    return Error{"\"" + library.version + "\" is not a version; write numbers with dots between them, as in 2.18"}
        .about("/version");
  }
  return checkFigures(libraryProperties(), library);
}

Result<void> checkProperties(const Accelerator& accelerator) {
  return checkFigures(acceleratorProperties(), accelerator);
}

}  // namespace p2::inline system
