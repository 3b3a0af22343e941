// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/import_files.h"

#include "text/text_file.h"
#include "workspace/workspace.h"

namespace p2::inline workspace {
namespace {

Result<NamedText> readNamed(const std::string& path) {
  const bool standard = path == "-";
  auto text = readTextFile(standard ? "/dev/stdin" : path);
  if (!text.ok() && standard) return Error{text.error().message, "standard input", text.error().kind};
  if (!text.ok()) return text.error();
  return NamedText{standard ? "standard input" : path, std::move(text).value()};
}

/// The file of links in the place of the network that names it.
Result<NamedText> withLinks(NamedText file) {
  const std::string links = linksFileOf(file.text);
  if (links.empty()) return file;
  const std::size_t slash = file.name.find_last_of('/');
  const bool absolute = links.starts_with('/');
  const std::string path = absolute || slash == std::string::npos ? links : file.name.substr(0, slash + 1) + links;
  P2_TRY_ASSIGN(auto named, readNamed(path).within(file.name + ", topology_file"));
  return named;
}

bool isOurs(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string::npos && text[start] == '{' && !isImportable(text);
}

Result<Imported> ownSystem(const NamedText& file, const ImportOptions& options) {
  if (options.nodes > 1) return Error{"it is a whole system already; remove the node count", file.name};
  if (options.speeds != Speeds()) return Error{"its speeds are all given; change them in the system", file.name};
  P2_TRY_ASSIGN(auto system, systemFromJson(file.text).within(file.name));
  Imported imported;
  imported.format = "P² Explorer";
  imported.understood = {"all of it"};
  imported.system = std::move(system);
  return imported;
}

}  // namespace

Result<Imported> importFiles(const std::vector<std::string>& paths, const ImportOptions& options) {
  std::vector<NamedText> texts;
  for (const std::string& path : paths) {
    P2_TRY_ASSIGN(auto read, readNamed(path));
    P2_TRY_ASSIGN(auto text, withLinks(std::move(read)));
    texts.push_back(std::move(text));
    if (!isOurs(texts.back().text)) continue;
    if (paths.size() == 1) return ownSystem(texts[0], options);
    return Error{"it is not a description of a machine; import it alone", texts.back().name};
  }
  return importMachines(texts, options);
}

}  // namespace p2::inline workspace
