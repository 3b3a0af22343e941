// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/changed_json.h"

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace p2::fuzz {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(std::string_view text) { return Json::parse(text.begin(), text.end(), nullptr, false); }

void collect(Json& value, std::vector<Json*>& values) {
  values.push_back(&value);
  for (Json& part : value) {
    if (part.is_structured()) {
      collect(part, values);
    } else {
      values.push_back(&part);
    }
  }
}

class Changes {
 public:
  Changes(Json& root, Json& other, std::mt19937& random) : m_random(random) {
    collect(root, m_values);
    m_sources = m_values;
    if (!other.is_discarded()) collect(other, m_sources);
  }

  void change() {
    Json& value = *m_values[below(m_values.size())];
    const std::size_t way = below(6);
    if (way == 0) {
      value = awkward();
    } else if (way == 1) {
      value = Json(*m_sources[below(m_sources.size())]);
    } else if (value.is_array()) {
      changeList(value);
    } else if (value.is_object()) {
      changeObject(value);
    } else if (value.is_string()) {
      changeText(value.get_ref<std::string&>());
    } else if (value.is_number()) {
      changeNumber(value);
    } else {
      value = awkward();
    }
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : m_random() % limit; }

  /// A value that programs like to forget.
  Json awkward() {
    static const std::array<Json, 24> kValues{nullptr,
                                              true,
                                              false,
                                              0,
                                              -1,
                                              1,
                                              2,
                                              3,
                                              0.5,
                                              -0.0,
                                              1e-320,
                                              1e18,
                                              1e308,
                                              -1e308,
                                              2147483648,
                                              4294967296,
                                              9007199254740993,
                                              std::numeric_limits<std::int64_t>::max(),
                                              std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::uint64_t>::max(),
                                              "",
                                              "\x01 \xc2\xb2",
                                              Json::array(),
                                              Json::object()};
    return kValues[below(kValues.size())];
  }

  void changeList(Json& list) {
    if (list.empty()) {
      list.push_back(awkward());
      return;
    }
    const auto at = list.begin() + static_cast<std::ptrdiff_t>(below(list.size()));
    switch (below(4)) {
      case 0:
        list.erase(at);
        break;
      case 1:
        list.push_back(Json(*at));
        break;
      case 2:
        std::swap(*at, list[below(list.size())]);
        break;
      default:
        list.insert(at, awkward());
    }
  }

  void changeObject(Json& object) {
    const std::vector<Json*> others = objectsWithin(m_sources);
    if (object.empty() || below(2) == 0) {
      const Json& other = *others[below(others.size())];
      if (other.empty()) return;
      auto member = other.begin();
      std::advance(member, below(other.size()));
      object[member.key()] = Json(member.value());
      return;
    }
    auto member = object.begin();
    std::advance(member, below(object.size()));
    object.erase(member);
  }

  [[nodiscard]] static std::vector<Json*> objectsWithin(const std::vector<Json*>& values) {
    std::vector<Json*> objects;
    for (Json* value : values) {
      if (value->is_object()) objects.push_back(value);
    }
    return objects;
  }

  void changeText(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(4)) {
      case 0:
        text.erase(at, 1 + below(4));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(0x20 + below(0x5f)));
        break;
      case 2:
        text.insert(at, std::string(text));
        break;
      default:
        text.insert(at, std::to_string(m_random()));
    }
  }

  void changeNumber(Json& number) {
    const auto value = number.get<double>();
    switch (below(5)) {
      case 0:
        number = -value;
        break;
      case 1:
        number = value * 1000;
        break;
      case 2:
        number = value / 3;
        break;
      case 3:
        if (number.is_number_integer() && number != std::numeric_limits<std::int64_t>::max()) {
          number = number.get<std::int64_t>() + 1;
        }
        break;
      default:
        number = below(1000);
    }
  }

  std::mt19937& m_random;
  std::vector<Json*> m_values, m_sources;
};

}  // namespace

std::optional<std::string> changedJson(std::string_view text, std::string_view other, std::mt19937& random) {
  Json root = parsed(text);
  if (root.is_discarded()) return std::nullopt;
  Json source = parsed(other);
  for (auto rounds = 1 + random() % 3; rounds > 0; --rounds) Changes(root, source, random).change();
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace p2::fuzz
