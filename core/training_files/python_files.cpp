// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_files/detail/python_files.h"

#include <algorithm>

#include "text/text_file.h"
#include "training_files/detail/setting.h"

namespace p2::inline training_files {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostFiles = 64;
constexpr int kMostImports = 8;

fs::path folderOf(const std::string& path) {
  std::error_code problem;
  const fs::path whole = fs::absolute(path, problem);
  return problem ? fs::path() : whole.parent_path();
}

}  // namespace

PythonFiles::PythonFiles(std::string_view text, std::string path)
    : m_main(std::make_unique<Source>(Source{path.empty() ? fs::path() : folderOf(path), pythonFileOf(text)})),
      m_looks(!path.empty()) {}

const PythonFiles::Source* PythonFiles::load(const fs::path& path) {
  if (const auto known = m_loaded.find(path); known != m_loaded.end()) return known->second.get();
  std::error_code problem;
  if (!fs::is_regular_file(path, problem) || m_loaded.size() >= kMostFiles) return nullptr;
  const auto size = fs::file_size(path, problem);
  if (problem || size > kMostSettingsBytes) return nullptr;
  const auto text = readTextFile(path.string());
  auto source = text.ok() ? std::make_unique<Source>(Source{path.parent_path(), pythonFileOf(*text)}) : nullptr;
  return m_loaded.emplace(path, std::move(source)).first->second.get();
}

const PythonFiles::Source* PythonFiles::moduleOf(const Source& source, std::string_view module) {
  if (!m_looks) return nullptr;
  const std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
  std::string relative(module.substr(dots));
  std::replace(relative.begin(), relative.end(), '.', '/');
  const auto in = [&](const fs::path& folder) -> const Source* {
    if (const Source* plain = relative.empty() ? nullptr : load(folder / (relative + ".py"))) return plain;
    return load(folder / relative / "__init__.py");
  };
  fs::path folder = source.folder;
  if (dots > 0) {
    for (std::size_t up = 1; up < dots; ++up) folder = folder.parent_path();
    return in(folder);
  }
  while (!folder.empty()) {
    if (const Source* found = in(folder)) return found;
    if (const Source* found = in(folder / "src")) return found;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return nullptr;
}

const PythonFiles::Source* PythonFiles::origin(const Source& source, const std::string& name) {
  const auto imported = source.file.imports.find(name);
  return imported == source.file.imports.end() ? nullptr : moduleOf(source, imported->second.module);
}

PythonFiles::Found PythonFiles::function(const Source& source, const std::string& name, int depth) {
  if (const PythonFunction* own = source.file.function(name)) return {&source, own};
  const Source* from = depth < kMostImports ? origin(source, name) : nullptr;
  return from == nullptr ? Found() : function(*from, source.file.imports.at(name).name, depth + 1);
}

}  // namespace p2::inline training_files
