// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_files: which syntax and format a text has.
#pragma once

#include <string>

#include "training_files/detail/file_format.h"
#include "training_files/detail/setting.h"

namespace p2::inline training_files {

enum class Syntax { Json, Toml, Yaml, Shell, Python, Printed };

/// The settings of a text in one syntax, and the format that knows most of them.
struct Reading {
  Syntax syntax = Syntax::Json;
  Settings settings = {};
  const FileFormat* format = nullptr;
  std::size_t known = 0;
  std::string family = {};  ///< "Megatron-Bridge", of a recipe
};

/// The reading that knows most. `function` and `path`: as in readTraining(). Errors: broken syntax of a text that is
/// clearly of it, nothing that is known.
[[nodiscard]] Result<Reading> bestReading(std::string_view text, std::string_view function, const std::string& path);

/// The row with the longest name that a key ends with; null if there is none.
[[nodiscard]] const KnownSetting* rowIn(std::span<const KnownSetting> rows, std::string_view key);
/// The row of a format for a key; its own rows come before the rows of FileFormat::also.
[[nodiscard]] const KnownSetting* rowOf(const FileFormat& format, std::string_view key);
/// The format that a Primus file names; null for other files.
[[nodiscard]] const FileFormat* primusFormat(const Settings& settings);

}  // namespace p2::inline training_files
