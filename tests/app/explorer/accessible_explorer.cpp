// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/accessible_explorer.h"

#include <signal.h>
#include <sys/prctl.h>

#include <QTest>
#include <algorithm>

namespace p2::test {
namespace {

/// It ends with this program, which may be killed: who stays behind holds open what ctest reads, and ctest waits.
void endWithThis(QProcess& process) {
  process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
}

}  // namespace

QString AccessibleExplorer::started(QProcess& process, const QString& program, const QStringList& arguments) {
  endWithThis(process);
  process.setProcessChannelMode(QProcess::SeparateChannels);
  process.setStandardErrorFile(QProcess::nullDevice());
  process.start(program, arguments);
  if (!process.waitForStarted()) return {};
  while (!process.canReadLine() && process.waitForReadyRead(20000)) {
  }
  return QString::fromUtf8(process.readLine()).trimmed();
}

void AccessibleExplorer::start(const QString& document) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_RUNTIME_DIR", m_folder.path());
  for (const char* home : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
    environment.insert(home, m_folder.path());
  environment.remove("WAYLAND_DISPLAY");
  m_screen.setProcessEnvironment(environment);
  // The accessibility bus looks at the screen for a moment; a server that is reset when the last one leaves throws out
  // who is just coming.
  const QString display =
      started(m_screen, "Xvfb", {"-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"});
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
  endWithThis(m_explorer);
  m_explorer.setProcessEnvironment(environment);
  m_explorer.setProcessChannelMode(QProcess::ForwardedChannels);
  m_explorer.start(P2_EXPLORER, {document});
  QVERIFY(m_explorer.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(m_bus->application("p2-explorer").has_value(), kPatience);
  m_application = *m_bus->application("p2-explorer");
}

void AccessibleExplorer::stop() {
  for (QProcess* process : {&m_explorer, &m_session, &m_screen}) {
    process->terminate();
    if (!process->waitForFinished(10000)) process->kill();
    process->waitForFinished();
  }
}

std::optional<AccessibleReference> AccessibleExplorer::shown(const QString& role, const QString& name) const {
  std::optional<AccessibleReference> found;
  const auto decided = [&] { return (found = m_bus->find(m_application, role, name)).has_value() || !isThere(); };
  if (QTest::qWaitFor(decided, kPatience)) return found;
  QStringList seen;
  m_bus->walk(m_application, [&](const AccessibleReference& object, const QString& its) {
    seen += its + " \"" + m_bus->name(object) + '"';
    return true;
  });
  qInfo("no %s \"%s\" among %s", qPrintable(role), qPrintable(name), qPrintable(seen.join(", ")));
  return std::nullopt;
}

void AccessibleExplorer::press(const QString& role, const QString& name) const {
  const auto object = shown(role, name);
  QVERIFY(object && m_bus->act(*object));
}

void AccessibleExplorer::choose(const QStringList& way) const {
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

std::pair<int, QStringList> AccessibleExplorer::inReach(const AccessibleReference& root) const {
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

}  // namespace p2::test
