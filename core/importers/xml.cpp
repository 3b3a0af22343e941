// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "importers/machine.h"

namespace p2 {
namespace {

/// Real files are about ten elements deep.
constexpr int kMostDepth = 64;

class DepthMeter : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node&) override { return depth() <= kMostDepth; }
};

std::string lineAt(std::string_view text, std::ptrdiff_t offset) {
  const auto end = text.begin() + std::min<std::ptrdiff_t>(offset, static_cast<std::ptrdiff_t>(text.size()));
  return "line " + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

}  // namespace

Result<Imported> importXml(std::string_view text, const ImportOptions& options) {
  // The parser below expands none, but hwloc reads the text with a parser of its own.
  if (text.find("<!ENTITY") != std::string_view::npos) {
    return Error{"it declares XML entities, which no topology file needs; remove them"};
  }
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    return Error{"the XML is broken or ends too early (" + std::string(parsed.description()) + "); write the file anew",
                 lineAt(text, parsed.offset)};
  }
  DepthMeter meter;
  if (!document.traverse(meter)) {
    return Error{"its XML elements are nested over " + std::to_string(kMostDepth) + " deep; topology files are not"};
  }
  const pugi::xml_node root = document.document_element();
  const std::string_view name = root.name();
  if (name == "topology") return importHwlocXml(text, options);
  if (name == "system") return importNcclXml(root, options);
  return Error{"its first element is <" + std::string(name) +
               ">; <topology> of hwloc and <system> of NCCL can be imported"};
}

}  // namespace p2
