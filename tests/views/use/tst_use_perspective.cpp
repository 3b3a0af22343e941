// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

#include "text/host_list.h"
#include "text/text_file.h"
#include "views/plan/plan_desk.h"
#include "views/use/use_perspective.h"

using namespace p2;
using namespace p2::views;

class TestUsePerspective : public QObject, private test::TrainingDesk<UsePerspective> {
  Q_OBJECT

 public:
  TestUsePerspective() : TrainingDesk({1180, 700}) {}

 private slots:
  void initTestCase() { prepare(); }
  void init() { setUp(); }
  void cleanup() { clearAway(); }

  void withoutAModelItLeadsToIt() {
    QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
    QTest::mouseClick(find<QPushButton>("emptyButton"), Qt::LeftButton);
    QCOMPARE(wanted.at(0).at(0).toString(), QString("model"));
  }

  void flagsAreThoseOfTheShownConfiguration() {
    open(test::trainedWorkspace(2));
    const PlannedConfiguration& best = planner().answer()->answer.configurations.front();
    const std::string flags =
        launchTextOf(planner().answer()->question.model, planner().answer()->question.system, best);
    QCOMPARE(preview(), QString::fromStdString(flags));
    QVERIFY(find<QLabel>("useFinding")->text().startsWith("These "));
    const QString about = find<QLabel>("useAbout")->text();
    QVERIFY2(about.startsWith("Options that decide the time and the memory of a step. Add data, paths, ") &&
                 about.contains("such as the parameters of the optimizer"),
             qPrintable(about));
    m_session->chooseConfiguration(&planner().answer()->answer.configurations[1]);
    QVERIFY(preview() != QString::fromStdString(flags));
  }

  void hostsHaveTheirNames() {
    open(test::trainedWorkspace(2));
    find<QListWidget>("useList")->setCurrentRow(1);
    QCOMPARE(preview(), QString("node0 slots=8\nnode1 slots=8\n"));
    QCOMPARE(find<QLabel>("useAbout")->text(),
             QString("For mpirun --hostfile. Hosts are named node[0-1]: type their real names on the left."));
    auto* hosts = find<QLineEdit>("useHosts");
    hosts->setFocus();
    QTest::keyClicks(hosts, "gpu[07-08]");
    QCOMPARE(preview(), QString("gpu07 slots=8\ngpu08 slots=8\n"));
    QCOMPARE(find<QLabel>("useAbout")->text(), QString("For mpirun --hostfile."));
    QTest::keyClicks(hosts, ",gpu09");
    const auto* problem = find<QLabel>("useProblem");
    QVERIFY2(problem->isVisible() && problem->text().contains("3 hosts for 2 nodes"), qPrintable(problem->text()));
    hosts->clear();
    QTest::keyClicks(hosts, "a b");
    QVERIFY(!problem->isVisible());
    find<QListWidget>("useList")->setCurrentRow(2);
    QCOMPARE(preview().count("a\n"), 8);
  }

