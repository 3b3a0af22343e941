// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/chunk_set.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace p2::inline synthesis {
namespace {

Error notChunks(std::string_view text) {
  return Error{"\"" + std::string(text) + "\" lists no chunks; write ascending numbers and ranges, as in 0-3,8"};
}

/// Takes a number off the front.
std::optional<std::int64_t> numberFrom(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || text.front() == '-') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool takes(std::string_view& text, char sign) {
  if (text.empty() || text.front() != sign) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::int64_t countOf(const ChunkSet& set) {
  std::int64_t count = 0;
  for (const ChunkRange& range : set) count += range.to - range.from;
  return count;
}

ChunkSet merged(ChunkSet ranges) {
  if (!std::is_sorted(ranges.begin(), ranges.end())) std::sort(ranges.begin(), ranges.end());
  ChunkSet result;
  for (const ChunkRange& range : ranges) {
    if (!result.empty() && result.back().to >= range.from) {
      result.back().to = std::max(result.back().to, range.to);
    } else {
      result.push_back(range);
    }
  }
  return result;
}

ChunkSet commonOf(const ChunkSet& a, const ChunkSet& b) {
  ChunkSet result;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const ChunkRange common{std::max(a[i].from, b[j].from), std::min(a[i].to, b[j].to)};
    if (common.from < common.to) result.push_back(common);
    a[i].to < b[j].to ? ++i : ++j;
  }
  return result;
}

ChunkSet withoutOf(const ChunkSet& a, const ChunkSet& b) {
  ChunkSet result;
  std::size_t j = 0;
  for (ChunkRange left : a) {
    while (j < b.size() && b[j].to <= left.from) ++j;
    for (std::size_t at = j; at < b.size() && b[at].from < left.to; ++at) {
      if (left.from < b[at].from) result.push_back({left.from, b[at].from});
      left.from = b[at].to;
    }
    if (left.from < left.to) result.push_back(left);
  }
  return result;
}

std::vector<ChunkSet> scatteredSets(const ChunkSet& set, std::int64_t count) {
  const std::int64_t share = countOf(set) / count;
  std::vector<ChunkSet> parts(static_cast<std::size_t>(count));
  std::size_t at = 0;
  std::int64_t room = share;
  for (ChunkRange left : set) {
    while (left.from < left.to) {
      const std::int64_t taken = std::min(room, left.to - left.from);
      parts[at].push_back({left.from, left.from + taken});
      left.from += taken;
      room -= taken;
      if (room > 0) continue;
      ++at;
      room = share;
    }
  }
  return parts;
}

std::string chunkText(const ChunkSet& set) {
  std::string text;
  for (const ChunkRange& range : set) {
    text += (text.empty() ? "" : ",") + std::to_string(range.from);
    if (range.to - range.from > 1) text += "-" + std::to_string(range.to - 1);
  }
  return text;
}

Result<ChunkSet> chunksFromText(std::string_view text, std::int64_t chunks) {
  ChunkSet set;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto first = numberFrom(rest);
    const auto last = first && takes(rest, '-') ? (rest.empty() ? std::nullopt : numberFrom(rest)) : first;
    if (!last || *last < *first || (!set.empty() && *first <= set.back().to)) return notChunks(text);
    if (*last >= chunks) {
      return Error{"there is no chunk " + std::to_string(*last) + "; they are numbered from 0 to " +
                   std::to_string(chunks - 1)};
    }
    set.push_back({*first, *last + 1});
    if (!rest.empty() && (!takes(rest, ',') || rest.empty())) return notChunks(text);
  }
  return set;
}

}  // namespace p2::inline synthesis
