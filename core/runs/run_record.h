// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runs/run_result.h"

namespace p2::inline runs {

/// The version in which records are written. It grows when a key changes its meaning; a key that is merely added
/// leaves it alone, because readers ignore unknown keys.
inline constexpr int kRunRecordVersion = 1;

/// The options of a run, complete enough to repeat it.
struct RunSetting {
  std::string version;                 ///< version of the requesting program
  std::string from;                    ///< the machine that asked
  std::string host;                    ///< host of the target, for ssh; empty for the local machine
  std::string launcher;                ///< "mpirun"
  std::vector<std::string> arguments;  ///< for the launcher
  /// Environment variables of every rank. A value is kept only if the variable sets how data moves (NCCL_, UCX_, OMPI_
  /// …), since any other may be a secret.
  std::vector<std::pair<std::string, std::string>> environment;
  friend bool operator==(const RunSetting&, const RunSetting&) = default;
};

/// The permanent record of a run: its plan and target, its prediction and its result. Its
/// format is independent of the runner's protocol, which may change.
struct RunRecord {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;

  int version = kRunRecordVersion;  ///< in which it was written
  std::optional<Time> when;
  std::string target;
  std::string system;               ///< "gcp-a100:4"
  std::string axes;                 ///< "data 8 · model 2"
  std::string matrix;               ///< "[[2,4]]"
  std::string program;              ///< in DSL form
  std::string plan;                 ///< the whole plan file; empty when there was none
  std::optional<double> predicted;  ///< seconds of one repetition with the bytes that were run
  std::optional<RunResult> result;
  std::string problem;                ///< why there is no result
  std::optional<RunSetting> setting;  ///< empty for records of earlier versions
  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

/// The record as one line of JSON. Text that is not UTF-8 gets U+FFFD in its place.
[[nodiscard]] std::string runRecordToJson(const RunRecord& record);

/// Reads the known keys of a record of any version. A key that is missing or has the wrong type leaves its field empty;
/// unknown keys are ignored. A result needs its median time and its number of wrong elements; without them `problem`
/// says that it cannot be read. Errors: the text is no JSON object.
[[nodiscard]] Result<RunRecord> runRecordFromJson(std::string_view text);

/// The JSON of a record whose result is the `result` message of a runner that spoke protocol 1, as the first databases
/// kept it. All of the result goes over as it stands, known here or not; a message that is no JSON becomes a text.
[[nodiscard]] std::string runRecordWithMessage(const RunRecord& record, std::string_view message);

}  // namespace p2::inline runs
