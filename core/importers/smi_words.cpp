// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/smi_words.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/numbers.h"
#include "importers/detail/machine.h"

namespace p2::inline importers {
namespace {

struct ReachName {
  std::string_view text;
  Reach reach;
};
constexpr std::array<ReachName, 7> kReaches{{{"PIX", Reach::Bridge},
                                             {"PXB", Reach::Bridges},
                                             {"PHB", Reach::HostBridge},
                                             {"NODE", Reach::Node},
                                             {"SYS", Reach::System},
                                             {"SOC", Reach::System},
                                             {"PSB", Reach::Bridge}}};

}  // namespace

Result<Cell> cellOf(std::string_view word) {
  for (const ReachName& known : kReaches) {
    if (word == known.text) return Cell{known.reach, 0};
  }
  const auto links = word.starts_with("NV") ? parseInteger(word.substr(2)) : std::nullopt;
  if (links && *links >= 1 && *links <= kMostNvLinks) return Cell{{}, static_cast<int>(*links)};
  return Error{"\"" + std::string(word.substr(0, 64)) +
               "\" is not a connection; use X, NV1 to NV18, PIX, PXB, PHB, NODE or SYS"};
}

std::size_t nameLength(std::string_view word) {
  for (const std::string_view prefix : {"GPU", "NIC", "mlx5_", "mlx4_", "hns_", "bnxt_re", "irdma"}) {
    if (!word.starts_with(prefix)) continue;
    const std::size_t end = std::min(word.find_first_not_of("0123456789", prefix.size()), word.size());
    return end > prefix.size() ? end : 0;
  }
  return 0;
}

std::size_t cellLength(std::string_view word) {
  if (word.starts_with("NV")) {
    const std::size_t end = std::min(word.find_first_not_of("0123456789", 2), word.size());
    const auto links = end > 2 ? parseInteger(word.substr(2, end - 2)) : std::nullopt;
    return links && *links >= 1 && *links <= kMostNvLinks ? end : 0;
  }
  for (const ReachName& known : kReaches) {
    if (word.starts_with(known.text)) return known.text.size();
  }
  return word.starts_with('X') ? 1 : 0;
}

void appendParts(std::vector<Token>& tokens, const Token& word, std::size_t (*length)(std::string_view)) {
  const std::size_t before = tokens.size();
  std::string_view rest = word.text;
  while (const std::size_t size = length(rest)) {
    tokens.push_back({rest.substr(0, size), word.line});
    rest.remove_prefix(size);
    if (rest.empty()) return;
  }
  // Behind the last name stands "CPU Affinity", behind the last connection the numbers of cores.
  const bool tail = tokens.size() > before && (rest == "CPU" || rest == "NUMA" || (rest[0] >= '0' && rest[0] <= '9'));
  if (!tail) tokens.resize(before);
  tokens.push_back({tail ? rest : word.text, word.line});
}

}  // namespace p2::inline importers
