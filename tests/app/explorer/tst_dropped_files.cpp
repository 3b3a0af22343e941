// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDragEnterEvent>
#include <QDragLeaveEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTest>
#include <QUrl>

#include "app/explorer/window_desk.h"
#include "support/warnings.h"
#include "views/common/theme.h"
#include "views/shell/recent_files.h"

using namespace p2;
using namespace p2::views;

/// Files are dropped on the window as a file manager does it.
class TestDroppedFiles : public QObject, private test::TestedWindow {
  Q_OBJECT

 private slots:
  void init() {
    test::failOnWarnings();
    open();
  }
  void cleanup() { close(); }

  void aWorkspaceOpens() {
    drop({P2_RESOURCES "/examples/figure2.p2.json"});
    QTRY_COMPARE(m_desk->documents.name(), QString("figure2.p2.json"));
    QCOMPARE(m_desk->answers.unsavedAsked, 0);
    QCOMPARE(m_desk->documents.recentFiles().paths().size(), 1);
  }

  void unsavedChangesAreAskedAbout_data() {
    QTest::addColumn<int>("answer");
    QTest::addColumn<QString>("name");
    QTest::newRow("discard") << int(DocumentDialogs::Unsaved::Discard) << "figure2.p2.json";
    QTest::newRow("cancel") << int(DocumentDialogs::Unsaved::Cancel) << "a100-4x16.p2.json";
  }
  void unsavedChangesAreAskedAbout() {
    QFETCH(int, answer);
    QFETCH(QString, name);
    m_desk->editBytes(1e6);
    m_desk->answers.unsaved = DocumentDialogs::Unsaved(answer);
    drop({P2_RESOURCES "/examples/figure2.p2.json"});
    QTRY_COMPARE(m_desk->answers.unsavedAsked, 1);
    QTRY_VERIFY(m_desk->session.jobs().running().empty());
    QCOMPARE(m_desk->documents.name(), name);
  }

  void machinesAreImported() {
    drop({P2_TEST_DATA "/import/smi-mesh.txt"});
    QTRY_VERIFY(m_desk->find<QDialog>("importDialog"));
    QCOMPARE(m_desk->shownPage(), "system");
    QTRY_VERIFY(m_desk->find<QWidget>("importAccept")->isEnabled());
    QCOMPARE(m_desk->find<QLineEdit>("importPath")->text(), QString(P2_TEST_DATA "/import/smi-mesh.txt"));
    // Nothing is taken unseen.
    QCOMPARE(m_desk->session.undoStack().count(), 0);
  }

  void severalMachinesAreOneSystem() {
    drop({P2_TEST_DATA "/import/smi-mesh.txt", P2_TEST_DATA "/import/smi-ring.txt"});
    QTRY_VERIFY(m_desk->find<QDialog>("importDialog"));
    const QString paths = m_desk->find<QLineEdit>("importPath")->text();
    QVERIFY2(paths.contains("smi-mesh.txt; ") && paths.endsWith("smi-ring.txt"), qPrintable(paths));
  }

  void measurementsCalibrate() {
    drop({P2_TEST_DATA "/nccl/oci-h100-n2-all_reduce.txt"});
    QTRY_VERIFY(m_desk->find<QDialog>("calibrationDialog"));
    QCOMPARE(m_desk->shownPage(), "system");
  }

  void workloadsAreShownFirst() {
    drop({P2_TEST_DATA "/workload/kineto_mesh.json"});
    QTRY_VERIFY(m_desk->find<QDialog>("workloadDialog"));
    QCOMPARE(m_desk->shownPage(), "workload");
    QTRY_VERIFY(m_desk->session.jobs().running().empty());
    QVERIFY(!m_desk->session.workspace()->workload.has_value());
  }

  void aConfigIsTheModel() {
    drop({written("config.json", R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
      "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256})")});
    QTRY_COMPARE(m_desk->shownPage(), "model");
    // It is called after its folder, as it is downloaded.
    QCOMPARE(m_desk->find<QComboBox>("modelChoice")->currentText(), QString("llama"));
    const QString finding = m_desk->find<QLabel>("modelFinding")->text();
    QVERIFY2(finding.contains("8.03 billion parameters"), qPrintable(finding));
    m_desk->session.undoStack().undo();
    QVERIFY(m_desk->session.workspace()->training.model.empty());
  }

