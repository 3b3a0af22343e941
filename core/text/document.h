// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/json_writer.h"
#include "text/text_table.h"

namespace p2::inline text {

class Document;
struct Table;

/// Quantity of a number. It decides the text of a number; JSON has the plain number in seconds, bytes, bytes/s,
/// FLOP/s.
enum class Unit { None, Seconds, Bytes, BytesPerSecond, Flops, Factor, Share };

/// "2.83 s", "134 MB", "270 GB/s", "989 TFLOP/s", "1.84×", "12 %"; the exact number for Unit::None.
[[nodiscard]] std::string unitText(double value, Unit unit);

/// A key of an answer in JSON. A described one is one row for the writer, the schema and p2(1), which lists it.
struct AnswerKey {
  std::string_view name;
  /// Meaning and unit: sentences without their last full stop. Empty where the name says all.
  std::string_view help;

  // NOLINTBEGIN(google-explicit-constructor): a name is a key, and a key stands for its name
  constexpr AnswerKey(std::string_view key, std::string_view meaning = {}) : name(key), help(meaning) {}
  constexpr AnswerKey(const char* key) : name(key) {}
  AnswerKey(const std::string& key) : name(key) {}
  constexpr operator std::string_view() const { return name; }
  // NOLINTEND(google-explicit-constructor)
};

/// One value of an answer in both of its forms: JSON for programs, text for people.
class Value {
 public:
  using Layout = JsonWriter::Layout;

  /// Neither a key in JSON nor anything in text.
  Value() = default;
  /// null in JSON.
  [[nodiscard]] static Value null(std::string text = "–");
  /// "yes" or nothing as text.
  [[nodiscard]] static Value flag(bool value);
  [[nodiscard]] static Value whole(std::int64_t value);
  [[nodiscard]] static Value number(double value, Unit unit = Unit::None);
  /// The number, or null for none.
  [[nodiscard]] static Value number(const std::optional<double>& value, Unit unit = Unit::None);
  [[nodiscard]] static Value text(std::string_view value);
  /// null for an empty text.
  [[nodiscard]] static Value textOrNull(std::string_view value);
  /// Digits of a number that fits no built-in type.
  [[nodiscard]] static Value digits(std::string json);
  /// A list; as text, its parts with commas between them.
  [[nodiscard]] static Value list(std::vector<Value> parts, Layout layout = Layout::OneLine);
  [[nodiscard]] static Value texts(std::span<const std::string> parts, Layout layout = Layout::OneLine);
  [[nodiscard]] static Value wholes(std::span<const std::int64_t> parts);
  /// An array of a table's rows; as text nothing.
  [[nodiscard]] static Value rows(Table table);
  /// As text nothing.
  [[nodiscard]] static Value object(Document fields, Layout layout = Layout::OneLine);

  /// This value with another text.
  [[nodiscard]] Value shownAs(std::string text) &&;

  [[nodiscard]] bool isAbsent() const { return std::holds_alternative<std::monostate>(m_data); }
  [[nodiscard]] std::string text() const;
  /// Writes the value. Precondition: it is not absent.
  void writeJson(JsonWriter& json) const;
  /// A cell: numbers exactly, yes or no, nothing for null; parts of a list with blanks between them. Objects have none.
  [[nodiscard]] std::string csv() const;

 private:
  struct Null {};
  struct Number {
    double value;
    Unit unit;
  };
  struct Digits {
    std::string json;
  };
  struct List {
    std::vector<Value> parts;
    Layout layout;
  };
  struct Object {
    std::shared_ptr<const Document> fields;
    Layout layout;
  };
  struct Rows {
    std::shared_ptr<const Table> table;
  };
  using Data = std::variant<std::monostate, Null, bool, std::int64_t, Number, std::string, Digits, List, Object, Rows>;
  explicit Value(Data data, std::string_view otherType = {}) : m_data(std::move(data)), m_otherType(otherType) {}
  friend struct SchemaMaker;

  Data m_data;
  std::optional<std::string> m_text;
  std::string_view m_otherType = {};  ///< the type that another answer can have in its place: null of a number
};

/// One column of a table whose rows are made of `Row`: a key of the row's JSON object, a column of its text, or both.
///
///     constexpr Column<AtlasRow> kColumns[] = {
///         {"bytes", "size", [](const AtlasRow& row) { return Value::number(row.bytes, Unit::Bytes); }},
template <class Row>
struct Column {
  std::string_view key;                      ///< empty: only people read it
  std::string_view title;                    ///< empty: only programs read it
  Value (*value)(const Row& row) = nullptr;  ///< an absent value leaves out the key
  TextTable::Align align = TextTable::Align::Right;
  std::string_view help = {};  ///< see AnswerKey::help; empty where the key says it
};

/// The described keys of columns.
template <class Row, std::size_t N>
[[nodiscard]] std::vector<AnswerKey> keysOf(const Column<Row> (&columns)[N]) {
  std::vector<AnswerKey> keys;
  for (const Column<Row>& column : columns) {
    if (!column.help.empty()) keys.push_back({column.key, column.help});
  }
  return keys;
}

/// Rows of an answer, made one at a time when they are written, so that a million are never held at once.
struct Table {
  struct Head {
    std::string key;
    std::string title;
    TextTable::Align align = TextTable::Align::Right;
    std::string_view help = {};
  };
  using Cells = std::vector<std::string>;

