// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>

#include <QTest>
#include <algorithm>
#include <cstdio>

#include "app/explorer/accessible_explorer.h"

using namespace p2::test;

/// The explorer as a screen reader meets it: a process of its own on an X server, asked over AT-SPI. What single views
/// say is in tst_screen_reader; here it is held that it arrives.
class TestAtSpi : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_explorer.start(QStringLiteral(P2_RESOURCES "/examples/teaching-2x4.p2.json"));
    m_bus = m_explorer.bus();
  }
  // What is asked of an explorer that has crashed is waited for in vain.
  void init() { QVERIFY2(m_explorer.isThere(), "the explorer has ended"); }
  void cleanupTestCase() { m_explorer.stop(); }
  void everythingInReachHasAName_data();
  void everythingInReachHasAName();
  void dialogsHaveNames_data();
  void dialogsHaveNames();
  void devicesAreThere();
  void stepsAreAnnounced();
  void startSaysWhatCameOut();
  void startIsInOrder();
  void qualityIsSaid();
  void nothingStaysBehind();
  void itsEndIsNoticed();

 private:
  [[nodiscard]] bool wasDescribed(const AccessibleReference& object) const {
    return std::ranges::find(m_bus->described, object.path.path()) != m_bus->described.end();
  }

  static constexpr int kPatience = AccessibleExplorer::kPatience;

  AccessibleExplorer m_explorer;
  AccessibleBus* m_bus = nullptr;
};

void TestAtSpi::everythingInReachHasAName_data() {
  QTest::addColumn<QString>("perspective");
  for (const char* perspective : {"Start", "Cluster", "Model", "Plan", "Why", "What if", "Use", "Placements",
                                  "Programs", "Costs", "Workload", "Graph", "Runs", "Lessons"}) {
    QTest::newRow(perspective) << perspective;
  }
}

void TestAtSpi::everythingInReachHasAName() {
  QFETCH(QString, perspective);
  m_explorer.goTo(perspective);
  const auto [count, nameless] = m_explorer.inReach(m_explorer.application());
  QVERIFY2(count > 10, qPrintable(QString::number(count)));
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
}

void TestAtSpi::dialogsHaveNames_data() {
  QTest::addColumn<QStringList>("way");
  QTest::addColumn<QString>("title");
  QTest::addColumn<QString>("leave");
  const QString cancel("Cancel");
  QTest::newRow("import") << QStringList{"File", "Import system…"} << "Import a system" << cancel;
  QTest::newRow("model") << QStringList{"File", "Workload", "Start from a model…"} << "Workload of a model" << cancel;
  QTest::newRow("workload") << QStringList{"File", "Workload", "Open a workload…"} << "Open a workload" << cancel;
  QTest::newRow("calibration") << QStringList{"Cluster", "Calibrate from measurements…"}
                               << "Calibrate from measurements" << cancel;
  QTest::newRow("shortcuts") << QStringList{"Help", "Keyboard shortcuts"} << "Keyboard shortcuts"
                             << "Close";
}

void TestAtSpi::dialogsHaveNames() {
  QFETCH(QStringList, way);
  QFETCH(QString, title);
  QFETCH(QString, leave);
  m_explorer.goTo("Cluster");
  m_explorer.choose(way);
  const auto dialog = m_explorer.shown("dialog", title);
  QVERIFY(dialog);
  const auto [count, nameless] = m_explorer.inReach(*dialog);
  QVERIFY2(count > 0, qPrintable(QString::number(count)));
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
  const auto button = m_bus->find(*dialog, "push button", leave);
  QVERIFY(button && m_bus->act(*button));
  QTRY_VERIFY_WITH_TIMEOUT(!m_bus->find(m_explorer.application(), "dialog", title), kPatience);
}

void TestAtSpi::devicesAreThere() {
  m_explorer.goTo("Programs");
  const auto stage = m_explorer.shown("list", "Devices and their chunks");
  QVERIFY(stage);
  // Behind them is what stands beside the drawing.
  QTRY_VERIFY_WITH_TIMEOUT(m_bus->children(*stage).size() > 8, kPatience);
  const AccessibleReference device = m_bus->children(*stage)[5];
  QCOMPARE(m_bus->name(device), QStringLiteral("device 5 · gpu 1 of node 1"));
  QCOMPARE(m_bus->role(device), QStringLiteral("list item"));
  QVERIFY2(m_bus->description(device).contains("holds"), qPrintable(m_bus->description(device)));
}

