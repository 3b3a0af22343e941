// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "support/warnings.h"
#include "tests/views/widget_driver.h"
#include "views/runs/target_box.h"
#include "views/runs/target_list.h"

using namespace p2;
using namespace p2::test;
using namespace p2::views;

namespace {

Target targetOn(const char* host) {
  Target target;
  target.name = host;
  target.host = host;
  target.launch.environment = {{"TOKEN", host}};
  target.launch.arguments = {"--bind-to", "a core"};
  return target;
}

QString fileText() {
  QSettings().sync();
  QFile file(QSettings().fileName());
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class TestTargetList : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    failOnWarnings();
    QSettings().clear();
  }

  void isReadAsItWasWritten() {
    const TargetList list{{Target(), targetOn("a"), targetOn("b")}, {}};
    QSettings settings;
    writeTargets(settings, list);
    QCOMPARE(readTargets(settings).targets, list.targets);
  }

  void nothingIsLeftOfWhatWasRemoved() {
    QSettings settings;
    writeTargets(settings, {{Target(), targetOn("secret")}, {}});
    QVERIFY(fileText().contains("secret"));
    writeTargets(settings, {{Target()}, {}});
    QVERIFY2(!fileText().contains("secret"), qPrintable(fileText()));
  }

  // Edited by hand, or of a version that knows more.
  void whatCannotBeUsedIsKept() {
    {
      QSettings settings;
      writeTargets(settings, {{Target(), targetOn("strange")}, {}});
      settings.setValue("targets/2/launcher", "mpiexec");
    }
    TargetBox box;
    childOf<QToolButton>(box, "addTarget").click();
    QSettings settings;
    const TargetList list = readTargets(settings);
    QCOMPARE(list.targets.size(), std::size_t(2));
    QCOMPARE(list.unread.size(), std::size_t(1));
    QCOMPARE(list.unread[0].value("launcher").toString(), QStringLiteral("mpiexec"));
    QCOMPARE(list.unread[0].value("host").toString(), QStringLiteral("strange"));
  }

  // However often it is saved beside others.
  void whatIsHalfTypedIsNoTarget() {
    TargetBox box;
    childOf<QToolButton>(box, "addTarget").click();
    QLineEdit& host = childOf<QLineEdit>(box, "targetHost");
    host.setText("two words");
    emit host.editingFinished();
    QComboBox& chooser = childOf<QComboBox>(box, "targetChooser");
    for (const int index : {0, 1, 0, 1, 0}) chooser.setCurrentIndex(index);
    QSettings settings;
    const TargetList list = readTargets(settings);
    QCOMPARE(list.targets, std::vector<Target>{Target()});
    QVERIFY(list.unread.empty());
  }

  void twoWindowsKeepEachOthersTargets() {
    TargetBox one;
    TargetBox other;
    childOf<QToolButton>(other, "addTarget").click();
    QLineEdit& host = childOf<QLineEdit>(other, "targetHost");
    host.setText("clusterone");
    emit host.editingFinished();
    QLineEdit& arguments = childOf<QLineEdit>(one, "targetArguments");
    arguments.setText("--verbose");
    emit arguments.editingFinished();
    QSettings settings;
    const std::vector<Target> targets = readTargets(settings).targets;
    QCOMPARE(targets.size(), std::size_t(2));
    QCOMPARE(targets[0].launch.arguments, std::vector<std::string>{"--verbose"});
    QCOMPARE(targets[1].host, std::string("clusterone"));
  }
};

QTEST_MAIN(TestTargetList)
#include "tst_target_list.moc"