  // Files with the names of other hosts would start nothing.
  void refusedHostsSaveNoFile() {
    open(test::trainedWorkspace(2));
    auto* files = find<QListWidget>("useList");
    files->setCurrentRow(1);
    auto* hosts = find<QLineEdit>("useHosts");
    hosts->setFocus();
    QTest::keyClicks(hosts, "gpu[1-3]");
    const auto* problem = find<QLabel>("useProblem");
    QCOMPARE(problem->text(),
             QString("✗ 3 hosts for 2 nodes; name every node once, in the order of the devices. Until then, files with "
                     "host names cannot be copied or saved"));
    for (const char* name : {"useCopy", "useSave", "useSaveAll"}) QVERIFY2(!find<QPushButton>(name)->isEnabled(), name);
    QApplication::clipboard()->setText("before");
    QTest::keyClick(files, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString("before"));
    // Near the names, below a list that shows all files.
    QTRY_VERIFY(problem->y() < m_view->height() / 2);
    QCOMPARE(files->verticalScrollBar()->maximum(), 0);
    // The flags name no host.
    files->setCurrentRow(0);
    QVERIFY(find<QPushButton>("useCopy")->isEnabled() && find<QPushButton>("useSave")->isEnabled());
    QVERIFY(!find<QPushButton>("useSaveAll")->isEnabled());
    files->setCurrentRow(1);
    hosts->setFocus();
    QTest::keyClick(hosts, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(hosts, "rack[1-2]gpu[1]");
    QVERIFY(!problem->isVisible());
    for (const char* name : {"useCopy", "useSave", "useSaveAll"}) QVERIFY2(find<QPushButton>(name)->isEnabled(), name);
    QCOMPARE(preview(), QString("rack1gpu1 slots=8\nrack2gpu1 slots=8\n"));
  }

  // A rack of NVL72 is 18 hosts of four GPUs.
  void traysHaveTheirNames() {
    Workspace workspace = test::trainedWorkspace(2);
    workspace = withSystem(workspace, presetSystem("gb200-nvl72", 2).value());
    workspace.training.batch = 144;
    open(workspace);
    find<QListWidget>("useList")->setCurrentRow(1);
    QVERIFY2(preview().startsWith("node0 slots=4\nnode1 slots=4\n") && preview().endsWith("node35 slots=4\n"),
             qPrintable(preview()));
    auto* hosts = find<QLineEdit>("useHosts");
    QCOMPARE(hosts->placeholderText(), QString("node[0-35]"));
    hosts->setFocus();
    QTest::keyClicks(hosts, "rack1-tray[01-18],rack2-tray[01-18]");
    QVERIFY(preview().startsWith("rack1-tray01 slots=4\n") && preview().endsWith("rack2-tray18 slots=4\n"));
  }

  void oneButtonCopiesAndOneSaves() {
    open(test::trainedWorkspace(2));
    QTest::mouseClick(find<QPushButton>("useCopy"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), preview());
    auto* report = find<QLabel>("useReport");
    QCOMPARE(report->text(), QString("✓ Copied: Launch flags"));
    QTest::mouseClick(find<QPushButton>("useSave"), Qt::LeftButton);
    auto* dialog = find<QFileDialog>("useSaveDialog");
    QTemporaryDir folder;
    emit dialog->fileSelected(folder.filePath("flags.txt"));
    dialog->reject();
    const auto written = readTextFile(folder.filePath("flags.txt").toStdString());
    QVERIFY(written.ok());
    QCOMPARE(QString::fromStdString(*written), preview());
    QVERIFY(report->isVisible() && report->text().startsWith("✓ Written: "));
    report->findChild<QTimer*>("briefly")->setInterval(0);
    QTRY_VERIFY(!report->isVisible());
  }

  // Everything in one folder, where nothing is replaced; the script can be started.
  void oneButtonSavesAll() {
    open(test::trainedWorkspace(2));
    QTemporaryDir folder;
    const auto saveAll = [&] {
      QTest::mouseClick(find<QPushButton>("useSaveAll"), Qt::LeftButton);
      auto* dialog = find<QFileDialog>("useFolderDialog");
      emit dialog->fileSelected(folder.path());
      dialog->reject();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    };
    saveAll();
    const QStringList names = QDir(folder.path()).entryList(QDir::Files);
    QCOMPARE(names.size(), find<QListWidget>("useList")->count());
    QCOMPARE(QString::fromStdString(readTextFile(folder.filePath("flags.txt").toStdString()).value()), preview());
    QVERIFY(QFileInfo(folder.filePath("launch.sh")).isExecutable());
    auto* report = find<QLabel>("useReport");
    QVERIFY2(report->text().startsWith("✓ Written to ") && report->text().contains("launch.sh"),
             qPrintable(report->text()));
    QVERIFY(QFile::remove(folder.filePath("flags.txt")));
    saveAll();
    QVERIFY2(report->text().contains(" exists in "), qPrintable(report->text()));
    QVERIFY(!QFile::exists(folder.filePath("flags.txt")));
  }

  void staleFlagsAreNotTakenAlong() {
    open(test::trainedWorkspace(2));
    TrainingChoice training = m_session->workspace()->training;
    training.batch = 128;
    m_session->editTraining("Change batch", training);
    QVERIFY(!find<QPushButton>("useCopy")->isEnabled() && !find<QPushButton>("useSave")->isEnabled());
    QVERIFY(find<QLabel>("useFinding")->text().startsWith("Comparing"));
    settle();
    QVERIFY(find<QPushButton>("useCopy")->isEnabled());
    QVERIFY(preview().contains("--global-batch-size 128"));
  }

  void listsOfHosts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("hosts");
    QTest::newRow("words") << "a b,c\nd"
                           << "a b c d";
    QTest::newRow("hostfile") << "# nodes\na slots=8\nb slots=8  # spare\n"
                              << "a b";
    QTest::newRow("slurm") << "n[08-11,20]-ib x"
                           << "n08-ib n09-ib n10-ib n11-ib n20-ib x";
    QTest::newRow("several ranges") << "r[0-1]n[08-09]"
                                    << "r0n08 r0n09 r1n08 r1n09";
    QTest::newRow("none") << " \n"
                          << "";
    QTest::newRow("no end") << "n[1-"
                            << "✗ \"n[1-\" has no closing bracket; write node[01-16]";
    QTest::newRow("backwards") << "n[3-1]"
                               << "✗ \"n[3-1]\" is not a range of hosts; write node[01-16]";
    QTest::newRow("too many") << "n[1-999999999]"
                              << "✗ more than 100000 hosts; name only the nodes of the run";
    QTest::newRow("twice") << "a a"
                           << "✗ the host \"a\" is named twice; name every node once";
    QTest::newRow("options") << "--help"
                             << "✗ \"--help\" is not the name of a host; use letters, digits, \".\", \"-\" and \"_\"";
  }
  void listsOfHosts() {
    QFETCH(QString, text);
    QFETCH(QString, hosts);
    const auto read = hostsFromList(text.toStdString());
    QStringList names;
    for (const std::string& name : read.ok() ? *read : std::vector<std::string>())
      names << QString::fromStdString(name);
    QCOMPARE(read.ok() ? names.join(' ') : "✗ " + QString::fromStdString(read.error().message), hosts);
  }

 private:
  QString preview() { return find<QPlainTextEdit>("usePreview")->toPlainText(); }
};

QTEST_MAIN(TestUsePerspective)
#include "tst_use_perspective.moc"
