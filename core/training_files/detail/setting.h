// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline training_files {

/// One value of a configuration file in any syntax.
struct Setting {
  /// Path of the value, its parts joined with dots: "parallelism.tensor_parallel_degree". Dashes are underscores, and
  /// the dashes in front of an option are left out.
  std::string key;
  std::string value;  ///< as text, without quotes; the parts of a list joined with commas, kEmptyList for none; "true"
                      ///< for a lone option
  std::size_t line = 0;    ///< number of the line, from 1; 0 if the syntax does not say it
  bool option = false;     ///< an option of a command line
  bool isDefault = false;  ///< a default of the framework's recipes, which the file does not write out
};

/// Value of a list without parts; not the same as no value.
inline constexpr std::string_view kEmptyList = "[]";

/// A setting whose value is known at run time only.
struct OpenSetting {
  std::string key;
  std::string reason;  ///< "--tp depends on TP, which the script does not set"
};

/// The values of a file, in its order.
struct Settings {
  std::vector<Setting> all;
  std::vector<OpenSetting> open;
  std::vector<std::string> skipped;  ///< parts of a script that were not read, one sentence each
  std::vector<std::string> modules;  ///< that a Python file imports from
};

/// The last setting whose key ends with a path; null if there is none. O(settings).
[[nodiscard]] const Setting* settingOf(const Settings& settings, std::string_view key);

/// Largest file that is read; real ones have some kilobytes.
inline constexpr std::size_t kMostSettingsBytes = std::size_t{1} << 20;

/// Whether the last parts of a path are `name`: "a.b.c" ends with "b.c" and "c".
[[nodiscard]] bool endsWithPath(std::string_view path, std::string_view name);
/// A key in the form of Setting::key.
[[nodiscard]] std::string settingKey(std::string_view name);

/// Without blanks and ends of lines around it.
[[nodiscard]] std::string_view trimmedText(std::string_view text);

/// Values of Python literals and settings files, or no value where the text is something else: "4", "1_024", "8 *
/// 2048"; "true", "False", "yes".
[[nodiscard]] std::optional<std::int64_t> wholeOf(std::string_view text);
[[nodiscard]] std::optional<double> numberOf(std::string_view text);
[[nodiscard]] std::optional<bool> flagOf(std::string_view text);
/// Whether it stands for no value: "", "null", "None", "auto", "~".
[[nodiscard]] bool isNone(std::string_view text);

/// Options of the commands of a shell script, or of plain lines of options. Follows assignments, arrays, defaults
/// (`${TP:-8}`), arithmetic and conditions of `if` as far as the text decides them; the rest is `open` or `skipped`.
/// JSON in a here-document and the requests of `#SBATCH` are settings as well. Runs nothing. Errors: too long.
[[nodiscard]] Result<Settings> shellSettings(std::string_view text);
/// Errors: text that is not of the syntax (with the line), too long.
[[nodiscard]] Result<Settings> tomlSettings(std::string_view text);
[[nodiscard]] Result<Settings> yamlSettings(std::string_view text);
[[nodiscard]] Result<Settings> jsonSettings(std::string_view text);
/// Arguments as Megatron prints them at the start of a run, "  seq_length ........ 2048", of a log of any length and
/// behind the marks of launchers; the first list of several. Arguments without a value are left out, and those that the
/// model does not use although they have a default. Other texts have few such lines, and no format knows
/// their names. O(length).
[[nodiscard]] Settings printedSettings(std::string_view text);
/// Assignments of attributes and keyword arguments with literal values, in the order in which they would be carried
/// out: of one function and of the functions that it calls, in this file and in the files that it imports from, which
/// are looked for in the folder of `path` and the folders above it. Parameters have the values of the call, else their
/// defaults; branches are read where their condition is known, otherwise the first one is. `function` can also name a
/// value of the file, as in NAME = replace(BASE, global_batch_size=64). Without a name: the one function that mentions
/// parallelism, or the whole text if it has no functions. Runs nothing. Errors: no such function, several that could
/// be meant (with their names), settings that only a run can look up, too long.
[[nodiscard]] Result<Settings> pythonSettings(std::string_view text, std::string_view function = {},
                                              const std::string& path = {});

}  // namespace p2::inline training_files
