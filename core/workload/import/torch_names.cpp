// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/import/torch_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/names.h"
#include "base/numbers.h"
#include "workload/axis_names.h"

namespace p2::inline workload {
namespace {

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

}  // namespace

std::optional<CommunicationKind> torchKind(std::string_view collective) {
  std::string plain = lowerCase(collective);
  std::erase(plain, '_');
  constexpr std::array<std::pair<std::string_view, CommunicationKind>, 5> kBegins{{
      {"allreduce", CommunicationKind::AllReduce},
      {"allgather", CommunicationKind::AllGather},
      {"reducescatter", CommunicationKind::ReduceScatter},
      {"broadcast", CommunicationKind::Broadcast},
      {"alltoall", CommunicationKind::AllToAll},
  }};
  for (const auto& [begin, kind] : kBegins) {
    if (plain.starts_with(begin)) return kind;
  }
  if (plain == "reduce" || plain == "reduceoop") return CommunicationKind::Reduce;
  if (plain == "send" || plain == "recv") return CommunicationKind::Shift;
  return std::nullopt;
}

std::optional<std::int64_t> torchTypeBytes(std::string_view dtype) {
  if (dtype.starts_with("c10::")) dtype.remove_prefix(5);
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 22> kTypes{{
      {"Byte", 1},    {"Char", 1},     {"Bool", 1},   {"Int8", 1},         {"UInt8", 1},  {"Half", 2},
      {"Float16", 2}, {"BFloat16", 2}, {"Short", 2},  {"Int16", 2},        {"UInt16", 2}, {"Float", 4},
      {"Float32", 4}, {"Int", 4},      {"Int32", 4},  {"UInt32", 4},       {"Double", 8}, {"Float64", 8},
      {"Long", 8},    {"Int64", 8},    {"UInt64", 8}, {"ComplexFloat", 8},
  }};
  for (const auto& [name, bytes] : kTypes) {
    if (sameName(dtype, name)) return bytes;
  }
  if (sameName(dtype, "ComplexDouble")) return 16;
  return lowerCase(dtype).starts_with("float8") ? std::optional<std::int64_t>(1) : std::nullopt;
}

std::optional<std::int64_t> fullElements(CommunicationKind kind, std::int64_t in, std::int64_t out,
                                         std::int64_t ranks) {
  if (in < 0 || out < 0 || ranks < 1) return std::nullopt;
  // An AllGather of NCCL gets the count of a rank's part, a ReduceScatter the count of the whole.
  if (kind == CommunicationKind::AllGather) return out > 0 ? out : checkedProduct(in, ranks);
  if (kind == CommunicationKind::ReduceScatter) return in > 0 ? in : checkedProduct(out, ranks);
  return std::max(in, out);
}

std::string axisNameFrom(std::string_view description) {
  std::string name = lowerCase(description);
  if (name.starts_with("mesh_")) name.erase(0, 5);
  for (const std::string_view part : {"_model_parallel", "_parallel", "_group"}) {
    if (const std::size_t at = name.find(part); at != std::string::npos) name.erase(at, part.size());
  }
  if (name == "default_pg" || name == "default" || name == "undefined" || name == "none") return {};
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!plain) c = '_';
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kKnown{{
      {"tp", kTensorAxis},
      {"model", kTensorAxis},
      {"mp", kTensorAxis},
      {"dp", kDataAxis},
      {"fsdp", kDataAxis},
      {"shard", kDataAxis},
      {"dp_shard", kDataAxis},
      {"dp_replicate", kReplicaAxis},
      {"replicate", kReplicaAxis},
      {"pp", kPipelineAxis},
      {"cp", kContextAxis},
      {"ep", kExpertAxis},
      {"edp", kExpertDataAxis},
      {"expert_data", kExpertDataAxis},
      {"etp", kExpertTensorAxis},
  }};
  for (const auto& [known, axis] : kKnown) {
    if (name == known) return std::string(axis);
  }
  constexpr std::size_t kMostName = 40;
  name.resize(std::min(name.size(), kMostName));
  return name;
}

}  // namespace p2::inline workload