  std::vector<Head> heads;
  std::size_t count = 0;
  /// The value of a row in a column.
  std::function<Value(std::size_t row, std::size_t column)> at;
  /// More lines of the text below a row; null for none.
  std::function<std::vector<Cells>(std::size_t row)> below = {};  ///< missing cells are empty
  Value::Layout layout = Value::Layout::OneLine;                  ///< of each row's JSON object
  std::size_t indent = 0;                                         ///< blanks in front of each line of text

  /// Takes columns out of the text, by their keys.
  void hide(std::initializer_list<std::string_view> keys);
  [[nodiscard]] std::string text() const;
};

/// A table of `count` rows; `row` makes the row of a number. Objects that the rows refer to must outlive the table.
template <class Row>
[[nodiscard]] Table tableOf(std::span<const Column<Row>> columns, std::size_t count,
                            std::function<Row(std::size_t)> row) {
  Table table;
  for (const Column<Row>& column : columns) {
    table.heads.push_back({std::string(column.key), std::string(column.title), column.align, column.help});
  }
  table.count = count;
  // Values are asked for row by row: a row is made once for all of its columns.
  table.at = [columns, row = std::move(row), number = std::size_t{0}, made = std::shared_ptr<Row>()](
                 std::size_t index, std::size_t column) mutable {
    if (!made || number != index) made = std::make_shared<Row>(row(index));
    number = index;
    return columns[column].value(*made);
  };
  return table;
}

/// A table with a row for each of `rows`, which must outlive it: `tableOver<AtlasRow>(kColumns, table.rows)`.
template <class Row, class Rows>
[[nodiscard]] Table tableOver(std::span<const Column<Row>> columns, const Rows& rows) {
  Table table;
  for (const Column<Row>& column : columns) {
    table.heads.push_back({std::string(column.key), std::string(column.title), column.align, column.help});
  }
  table.count = rows.size();
  table.at = [columns, &rows](std::size_t row, std::size_t column) { return columns[column].value(rows[row]); };
  return table;
}

/// The answer of a command: fields in the order in which they are written. Programs read the fields that have a key,
/// people those that have a label, and the lines between them.
///
///     Document answer;
///     answer.field("count", "placements", Value::whole(3));
///     answer.line("predicted for 10 × 2.15 GB per device");
///     answer.table("placements", placementTable(exploration));
///     return answer.writeText(out);
class Document {
 public:
  /// A field that only programs read. An absent value adds nothing.
  Document& field(AnswerKey key, Value value);
  /// A field for both: `"key": value` in JSON, "label: value" in text.
  Document& field(AnswerKey key, std::string_view label, Value value);
  /// A field that only programs read, whose key is the name of an axis, an operator, a link: schemas do not list it.
  Document& named(std::string_view name, Value value);
  /// A line that only people read; empty for a blank one.
  Document& line(std::string_view text);
  /// Text of any number of lines, written only when people read the answer.
  Document& text(std::function<std::string()> make);
  /// An array of rows in JSON; an empty key: only people read the table. Without titles: only programs do.
  Document& table(AnswerKey key, Table table);
  /// An array that only programs read; each value is made when it is written.
  Document& array(AnswerKey key, std::size_t count, std::function<Value(std::size_t)> part);
  /// An array of objects in JSON and one text after the other for people; each is made when it is written.
  Document& list(AnswerKey key, std::size_t count, std::function<Document(std::size_t)> part);

  /// The table that stands for the answer in CSV; else its tables, one below the other.
  Document& csv(std::function<Table()> make);

  /// One JSON object. Stops where `out` takes no more.
  void writeJson(std::ostream& out) const;
  /// The fields of an object that has been begun.
  void writeFields(JsonWriter& json, const std::ostream* out = nullptr) const;
  void writeText(std::ostream& out) const;
  void writeCsv(std::ostream& out) const;
  /// The JSON schema (draft 7) of writeJson(): every key of this answer and of the columns of its tables, with type,
  /// unit and meaning. Other keys are refused; none is required, because values can be absent.
  void writeSchema(std::ostream& out) const;
  /// The written keys in order, without the keys inside lists and objects.
  [[nodiscard]] std::vector<std::string> keys() const;

 private:
  struct Field {
    std::string label;
    Value value;
  };
  struct Text {
    std::function<std::string()> make;
  };
  struct List {
    std::size_t count;
    std::function<Document(std::size_t)> part;
  };
  struct Array {
    std::size_t count;
    std::function<Value(std::size_t)> part;
  };
  struct Item {
    std::string key;
    std::variant<Field, Text, Table, List, Array> content;
    std::string_view help = {};
    bool isName = false;  ///< the key is a name, see named()
  };
  friend struct SchemaMaker;

  std::vector<Item> m_items;
  std::function<Table()> m_csv;
};

/// The form of an answer.
enum class AnswerForm { AsText, AsJson, AsCsv, AsSchema };

/// Whether programs read it.
[[nodiscard]] constexpr bool isForPrograms(AnswerForm form) { return form != AnswerForm::AsText; }

void writeAnswer(std::ostream& out, const Document& answer, AnswerForm form);
/// The table as lines of comma-separated values below a line of its keys.
void writeCsv(std::ostream& out, const Table& table);

}  // namespace p2::inline text
