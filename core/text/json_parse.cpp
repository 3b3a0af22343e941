// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <vector>

#include "text/json_document.h"

namespace p2 {
namespace {

/// Watches the parser for what JSON allows but cannot be kept: too deep a nesting, a key twice. Throws an Error.
class StructureGuard {
 public:
  bool operator()(Json::parse_event_t event, const Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        if (m_open.size() == kMostDepth) {
          throw Error{"nested deeper than " + std::to_string(kMostDepth) + " levels; P² files need 6"};
        }
        m_open.emplace_back();
        break;
      case Json::parse_event_t::key:
        takeKey(parsed.get_ref<const std::string&>());
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        m_open.pop_back();
        [[fallthrough]];
      case Json::parse_event_t::value:
        if (!m_open.empty()) ++m_open.back().items;
        break;
    }
    return true;
  }

 private:
  struct Container {
    std::set<std::string> keys;
    std::string key;
    std::size_t items = 0;
  };

  void takeKey(const std::string& key) {
    Container& object = m_open.back();
    if (!object.keys.insert(key).second) {
      object.key.clear();
      throw Error{"the key \"" + key + "\" appears twice; keep one", pointer()};
    }
    if (object.keys.size() > kMostKeys) {
      throw Error{"more than " + std::to_string(kMostKeys) + " keys in one object; P² files need ten", pointer()};
    }
    object.key = key;
  }

  [[nodiscard]] std::string pointer() const {
    std::string text;
    for (const Container& container : m_open) {
      const bool last = &container == &m_open.back();
      if (container.keys.empty()) {
        text += "/" + std::to_string(container.items);
      } else if (!last || !container.key.empty()) {
        text += "/" + container.key;
      }
    }
    return text;
  }

  std::vector<Container> m_open;
};

Error syntaxError(std::string_view text, std::size_t byte) {
  const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1) + 1;
  const std::string where = "line " + std::to_string(line) + ", column " + std::to_string(column);
  if (text.find_first_not_of(" \t\r\n", at) == std::string_view::npos) {
    return {"the JSON text ends too early; the file may be truncated", where};
  }
  const char c = text[at];
  const std::string what = c > ' ' && c < 0x7f ? "'" + std::string(1, c) + "'" : "this character";
  return {what + " cannot stand here; the text is not valid JSON", where};
}

}  // namespace

Result<Json> parseJson(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Error{"the text is empty; a JSON object is expected"};
  }
  try {
    return Json::parse(text, [guard = StructureGuard()](int, Json::parse_event_t event, Json& parsed) mutable {
      return guard(event, parsed);
    });
  } catch (const Error& error) {
    return error;
  } catch (const Json::parse_error& error) {
    return syntaxError(text, error.byte);
  } catch (const Json::exception&) {
    return Error{"a number is too large to be read; use numbers below 1e308"};
  }
}

}  // namespace p2
