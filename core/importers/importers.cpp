// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/importers.h"

#include <algorithm>
#include <optional>

#include "importers/machine.h"
#include "importers/words.h"

namespace p2 {
namespace {

enum class Format { Unknown, Xml, Matrix, Rocm, Astra };

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Of a text that plainText() has gone over.
Format formatOf(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool isText = std::none_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
  });
  if (start == std::string_view::npos || !isText) return Format::Unknown;
  if (text[start] == '{') return has(text, "\"topologies-per-dim\"") ? Format::Astra : Format::Unknown;
  if (text[start] == '<') return Format::Xml;
  if (has(text, "ROCm System Management") || has(text, "Link Type between two GPUs")) return Format::Rocm;
  if (has(text, "GPU0") || has(text, "Legend:") || has(text, "CPU Affinity")) return Format::Matrix;
  return has(text, "npus_count") || has(text, "topology:") ? Format::Astra : Format::Unknown;
}

Error unknownFormat() {
  return {
      "it is none of the formats that can be imported: lstopo --of xml, NCCL_TOPO_DUMP_FILE, nvidia-smi topo -m, "
      "rocm-smi --showtopo and ASTRA-sim networks"};
}

std::optional<Error> tooLarge(std::string_view text) {
  if (text.size() <= kMostImportBytes) return std::nullopt;
  return Error{"it has " + std::to_string(text.size() >> 20) + " MiB; descriptions of topologies have at most " +
                   std::to_string(kMostImportBytes >> 20),
               {},
               ErrorKind::TooLarge};
}

Error cleaned(Error error) {
  error.message = printable(std::move(error.message));
  return error;
}

/// Without control codes, whatever names the file has brought in.
Result<Imported> cleaned(Result<Imported> result) {
  if (!result.ok()) return cleaned(result.error());
  Imported& imported = result.value();
  for (auto* list : {&imported.understood, &imported.assumed, &imported.ignored}) {
    for (std::string& text : *list) text = printable(std::move(text));
  }
  for (Level& level : imported.system.levels) level.interconnect.name = printable(std::move(level.interconnect.name));
  return result;
}

}  // namespace

bool isImportable(std::string_view text) { return formatOf(plainText(text)) != Format::Unknown; }

Result<Described> describedMachine(std::string_view text) {
  switch (formatOf(text)) {
    case Format::Xml:
      return readXml(text);
    case Format::Matrix:
      return readSmiMatrix(text);
    case Format::Rocm:
      return readRocmTables(text);
    case Format::Astra:
      return Error{"an ASTRA-sim network is the whole cluster already, and no machine of one"};
    case Format::Unknown:
      break;
  }
  return unknownFormat();
}

Result<Imported> importTopology(std::string_view text, const ImportOptions& options) {
  if (const auto error = tooLarge(text)) return *error;
  const std::string plain = plainText(text);
  if (formatOf(plain) == Format::Astra) {
    if (options.nodes > 1) return Error{"an ASTRA-sim network is the whole cluster already; leave the nodes out"};
    return cleaned(importAstra(plain));
  }
  auto described = describedMachine(plain);
  if (!described.ok()) return cleaned(described.error());
  return cleaned(systemOf(described->machine, options, std::move(described.value().notes)));
}

Result<Imported> importMachines(std::span<const NamedText> texts, const ImportOptions& options) {
  if (texts.empty()) return Error{"there is nothing to import; name at least one file"};
  if (texts.size() == 1 || options.nodes > 1) {
    if (texts.size() > 1) return Error{"several files are so many nodes already; leave the nodes out"};
    const auto imported = importTopology(texts[0].text, options);
    return imported.ok() ? imported : imported.error().within(texts[0].name);
  }
  std::vector<NodeDescription> nodes;
  for (const NamedText& text : texts) {
    if (const auto error = tooLarge(text.text)) return error->within(text.name);
    auto described = describedMachine(plainText(text.text));
    if (!described.ok()) return cleaned(described.error()).within(text.name);
    nodes.push_back({text.name, std::move(described).value()});
  }
  return cleaned(systemOfNodes(nodes, options));
}

}  // namespace p2
