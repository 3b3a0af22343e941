// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <sstream>

#include "support/warnings.h"
#include "text/document.h"
#include "text/json_document.h"

using p2::Column;
using p2::Document;
using p2::Table;
using p2::tableOf;
using p2::tableOver;
using p2::Unit;
using p2::Value;

namespace {

struct Machine {
  std::string name;
  double seconds;
  std::optional<double> error;
};

constexpr Column<Machine> kColumns[] = {
    {"name", "machine", [](const Machine& m) { return Value::text(m.name); }, p2::TextTable::Align::Left},
    {"seconds", "time", [](const Machine& m) { return Value::number(m.seconds, Unit::Seconds); }},
    {"error", "error", [](const Machine& m) { return Value::number(m.error, Unit::Share); }},
    {"slow", "", [](const Machine& m) { return m.seconds > 1 ? Value::flag(true) : Value(); }},
    {"", "note", [](const Machine& m) { return Value::text(m.seconds > 1 ? "slow" : ""); }, p2::TextTable::Align::Left},
};

const std::vector<Machine> kMachines{{"a", 0.0025, std::nullopt}, {"b, old", 2, 0.031}};

Document answer() {
  Document answer;
  answer.field("count", "machines", Value::whole(2)).field("digits", Value::digits("12345678901234567890"));
  answer.line("two were measured").line("");
  answer.field("absent", "absent", Value());
  answer.table("rows", tableOver<Machine>(kColumns, kMachines));
  return answer;
}

std::string jsonOf(const Document& document) {
  std::ostringstream out;
  document.writeJson(out);
  return out.str();
}

std::string textOf(const Document& document) {
  std::ostringstream out;
  document.writeText(out);
  return out.str();
}

}  // namespace

class TestDocument : public QObject {
  Q_OBJECT
 private slots:
  void init() { p2::test::failOnWarnings(); }

  void programsReadEveryKey() {
    QCOMPARE(jsonOf(answer()),
             std::string("{\n"
                         "  \"count\": 2,\n"
                         "  \"digits\": 12345678901234567890,\n"
                         "  \"rows\": [\n"
                         "    {\"name\": \"a\", \"seconds\": 0.0025, \"error\": null},\n"
                         "    {\"name\": \"b, old\", \"seconds\": 2, \"error\": 0.031, \"slow\": true}\n"
                         "  ]\n"
                         "}\n"));
    QCOMPARE(answer().keys(), (std::vector<std::string>{"count", "digits", "rows"}));
  }

  void aSchemaHasEveryKeyWithItsTypeAndMeaning() {
    constexpr p2::AnswerKey kCount{"count", "Machines that were measured"};
    Document document;
    document.field(kCount, Value::whole(2)).field("share", Value::number(0.5, Unit::Share));
    document.field("digits", Value::digits("[[1, 2]]")).field("name", Value::textOrNull(""));
    document.field("sizes", Value::object(Document().named("data", Value::whole(8)).named("x", Value::number(0.5))));
    document.table("rows", tableOver<Machine>(kColumns, kMachines));
    std::ostringstream out;
    document.writeSchema(out);
    const auto schema = p2::parseJson(out.str());
    QVERIFY(schema.ok());
    const auto expected = p2::parseJson(R"({
      "count": {"description": "Machines that were measured", "type": "integer"},
      "share": {"type": "number", "description": "a share of 1"},
      "digits": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
      "name": {"type": ["null", "string"]},
      "sizes": {"type": "object", "additionalProperties": {"type": "number"}},
      "rows": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
        "name": {"type": "string"},
        "seconds": {"type": "number", "description": "s"},
        "error": {"type": ["null", "number"], "description": "a share of 1"},
        "slow": {"type": "boolean"}
      }}}
    })");
    QVERIFY(expected.ok());
    QCOMPARE(p2::jsonText(schema->at("properties")), p2::jsonText(*expected));
    QCOMPARE(schema->at("additionalProperties"), p2::Json(false));
  }

  void peopleReadEveryLabel() {
    QCOMPARE(textOf(answer()), std::string("machines: 2\n"
                                           "two were measured\n"
                                           "\n"
                                           "machine     time  error  note\n"
                                           "a        2.50 ms      –\n"
                                           "b, old    2.00 s  3.1 %  slow\n"));
  }

  void tablesAreCsv() {
    std::ostringstream out;
    p2::writeCsv(out, tableOver<Machine>(kColumns, kMachines));
    QCOMPARE(out.str(), std::string("name,seconds,error,slow\na,0.0025,,\n\"b, old\",2,0.031,yes\n"));
  }

  void listsAreWrittenPartByPart() {
    int made = 0;
    Document document;
    document.list("parts", 3, [&made](std::size_t i) {
      ++made;
      Document part;
      part.field("number", "part", Value::whole(std::int64_t(i)));
      return part;
    });
    QCOMPARE(made, 0);
    QCOMPARE(textOf(document), std::string("part: 0\npart: 1\npart: 2\n"));
    QCOMPARE(jsonOf(document), std::string("{\n  \"parts\": [\n    {\n      \"number\": 0\n    },\n    {\n      "
                                           "\"number\": 1\n    },\n    {\n      \"number\": 2\n    }\n  ]\n}\n"));
    QCOMPARE(made, 6);
  }

  void aRowIsMadeOnceForItsColumns() {
    int made = 0;
    const Table table = tableOf<Machine>(kColumns, 2, [&made](std::size_t i) {
      ++made;
      return kMachines[i];
    });
    Document document;
    document.table("rows", table);
    (void)jsonOf(document);
    QCOMPARE(made, 2);
  }

  void nothingIsMadeForAClosedPipe() {
    int made = 0;
    Document document;
    document.list("parts", 1000, [&made](std::size_t) {
      ++made;
      return Document();
    });
    std::ostringstream out;
    out.setstate(std::ios::badbit);
    document.writeJson(out);
    document.writeText(out);
    QCOMPARE(made, 0);
  }

  void objectsAndListsNest() {
    Document inner;
    inner.field("a", Value::whole(1)).field("b", Value::wholes(std::vector<std::int64_t>{1, 2}));
    Document document;
    document.field("inner", Value::object(inner))
        .field("text", "text", Value::texts(std::vector<std::string>{"x", "y"}));
    QCOMPARE(jsonOf(document),
             std::string("{\n  \"inner\": {\"a\": 1, \"b\": [1, 2]},\n  \"text\": [\"x\", \"y\"]\n}\n"));
    QCOMPARE(textOf(document), std::string("text: x, y\n"));
  }
};

QTEST_APPLESS_MAIN(TestDocument)
#include "tst_document.moc"
