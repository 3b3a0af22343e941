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

Error tooLongName() { return {"a name of a host has more than 253 characters; write node[01-16]", "hosts"}; }

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

/// The numbers between one pair of brackets. `before`: characters of the name in front of them.
Result<std::vector<std::string>> numbersIn(std::string_view ranges, std::size_t before, const std::string& word) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin <= ranges.size();) {
    const std::string_view range = ranges.substr(begin, ranges.find(',', begin) - begin);
    begin += range.size() + 1;
    if (before + std::min(range.find('-'), range.size()) > kLongestName) return tooLongName();
    P2_TRY_ASSIGN(const auto numbers, numbersOf(range, word));
    if (all.size() + numbers.size() > kMostHosts) return tooManyHosts();
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

/// Choices for each place of a name: the fixed text, or the numbers of one pair of brackets. The product of their
/// counts is at most kMostHosts.
using Places = std::vector<std::vector<std::string>>;

Result<Places> placesOf(const std::string& word) {
  Places places;
  std::size_t names = 1;
  std::size_t length = 0;
  for (std::string_view rest = word; !rest.empty();) {
    const std::size_t open = rest.find('[');
    places.push_back({std::string(rest.substr(0, open))});
    length += places.back().front().size();
    if (length > kLongestName) return tooLongName();
    if (open == std::string_view::npos) break;
    rest.remove_prefix(open + 1);
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos)
      return Error{"\"" + word + "\" has no closing bracket; write node[01-16]", "hosts"};
    P2_TRY_ASSIGN(auto numbers, numbersIn(rest.substr(0, close), length, word));
    if (numbers.size() > kMostHosts / names) return tooManyHosts();
    names *= numbers.size();
    for (std::size_t longest = 0; const std::string& number : numbers) {
      length += number.size() > longest ? number.size() - longest : 0;
      longest = std::max(longest, number.size());
    }
    places.push_back(std::move(numbers));
    rest.remove_prefix(close + 1);
  }
  return places;
}

/// Slurm's order: the numbers of the last brackets change first.
Result<std::vector<std::string>> expanded(const std::string& word) {
  if (word.find('[') == std::string::npos) return std::vector<std::string>{word};
  P2_TRY_ASSIGN(const Places places, placesOf(word));
  std::vector<std::string> names;
  std::vector<std::size_t> at(places.size(), 0);
  for (std::size_t turned = 1; turned > 0;) {
    std::string& name = names.emplace_back();
    for (std::size_t i = 0; i < places.size(); ++i) name += places[i][at[i]];
    for (turned = places.size(); turned > 0 && ++at[turned - 1] == places[turned - 1].size(); --turned) {
      at[turned - 1] = 0;
    }
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
    const std::string_view stated = line.substr(0, line.find('#'));
    const std::size_t from = stated.find_first_not_of(" \t\r");
    if (from == std::string_view::npos) continue;
    first.append(stated.substr(from, stated.find_first_of(" \t\r", from) - from)).append("\n");
  }
  P2_TRY_ASSIGN(auto hosts, hostsFromList(first));
  if (hosts.empty()) return Error{"there is no host in it; write one name per line"};
  return hosts;
}

}  // namespace p2::inline text
