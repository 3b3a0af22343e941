// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_document.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "text/json_stream.h"
#include "text/json_writer.h"
#include "text/named_items.h"

namespace p2::inline text {
namespace {

constexpr int kLineBudget = 96;  // characters of a container that stays on one line

bool isList(const Json& json) {
  return json.is_array() &&
         std::none_of(json.begin(), json.end(), [](const Json& item) { return item.is_structured(); });
}

/// Takes about the width of the value off the budget; false once it is spent.
bool fits(const Json& json, int& budget) {
  budget -= json.is_string() ? static_cast<int>(json.get_ref<const std::string&>().size()) + 2 : 4;
  if (!json.is_structured() || budget < 0) return budget >= 0;
  for (const auto& [key, value] : json.items()) {
    budget -= json.is_object() ? static_cast<int>(key.size()) + 4 : 0;
    if (!fits(value, budget)) return false;
  }
  return true;
}

JsonWriter::Layout layoutOf(const Json& json) {
  int budget = kLineBudget;
  return isList(json) || fits(json, budget) ? JsonWriter::Layout::OneLine : JsonWriter::Layout::Lines;
}

void writeScalar(JsonWriter& out, const Json& json) {
  switch (json.type()) {
    case Json::value_t::string:
      out.text(json.get_ref<const std::string&>());
      break;
    case Json::value_t::boolean:
      out.boolean(json.get<bool>());
      break;
    case Json::value_t::number_integer:
      out.whole(json.get<std::int64_t>());
      break;
    case Json::value_t::number_unsigned:
      out.raw(std::to_string(json.get<std::uint64_t>()));
      break;
    case Json::value_t::number_float:
      out.number(json.get<double>());
      break;
    default:
      out.null();
  }
}

/// `layout` tells how a list or an object is laid out.
void write(JsonWriter& out, const Json& json, JsonWriter::Layout (*layout)(const Json&)) {
  if (json.is_object()) {
    out.beginObject(layout(json));
    for (const auto& [key, value] : json.items()) {
      out.key(key);
      write(out, value, layout);
    }
    out.end();
  } else if (json.is_array()) {
    out.beginArray(layout(json));
    for (const Json& item : json) write(out, item, layout);
    out.end();
  } else {
    writeScalar(out, json);
  }
}

Json treeOf(JsonStream& in);

Json objectOf(JsonStream& in) {
  std::vector<std::pair<std::string, Json>> members;
  in.object({}, [&](std::string_view key) {
    std::string name(key);
    members.emplace_back(std::move(name), treeOf(in));
  });
  Json object = Json::object();
  // The reader has seen to it that no key comes twice; looking for each again would take the square of their number.
  auto& list = static_cast<Json::object_t::Container&>(object.get_ref<Json::object_t&>());
  list.reserve(members.size());
  for (auto& [key, value] : members) list.emplace_back(std::move(key), std::move(value));
  return object;
}

Json treeOf(JsonStream& in) {
  switch (in.kind()) {
    case JsonStream::Kind::Object:
      return objectOf(in);
    case JsonStream::Kind::List: {
      Json list = Json::array();
      in.list({}, [&](std::size_t) { list.push_back(treeOf(in)); });
      return list;
    }
    case JsonStream::Kind::Text:
      return in.text({});
    case JsonStream::Kind::Number:
      return std::visit([](const auto value) { return Json(value); }, in.exactNumber({}));
    case JsonStream::Kind::Boolean:
      return in.boolean({});
    case JsonStream::Kind::Null:
      in.skip();
  }
  return {};
}

}  // namespace

Result<Json> parseJson(std::string_view text, std::stop_token stop) {
  JsonStream in(std::string(text), std::move(stop));
  Json tree = treeOf(in);
  in.finish();
  if (in.failed()) return in.problem();
  return tree;
}

std::string jsonText(const Json& json) {
  std::ostringstream text;
  JsonWriter writer(text);
  write(writer, json, layoutOf);
  return text.str();
}

std::string jsonLine(const Json& json) {
  std::ostringstream text;
  JsonWriter writer(text);
  write(writer, json, [](const Json&) { return JsonWriter::Layout::Compact; });
  return text.str();
}

std::string scalarText(const Json& json) {
  std::ostringstream text;
  JsonWriter writer(text);
  writeScalar(writer, json);
  return text.str();
}

Json overlaid(const Json& source, const Json& known) {
  if (known.is_object()) {
    Json result = source.is_object() ? source : Json::object();
    for (const auto& [key, value] : known.items()) {
      if (value.is_null()) {
        result.erase(key);
      } else {
        result[key] = overlaid(result.contains(key) ? result[key] : Json(), value);
      }
    }
    return result;
  }
  if (!known.is_array() || isList(known)) return known;
  NamedItems named(source);
  const bool sameLength = source.is_array() && source.size() == known.size();
  Json result = Json::array();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string* name = nameIn(known[i]);
    const Json* old = name ? named.next(*name) : nullptr;
    if (!old && sameLength) old = &source[i];
    result.push_back(overlaid(old ? *old : Json(), known[i]));
  }
  return result;
}

Json jsonNumber(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 9007199254740992.0;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace p2::inline text
