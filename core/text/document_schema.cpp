// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "text/document.h"
#include "text/json_document.h"

namespace p2::inline text {
namespace {

constexpr const char* kUnits =
    "An answer of p2. Times are in seconds, amounts in bytes, bandwidths in bytes/s; KEY_low and KEY_high "
    "end the interval of KEY.";

Json ofType(std::string_view type) { return {{"type", Json::array({type})}}; }

std::string_view unitName(Unit unit) {
  switch (unit) {
    case Unit::None:
      break;
    case Unit::Seconds:
      return "s";
    case Unit::Bytes:
      return "bytes";
    case Unit::BytesPerSecond:
      return "bytes/s";
    case Unit::Flops:
      return "FLOP/s";
    case Unit::Factor:
      return "a factor";
    case Unit::Share:
      return "a share of 1";
  }
  return {};
}

/// Makes `all` accept what `one` accepts, too.
void include(Json& all, const Json& one) {
  if (!all.is_object()) all = Json::object();  // unknown, or no names so far
  for (const auto& [key, part] : one.items()) {
    Json& known = all[key];
    if (key == "type") {
      for (const Json& type : part) {
        if (std::find(known.begin(), known.end(), type) == known.end()) known.push_back(type);
      }
    } else if (key == "properties") {
      for (const auto& [name, property] : part.items()) include(known[name], property);
    } else if (part.is_object()) {
      include(known, part);
    } else if (known.is_null()) {
      known = part;
    }
  }
}

/// The schema as it is written: a single type is no list, and a whole number is a number.
Json tidied(const Json& schema) {
  Json tidy = Json::object();
  for (const auto& [key, part] : schema.items()) {
    if (key == "type") {
      Json types = part;
      const bool anyNumber = std::find(types.begin(), types.end(), "number") != types.end();
      if (anyNumber) types.erase(std::remove(types.begin(), types.end(), "integer"), types.end());
      tidy[key] = types.size() == 1 ? types.front() : types;
    } else if (key == "properties") {
      for (const auto& [name, property] : part.items()) tidy[key][name] = tidied(property);
    } else {
      tidy[key] = part.is_object() ? tidied(part) : part;
    }
  }
  return tidy;
}

/// JSON that was made elsewhere: a number, lists of numbers, or a whole document, which has a schema of its own.
Json schemaOfJson(const Json& json) {
  if (!json.is_array()) return ofType(json.is_number_integer() ? "integer" : json.type_name());
  Json schema = ofType("array");
  for (const Json& item : json) include(schema["items"], schemaOfJson(item));
  return schema;
}

}  // namespace

/// Schemas of the parts of an answer; types are lists, as include() needs them.
struct SchemaMaker {
  static Json of(const Value& value) {
    Json schema = std::visit([](const auto& data) { return of(data); }, value.m_data);
    if (!value.m_otherType.empty()) include(schema, ofType(value.m_otherType));
    return schema;
  }
  static Json of(std::monostate) { return Json::object(); }
  static Json of(Value::Null) { return ofType("null"); }
  static Json of(bool) { return ofType("boolean"); }
  static Json of(std::int64_t) { return ofType("integer"); }
  static Json of(const Value::Number& number) {
    Json schema = ofType("number");
    if (!std::isfinite(number.value)) include(schema, ofType("null"));
    if (const auto unit = unitName(number.unit); !unit.empty()) schema["description"] = unit;
    return schema;
  }
  static Json of(const std::string&) { return ofType("string"); }
  static Json of(const Value::Digits& digits) {
    const auto json = parseJson(digits.json);
    return json.ok() ? schemaOfJson(*json) : ofType("integer");
  }
  static Json of(const Value::List& list) {
    Json schema = ofType("array");
    for (const Value& part : list.parts) include(schema["items"], of(part));
    return schema;
  }
  static Json of(const Value::Object& object) { return of(*object.fields); }
  static Json of(const Value::Rows& rows) { return of(*rows.table); }

  static Json of(const Table& table) {
    Json row = object();
    row["properties"] = Json::object();
    for (const Table::Head& head : table.heads) {
      if (!head.key.empty()) row["properties"][head.key] = described(head.help);
    }
    for (std::size_t i = 0; i < table.count; ++i) {
      for (std::size_t column = 0; column < table.heads.size(); ++column) {
        const std::string& key = table.heads[column].key;
        if (!key.empty()) include(row["properties"][key], of(table.at(i, column)));
      }
    }
    Json schema = ofType("array");
    schema["items"] = std::move(row);
    return schema;
  }

  static Json of(const Document& document) {
    Json schema = object();
    for (const Document::Item& item : document.m_items) {
      if (item.key.empty()) continue;
      Json& place = item.isName ? schema["additionalProperties"] : schema["properties"][item.key];
      if (!place.is_object()) place = described(item.help);
      include(place, of(item));
    }
    return schema;
  }

  static Json of(const Document::Item& item) {
    if (const auto* field = std::get_if<Document::Field>(&item.content)) return of(field->value);
    if (const auto* table = std::get_if<Table>(&item.content)) return of(*table);
    Json schema = ofType("array");
    if (const auto* array = std::get_if<Document::Array>(&item.content)) {
      for (std::size_t i = 0; i < array->count; ++i) include(schema["items"], of(array->part(i)));
    } else if (const auto* list = std::get_if<Document::List>(&item.content)) {
      for (std::size_t i = 0; i < list->count; ++i) include(schema["items"], of(list->part(i)));
    }
    return schema;
  }

 private:
  static Json described(std::string_view help) {
    Json schema = Json::object();
    if (!help.empty()) schema["description"] = help;
    return schema;
  }
  static Json object() {
    Json schema = ofType("object");
    schema["additionalProperties"] = false;
    return schema;
  }
};

void Document::writeSchema(std::ostream& out) const {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"description", kUnits}};
  schema.update(tidied(SchemaMaker::of(*this)));
  out << jsonText(schema);
}

}  // namespace p2::inline text
