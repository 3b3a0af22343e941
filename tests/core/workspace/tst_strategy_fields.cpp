// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/fixtures.h"
#include "workspace/strategy_fields.h"
#include "workspace/workspace.h"

using namespace p2;

// The rows behind the options of p2 strategy, the keys of a document's "strategy" and the window's forms.
class TestStrategyFields : public QObject {
  Q_OBJECT

  /// A value that differs from the default, as people type it.
  static std::string otherText(const Property<StrategyChoice>& field) {
    const PropertyInfo& info = field.info;
    const std::string preset = propertyText(info, field.get({}));
    switch (info.kind) {
      case PropertyKind::Text:
        return "resnet50";
      case PropertyKind::Choice:
        for (const std::string_view choice : info.choices) {
          if (choice != preset) return std::string(choice);
        }
        return {};
      case PropertyKind::Flag:
        return preset == "yes" ? "no" : "yes";
      case PropertyKind::Bandwidth:
        return "7GB/s";
      case PropertyKind::Speed:
        return "7TFLOP/s";
      default:
        return preset == "3" ? "2" : "3";
    }
  }

 private slots:
  void everyRowIsReadAndWritten_data() {
    QTest::addColumn<int>("row");
    QVERIFY(strategyFields().size() >= 18);
    for (std::size_t i = 0; i < strategyFields().size(); ++i) {
      QTest::newRow(std::string(strategyFields()[i].info.key).c_str()) << int(i);
    }
  }
  void everyRowIsReadAndWritten() {
    QFETCH(int, row);
    const Property<StrategyChoice>& field = strategyFields()[std::size_t(row)];
    QCOMPARE(&strategyField(field.info.key), &field);
    QVERIFY(!field.info.tip.empty() && !field.info.label.empty() && !field.info.need.empty());
    Workspace workspace;
    QVERIFY(p2::setProperty(field, workspace.strategy, otherText(field)).ok());
    QVERIFY(!(workspace.strategy == StrategyChoice{}));
    // It sets its own value alone, and a document keeps it.
    StrategyChoice back = workspace.strategy;
    field.set(back, field.get({}));
    QVERIFY(back == StrategyChoice{});
    const std::string text = workspaceToJson(workspace);
    QVERIFY2(text.find("\"" + std::string(field.info.key) + "\"") != std::string::npos, text.c_str());
    QVERIFY(test::valueOf(workspaceFromJson(text)).strategy == workspace.strategy);
  }

  void everyChoiceHasItsName() {
    for (const Property<StrategyChoice>& field : strategyFields()) {
      for (const std::string_view word : field.info.choices) {
        StrategyChoice choice;
        QVERIFY(p2::setProperty(field, choice, word).ok());
        QCOMPARE(std::get<std::string>(field.get(choice)), std::string(word));
        const GraphCostOptions& options = choice.options;
        const std::string_view name = field.info.key == "space"       ? nameOf(options.space.kind)
                                      : field.info.key == "model"     ? nameOf(options.model)
                                      : field.info.key == "optimizer" ? nameOf(options.memory.optimizer)
                                                                      : nameOf(options.memory.recomputation);
        QCOMPARE(std::string(name), std::string(word));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestStrategyFields)
#include "tst_strategy_fields.moc"
