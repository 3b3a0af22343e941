// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "collective/goal.h"
#include "cost/cost_model.h"
#include "strategy/computation_graph.h"
#include "support/filled.h"
#include "support/warnings.h"
#include "system/system.h"
#include "workload/communication_kind.h"

using namespace p2;

namespace {

using Words = std::set<std::string>;

/// The names of the enumerators from the first on.
template <class Enum>
Words namesUpTo(std::size_t count) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) words.emplace(nameOf(Enum(i)));
  return words;
}

template <class Range, class NameOf>
Words namesIn(const Range& range, const NameOf& nameOfEach) {
  Words words;
  for (const auto& each : range) words.emplace(nameOfEach(each));
  return words;
}

}  // namespace

/// The schemas list the words that the program knows: where there is a new one, they have it.
class TestSchemaWords : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }

  void areThoseOfTheProgram_data() {
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<Words>("words");
    const auto row = [](const char* schema, const char* pointer, const Words& words) {
      QTest::addRow("%s %s", schema, pointer) << schema << pointer << words;
    };
    row("plan", "/definitions/collective", namesIn(kCollectives, [](Collective each) { return nameOf(each); }));
    const Words goalNames = namesIn(goals(), [](const Goal& goal) { return goal.name; });
    const Words models = namesIn(costModels(), [](const CostModel* model) { return model->name(); });
    const Words algorithms = namesUpTo<Algorithm>(kAlgorithms + 1);
    for (const char* schema : {"workspace", "plan"}) {
      row(schema, "/definitions/options/properties/goal", goalNames);
      row(schema, "/definitions/options/properties/model", models);
      row(schema, "/definitions/options/properties/algorithm", algorithms);
    }
    row("plan", "/definitions/predicted/properties/model", models);
    row("plan", "/definitions/predicted/properties/algorithm", algorithms);
    row("plan", "/definitions/predicted/properties/steps/items/properties/algorithm", algorithms);
    for (const char* schema : {"system", "workspace", "plan"}) {
      row(schema, "/definitions/interconnect/properties/kind",
          Words(kInterconnectKinds.begin(), kInterconnectKinds.end()));
    }
    for (const char* schema : {"workload", "model", "workspace", "plan"}) {
      row(schema, "/definitions/entry/properties/kind",
          namesIn(kCommunicationKinds, [](CommunicationKind each) { return nameOf(each); }));
    }
    row("graph", "/definitions/operator/properties/kind", namesUpTo<OperatorKind>(kOperatorKinds));
  }
  void areThoseOfTheProgram() {
    QFETCH(QString, schema);
    QFETCH(QString, pointer);
    QFETCH(Words, words);
    std::ifstream file(P2_RESOURCES "/schemas/p2-" + schema.toStdString() + ".schema.json");
    const auto text = nlohmann::json::parse(file);
    const auto listed = text.at(nlohmann::json::json_pointer(pointer.toStdString() + "/enum")).get<Words>();
    for (const std::string& word : test::filled(words)) QVERIFY2(listed.contains(word), word.c_str());
    QCOMPARE(listed.size(), words.size());
  }
};

QTEST_APPLESS_MAIN(TestSchemaWords)
#include "tst_schema_words.moc"
