// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline workload {

/// PyTorch's record of a collective, next to the kernel or the call. Numbers are 0 and texts empty where a trace
/// is silent.
struct KinetoCommunication {
  std::string collective;  ///< "allreduce", "_allgather_base"
  std::string dtype;       ///< "Float", "BFloat16"
  std::int64_t in = 0;     ///< elements that a rank gives
  std::int64_t out = 0;    ///< elements that a rank gets
  std::string group;       ///< the process group's name
  friend auto operator<=>(const KinetoCommunication&, const KinetoCommunication&) = default;
};

/// A process group as an event or the trace's head knows it.
struct KinetoGroup {
  std::string description;
  std::int64_t size = 0;
  std::vector<std::int64_t> ranks;  ///< empty where they are cut short or missing
  std::int64_t start = 0;
  std::int64_t stride = 0;  ///< 0 where they are not told
};

/// Prefix of the spans in which PyTorch asks NCCL or RCCL for a collective; its name follows.
inline constexpr std::string_view kNamingPrefix = "nccl:";

/// One event of a trace that has to do with communication, computation on the GPU, or steps.
struct KinetoEvent {
  enum class Kind {
    Other,
    Step,    ///< "ProfilerStep#4" of the CPU
    Call,    ///< record_param_comms: the program asks for a collective
    Kernel,  ///< runs on the GPU
    Launch,  ///< the CPU hands a kernel to the GPU
    Naming,  ///< "nccl:all_to_all": the span in which the CPU asks for a collective
  };
  Kind kind = Kind::Other;
  std::string name;
  double begin = 0;  ///< seconds
  double seconds = 0;
  std::int64_t process = 0;
  std::int64_t thread = 0;
  std::int64_t correlation = -1;  ///< shared by a launch and its kernel; −1 where a trace has none
  std::int64_t device = 0;
  std::optional<KinetoCommunication> communication;
  KinetoGroup group;
  std::int64_t peer = -1;  ///< to whom a rank sends
};

/// Reads an event of "traceEvents"; unneeded events are Other and not read further. Errors: not JSON, a time that is
/// not a number.
[[nodiscard]] Result<KinetoEvent> kinetoEventFrom(std::string_view json);

/// "[0, 1]" as such or as a text, as Kineto writes it. None if it was cut short ("[0, 1, ...]") or is no such list.
[[nodiscard]] std::optional<std::vector<std::int64_t>> ranksFrom(std::string_view text);

/// Whether a kernel moves data between GPUs, by its name: NCCL's, RCCL's, MSCCL's, DeepEP's, NVSHMEM's.
[[nodiscard]] bool isCommunicationKernel(std::string_view name);

}  // namespace p2::inline workload
