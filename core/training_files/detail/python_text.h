// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: the parts of a Python text. It runs none of it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "training_files/detail/setting.h"

namespace p2::inline training_files {

/// A statement on one or more lines, or the head of a block up to its colon.
struct PythonStatement {
  std::string text;
  std::size_t indent = 0;  ///< blanks in front of it
  std::size_t line = 1;
};

struct PythonFunction {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< with their defaults as text, empty for none
  std::vector<PythonStatement> body;
};

/// What `from MODULE import NAME as LOCAL` brings in.
struct PythonImport {
  std::string module;  ///< "megatron.bridge.recipes.common"; "." and ".common" count from the file's own folder
  std::string name;
};

struct PythonFile {
  std::vector<PythonFunction> functions;
  std::vector<PythonStatement> outside;         ///< statements outside of functions
  std::map<std::string, PythonImport> imports;  ///< by local name

  [[nodiscard]] const PythonFunction* function(std::string_view name) const;
};

/// Whether a name may hold the character.
[[nodiscard]] bool isNameCharacter(char each);
/// The end of the string that begins at `at`.
[[nodiscard]] std::size_t pythonStringEnd(std::string_view text, std::size_t at);
/// The index of the bracket that closes the one at `open`; the length of the text if none does.
[[nodiscard]] std::size_t closingBracket(std::string_view text, std::size_t open);
/// Pieces between the commas that are outside of brackets and strings, without blanks around them.
[[nodiscard]] std::vector<std::string> splitArguments(std::string_view text);

/// Cuts a text into statements; document strings and comments between statements are left out. O(length).
[[nodiscard]] PythonFile pythonFileOf(std::string_view text);

}  // namespace p2::inline training_files
