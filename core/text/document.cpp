// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/document.h"

#include <algorithm>

#include "base/lists.h"
#include "base/numbers.h"
#include "base/units.h"
#include "text/csv.h"

namespace p2::inline text {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

/// Writes the rows as a JSON array, an element for each.
void writeRows(JsonWriter& json, const Table& table, const std::ostream* out) {
  json.beginArray();
  for (std::size_t row = 0; row < table.count; ++row) {
    if (out && !out->good()) return;
    json.beginObject(table.layout);
    for (std::size_t column = 0; column < table.heads.size(); ++column) {
      if (table.heads[column].key.empty()) continue;
      const Value value = table.at(row, column);
      if (value.isAbsent()) continue;
      json.key(table.heads[column].key);
      value.writeJson(json);
    }
    json.end();
  }
  json.end();
}

}  // namespace

std::string unitText(double value, Unit unit) {
  switch (unit) {
    case Unit::None:
      break;
    case Unit::Seconds:
      return formatSeconds(value);
    case Unit::Bytes:
      return formatBytes(Bytes(value));
    case Unit::BytesPerSecond:
      return formatBandwidth(value);
    case Unit::Flops:
      return formatFlops(value);
    case Unit::Factor:
      return formatFactor(value);
    case Unit::Share:
      return formatPercent(value);
  }
  return exactNumber(value);
}

Value Value::null(std::string text) { return Value(Data(Null{})).shownAs(std::move(text)); }
Value Value::flag(bool value) { return Value(Data(value)); }
Value Value::whole(std::int64_t value) { return Value(Data(value)); }
Value Value::number(double value, Unit unit) { return Value(Data(Number{value, unit})); }
Value Value::number(const std::optional<double>& value, Unit unit) {
  return value ? Value(Data(Number{*value, unit}), "null") : Value(Data(Null{}), "number");
}
Value Value::text(std::string_view value) { return Value(Data(std::string(value))); }
Value Value::textOrNull(std::string_view value) {
  return value.empty() ? Value(Data(Null{}), "string").shownAs("") : Value(Data(std::string(value)), "null");
}
Value Value::digits(std::string json) { return Value(Data(Digits{std::move(json)})); }
Value Value::list(std::vector<Value> parts, Layout layout) { return Value(Data(List{std::move(parts), layout})); }

Value Value::texts(std::span<const std::string> parts, Layout layout) {
  std::vector<Value> values;
  for (const std::string& part : parts) values.push_back(text(part));
  return list(std::move(values), layout);
}

Value Value::wholes(std::span<const std::int64_t> parts) {
  std::vector<Value> values;
  for (const std::int64_t part : parts) values.push_back(whole(part));
  return list(std::move(values));
}

Value Value::object(Document fields, Layout layout) {
  return Value(Data(Object{std::make_shared<const Document>(std::move(fields)), layout}));
}

Value Value::rows(Table table) { return Value(Data(Rows{std::make_shared<const Table>(std::move(table))})); }

Value Value::shownAs(std::string text) && {
  m_text = std::move(text);
  return std::move(*this);
}

std::string Value::text() const {
  if (m_text) return *m_text;
  return std::visit(
      Overloaded{
          [](std::monostate) { return std::string(); },
          [](Null) { return std::string("–"); },
          [](bool value) { return std::string(value ? "yes" : ""); },
          [](std::int64_t value) { return std::to_string(value); },
          [](const Number& number) { return unitText(number.value, number.unit); },
          [](const std::string& text) { return text; },
          [](const Digits& digits) { return digits.json; },
          [](const List& list) { return joined(list.parts, ", ", [](const Value& part) { return part.text(); }); },
          [](const Object&) { return std::string(); },
          [](const Rows&) { return std::string(); },
      },
      m_data);
}

void Value::writeJson(JsonWriter& json) const {
  std::visit(Overloaded{
                 [](std::monostate) {},
                 [&](Null) { json.null(); },
                 [&](bool value) { json.boolean(value); },
                 [&](std::int64_t value) { json.whole(value); },
                 [&](const Number& number) { json.number(number.value); },
                 [&](const std::string& text) { json.text(text); },
                 [&](const Digits& digits) { json.raw(digits.json); },
                 [&](const List& list) {
                   json.beginArray(list.layout);
                   for (const Value& part : list.parts) part.writeJson(json);
                   json.end();
                 },
                 [&](const Object& object) {
                   json.beginObject(object.layout);
                   object.fields->writeFields(json);
                   json.end();
                 },
                 [&](const Rows& rows) { writeRows(json, *rows.table, nullptr); },
             },
             m_data);
}

std::string Value::csv() const {
  if (const auto* number = std::get_if<Number>(&m_data)) return exactNumber(number->value);
  if (const auto* flag = std::get_if<bool>(&m_data)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&m_data)) return csvCell(*text);
  if (std::holds_alternative<std::int64_t>(m_data)) return std::to_string(std::get<std::int64_t>(m_data));
  if (const auto* digits = std::get_if<Digits>(&m_data)) return digits->json;
  const auto* list = std::get_if<List>(&m_data);
  if (!list) return {};
  const std::string cell = joined(list->parts, " ", [](const Value& part) { return part.text(); });
  return csvCell(cell);
}

void Table::hide(std::initializer_list<std::string_view> keys) {
  for (Head& head : heads) {
    if (std::find(keys.begin(), keys.end(), head.key) != keys.end()) head.title.clear();
  }
}

