// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "app/explorer/accessible_bus.h"

using namespace p2::test;

/// The explorer as a screen reader meets it: a process of its own on an X server, asked over AT-SPI. What single views
/// say is in tst_screen_reader; here it is held that it arrives.
class TestAtSpi : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void cleanupTestCase();
  void everythingInReachHasAName_data();
  void everythingInReachHasAName();
  void dialogsHaveNames_data();
  void dialogsHaveNames();
  void devicesAreThere();
  void stepsAreAnnounced();

 private:
  static constexpr int kPatience = 60000;  // ms

  /// Starts a program that says one line when it is ready, its address or its display; the line.
  QString started(QProcess& process, const QString& program, const QStringList& arguments);
  void goTo(const QString& perspective);
  /// Takes the way through the menus, entry by entry.
  void choose(const QStringList& way);
  /// What can have the keyboard below `root`, and who of them says nothing.
  [[nodiscard]] std::pair<int, QStringList> inReach(const AccessibleReference& root) const;
  /// The object of this role and name, as soon as it is shown; where it isn't, what is shown instead is told.
  std::optional<AccessibleReference> shown(const QString& role, const QString& name);

  QTemporaryDir m_folder;
  QProcess m_session, m_screen, m_explorer;
  std::unique_ptr<AccessibleBus> m_bus;
  AccessibleReference m_application;
};

QString TestAtSpi::started(QProcess& process, const QString& program, const QStringList& arguments) {
  process.setProcessChannelMode(QProcess::SeparateChannels);
  process.setStandardErrorFile(QProcess::nullDevice());
  process.start(program, arguments);
  if (!process.waitForStarted()) return {};
  while (!process.canReadLine() && process.waitForReadyRead(20000)) {
  }
  return QString::fromUtf8(process.readLine()).trimmed();
}

