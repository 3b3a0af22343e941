// SPDX-License-Identifier: GPL-3.0-or-later
#include "graphs/onnx/einsum.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace p2::inline graphs {
namespace {

constexpr std::size_t kMostHidden = 10;  // digits

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A term's letters, with the given number of digits in place of "...".
std::string lettersOf(std::string_view term, std::size_t hidden, bool& understood) {
  std::string letters;
  const std::size_t dots = term.find("...");
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (i == dots) {
      for (std::size_t d = hidden; d-- > 0;) letters += static_cast<char>('0' + d);
      i += 2;
      continue;
    }
    understood = understood && isLetter(term[i]);
    letters += term[i];
  }
  for (std::size_t i = 0; i < letters.size(); ++i) {
    understood = understood && letters.find(letters[i], i + 1) == std::string::npos;
  }
  return letters;
}

std::string impliedResult(const std::vector<std::string>& operands) {
  std::map<char, int> counts;
  for (const std::string& operand : operands) {
    for (const char letter : operand) ++counts[letter];
  }
  std::string result;
  for (const auto& [letter, count] : counts) {
    if (!isLetter(letter)) result.insert(result.begin(), letter);
    if (isLetter(letter) && count == 1) result += letter;
  }
  return result;
}

std::vector<std::string_view> termsOf(std::string_view text) {
  std::vector<std::string_view> terms;
  while (true) {
    const std::size_t comma = text.find(',');
    terms.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return terms;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

EinsumEquation einsumEquation(std::string text, const std::vector<std::size_t>& ranks) {
  std::erase(text, ' ');
  EinsumEquation equation;
  const std::size_t arrow = text.find("->");
  const auto terms = termsOf(std::string_view(text).substr(0, arrow));
  equation.understood = terms.size() == ranks.size();
  std::size_t most = 0;
  for (std::size_t i = 0; i < terms.size() && equation.understood; ++i) {
    const bool dots = terms[i].find("...") != std::string_view::npos;
    const std::size_t named = terms[i].size() - (dots ? 3 : 0);
    const std::size_t hidden = ranks[i] > named ? ranks[i] - named : 0;
    equation.understood = named + hidden == ranks[i] && (dots || hidden == 0) && hidden <= kMostHidden;
    if (!equation.understood) return equation;
    most = std::max(most, hidden);
    equation.operands.push_back(lettersOf(terms[i], hidden, equation.understood));
  }
  if (!equation.understood) return equation;
  equation.result = arrow == std::string::npos
                        ? impliedResult(equation.operands)
                        : lettersOf(std::string_view(text).substr(arrow + 2), most, equation.understood);
  const auto known = [&](char letter) {
    return std::any_of(equation.operands.begin(), equation.operands.end(),
                       [&](const std::string& operand) { return operand.find(letter) != std::string::npos; });
  };
  equation.understood = equation.understood && std::all_of(equation.result.begin(), equation.result.end(), known);
  return equation;
}

}  // namespace p2::inline graphs
