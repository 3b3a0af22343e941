// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileDialog>
#include <QTemporaryDir>
#include <QTest>

#include "support/warnings.h"
#include "views/common/save_dialog.h"

using namespace p2::views;

class TestSaveDialog : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void endingsOfFilters() {
    QCOMPARE(endingOf("PNG image (*.png)"), QString("png"));
    QCOMPARE(endingOf("Graphs (*.json *.onnx)"), QString("json"));
    QCOMPARE(endingOf("*.csv"), QString("csv"));
    QCOMPARE(endingOf("All files (*)"), QString());
  }

  /// The name's ending follows the kind that is chosen, and what was typed stays.
  void theEndingFollowsTheKind() {
    QTemporaryDir folder;
    QWidget window;
    window.show();
    QString chosen;
    const SaveWish wish{"save", "Save", {"Table (*.csv)", "JSON (*.json)", "All files (*)"}, "runs"};
    QFileDialog* dialog = askWhereToSave(&window, wish, [&](const QString& path) { chosen = path; });
    dialog->setOption(QFileDialog::DontUseNativeDialog);
    dialog->setDirectory(folder.path());
    QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QString("runs.csv"));
    dialog->selectFile("mine.csv");
    emit dialog->filterSelected("JSON (*.json)");
    QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QString("mine.json"));
    emit dialog->filterSelected("All files (*)");
    QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QString("mine.json"));
    static_cast<QDialog*>(dialog)->accept();
    QCOMPARE(chosen, folder.filePath("mine.json"));
    QTRY_VERIFY(window.findChild<QFileDialog*>("save") == nullptr);
  }
};

QTEST_MAIN(TestSaveDialog)
#include "tst_save_dialog.moc"
