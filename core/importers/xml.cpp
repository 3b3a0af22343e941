// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "importers/detail/formats.h"

namespace p2::inline importers {
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

Result<Described> readXml(std::string_view text) {
  // The parser does not expand entities, so their text would be missing silently.
  if (text.find("<!ENTITY") != std::string_view::npos) {
    return Error{"it declares XML entities, which no topology file needs; remove them"};
  }
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!parsed) {
    return Error{
        "the XML is broken or ends too early (" + std::string(parsed.description()) + "); write the file again",
        lineAt(text, parsed.offset)};
  }
  DepthMeter meter;
  if (!document.traverse(meter)) {
    return Error{"its XML elements are nested over " + std::to_string(kMostDepth) + " deep; topology files are not"};
  }
  const pugi::xml_node root = document.document_element();
  const std::string_view name = root.name();
  if (name == "topology") return readHwloc(root, "hwloc XML");
  if (name == "system") return readNcclXml(root);
  return Error{"its first element is <" + std::string(name.substr(0, 64)) +
               ">; <topology> of hwloc and <system> of NCCL can be imported"};
}

}  // namespace p2::inline importers