  // File ▸ Open takes what can be dropped.
  void openTakesWhatDroppingTakes() {
    m_desk->answers.openPath = P2_RESOURCES "/graphs/alexnet.json";
    m_desk->key(Qt::Key_O);
    QTRY_COMPARE(m_desk->shownPage(), "strategy");
    QCOMPARE(m_desk->session.workspace()->strategy.graph, std::string(P2_RESOURCES "/graphs/alexnet.json"));
    m_desk->session.undoStack().undo();
    m_desk->answers.openPath = P2_RESOURCES "/examples/figure2.p2.json";
    m_desk->key(Qt::Key_O);
    QTRY_COMPARE(m_desk->documents.name(), QString("figure2.p2.json"));
  }

  // So does the command line, on the example instead of the last document.
  void theCommandLineTakesWhatDroppingTakes() {
    m_desk->window->open(P2_RESOURCES "/examples/figure2.p2.json");
    QTRY_COMPARE(m_desk->documents.name(), QString("figure2.p2.json"));
    const QString folder = m_folder->path();
    m_desk.reset();
    m_desk = std::make_unique<test::WindowDesk>(folder);
    QTRY_COMPARE(m_desk->documents.name(), QString("figure2.p2.json"));
    m_desk->documents.start({}, false);
    QTRY_VERIFY(m_desk->session.jobs().running().empty());
    QVERIFY(m_desk->documents.name() != "figure2.p2.json");
    m_desk->window->open(P2_TEST_DATA "/import/smi-mesh.txt");
    QTRY_VERIFY(m_desk->find<QDialog>("importDialog"));
  }

  void graphsGoToTheStrategy() {
    drop({P2_RESOURCES "/graphs/alexnet.json"});
    QTRY_COMPARE(m_desk->shownPage(), "strategy");
    QCOMPARE(m_desk->session.workspace()->strategy.graph, std::string(P2_RESOURCES "/graphs/alexnet.json"));
    QVERIFY(m_desk->session.undoStack().undoText().contains("alexnet.json"));
    m_desk->session.undoStack().undo();
    QCOMPARE(m_desk->session.workspace()->strategy.graph, std::string("mlp"));
  }

  void launchScriptsAreMyConfiguration() {
    drop({written("train.sh", "torchrun pretrain_gpt.py --tensor-model-parallel-size 8 --micro-batch-size 1\n")});
    QTRY_COMPARE(m_desk->shownPage(), "plan");
    QVERIFY(m_desk->session.workspace()->training.mine.find("--tensor-model-parallel-size 8") != std::string::npos);
  }

  void whatWasCopiedIsTakenOnAnyPage() {
    m_desk->key(Qt::Key_3);
    QTRY_COMPARE(m_desk->shownPage(), "plan");
    QGuiApplication::clipboard()->setText(
        "torchrun pretrain_gpt.py --tensor-model-parallel-size 4 --micro-batch-size 2\n");
    m_desk->key(Qt::Key_V);
    QTRY_VERIFY(m_desk->session.workspace()->training.mine.find("--tensor-model-parallel-size 4") != std::string::npos);
    QGuiApplication::clipboard()->setText(R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
      "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256})");
    m_desk->key(Qt::Key_V);
    QTRY_COMPARE(m_desk->shownPage(), "model");
    QCOMPARE(m_desk->session.workspace()->training.model, std::string("llama"));
    QFile topology(P2_TEST_DATA "/import/smi-mesh.txt");
    QVERIFY(topology.open(QIODevice::ReadOnly));
    QGuiApplication::clipboard()->setText(QString::fromUtf8(topology.readAll()));
    m_desk->find<QAction>("pasteAnythingAction")->trigger();
    QTRY_VERIFY(m_desk->find<QDialog>("importDialog"));
    QTRY_VERIFY(m_desk->find<QWidget>("importAccept")->isEnabled());
  }

  void aPastedDocumentIsRefused() {
    QGuiApplication::clipboard()->setText(R"({"format": "p2-workspace", "version": 1})");
    m_desk->key(Qt::Key_V);
    QTRY_VERIFY(m_desk->find<QWidget>("troubleBanner")->isVisible());
    QVERIFY(m_desk->find<QLabel>("troubleBannerText")->text().contains("save it as a file"));
  }

