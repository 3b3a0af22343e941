// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// Foreign files with the communication of a training step.
enum class ForeignFormat {
  Kineto,    ///< JSON of the PyTorch profiler, of one rank
  Chakra,    ///< execution trace of MLCommons Chakra, protocol buffers or JSON, of one rank; and its comm_group.json
  Aicb,      ///< CSV of AICB
  SimAi,     ///< text of SimAI, and of ASTRA-sim before Chakra
  Calculon,  ///< a model of Calculon and its execution, two files of JSON
};
/// The format of a file with this beginning, compressed or not; the rest may still be wrong. None if unknown.
[[nodiscard]] std::optional<ForeignFormat> foreignFormatOf(std::string_view beginning);

/// Reads a file of a foreign format, told apart by content, packed with gzip or not; of formats that need two files
/// both, in any order. Traces are read as they come, in memory that does not grow with the file but with the kept
/// part; everything else has at most 64 MiB. Bytes are for full tensors, counts for one step, and the
/// workload passes checkWorkload(). Errors: not readable, no known format, broken off or broken (with the place),
/// nothing that can be placed on axes; cancelled.
[[nodiscard]] Result<WorkloadSource> importWorkload(std::span<const std::string> paths,
                                                    const std::stop_token& stop = {}, const Progress& progress = {});

// For workloadFormats(): one file, whose name the errors do not say.
template <ForeignFormat kFormat>
[[nodiscard]] bool isForeign(std::string_view beginning) {
  return foreignFormatOf(beginning) == kFormat;
}
[[nodiscard]] Result<WorkloadSource> readForeignText(std::string_view text, const std::string& name,
                                                     const WorkloadReading& reading);
[[nodiscard]] Result<WorkloadSource> readForeignFile(const std::string& path, const WorkloadReading& reading);

/// A file that has been read already.
struct WorkloadText {
  std::string name;  ///< for errors
  std::string_view bytes;
};
/// As above for the texts of files.
[[nodiscard]] Result<WorkloadSource> importWorkloadTexts(std::span<const WorkloadText> texts);

}  // namespace p2::inline workload
