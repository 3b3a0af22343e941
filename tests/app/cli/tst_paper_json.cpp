// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCryptographicHash>
#include <QRegularExpression>
#include <QTest>
#include <cstdio>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "tests/app/cli/run_p2.h"

namespace {

const QString kDigests = QStringLiteral("paper/json_digests.csv");

/// What is asked of every configuration: the name of the digest and the command behind it.
struct Question {
  QString name;
  QStringList command;
  bool reduces = true;
};

const QList<Question> kQuestions{
    {"placements", {"placements"}, false},
    {"programs", {"programs"}},
    {"simulate ring", {"simulate", "--algorithm", "ring"}},
    {"simulate tree", {"simulate", "--algorithm", "tree"}},
    {"simulate auto", {"simulate", "--algorithm", "auto"}},
};

/// What versions after the first digests added to the answer, on purpose. The digests are of the rest.
QString withoutAdditions(const Question& question, QString json) {
  if (!question.name.startsWith("simulate")) return json;
  // Every step says how it was carried out, and where its time goes.
  static const QRegularExpression kStep(
      R"re((?<="), "algorithm": "(ring|tree)", "protocol": null, "channels": 1, "latency_seconds": 0, "bandwidth_seconds": [-+.e\d]+(?=\}))re");
  // Every placement says how long one collective takes, and what no program can be below.
  static const QRegularExpression kPlacement(R"re(\n *("(flat|limit)_seconds": [-+.e\d]+|"allreduce": \{.*\}),)re");
  // Every placement says what it costs the axes that are not reduced over.
  static const QRegularExpression kOthers(R"re(\n *"other_axes": \[.*\],)re");
  // The answer says what the model leaves out.
  static const QRegularExpression kUnmodelled(R"re(\n  "leaves_out": ".*",)re");
  return json.remove(kStep).remove(kPlacement).remove(kOthers).remove(kUnmodelled);
}

/// One row of paper_configurations.csv: gpu, nodes, gpus_per_node, axes, reduce, …
QString nameOf(const QStringList& configuration) {
  return configuration[0] + " " + configuration[1] + "×" + configuration[2] + " " + configuration[3] + " reduce " +
         configuration[4];
}

QStringList argumentsOf(const Question& question, const QStringList& configuration) {
  const auto plain = [](const QString& list) { return list.mid(1, list.size() - 2); };
  QStringList arguments = question.command;
  arguments << (configuration[0] == "A100" ? "gcp-a100:" : "gcp-v100:") + configuration[1];
  arguments << "--axes" << plain(configuration[3]) << "--json";
  if (question.reduces) arguments << "--reduce" << plain(configuration[4]);
  return arguments;
}

/// SHA-256 of the answer; empty when there is none.
QString digestOf(const Question& question, const QStringList& configuration) {
  const p2::test::Answer answer = p2::test::runP2(argumentsOf(question, configuration));
  if (answer.status != 0 || !answer.err.isEmpty()) return {};
  const QByteArray json = withoutAdditions(question, answer.out).toUtf8();
  return QString::fromLatin1(QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex());
}

void printDigests() {
  std::printf("configuration,command,sha256\n");
  for (const QStringList& configuration : p2::test::csvRows("paper/paper_configurations.csv")) {
    for (const Question& question : kQuestions) {
      std::printf("\"%s\",%s,%s\n", qPrintable(nameOf(configuration)), qPrintable(question.name),
                  qPrintable(digestOf(question, configuration)));
    }
  }
}

}  // namespace

/// `p2 … --json` of the paper's 42 configurations, byte for byte. `tst_paper_json --print` writes new digests to
/// standard output.
class TestPaperJson : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
#ifdef __FP_FAST_FMA
    QSKIP("the digests are of arithmetic without fused multiply-add");
#endif
    for (const QStringList& row : p2::test::csvRows(kDigests)) m_digests.insert({row[0], row[1]}, row[2]);
    QCOMPARE(m_digests.size(), 42 * kQuestions.size());
  }
  void init() { p2::test::failOnWarnings(); }

  void answersStayTheSame_data() {
    QTest::addColumn<QStringList>("configuration");
    for (const QStringList& row : p2::test::csvRows("paper/paper_configurations.csv")) {
      QTest::newRow(qPrintable(nameOf(row))) << row;
    }
  }
  void answersStayTheSame() {
    QFETCH(QStringList, configuration);
    for (const Question& question : kQuestions) {
      const QString digest = digestOf(question, configuration);
      QVERIFY2(!digest.isEmpty(), qPrintable("no answer: p2 " + argumentsOf(question, configuration).join(' ')));
      QVERIFY2(digest == m_digests.value({nameOf(configuration), question.name}),
               qPrintable("another answer: p2 " + argumentsOf(question, configuration).join(' ')));
    }
  }

 private:
  QHash<std::pair<QString, QString>, QString> m_digests;
};

int main(int argc, char* argv[]) {
  QCoreApplication application(argc, argv);
  if (application.arguments().contains("--print")) {
    printDigests();
    return 0;
  }
  TestPaperJson test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_paper_json.moc"
