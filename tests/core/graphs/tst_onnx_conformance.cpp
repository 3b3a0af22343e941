// SPDX-License-Identifier: GPL-3.0-or-later
// The models of Debian's libonnx-testdata are imported or refused in one sentence. P2_ONNX_MODELS=all asks for all
// 1,072 of them, a folder for the models in it; without it every fortieth is read.
#include <QDirIterator>
#include <QTest>

#include "graphs/onnx_import.h"
#include "support/fixtures.h"

using namespace p2;

namespace {

constexpr const char* kFolder = "/usr/share/libonnx-testdata/data";
constexpr int kStride = 40;  // each model is a process

QStringList modelsIn(const QString& folder) {
  QStringList models;
  QDirIterator each(folder, {QStringLiteral("*.onnx")}, QDir::Files, QDirIterator::Subdirectories);
  while (each.hasNext()) models << each.next();
  models.sort();
  return models;
}

/// Open dimensions at the sizes that are suggested.
Result<LoadedGraph> importedAsSuggested(const std::string& path) {
  auto imported = importOnnx(path);
  if (imported.ok()) return imported;
  P2_TRY_ASSIGN(const auto open, openDimensions(path));
  if (open.empty()) return imported;
  return importOnnx(path, withSuggestions({}, open));
}

}  // namespace

class TestOnnxConformance : public QObject {
  Q_OBJECT

 private slots:
  void everyModelIsImportedOrRefused() {
    const QString wanted = qEnvironmentVariable("P2_ONNX_MODELS");
    const bool all = !wanted.isEmpty();
    const QString folder = wanted.isEmpty() || wanted == "all" ? QString(kFolder) : wanted;
    const QStringList models = modelsIn(folder);
    if (models.isEmpty()) QSKIP(qPrintable("no models in " + folder + "; install libonnx-testdata"));
    int imported = 0;
    int refused = 0;
    for (qsizetype i = 0; i < models.size(); i += all ? 1 : kStride) {
      const auto read = importedAsSuggested(models[i].toStdString());
      imported += read.ok() ? 1 : 0;
      if (read.ok()) continue;
      ++refused;
      const QString text = QString::fromStdString(read.error().text());
      const bool ours = read.error().kind == ErrorKind::BadInput || read.error().kind == ErrorKind::TooLarge;
      QVERIFY2(ours && !text.contains('\n') && !text.contains("crash"), qPrintable(models[i] + ": " + text));
    }
    qInfo("%d imported, %d refused in one sentence", imported, refused);
    QVERIFY(imported > refused);
  }
};

QTEST_APPLESS_MAIN(TestOnnxConformance)
#include "tst_onnx_conformance.moc"