  void whatNobodyKnowsIsSaidInline() {
    drop({written("letter.txt", "Dear diary")});
    auto* banner = m_desk->find<QWidget>("troubleBanner");
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(m_desk->find<QLabel>("troubleBannerText")
                 ->text()
                 .contains("letter.txt: unknown kind of file; P² Explorer opens workspaces"),
             qPrintable(m_desk->find<QLabel>("troubleBannerText")->text()));
    // The next that can be opened takes the sentence away.
    drop({P2_RESOURCES "/examples/figure2.p2.json"});
    QTRY_VERIFY(!banner->isVisible());
  }

  void manyAtOnceAreRefused() {
    drop({P2_RESOURCES "/examples/figure2.p2.json", P2_RESOURCES "/examples/v100-4x8.p2.json"});
    auto* banner = m_desk->find<QWidget>("troubleBanner");
    QTRY_VERIFY(banner->isVisible());
    QVERIFY(m_desk->find<QLabel>("troubleBannerText")->text().contains("opened together"));
    QCOMPARE(m_desk->documents.name(), QString("a100-4x16.p2.json"));
  }

  void aFrameShowsWhileDragging() {
    auto* area = m_desk->find<QWidget>("dropArea");
    QVERIFY(!area->isVisible());
    const auto files = filesOf({P2_RESOURCES "/examples/figure2.p2.json"});
    QVERIFY(enter(*m_desk->window, *files));
    QVERIFY(area->isVisible());
    QCOMPARE(area->size(), m_desk->window->size());
    QVERIFY2(area->accessibleName().contains("figure2.p2.json"), qPrintable(area->accessibleName()));
    // A frame of dashes all round.
    const QImage image = area->grab().toImage();
    int dashes = 0;
    for (int x = 0; x < image.width(); ++x) dashes += image.pixelColor(x, Theme::kGrid + 1) == Theme::accent() ? 1 : 0;
    QVERIFY2(dashes > image.width() / 4, qPrintable(QString::number(dashes)));
    QDragLeaveEvent leave;
    QApplication::sendEvent(m_desk->window.get(), &leave);
    QVERIFY(!area->isVisible());
  }

  // Fields of text would take the address in as text.
  void fieldsLetFilesPass() {
    m_desk->key(Qt::Key_1);
    auto* notes = m_desk->find<QPlainTextEdit>("notes");
    const QString before = notes->toPlainText();
    const auto files = filesOf({P2_RESOURCES "/examples/figure2.p2.json"});
    QVERIFY(enter(*notes->viewport(), *files));
    QVERIFY(let(*notes->viewport(), *files));
    QTRY_COMPARE(m_desk->documents.name(), QString("figure2.p2.json"));
    QVERIFY(before != "figure2.p2.json" && !notes->toPlainText().contains("file:"));
  }

  void otherDragsAreNoneOfOurs() {
    QMimeData text;
    text.setText("all-reduce");
    QVERIFY(!enter(*m_desk->window, text));
    QVERIFY(!m_desk->find<QWidget>("dropArea")->isVisible());
    QMimeData page;
    page.setUrls({QUrl("https://example.org/workspace.json")});
    QVERIFY(!enter(*m_desk->window, page));
    QVERIFY(!let(*m_desk->window, page));
  }

 private:
  static std::unique_ptr<QMimeData> filesOf(const QStringList& paths) {
    auto data = std::make_unique<QMimeData>();
    QList<QUrl> urls;
    for (const QString& path : paths) urls += QUrl::fromLocalFile(path);
    data->setUrls(urls);
    return data;
  }
  /// Whether the drag is taken.
  static bool enter(QWidget& over, const QMimeData& data) {
    QDragEnterEvent event(over.rect().center(), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    event.ignore();
    QApplication::sendEvent(&over, &event);
    return event.isAccepted();
  }
  static bool let(QWidget& over, const QMimeData& data) {
    QDropEvent event(over.rect().center(), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    event.ignore();
    QApplication::sendEvent(&over, &event);
    return event.isAccepted();
  }
  void drop(const QStringList& paths) {
    const auto files = filesOf(paths);
    QVERIFY(enter(*m_desk->window, *files));
    QVERIFY(let(*m_desk->window, *files));
    QVERIFY(!m_desk->find<QWidget>("dropArea")->isVisible());
  }
  QString written(const char* name, const char* text) const {
    const QString path = m_folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("cannot write %s", name);
    return path;
  }
};

QTEST_MAIN(TestDroppedFiles)
#include "tst_dropped_files.moc"
