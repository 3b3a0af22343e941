// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <stop_token>

#include "workload/workload.h"

namespace p2::inline workload {

/// A workload and how it was obtained, in sentences.
struct WorkloadSource {
  Workload workload;
  std::vector<std::string> understood;  ///< facts that were read
  std::vector<std::string> assumed;     ///< missing values, with the chosen ones
  std::vector<std::string> ignored;     ///< parts that were read and not used
};

/// A degree or option given in addition to a model, by its key in planFields() or modelFields(): "tp", "8".
struct PlanChange {
  std::string key;
  std::string value;
};

/// Reader options other than the file's text.
struct WorkloadReading {
  std::vector<PlanChange> changes;
  std::stop_token stop;
};

/// A kind of file that workloads are read from. Its content decides it, never its name.
struct WorkloadFormat {
  std::string_view name;                      ///< for people: "a Hugging Face config.json"
  bool (*recognises)(std::string_view head);  ///< by the first kFileHead bytes
  /// The whole text; `name` is what people call it. Errors name the place in it.
  Result<WorkloadSource> (*read)(std::string_view text, const std::string& name, const WorkloadReading& reading);
  /// Reads files that may not fit into memory, instead of `read`; null if they are read as text.
  Result<WorkloadSource> (*readFile)(const std::string& path, const WorkloadReading& reading) = nullptr;
};

/// All formats, in the order in which they are tried.
[[nodiscard]] std::span<const WorkloadFormat> workloadFormats();

/// The format of a file, by its beginning, unpacked if it is packed. Errors: the file, none of them.
[[nodiscard]] Result<const WorkloadFormat*> workloadFormatOf(const std::string& path);
/// Whether a format's files are the shape of a model alone: the communication of its training depends on degrees
/// of parallelism, which have to be given too.
[[nodiscard]] bool needsDegrees(const WorkloadFormat& format);

/// A workload from a text of any format, which is recognised by its content. The workload is checked; entries stay as
/// they are read, see collapsed().
[[nodiscard]] Result<WorkloadSource> workloadFromText(std::string_view text, const std::string& name,
                                                      const WorkloadReading& reading = {});

/// A workload from an argument: the name of a bundled model, or the path of a file of any format. What looks like a
/// path (has a '/' or a '.') is one. Files of formats without `readFile` have at most 64 MiB.
[[nodiscard]] Result<WorkloadSource> workloadFromArgument(const std::string& argument,
                                                          const WorkloadReading& reading = {});

/// The error of degrees for a reader whose files have none, "tp is for models; …".
[[nodiscard]] Result<void> refuseChanges(const WorkloadReading& reading, std::string_view what);

}  // namespace p2::inline workload
