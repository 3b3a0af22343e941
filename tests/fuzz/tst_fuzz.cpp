// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <ctime>
#include <random>

#include "fuzz/changed_json.h"
#include "fuzz/harness.h"
#include "graphs/onnx_import.h"
#include "support/damages.h"

Q_DECLARE_METATYPE(const p2::fuzz::Harness*)

using namespace p2;

namespace {

constexpr double kSecondsEach = 0.5;    // of processor time, unless P2_FUZZ_SECONDS asks for others
constexpr double kMostForOne = 5;       // likewise; nothing that small may take longer
constexpr qint64 kLargestSeed = 20000;  // bytes
constexpr int kOnnxModels = 12;         // each is a process

double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

std::vector<std::string> contentsOf(const QString& pattern) {
  std::vector<std::string> contents;
  const QFileInfo where(QStringLiteral(P2_SOURCE) + '/' + pattern);
  for (const QFileInfo& info : where.dir().entryInfoList({where.fileName()}, QDir::Files, QDir::Name)) {
    QFile file(info.filePath());
    if (info.size() <= kLargestSeed && file.open(QIODevice::ReadOnly)) contents.push_back(file.readAll().toStdString());
  }
  return contents;
}

std::vector<std::string> seedsOf(const QString& name, const QString& patterns) {
  std::vector<std::string> seeds = contentsOf("tests/fuzz/corpus/" + name + "/*");
  for (const QString& pattern : patterns.split(' ', Qt::SkipEmptyParts)) {
    for (std::string& seed : contentsOf(pattern)) seeds.push_back(std::move(seed));
  }
  return seeds;
}

std::string damaged(const std::vector<std::string>& seeds, std::mt19937& random) {
  const std::string& seed = seeds[random() % seeds.size()];
  if (random() % 2 == 0) {
    if (auto changed = fuzz::changedJson(seed, seeds[random() % seeds.size()], random)) return *std::move(changed);
  }
  return test::damaged(seed, random, {40, 80, '"', true});
}

/// What is being read; said when the process ends over it.
std::string g_text;

void sayText(int signal) {
  std::fprintf(stderr, "fuzz: this text of %zu bytes, in hexadecimal:\n", g_text.size());
  for (const char c : g_text) std::fprintf(stderr, "%02x", static_cast<unsigned char>(c));
  std::fputc('\n', stderr);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

// Every parser on real files, on those that once were too much for it, and on damaged ones, the same in every run.
class TestFuzz : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    for (const int each : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) std::signal(each, sayText);
  }

  void survives_data() {
    QTest::addColumn<const fuzz::Harness*>("harness");
    for (const auto harnesses : {fuzz::documentHarnesses(), fuzz::importHarnesses(), fuzz::wordHarnesses()}) {
      for (const fuzz::Harness& harness : harnesses) QTest::newRow(harness.name) << &harness;
    }
  }
  void survives() {
    QFETCH(const fuzz::Harness*, harness);
    const std::vector<std::string> seeds = seedsOf(harness->name, harness->seeds);
    QVERIFY(!seeds.empty());
    std::mt19937 random(1);
    bool asked = false;
    const double given = qEnvironmentVariable("P2_FUZZ_SECONDS").toDouble(&asked);
    const double seconds = asked ? given : kSecondsEach;
    const double begin = processorSeconds();
    std::size_t count = 0;
    for (double now = begin; count < seeds.size() || now - begin < seconds; ++count) {
      g_text = count < seeds.size() ? seeds[count] : damaged(seeds, random);
      harness->run(g_text);
      const double before = std::exchange(now, processorSeconds());
      QVERIFY2(now - before < kMostForOne, QByteArray::fromStdString(g_text).toHex().constData());
    }
    qInfo("%zu texts", count);
  }

  // libonnx crashes on some of them, hangs on others, and has a process of its own for that.
  void survivesModels() {
    const std::vector<std::string> seeds = contentsOf("tests/fuzz/corpus/onnx/*.onnx");
    QVERIFY(!seeds.empty());
    const QTemporaryDir folder;
    const QString path = folder.filePath("model.onnx");
    std::mt19937 random(1);
    for (int i = 0; i < kOnnxModels; ++i) {
      const std::string& seed = seeds[std::size_t(i) % seeds.size()];
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray::fromStdString(std::size_t(i) < seeds.size() ? seed : test::damaged(seed, random, {})));
      file.close();
      const auto read = importOnnx(path.toStdString());
      QVERIFY(read.ok() || !read.error().message.empty());
    }
  }
};

QTEST_APPLESS_MAIN(TestFuzz)
#include "tst_fuzz.moc"
