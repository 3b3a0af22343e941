// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/detail/infra_words.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

#include "base/numbers.h"

namespace p2::inline importers {
namespace {

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return text;
}

/// A positive quantity in one of several units.
struct InfraUnit {
  const char* key;
  double factor;
};
Result<double> quantityIn(const YAML::Node& node, std::initializer_list<InfraUnit> units) {
  if (!node || !node.IsMap()) return 0.0;
  for (const InfraUnit& unit : units) {
    const YAML::Node value = node[unit.key];
    if (!value) continue;
    double number = NAN;
    if (value.IsScalar() && YAML::convert<double>::decode(value, number) && std::isfinite(number) && number >= 0 &&
        number < 1e9) {
      return number * unit.factor;
    }
    return Error{std::string(unit.key) + " needs a number of 0 or more", lineText(value)};
  }
  return 0.0;
}

}  // namespace

std::string lineText(const YAML::Node& node) { return "line " + std::to_string(node.Mark().line + 1); }

std::string scalarAt(const YAML::Node& node, const char* key) {
  if (!node.IsMap()) return {};
  const YAML::Node value = node[key];
  return value && value.IsScalar() ? value.Scalar() : std::string();
}

std::vector<YAML::Node> itemsAt(const YAML::Node& node, const char* key) {
  std::vector<YAML::Node> items;
  if (!node.IsMap()) return items;
  const YAML::Node list = node[key];
  for (std::size_t i = 0; list && list.IsSequence() && i < list.size(); ++i) items.push_back(list[i]);
  return items;
}

Result<InfraLink> linkFrom(const YAML::Node& node) {
  InfraLink link;
  link.text = lowerCase(scalarAt(node, "name") + " " + scalarAt(node, "description"));
  // Older documents have the bandwidth without "physical" around it.
  const YAML::Node physical = node.IsMap() && node["physical"] ? node["physical"] : node;
  if (!physical.IsMap()) return link;
  P2_TRY_ASSIGN(link.bandwidth, quantityIn(physical["bandwidth"], {{"gigabits_per_second", 1e9 / 8},
                                                                   {"gigabytes_per_second", 1e9},
                                                                   {"gigatransfers_per_second", 2e9}}));
  P2_TRY_ASSIGN(link.latency, quantityIn(physical["latency"], {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}));
  return link;
}

InfraPart partOf(const std::string& choice) {
  if (choice == "xpu") return InfraPart::Xpu;
  if (choice == "cpu") return InfraPart::Cpu;
  if (choice == "nic") return InfraPart::Nic;
  if (choice == "port") return InfraPart::Port;
  return choice == "switch" ? InfraPart::Switch : InfraPart::Other;
}

std::optional<NamedSlice> sliceIn(std::string_view word) {
  NamedSlice slice;
  const std::size_t open = word.find('[');
  slice.name = std::string(word.substr(0, open));
  if (slice.name.empty()) return std::nullopt;
  if (open == std::string_view::npos) return slice;
  if (!word.ends_with(']')) return std::nullopt;
  std::string_view inside = word.substr(open + 1, word.size() - open - 2);
  std::vector<std::string_view> numbers;
  while (true) {
    const std::size_t colon = inside.find(':');
    numbers.push_back(inside.substr(0, colon));
    if (colon == std::string_view::npos) break;
    inside = inside.substr(colon + 1);
  }
  if (numbers.size() > 3) return std::nullopt;
  std::vector<std::optional<std::int64_t>> values;
  for (const std::string_view number : numbers) {
    values.push_back(number.empty() ? std::nullopt : parseInteger(number));
    if (!number.empty() && (!values.back() || *values.back() < 0 || *values.back() > 1'000'000)) return std::nullopt;
  }
  slice.first = values[0].value_or(0);
  if (values.size() == 1) slice.end = values[0] ? *values[0] + 1 : -1;
  if (values.size() > 1) slice.end = values[1].value_or(-1);
  if (values.size() > 2) slice.step = values[2].value_or(1);
  return slice.step > 0 ? std::optional(slice) : std::nullopt;
}

std::vector<std::string_view> piecesOf(std::string_view path) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t dot = path.find('.');
    pieces.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return pieces;
    path = path.substr(dot + 1);
  }
}

}  // namespace p2::inline importers
