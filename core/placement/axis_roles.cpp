// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/axis_roles.h"

#include <algorithm>
#include <array>

#include "base/lists.h"
#include "placement/framework_axes.h"

namespace p2::inline placement {
namespace {

std::string plainName(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    const bool isUpper = letter >= 'A' && letter <= 'Z';
    plain += letter == '_' ? '-' : isUpper ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  // The second of two pieces of one name (commonRefinement()).
  if (plain.ends_with("-2")) plain.resize(plain.size() - 2);
  return plain;
}

struct ExpertWord {
  std::string_view name;
  std::string_view dense;
  std::string_view expert;
};
// The longer names first: "data-expert-data" ends with two of them.
constexpr std::array kExpertWords{
    ExpertWord{"expert-tensor", "tp", "tp"},
    ExpertWord{"expert-data", "dp", "dp"},
    ExpertWord{"experts", "dp", "ep"},
    ExpertWord{"expert", "dp", "ep"},
    ExpertWord{"etp", "tp", "tp"},
    ExpertWord{"edp", "dp", "dp"},
    ExpertWord{"ep", "dp", "ep"},
};

bool replicatesByName(const std::string& plain) {
  return plain == "replica" || plain == "replicate" || plain == "dp-replicate";
}

std::optional<AxisRoles> plainRoles(std::string_view name) {
  const auto form = frameworkAxisOf(name);
  const std::string_view word = form ? frameworkAxes()[*form].megatron : std::string_view();
  if (word.empty() || word == "ep") return std::nullopt;
  return AxisRoles{word, word == "cp" ? "dp" : word, false, replicatesByName(plainName(name))};
}

bool isForm(const Axis& axis, std::string_view maxtext) {
  const auto form = frameworkAxisOf(axis.name);
  return axis.size > 1 && form && frameworkAxes()[*form].maxtext == maxtext;
}

/// Completes a list in which one axis is named a part of the experts' axis, and no other.
Result<void> findOtherPart(const std::vector<Axis>& axes, std::vector<std::optional<AxisRoles>>& roles) {
  std::vector<std::size_t> named;
  std::vector<std::size_t> others;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].size == 1 || !roles[axis]) continue;
    if (roles[axis]->expert == "ep") named.push_back(axis);
    if (!roles[axis]->saysExperts && (roles[axis]->dense == "tp" || roles[axis]->dense == "cp")) others.push_back(axis);
  }
  // What splits all of a degree of data and experts alone is called "expert".
  if (named.size() != 1 || plainName(axes[named[0]].name) != "data-expert" || others.empty()) return {};
  if (others.size() > 1) {
    const std::string& name = axes[others.back()].name;
    return Error{"\"" + axes[named[0]].name + "\" is a part of the experts' axis, and either \"" +
                     axes[others.front()].name + "\" or \"" + name +
                     "\" may be the rest of it; name every axis that experts are split over after both, as in \"" +
                     name + "-expert\"",
                 "axes"};
  }
  roles[others[0]]->expert = "ep";
  return {};
}

}  // namespace

std::optional<AxisRoles> rolesOf(std::string_view name) {
  const std::string plain = plainName(name);
  for (const ExpertWord& word : kExpertWords) {
    if (plain == word.name) return AxisRoles{word.dense, word.expert, true};
    const std::string ending = "-" + std::string(word.name);
    if (!plain.ends_with(ending)) continue;
    const auto dense = plainRoles(std::string_view(plain).substr(0, plain.size() - ending.size()));
    if (dense) return AxisRoles{dense->dense, word.expert, true, dense->replicates};
  }
  return plainRoles(name);
}

std::string meshAxisText(std::string_view name) {
  if (rolesOf(name)) return {};
  std::vector<std::string> words;
  bool numbered = false;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('-', at), name.size());
    const std::string word(name.substr(at, end - at));
    at = end + 1;
    const bool isNumber = !words.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    numbered = numbered || isNumber;
    if (isNumber) continue;
    if (!plainRoles(word) && word != "expert") return {};
    words.push_back(word);
  }
  constexpr const char* kOne = "; a framework has one degree for each";
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (words.size() == 1) return numbered ? quoted + " is another axis of " + words[0] + kOne : std::string();
  if (words.empty()) return {};
  const std::string all = joined(words, " and ");
  return quoted + " is " + all + ", of different operators" + kOne;
}

Result<std::vector<std::optional<AxisRoles>>> rolesOf(const std::vector<Axis>& axes) {
  std::vector<std::optional<AxisRoles>> roles;
  for (const Axis& axis : axes) roles.push_back(rolesOf(axis.name));
  P2_TRY(findOtherPart(axes, roles));
  const bool shards = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return isForm(axis, "fsdp"); });
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (roles[axis] && shards && !roles[axis]->saysExperts && isForm(axes[axis], "data"))
      roles[axis]->replicates = true;
  }
  return roles;
}

bool hasExpertAxes(const std::vector<Axis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const Axis& axis) {
    const auto roles = rolesOf(axis.name);
    return axis.size > 1 && roles && roles->saysExperts;
  });
}

}  // namespace p2::inline placement
