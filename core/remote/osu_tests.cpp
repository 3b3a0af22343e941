// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/detail/osu_tests.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/figures.h"
#include "base/numbers.h"
#include "base/pasted_text.h"

namespace p2::inline remote {
namespace {

struct OsuName {
  std::string_view name;  // in a title, lower case
  std::string_view collective;
  bool perRank;
};

/// Names that hold others come first; "reduce scatter" and "reduce_scatter" are both written.
constexpr std::array kOsuNames{OsuName{"allreduce", "AllReduce", false},
                               OsuName{"all reduce", "AllReduce", false},
                               OsuName{"reduce_scatter", "ReduceScatter", false},
                               OsuName{"reduce scatter", "ReduceScatter", false},
                               OsuName{"allgather", "AllGather", true},
                               OsuName{"all gather", "AllGather", true},
                               OsuName{"broadcast", "Broadcast", false},
                               OsuName{"bcast", "Broadcast", false},
                               OsuName{"reduce", "Reduce", false},
                               OsuName{"all-to-allv", "", false},
                               OsuName{"all-to-allw", "", false},
                               OsuName{"all-to-all", "AllToAll", true},
                               OsuName{"scatterv", "", false},
                               OsuName{"scatter", "Scatter", true}};

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

/// "-np 16", "-n 16", "--ntasks=16" of a launcher.
int ranksIn(std::string_view line) {
  const bool launches = line.find("mpirun") != std::string_view::npos ||
                        line.find("mpiexec") != std::string_view::npos || line.find("srun") != std::string_view::npos;
  if (!launches) return 0;
  const std::vector<std::string_view> words = wordsOfLine(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view value;
    if (words[i] == "-np" || words[i] == "-n" || words[i] == "--ntasks")
      value = i + 1 < words.size() ? words[i + 1] : "";
    if (words[i].starts_with("--ntasks=")) value = words[i].substr(9);
    if (const auto ranks = parseInteger(value); ranks && *ranks > 0 && *ranks <= 1 << 24) {
      return static_cast<int>(*ranks);
    }
  }
  return 0;
}

OsuTests titled(std::string_view line) {
  OsuTests tests;
  tests.title = line.substr(std::min(line.find("OSU"), line.size()));
  const std::string lower = lowerCase(tests.title);
  // The time of a non-blocking collective includes the overlapped work.
  if (lower.find("non-blocking") != std::string::npos || lower.find("latency") == std::string::npos) return tests;
  for (const OsuName& known : kOsuNames) {
    if (lower.find(known.name) == std::string::npos) continue;
    tests.collective = known.collective;
    tests.perRank = known.perRank;
    break;
  }
  return tests;
}

}  // namespace

std::vector<OsuTests> osuTestsIn(std::string_view text) {
  std::vector<OsuTests> all;
  int ranks = 0;
  bool started = false;
  const std::string plain = pastedText(text);
  for (const std::string_view line : filledLines(plain)) {
    if (line.starts_with('#')) {
      if (line.find("OSU ") == std::string_view::npos) continue;
      all.push_back(titled(line));
      all.back().ranks = ranks;
      started = true;
      continue;
    }
    if (const int given = ranksIn(line); given > 0) {
      ranks = given;
      started = false;
    }
    const std::vector<std::string_view> words = wordsOfLine(line);
    double bytes = 0;
    double microseconds = 0;
    if (!started || words.size() < 2 || !readNumber(words[0], bytes) || !readNumber(words[1], microseconds)) continue;
    const bool sensible = kAmountRange.holds(bytes) && microseconds > 0 && kTimeRange.holds(microseconds / 1e6);
    if (sensible) all.back().sizes.push_back({Bytes(bytes), microseconds / 1e6});
  }
  std::erase_if(all, [](const OsuTests& tests) { return tests.sizes.empty(); });
  return all;
}

}  // namespace p2::inline remote
