// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: a Python file and the files of its checkout that it imports from.
#pragma once

#include <filesystem>
#include <memory>

#include "training_files/detail/python_text.h"

namespace p2::inline training_files {

class PythonFiles {
 public:
  /// `path`: where the text is from; modules are looked for in its folder and the folders above. Empty: none are.
  PythonFiles(std::string_view text, std::string path);

  struct Source {
    std::filesystem::path folder;
    PythonFile file;
  };
  [[nodiscard]] const Source& main() const { return *m_main; }

  /// A function and the file it is in.
  struct Found {
    const Source* source = nullptr;
    const PythonFunction* function = nullptr;
  };
  /// The function that a name means in a file, over imports. No function: there is none of that name, or its file is
  /// not there.
  [[nodiscard]] Found function(const Source& source, const std::string& name, int depth = 0);
  /// The file that a name is imported from; null if it is not there or the name is not imported.
  [[nodiscard]] const Source* origin(const Source& source, const std::string& name);

 private:
  const Source* load(const std::filesystem::path& path);
  const Source* moduleOf(const Source& source, std::string_view module);

  std::unique_ptr<Source> m_main;
  bool m_looks;
  std::map<std::filesystem::path, std::unique_ptr<Source>> m_loaded;
};

}  // namespace p2::inline training_files
