// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/importers.h"

#include <algorithm>
#include <optional>

#include "base/lists.h"
#include "base/pasted_text.h"
#include "importers/detail/formats.h"
#include "importers/detail/words.h"

namespace p2::inline importers {
namespace {

/// The format of a text after plainText(); null for none.
const ImportFormat* formatOf(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool isText = std::none_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
  });
  if (start == std::string_view::npos || !isText) return nullptr;
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const ImportFormat& format) { return format.recognises(text, text[start]); });
  return found == kFormats.end() ? nullptr : &*found;
}

/// As the program wrote it. Structured formats keep their blanks; a table in HTML becomes its cells.
std::string withoutWrapping(std::string_view text) {
  std::string plain = plainText(text);
  const bool html = has(plain, "<td") && !has(plain, "<topology") && !has(plain, "<system");
  const ImportFormat* const format = html ? nullptr : formatOf(plain);
  // A log tells ranks apart by the marks in front of its lines, and ports of a switch look like marks.
  const bool keeps = format != nullptr && (format->extension != "txt" || format->readMachine == readNcclLog ||
                                           format->readCluster != nullptr);
  return keeps ? plain : pastedText(plain);
}

Error unknownFormat() { return {"it is in none of the formats that can be imported: " + importFormatNames()}; }

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

/// Without control codes from the file's names.
Result<Imported> cleaned(Result<Imported> result) {
  if (!result.ok()) return cleaned(result.error());
  Imported& imported = result.value();
  for (auto* list : {&imported.understood, &imported.assumed, &imported.ignored}) {
    for (std::string& text : *list) text = printable(std::move(text));
  }
  for (Level& level : imported.system.levels) level.interconnect.name = printable(std::move(level.interconnect.name));
  return result;
}

/// LLDP listings of several files as one, each behind the file's name; empty if a file is no such listing.
std::string joinedListings(std::span<const NamedText> texts) {
  std::string all;
  for (const NamedText& text : texts) {
    const std::string plain = withoutWrapping(text.text);
    const ImportFormat* const format = formatOf(plain);
    if (format == nullptr || format->readCluster != importLldp) return {};
    const std::string file = text.name.substr(text.name.find_last_of('/') + 1);
    all += file.substr(0, file.find('.')) + ":\n" + plain + "\n";
  }
  return all;
}

}  // namespace

std::span<const ImportFormat> importFormats() { return kFormats; }

std::string importFormatNames() { return joined(kFormats, ", ", &ImportFormat::name, " and "); }

bool isImportable(std::string_view text) { return formatOf(withoutWrapping(text)) != nullptr; }

Result<Described> describedMachine(std::string_view text) {
  const ImportFormat* const format = formatOf(text);
  if (format == nullptr) return unknownFormat();
  if (format->readMachine != nullptr) return format->readMachine(text);
  return Error{std::string(format->name) + " describes a whole cluster; import it by itself"};
}

Result<Imported> importTopology(std::string_view text, const ImportOptions& options) {
  if (const auto error = tooLarge(text)) return *error;
  const std::string plain = withoutWrapping(text);
  if (const ImportFormat* const format = formatOf(plain); format != nullptr && format->readCluster != nullptr) {
    if (options.nodes == 1) return cleaned(format->readCluster(plain));
    return Error{std::string(format->name) + " describes a whole cluster; leave the number of nodes out"};
  }
  auto described = describedMachine(plain);
  if (!described.ok()) return cleaned(described.error());
  P2_TRY(holdAgainstPart(described.value().machine, options, described.value().notes).within("--gpu"));
  return cleaned(systemOf(described->machine, options, std::move(described.value().notes)));
}

std::string linksFileOf(std::string_view text) {
  const std::string plain = plainText(text);
  const ImportFormat* const format = formatOf(plain);
  if (format == nullptr || format->readCluster != importAstra || !has(plain, "Custom")) return {};
  for (const std::string_view line : filledLines(plain)) {
    constexpr std::string_view kKey = "topology_file:";
    const std::size_t at = line.find(kKey);
    if (at == std::string_view::npos) continue;
    const std::vector<std::string_view> words = wordsOfLine(line.substr(at + kKey.size()));
    if (words.empty()) return {};
    std::string_view name = words[0];
    const bool quoted = name.size() > 2 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front();
    if (quoted) name = name.substr(1, name.size() - 2);
    return std::string(name);
  }
  return {};
}

Result<Imported> importMachines(std::span<const NamedText> texts, const ImportOptions& options) {
  if (texts.size() > 1) {
    if (const std::string all = joinedListings(texts); !all.empty()) return importTopology(all, options);
  }
  if (texts.empty()) return Error{"there is nothing to import; name at least one file"};
  if (texts.size() == 1 || options.nodes > 1) {
    if (texts.size() > 1) return Error{"several files describe one node each; leave the number of nodes out"};
    const auto imported = importTopology(texts[0].text, options);
    return imported.ok() ? imported : imported.error().within(texts[0].name);
  }
  std::vector<NodeDescription> nodes;
  for (const NamedText& text : texts) {
    if (const auto error = tooLarge(text.text)) return error->within(text.name);
    auto described = describedMachine(withoutWrapping(text.text));
    if (!described.ok()) return cleaned(described.error()).within(text.name);
    P2_TRY(holdAgainstPart(described.value().machine, options, described.value().notes).within("--gpu"));
    nodes.push_back({text.name, std::move(described).value()});
  }
  return cleaned(systemOfNodes(nodes, options));
}

}  // namespace p2::inline importers
