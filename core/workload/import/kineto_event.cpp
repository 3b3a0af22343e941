// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/kineto_event.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "text/json_stream.h"

namespace p2::inline workload {
namespace {

using Kind = KinetoEvent::Kind;

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Numbers of a trace; nothing real is above, and above doubles are not exact.
constexpr double kMostNumber = 9e15;

/// A number, written as such or as a text; any other is `otherwise`.
double numberOr(JsonStream& in, double otherwise) {
  if (in.kind() == JsonStream::Kind::Number) {
    const double value = in.number("a number");
    return std::isfinite(value) && std::abs(value) <= kMostNumber ? value : otherwise;
  }
  if (in.kind() != JsonStream::Kind::Text) return in.skip(), otherwise;
  const auto whole = parseInteger(in.text("a number"));
  return whole && std::abs(static_cast<double>(*whole)) <= kMostNumber ? static_cast<double>(*whole) : otherwise;
}

std::int64_t wholeOr(JsonStream& in, std::int64_t otherwise) {
  return static_cast<std::int64_t>(numberOr(in, static_cast<double>(otherwise)));
}

std::string textOr(JsonStream& in, const std::string& otherwise) {
  if (in.kind() == JsonStream::Kind::Text) return in.text("a string");
  if (in.kind() == JsonStream::Kind::Number) return std::to_string(wholeOr(in, 0));
  in.skip();
  return otherwise;
}

std::vector<std::int64_t> ranksOf(JsonStream& in) {
  if (in.kind() == JsonStream::Kind::Text) return ranksFrom(in.text("ranks")).value_or(std::vector<std::int64_t>{});
  std::vector<std::int64_t> ranks;
  bool whole = in.kind() == JsonStream::Kind::List;
  if (!whole) return in.skip(), ranks;
  in.list("ranks", [&](std::size_t) {
    const std::int64_t rank = wholeOr(in, -1);
    whole = whole && rank >= 0;
    ranks.push_back(rank);
  });
  if (!whole) ranks.clear();
  return ranks;
}

void readArguments(JsonStream& in, KinetoEvent& event) {
  KinetoCommunication communication;
  in.object("args", [&](std::string_view key) {
    if (key == "Collective name") {
      communication.collective = textOr(in, {});
    } else if (key == "dtype") {
      communication.dtype = textOr(in, {});
    } else if (key == "In msg nelems") {
      communication.in = wholeOr(in, 0);
    } else if (key == "Out msg nelems") {
      communication.out = wholeOr(in, 0);
    } else if (key == "Process Group Name") {
      communication.group = textOr(in, {});
    } else if (key == "Process Group Description") {
      event.group.description = textOr(in, {});
    } else if (key == "Group size") {
      event.group.size = wholeOr(in, 0);
    } else if (key == "Process Group Ranks") {
      event.group.ranks = ranksOf(in);
    } else if (key == "Global rank start") {
      event.group.start = wholeOr(in, 0);
    } else if (key == "Global rank stride") {
      event.group.stride = wholeOr(in, 0);
    } else if (key == "Dst Rank") {
      event.peer = wholeOr(in, -1);
    } else if (key == "device") {
      event.device = wholeOr(in, 0);
    } else if (key == "correlation") {
      event.correlation = wholeOr(in, -1);
    } else {
      in.skip();
    }
  });
  if (!communication.collective.empty()) event.communication = std::move(communication);
}

/// Of "cudaLaunchKernelExC", "cudaLaunchCooperativeKernel" and "hipExtLaunchMultiKernelMultiDevice".
constexpr std::string_view kLaunch = "Launch";

bool launchesKernels(std::string_view name) {
  const std::size_t at = name.find(kLaunch);
  return at != std::string_view::npos && name.find("Kernel", at) != std::string_view::npos;
}

Kind kindOf(std::string_view category, std::string_view name) {
  if (category == "kernel" || category == "Kernel") return Kind::Kernel;
  if (name == "record_param_comms") return Kind::Call;
  if (name.starts_with(kNamingPrefix)) return category.starts_with("gpu") ? Kind::Other : Kind::Naming;
  if (launchesKernels(name)) return Kind::Launch;
  return name.starts_with("ProfilerStep#") && !category.starts_with("gpu") ? Kind::Step : Kind::Other;
}

}  // namespace

std::optional<std::vector<std::int64_t>> ranksFrom(std::string_view text) {
  constexpr std::size_t kMostRanks = std::size_t{1} << 20;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::int64_t> ranks;
  while (text.find_first_not_of(' ') != std::string_view::npos && ranks.size() < kMostRanks) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto rank = parseInteger(text.substr(0, comma));
    if (!rank || *rank < 0) return std::nullopt;
    ranks.push_back(*rank);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return ranks;
}

bool isCommunicationKernel(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  // Libraries, kernels on symmetric and multicast memory, and kernels of vLLM, SGLang and TensorRT-LLM.
  constexpr std::array<std::string_view, 19> kParts{"nccl",
                                                    "rccl",
                                                    "msccl",
                                                    "deep_ep",
                                                    "nvshmem",
                                                    "multimem_",
                                                    "symm_mem",
                                                    "one_shot_all_reduce",
                                                    "two_shot_all_reduce",
                                                    "cross_device_reduce",
                                                    "allreduce_fusion_kernel",
                                                    "quick_reduce",
                                                    "quickreduce",
                                                    "trtllm_allreduce",
                                                    "oneshotallreduce",
                                                    "twoshotallreduce",
                                                    "userbuffers",
                                                    "mori::",
                                                    "flux::"};
  return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return holds(lower, part); });
}

Result<KinetoEvent> kinetoEventFrom(std::string_view json) {
  KinetoEvent event;
  // Nearly all events of a trace are calls of operators, which are not needed.
  constexpr std::array<std::string_view, 5> kNeeded{"ernel\"", "record_param_comms", "ProfilerStep#", kNamingPrefix,
                                                    kLaunch};
  if (std::none_of(kNeeded.begin(), kNeeded.end(), [&](std::string_view part) { return holds(json, part); }))
    return event;
  std::string category;
  std::string phase;
  JsonStream in{std::string(json)};
  in.object("an event is an object", [&](std::string_view key) {
    if (key == "name") {
      event.name = textOr(in, {});
    } else if (key == "cat") {
      category = textOr(in, {});
    } else if (key == "ph") {
      phase = textOr(in, {});
    } else if (key == "ts") {
      event.begin = in.number("\"ts\" is when an event began, in microseconds") * 1e-6;
    } else if (key == "dur") {
      event.seconds = in.number("\"dur\" is how long an event took, in microseconds") * 1e-6;
    } else if (key == "pid") {
      event.process = wholeOr(in, 0);
    } else if (key == "tid") {
      event.thread = wholeOr(in, 0);
    } else if (key == "args" && in.kind() == JsonStream::Kind::Object) {
      readArguments(in, event);
    } else {
      in.skip();
    }
  });
  in.finish();
  if (in.failed()) return in.problem();
  // Beyond, sums of times lose their seconds.
  constexpr double kMostSeconds = 1e12;
  const bool timed = std::abs(event.begin) < kMostSeconds && event.seconds >= 0 && event.seconds < kMostSeconds;
  event.kind = phase == "X" && timed ? kindOf(category, event.name) : Kind::Other;
  return event;
}

}  // namespace p2::inline workload