void TestAtSpi::stepsAreAnnounced() {
  m_explorer.goTo("Programs");
  const auto stage = m_explorer.shown("list", "Devices and their chunks");
  QVERIFY(stage);
  m_explorer.press("push button", "First state");
  QTRY_COMPARE_WITH_TIMEOUT(m_bus->description(*stage), QStringLiteral("before step 1 of 3"), kPatience);
  m_bus->described.clear();
  m_explorer.press("push button", "Step forward");
  QTRY_COMPARE_WITH_TIMEOUT(m_bus->description(*stage),
                            QStringLiteral("after step 1 of 3, ReduceScatter inside each node"), kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(wasDescribed(*stage), kPatience);
}

void TestAtSpi::startSaysWhatCameOut() {
  m_explorer.goTo("Start");
  const auto page = m_explorer.shown("filler", "Start");
  QVERIFY(page);
  QTRY_VERIFY_WITH_TIMEOUT(m_bus->description(*page).startsWith("The best plan "), kPatience);
  const QString before = m_bus->description(*page);
  QVERIFY(m_bus->find(*page, "label", before));
  for (const auto& [button, says] : {std::pair("Choose a cluster", "2 nodes × 4 GPUs. Choose a preset,"),
                                     {"Set the axes", "data 8"},
                                     {"Compare", "best "},
                                     {"Export…", "as a plan, device mesh or rankfile. Export the plan"}}) {
    const auto step = m_bus->find(*page, "push button", button);
    QVERIFY2(step, button);
    const QString description = m_bus->description(*step);
    QVERIFY2(description.contains(says), qPrintable(description));
  }
  m_bus->described.clear();
  const auto example = m_explorer.shown("push button", "4 nodes × 8 V100 in a ring: data, model, shards");
  QVERIFY(example && m_bus->act(*example));
  QTRY_VERIFY_WITH_TIMEOUT(
      m_bus->description(*page).startsWith("The best plan ") && m_bus->description(*page) != before, kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(wasDescribed(*page), kPatience);
  const auto step = m_bus->find(*page, "push button", "Choose a cluster");
  QVERIFY(step && m_bus->description(*step).startsWith("4 nodes × 8 GPUs"));
}

// Whoever walks from one thing to the next meets them in the order in which they stand.
void TestAtSpi::startIsInOrder() {
  m_explorer.goTo("Start");
  const auto page = m_explorer.shown("filler", "Start");
  QVERIFY(page);
  QStringList way;
  m_bus->walk(*page, [&](const AccessibleReference& object, const QString& role) {
    if (role == "push button") way << m_bus->name(object);
    return true;
  });
  QCOMPARE(way.mid(0, 13),
           QStringList({"Learn", "Watch the race", "Decide", "How good is this here?", "Choose a cluster",
                        "Choose a model", "Compare plans", "Get the flags", "Set the axes", "Compare", "Export…",
                        "4 nodes × 16 A100: data, model, shards", "2 nodes × 16 A100: data, model"}));
}

void TestAtSpi::qualityIsSaid() {
  m_explorer.goTo("Start");
  m_explorer.press("push button", "4 nodes × 8 A100 on rails: the best program depends on the size");
  m_explorer.goTo("Costs");
  m_explorer.press("page tab", "By size");
  m_explorer.press("push button", "How good is this here?");
  const auto dialog = m_explorer.shown("dialog", "How good is this model here?");
  QVERIFY(dialog);
  QTRY_VERIFY_WITH_TIMEOUT(m_bus->description(*dialog).startsWith("On machines like this one"), kPatience);
  const QString before = m_bus->description(*dialog);
  QVERIFY(m_bus->find(*dialog, "label", before));
  const auto [count, nameless] = m_explorer.inReach(*dialog);
  QVERIFY2(count > 2, qPrintable(QString::number(count)));
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
  QVERIFY(m_bus->find(*dialog, "filler", "Predicted against measured times"));

  const auto onlyAllReduce = m_bus->find(*dialog, "check box", "AllReduce only");
  m_bus->described.clear();
  QVERIFY(onlyAllReduce && m_bus->act(*onlyAllReduce));
  QTRY_VERIFY_WITH_TIMEOUT(wasDescribed(*dialog) && m_bus->description(*dialog) != before, kPatience);

  const auto bands = m_bus->find(*dialog, "table", "Median error in every band of sizes");
  QVERIFY(bands);
  QStringList cells;
  for (const AccessibleReference& cell : m_bus->children(*bands)) cells << m_bus->name(cell);
  QVERIFY2(cells.contains("Error here") && cells.contains("below 64 KiB"), qPrintable(cells.join(", ")));
  const auto close = m_bus->find(*dialog, "push button", "Close");
  QVERIFY(close && m_bus->act(*close));
  QTRY_VERIFY_WITH_TIMEOUT(!m_bus->find(m_explorer.application(), "dialog", "How good is this model here?"), kPatience);
}

// A test that is killed, as Qt Test's watchdog does it, leaves no program that holds open what ctest reads from it.
void TestAtSpi::nothingStaysBehind() {
  static constexpr const char* kKilled = "P2_TEST_IS_KILLED";
  if (qEnvironmentVariableIsSet(kKilled)) {
    std::puts("killed");
    std::fflush(stdout);
    ::raise(SIGKILL);
  }
  const QTemporaryDir folder;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("TMPDIR", folder.path());
  environment.insert(kKilled, "1");
  QProcess test;
  test.setProcessEnvironment(environment);
  test.start("sh", {"-c", R"("$0" nothingStaysBehind 2>&1 | cat)", QCoreApplication::applicationFilePath()});
  QVERIFY(test.waitForFinished(3 * kPatience));
  QVERIFY(test.readAllStandardOutput().contains("\nkilled\n"));
}

void TestAtSpi::itsEndIsNoticed() {
  m_explorer.stop();
  QVERIFY(!m_explorer.isThere());
  QVERIFY(!m_explorer.shown("check box", "Programs"));
}

QTEST_GUILESS_MAIN(TestAtSpi)
#include "tst_at_spi.moc"
