// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/axis.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/counted.h"
#include "base/lists.h"
#include "base/numbers.h"

namespace p2::inline placement {
namespace {

/// The axes between two commas: one as a rule, several when blanks alone part them.
class AxesPart {
 public:
  explicit AxesPart(std::string text) : m_text(std::move(text)), m_words(wordsOf(m_text)) {}

  Result<void> addTo(std::vector<Axis>& axes) && {
    if (m_words.empty()) return notAnAxis();
    while (m_next < m_words.size()) {
      P2_TRY_ASSIGN(auto axis, read(axes.size()));
      if (std::any_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == axis.name; })) {
        return Error{"the axis name \"" + axis.name + "\" is used twice; give every axis its own"};
      }
      axes.push_back(std::move(axis));
    }
    return {};
  }

 private:
  Error notAnAxis() const {
    return Error{"\"" + m_text + "\" is not an axis; write sizes as in 8,2,4 or names as in data=8,model=2,shards=4"};
  }
  bool isEquals(std::size_t at) const { return at < m_words.size() && m_words[at] == "="; }
  bool isNumber(std::size_t at) const { return at < m_words.size() && parseInteger(m_words[at]).has_value(); }

  /// Words up to '=' or the size, which is next then.
  std::string readName() {
    std::string name = m_words[m_next++];
    while (m_next < m_words.size() && !isEquals(m_next) && !isNumber(m_next)) name += ' ' + m_words[m_next++];
    if (isEquals(m_next)) ++m_next;
    return name;
  }

  Result<Axis> read(std::size_t index) {
    if (isEquals(m_next)) {
      return Error{"\"" + m_text + "\" has no name before '='; write, for example, data=8"};
    }
    Axis axis{"axis" + std::to_string(index), 0, false};
    if (isEquals(m_next + 1) || !isNumber(m_next)) axis.name = readName();
    if (!isNumber(m_next)) return notAnAxis();
    const auto size = parseInteger(m_words[m_next]);
    if (*size < 1) {
      return Error{"axis " + std::to_string(index) + " has size " + m_words[m_next] + "; an axis needs size 1 or more"};
    }
    ++m_next;
    axis.size = *size;
    return axis;
  }

  std::string m_text;
  std::vector<std::string> m_words;
  std::size_t m_next = 0;
};

/// By name, else by index.
std::optional<std::size_t> findAxis(const std::vector<Axis>& axes, const std::string& text) {
  const auto named = std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == text; });
  if (named != axes.end()) return static_cast<std::size_t>(named - axes.begin());
  const auto index = parseInteger(text);
  if (!index || *index < 0 || *index >= static_cast<std::int64_t>(axes.size())) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

/// Between commas; between blanks, too, where that is not one name with blanks in it.
std::vector<std::string> namesIn(const std::vector<Axis>& axes, std::string_view text) {
  std::vector<std::string> names;
  for (std::string& part : commaParts(text)) {
    auto words = wordsOf(part);
    if (words.size() < 2 || findAxis(axes, part)) {
      names.push_back(std::move(part));
    } else {
      std::move(words.begin(), words.end(), std::back_inserter(names));
    }
  }
  return names;
}

/// "data, model or shards, or their numbers from 0".
std::string choicesOf(const std::vector<Axis>& axes) {
  return joined(axes, ", ", &Axis::name, " or ") + (axes.size() == 1 ? ", or 0" : ", or their numbers from 0");
}

/// "8·2·4 = 64", or the number alone when there is nothing to multiply.
std::string productText(const std::vector<std::int64_t>& sizes) {
  const auto product = checkedProduct(sizes);
  const std::string value = product ? std::to_string(*product) : "over 2^63";
  const std::string text = joined(sizes, "·");
  return sizes.size() == 1 ? text : text + " = " + value;
}

}  // namespace

std::vector<std::int64_t> sizesOf(const std::vector<Axis>& axes) {
  std::vector<std::int64_t> sizes;
  for (const Axis& axis : axes) sizes.push_back(axis.size);
  return sizes;
}

Result<std::size_t> axisNamed(const std::vector<Axis>& axes, const std::string& text) {
  if (const auto found = findAxis(axes, text)) return *found;
  return Error{"there is no axis \"" + text + "\"; use " + choicesOf(axes)};
}

Result<std::vector<Axis>> parseAxes(std::string_view text) {
  std::vector<Axis> axes;
  for (std::string& part : commaParts(text)) P2_TRY(AxesPart(std::move(part)).addTo(axes));
  return axes;
}