void TestAtSpi::initTestCase() {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_RUNTIME_DIR", m_folder.path());
  for (const char* home : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
    environment.insert(home, m_folder.path());
  environment.remove("WAYLAND_DISPLAY");
  m_screen.setProcessEnvironment(environment);
  const QString display =
      started(m_screen, "Xvfb", {"-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"});
  QVERIFY2(!display.isEmpty(), "Xvfb does not start; Debian's package xvfb has it");
  environment.insert("DISPLAY", ":" + display);
  m_session.setProcessEnvironment(environment);
  const QString address = started(m_session, "dbus-daemon", {"--session", "--nofork", "--print-address=1"});
  QVERIFY2(!address.isEmpty(), "dbus-daemon does not start; Debian's package dbus has it");
  environment.insert("DBUS_SESSION_BUS_ADDRESS", address);
  m_bus = std::make_unique<AccessibleBus>(address);
  QVERIFY2(m_bus->problem().isEmpty(),
           qPrintable(m_bus->problem() + "; Debian's package at-spi2-core has the accessibility bus"));

  environment.insert("QT_QPA_PLATFORM", "xcb");
  environment.insert("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
  m_explorer.setProcessEnvironment(environment);
  m_explorer.setProcessChannelMode(QProcess::ForwardedChannels);
  m_explorer.start(P2_EXPLORER, {QStringLiteral(P2_RESOURCES "/examples/teaching-2x4.p2.json")});
  QVERIFY(m_explorer.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(m_bus->application("p2-explorer").has_value(), kPatience);
  m_application = *m_bus->application("p2-explorer");
}

void TestAtSpi::cleanupTestCase() {
  for (QProcess* process : {&m_explorer, &m_session, &m_screen}) {
    process->terminate();
    if (!process->waitForFinished(10000)) process->kill();
    process->waitForFinished();
  }
}

std::optional<AccessibleReference> TestAtSpi::shown(const QString& role, const QString& name) {
  std::optional<AccessibleReference> found;
  if (QTest::qWaitFor([&] { return (found = m_bus->find(m_application, role, name)).has_value(); }, kPatience))
    return found;
  QStringList seen;
  m_bus->walk(m_application, [&](const AccessibleReference& object, const QString& its) {
    seen += its + " \"" + m_bus->name(object) + '"';
    return true;
  });
  qInfo("no %s \"%s\" among %s", qPrintable(role), qPrintable(name), qPrintable(seen.join(", ")));
  return std::nullopt;
}

void TestAtSpi::goTo(const QString& perspective) {
  const auto button = shown("check box", perspective);
  QVERIFY(button && m_bus->act(*button));
}

void TestAtSpi::everythingInReachHasAName_data() {
  QTest::addColumn<QString>("perspective");
  for (const char* perspective :
       {"System", "Placements", "Programs", "Costs", "Workload", "Strategy", "Runs", "Lessons"}) {
    QTest::newRow(perspective) << perspective;
  }
}

std::pair<int, QStringList> TestAtSpi::inReach(const AccessibleReference& root) const {
  QStringList nameless;
  int count = 0;
  m_bus->walk(root, [&](const AccessibleReference& object, const QString& role) {
    // A container hands the keyboard on, and in a label it only selects text.
    const bool passed = role == "filler" || role == "label";
    if (passed || !m_bus->is(object, AccessibleState::focusable)) return true;
    ++count;
    if (m_bus->name(object).isEmpty()) nameless += role + " \"" + m_bus->description(object) + '"';
    return true;
  });
  return {count, nameless};
}

void TestAtSpi::everythingInReachHasAName() {
  QFETCH(QString, perspective);
  goTo(perspective);
  const auto [count, nameless] = inReach(m_application);
  QVERIFY2(count > 10, qPrintable(QString::number(count)));
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
}

void TestAtSpi::choose(const QStringList& way) {
  std::optional<AccessibleReference> at;
  m_bus->walk(m_application, [&](const AccessibleReference& object, const QString& role) {
    if (role == "menu bar") at = object;
    return !at;
  });
  QVERIFY(at);
  for (const QString& name : way) {
    std::vector<AccessibleReference> entries = m_bus->children(*at);
    // An entry that opens a menu holds it alone.
    if (m_bus->role(*at) == "menu item" && entries.size() == 1) entries = m_bus->children(entries[0]);
    const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return m_bus->name(entry) == name; });
    QVERIFY2(found != entries.end(), qPrintable("no entry " + name + " in \"" + m_bus->name(*at) + '"'));
    at = *found;
  }
  QVERIFY(m_bus->act(*at));
}

void TestAtSpi::dialogsHaveNames_data() {
  QTest::addColumn<QStringList>("way");
  QTest::addColumn<QString>("title");
  QTest::addColumn<QString>("leave");
  const QString cancel("Cancel");
  QTest::newRow("import") << QStringList{"File", "Import system…"} << "Import a system" << cancel;
  QTest::newRow("model") << QStringList{"File", "Workload", "Start from a model…"} << "Workload of a model" << cancel;
  QTest::newRow("workload") << QStringList{"File", "Workload", "Open a workload…"} << "Open a workload" << cancel;
  QTest::newRow("calibration") << QStringList{"System", "Calibrate from measurements…"} << "Calibrate from measurements"
                               << cancel;
  QTest::newRow("shortcuts") << QStringList{"Help", "Keyboard shortcuts"} << "Keyboard shortcuts"
                             << "Close";
}

void TestAtSpi::dialogsHaveNames() {
  QFETCH(QStringList, way);
  QFETCH(QString, title);
  QFETCH(QString, leave);
  goTo("System");
  choose(way);
  const auto dialog = shown("dialog", title);
  QVERIFY(dialog);
  const auto [count, nameless] = inReach(*dialog);
  QVERIFY2(count > 0, qPrintable(QString::number(count)));
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
  const auto button = m_bus->find(*dialog, "push button", leave);
  QVERIFY(button && m_bus->act(*button));
  QTRY_VERIFY_WITH_TIMEOUT(!m_bus->find(m_application, "dialog", title), kPatience);
}

void TestAtSpi::devicesAreThere() {
  goTo("Programs");
  const auto stage = shown("list", "Devices and what they hold");
  QVERIFY(stage);
  // Behind them is what stands beside the drawing.
  QTRY_VERIFY_WITH_TIMEOUT(m_bus->children(*stage).size() > 8, kPatience);
  const AccessibleReference device = m_bus->children(*stage)[5];
  QCOMPARE(m_bus->name(device), QStringLiteral("device 5 · gpu 1 of node 1"));
  QCOMPARE(m_bus->role(device), QStringLiteral("list item"));
  QVERIFY2(m_bus->description(device).contains("holds"), qPrintable(m_bus->description(device)));
}

void TestAtSpi::stepsAreAnnounced() {
  goTo("Programs");
  const auto stage = shown("list", "Devices and what they hold");
  QVERIFY(stage);
  const auto first = shown("push button", "First state");
  QVERIFY(first && m_bus->act(*first));
  QTRY_COMPARE_WITH_TIMEOUT(m_bus->description(*stage), QStringLiteral("before step 1 of 3"), kPatience);
  m_bus->described.clear();
  const auto forward = shown("push button", "Step forward");
  QVERIFY(forward && m_bus->act(*forward));
  QTRY_COMPARE_WITH_TIMEOUT(m_bus->description(*stage), QStringLiteral("after step 1 of 3, ReduceScatter·node"),
                            kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(std::ranges::find(m_bus->described, stage->path.path()) != m_bus->described.end(),
                           kPatience);
}

QTEST_GUILESS_MAIN(TestAtSpi)
#include "tst_at_spi.moc"