std::string Table::text() const {
  std::vector<TextTable::Column> columns;
  std::vector<std::size_t> shown;
  for (std::size_t column = 0; column < heads.size(); ++column) {
    if (heads[column].title.empty()) continue;
    columns.push_back({heads[column].title == " " ? "" : heads[column].title, heads[column].align});
    shown.push_back(column);
  }
  TextTable table(columns);
  for (std::size_t row = 0; row < count; ++row) {
    Cells cells;
    for (const std::size_t column : shown) cells.push_back(at(row, column).text());
    table.add(std::move(cells));
    if (!below) continue;
    for (Cells& line : below(row)) table.add(std::move(line));
  }
  return shown.empty() || count == 0 ? "" : table.text(indent);
}

Document& Document::field(AnswerKey key, Value value) { return field(key, "", std::move(value)); }

Document& Document::field(AnswerKey key, std::string_view label, Value value) {
  if (!value.isAbsent()) m_items.push_back({std::string(key), Field{std::string(label), std::move(value)}, key.help});
  return *this;
}

Document& Document::named(std::string_view name, Value value) {
  if (!value.isAbsent()) m_items.push_back({std::string(name), Field{"", std::move(value)}, {}, true});
  return *this;
}

Document& Document::line(std::string_view text) {
  return this->text([line = std::string(text) + "\n"] { return line; });
}

Document& Document::text(std::function<std::string()> make) {
  m_items.push_back({"", Text{std::move(make)}});
  return *this;
}

Document& Document::table(AnswerKey key, Table table) {
  m_items.push_back({std::string(key), std::move(table), key.help});
  return *this;
}

Document& Document::array(AnswerKey key, std::size_t count, std::function<Value(std::size_t)> part) {
  m_items.push_back({std::string(key), Array{count, std::move(part)}, key.help});
  return *this;
}

Document& Document::list(AnswerKey key, std::size_t count, std::function<Document(std::size_t)> part) {
  m_items.push_back({std::string(key), List{count, std::move(part)}, key.help});
  return *this;
}

void Document::writeFields(JsonWriter& json, const std::ostream* out) const {
  for (const Item& item : m_items) {
    if (item.key.empty()) continue;
    if (out && !out->good()) return;
    json.key(item.key);
    if (const auto* field = std::get_if<Field>(&item.content)) {
      field->value.writeJson(json);
    } else if (const auto* table = std::get_if<Table>(&item.content)) {
      writeRows(json, *table, out);
    } else if (const auto* array = std::get_if<Array>(&item.content)) {
      json.beginArray();
      for (std::size_t i = 0; i < array->count && (!out || out->good()); ++i) array->part(i).writeJson(json);
      json.end();
    } else if (const auto* list = std::get_if<List>(&item.content)) {
      json.beginArray();
      for (std::size_t i = 0; i < list->count && (!out || out->good()); ++i) {
        json.beginObject();
        list->part(i).writeFields(json, out);
        json.end();
      }
      json.end();
    }
  }
}

void Document::writeJson(std::ostream& out) const {
  JsonWriter json(out);
  json.beginObject();
  writeFields(json, &out);
  json.end();
}

void Document::writeText(std::ostream& out) const {
  for (const Item& item : m_items) {
    if (!out.good()) return;
    if (const auto* field = std::get_if<Field>(&item.content)) {
      if (!field->label.empty()) out << field->label << ": " << field->value.text() << '\n';
    } else if (const auto* text = std::get_if<Text>(&item.content)) {
      out << text->make();
    } else if (const auto* table = std::get_if<Table>(&item.content)) {
      out << table->text();
    } else if (const auto* list = std::get_if<List>(&item.content)) {
      for (std::size_t i = 0; i < list->count && out.good(); ++i) list->part(i).writeText(out);
    }
  }
}

Document& Document::csv(std::function<Table()> make) {
  m_csv = std::move(make);
  return *this;
}

void Document::writeCsv(std::ostream& out) const {
  if (m_csv) return p2::writeCsv(out, m_csv());
  for (const Item& item : m_items) {
    if (const auto* table = std::get_if<Table>(&item.content)) p2::writeCsv(out, *table);
  }
}

std::vector<std::string> Document::keys() const {
  std::vector<std::string> keys;
  for (const Item& item : m_items) {
    if (!item.key.empty()) keys.push_back(item.key);
  }
  return keys;
}

void writeAnswer(std::ostream& out, const Document& answer, AnswerForm form) {
  if (form == AnswerForm::AsJson) return answer.writeJson(out);
  if (form == AnswerForm::AsCsv) return answer.writeCsv(out);
  if (form == AnswerForm::AsSchema) return answer.writeSchema(out);
  answer.writeText(out);
}

void writeCsv(std::ostream& out, const Table& table) {
  const char* separator = "";
  for (const Table::Head& head : table.heads) {
    if (head.key.empty()) continue;
    out << separator << head.key;
    separator = ",";
  }
  out << '\n';
  for (std::size_t row = 0; row < table.count && out.good(); ++row) {
    separator = "";
    for (std::size_t column = 0; column < table.heads.size(); ++column) {
      if (table.heads[column].key.empty()) continue;
      out << separator << table.at(row, column).csv();
      separator = ",";
    }
    out << '\n';
  }
}

}  // namespace p2::inline text
