// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "base/numbers.h"
#include "training/stage_layouts.h"

namespace p2::inline training {
namespace {

constexpr std::size_t kMostText = 1 << 16;

std::string layersText(std::int64_t layers) {
  if (layers < 4) return std::string(static_cast<std::size_t>(layers), 't');
  return "t*" + std::to_string(layers);
}

/// "(tt|)*29" written out, then "t*4".
Result<std::string> unrolled(std::string_view text) {
  const Error wrong{"\"" + std::string(text) + "\" is not a layout of stages; write it as in Et*3|(tt|)*29,m|L"};
  std::string plain;
  for (const char c : text) {
    if (c != ',' && c != ' ' && c != '"' && c != '\'') plain += c;
  }
  std::string made;
  for (std::size_t at = 0; at < plain.size();) {
    std::string unit(1, plain[at]);
    std::size_t next = at + 1;
    if (plain[at] == '(') {
      const std::size_t close = plain.find(')', at);
      if (close == std::string::npos) return wrong;
      P2_TRY_ASSIGN(unit, unrolled(std::string_view(plain).substr(at + 1, close - at - 1)));
      next = close + 1;
    }
    std::int64_t count = 1;
    if (next < plain.size() && plain[next] == '*') {
      const std::size_t end = std::min(plain.find_first_not_of("0123456789", next + 1), plain.size());
      const auto times = parseInteger(std::string_view(plain).substr(next + 1, end - next - 1));
      if (!times || *times < 0 || static_cast<std::size_t>(*times) > kMostText) return wrong;
      count = *times;
      next = end;
    } else if (plain[at] == '(') {
      return wrong;
    }
    if (unit.size() * static_cast<std::size_t>(count) > kMostText - made.size()) return wrong;
    for (std::int64_t i = 0; i < count; ++i) made += unit;
    at = next;
  }
  return made;
}

}  // namespace

std::string megatronLayoutText(const StageLayout& layout, std::int64_t predictedTokens) {
  std::string text;
  for (std::size_t at = 0; at < layout.size();) {
    const bool last = at + 1 == layout.size();
    const std::string stage = (at == 0 ? "E" : "") + layersText(layout[at]) +
                              (last ? std::string(static_cast<std::size_t>(predictedTokens), 'm') + "L" : "|");
    std::size_t count = 1;
    while (at > 0 && at + count + 1 < layout.size() && layout[at + count] == layout[at]) ++count;
    text += count > 2 ? "(" + stage + ")*" + std::to_string(count) : std::string();
    for (std::size_t i = 0; count <= 2 && i < count; ++i) text += stage;
    at += count;
    // A digit would go on in what follows.
    if (count > 2 && at < layout.size()) text += ",";
  }
  return text;
}

Result<MegatronLayout> megatronLayoutFrom(std::string_view text) {
  P2_TRY_ASSIGN(const std::string plain, unrolled(text));
  const Error wrong{"\"" + std::string(text) +
                    "\" is not a layout of stages: E (embedding) first, t (layers), m, | between stages, L (loss) "
                    "last, as in Et*3|(tt|)*29,m|L"};
  if (plain.size() < 2 || plain.front() != 'E' || plain.back() != 'L') return wrong;
  MegatronLayout made;
  made.layers.push_back(0);
  std::size_t predicting = 0;
  for (const char c : std::string_view(plain).substr(1, plain.size() - 2)) {
    if (c == '|') {
      made.layers.push_back(0);
    } else if (c == 't') {
      ++made.layers.back();
    } else if (c == 'm') {
      ++made.predictedTokens;
      predicting = made.layers.size();
    } else {
      return wrong;
    }
  }
  made.predictsLast = predicting == 0 || predicting == made.layers.size();
  return made;
}

}  // namespace p2::inline training