Result<std::vector<Axis>> withReduction(std::vector<Axis> axes, std::string_view text) {
  for (const std::string& part : namesIn(axes, text)) {
    const auto axis = findAxis(axes, part);
    if (!axis) {
      return Error{"there is no axis \"" + part + "\" to reduce over; use " + choicesOf(axes)};
    }
    axes[*axis].reduce = true;
  }
  return axes;
}

Result<std::vector<Axis>> withScatter(std::vector<Axis> axes, std::string_view text) {
  for (Axis& axis : axes) axis.replicate = axis.reduce;
  std::string reduced;
  for (const Axis& axis : axes) {
    if (axis.reduce) reduced += (reduced.empty() ? "" : ", ") + axis.name;
  }
  for (const std::string& part : namesIn(axes, text)) {
    const auto axis = findAxis(axes, part);
    if (!axis || !axes[*axis].reduce) {
      return Error{(axis ? "axis " + axes[*axis].name + " is not reduced over" : "there is no axis \"" + part + "\"") +
                   ", so no sum can be scattered over it; use one or more of " + reduced};
    }
    if (!axes[*axis].replicate) return Error{"axis " + axes[*axis].name + " is named twice; keep one"};
    axes[*axis].replicate = false;
  }
  P2_TRY(checkReplicas(axes));
  return axes;
}

std::vector<std::string> scatteredAxes(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  if (std::none_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.replicate; })) return names;
  for (const Axis& axis : axes) {
    if (axis.reduce && !axis.replicate) names.push_back(axis.name);
  }
  return names;
}

std::vector<Axis> withoutReplicas(std::vector<Axis> axes) {
  for (Axis& axis : axes) axis.replicate = false;
  return axes;
}

std::int64_t fittingSize(const System& system, const std::vector<Axis>& axes, std::size_t index) {
  std::optional<std::int64_t> others = 1;
  for (std::size_t i = 0; i < axes.size() && others; ++i) {
    if (i != index) others = checkedProduct(*others, axes[i].size);
  }
  const std::int64_t devices = system.deviceCount();
  return others && *others > 0 && devices % *others == 0 ? devices / *others : 0;
}

Result<void> checkAxes(const System& system, const std::vector<Axis>& axes) {
  if (axes.empty())
    return Error{"there are no parallelism axes; name at least one, as in data=" +
                 std::to_string(system.deviceCount())};
  if (axes.size() > kMostAxes) {
    return Error{"there are " + countedText(axes.size(), "axis", "axes") + "; at most " + std::to_string(kMostAxes) +
                 " can be worked with"};
  }
  for (const Axis& axis : axes) {
    if (axis.size < 1) {
      return Error{"axis " + axis.name + " has size " + std::to_string(axis.size) + "; an axis needs size 1 or more"};
    }
  }
  const std::vector<std::int64_t> sizes = sizesOf(axes);
  const auto product = checkedProduct(sizes);
  const std::int64_t devices = system.deviceCount();
  if (product && *product == devices) return {};
  std::string fitting;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t size = fittingSize(system, axes, i);
    if (size > 0) fitting += (fitting.empty() ? "" : " or ") + axes[i].name + " = " + std::to_string(size);
  }
  const std::string hint = fitting.empty() ? "" : "; " + fitting + " would fit";
  return Error{"the axes are for " + productText(sizes) + " devices, but the system has " +
               productText(system.counts()) +
               (hint.empty() ? "; choose sizes that multiply to " + std::to_string(devices) : hint)};
}

Result<void> checkReduction(const std::vector<Axis>& axes) {
  bool any = false;
  for (const Axis& axis : axes) {
    if (axis.reduce && axis.size > 1) return {};
    any = any || axis.reduce;
  }
  if (!any) return Error{"no axis is reduced over; choose at least one"};
  return Error{"every axis to reduce over has size 1, so there is nothing to reduce; choose one of size 2 or more"};
}

Result<void> checkReplicas(const std::vector<Axis>& axes) {
  bool scattered = false;
  bool replicated = false;
  for (const Axis& axis : axes) {
    if (axis.replicate && !axis.reduce) {
      return Error{"axis " + axis.name +
                   " is to be replicated but is not reduced over; reduce over it, or leave it out"};
    }
    replicated = replicated || axis.replicate;
    scattered = scattered || (axis.reduce && !axis.replicate && axis.size > 1);
  }
  if (scattered || !replicated) return {};
  return Error{
      "every axis that the sum is to be scattered over has size 1; use an axis of size 2 or more, or the goal "
      "AllReduce"};
}

}  // namespace p2::inline placement
