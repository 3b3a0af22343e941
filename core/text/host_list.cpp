// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/host_list.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/numbers.h"

namespace p2::inline text {
namespace {

constexpr std::size_t kMostHosts = 100'000;
constexpr std::size_t kLongestName = 253;  // of RFC 1035, as text

Error tooManyHosts() {
  return {"more than " + std::to_string(kMostHosts) + " hosts; name only the nodes of the run", "hosts"};
}

bool isSeparator(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

bool isHostName(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '_';
  });
}

/// The words of a list; commas in brackets do not separate.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inRange = false;
  bool inComment = false;
  for (const char c : text) {
    if (c == '#') inComment = true;
    if (c == '\n') inComment = false;
    if (inComment) continue;
    if (c == '[') inRange = true;
    if (c == ']') inRange = false;
    if (isSeparator(c) && !(inRange && c == ',')) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

/// The numbers of "01-16" or "3", with as many digits as the first has.
Result<std::vector<std::string>> numbersOf(std::string_view range, const std::string& word) {
  const Error wrong{"\"" + word + "\" is not a range of hosts; write node[01-16]", "hosts"};
  const std::size_t dash = range.find('-');
  const std::string_view begin = range.substr(0, dash);
  const auto first = parseInteger(begin);
  const auto last = dash == std::string_view::npos ? first : parseInteger(range.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first) return wrong;
  if (static_cast<std::size_t>(*last - *first) >= kMostHosts) return tooManyHosts();
  std::vector<std::string> numbers;
  for (std::int64_t number = *first; number <= *last; ++number) numbers.push_back(padded(number, begin.size()));
  return numbers;
}

Result<std::vector<std::string>> expanded(const std::string& word) {
  const std::size_t open = word.find('[');
  if (open == std::string::npos) return std::vector<std::string>{word};
  const std::size_t close = word.find(']', open);
  if (close == std::string::npos) return Error{"\"" + word + "\" has no closing bracket; write node[01-16]", "hosts"};
  std::vector<std::string> names;
  const std::string_view ranges = std::string_view(word).substr(open + 1, close - open - 1);
  const std::size_t fixed = word.size() - ranges.size() - 2;
  for (std::size_t begin = 0; begin <= ranges.size();) {
    const std::string_view range = ranges.substr(begin, ranges.find(',', begin) - begin);
    begin += range.size() + 1;
    if (fixed + std::min(range.find('-'), range.size()) > kLongestName)
      return Error{"a name of a host has more than 253 characters; write node[01-16]", "hosts"};
    P2_TRY_ASSIGN(const auto numbers, numbersOf(range, word));
    if (names.size() + numbers.size() > kMostHosts) return tooManyHosts();
    for (const std::string& number : numbers) names.push_back(word.substr(0, open) + number + word.substr(close + 1));
  }
  return names;
}

/// "host" of "host:8".
std::string withoutSlots(std::string word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || colon + 1 == word.size()) return word;
  if (word.find_first_not_of("0123456789", colon + 1) == std::string::npos) word.resize(colon);
  return word;
}

}  // namespace

Result<void> checkHosts(const std::vector<std::string>& hosts) {
  std::set<std::string_view> seen;
  for (const std::string& host : hosts) {
    if (!isHostName(host)) {
      return Error{"\"" + host + "\" is not the name of a host; use letters, digits, \".\", \"-\" and \"_\"", "hosts"};
    }
    if (!seen.insert(host).second)
      return Error{"the host \"" + host + "\" is named twice; name every node once", "hosts"};
  }
  return {};
}

Result<std::vector<std::string>> hostsFromList(std::string_view text) {
  std::vector<std::string> hosts;
  for (std::string& word : wordsOf(text)) {
    if (word.find('=') != std::string::npos) continue;
    P2_TRY_ASSIGN(const auto names, expanded(withoutSlots(std::move(word))));
    if (hosts.size() + names.size() > kMostHosts) return tooManyHosts();
    hosts.insert(hosts.end(), names.begin(), names.end());
  }
  P2_TRY(checkHosts(hosts));
  return hosts;
}

Result<std::vector<std::string>> hostsFromFile(std::string_view text) {
  std::string first;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view said = line.substr(0, line.find('#'));
    const std::size_t from = said.find_first_not_of(" \t\r");
    if (from == std::string_view::npos) continue;
    first.append(said.substr(from, said.find_first_of(" \t\r", from) - from)).append("\n");
  }
  P2_TRY_ASSIGN(auto hosts, hostsFromList(first));
  if (hosts.empty()) return Error{"there is no host in it; write one name per line"};
  return hosts;
}

}  // namespace p2::inline text
