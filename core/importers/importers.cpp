// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/importers.h"

#include <algorithm>

#include "importers/machine.h"

namespace p2 {
namespace {

enum class Format { Unknown, Xml, Matrix, Yaml };

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

Format formatOf(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool isText = std::none_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
  });
  if (start == std::string_view::npos || !isText || text[start] == '{') return Format::Unknown;
  if (text[start] == '<') return Format::Xml;
  if (has(text, "GPU0") || has(text, "Legend:") || has(text, "CPU Affinity")) return Format::Matrix;
  return has(text, "npus_count") || has(text, "topology:") ? Format::Yaml : Format::Unknown;
}

std::string_view withoutMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace

bool isImportable(std::string_view text) { return formatOf(withoutMark(text)) != Format::Unknown; }

Result<Imported> importTopology(std::string_view text, const ImportOptions& options) {
  if (text.size() > kMostImportBytes) {
    return Error{"it has " + std::to_string(text.size() >> 20) + " MiB; descriptions of topologies have at most " +
                 std::to_string(kMostImportBytes >> 20)};
  }
  text = withoutMark(text);
  switch (formatOf(text)) {
    case Format::Xml:
      return importXml(text, options);
    case Format::Matrix:
      return importSmiMatrix(text, options);
    case Format::Yaml:
      if (options.nodes > 1) return Error{"an ASTRA-sim network is the whole cluster already; leave the nodes out"};
      return importAstraYaml(text);
    case Format::Unknown:
      break;
  }
  return Error{
      "it is none of the formats that can be imported: lstopo --of xml, NCCL_TOPO_DUMP_FILE, nvidia-smi topo -m "
      "and ASTRA-sim network YAML"};
}

}  // namespace p2
