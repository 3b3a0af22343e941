// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include "support/schemas.h"
#include "tests/app/cli/lying_runner.h"
#include "tests/app/cli/run_p2.h"

using namespace p2;

namespace {

/// Objects whose keys are names that the user or a file chose.
const QSet<QString> kNamed{"axes",  "link_bytes", "factors",     "system",       "rules",
                           "parts", "degrees",    "environment", "configuration"};

void collect(const QJsonValue& value, QSet<QString>& keys) {
  for (const QJsonValue& item : value.toArray()) collect(item, keys);
  const QJsonObject object = value.toObject();
  for (auto it = object.begin(); it != object.end(); ++it) {
    keys += it.key();
    if (it.value().isArray() || !kNamed.contains(it.key())) collect(it.value(), keys);
  }
}

/// Every description that a schema has for a key, at any depth.
void collectDescriptions(const QJsonObject& schema, QMultiHash<QString, QString>& descriptions) {
  const QJsonObject properties = schema["properties"].toObject();
  for (auto it = properties.begin(); it != properties.end(); ++it) {
    descriptions.insert(it.key(), it.value().toObject()["description"].toString());
    collectDescriptions(it.value().toObject(), descriptions);
  }
  for (const QString below : {"items", "additionalProperties"}) {
    if (schema[below].isObject()) collectDescriptions(schema[below].toObject(), descriptions);
  }
}

QString manual() {
  const test::Answer page = test::runP2({"help", "--man-page", P2_SOURCE "/packaging/man/p2.1.in"});
  if (page.status != 0) qFatal("no man page: %s", qPrintable(page.err));
  return QString(page.out).replace("\\-", "-");
}

}  // namespace

/// Every key of an answer in JSON is explained in p2(1).
class TestAnswerKeys : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_page = manual();
    m_words = QString(m_page).replace(QRegularExpression("\\\\f[BIR]"), " ");
    QString iterations;
    for (int i = 0; i < 10; ++i) iterations += "iteration | elapsed time per iteration (ms): 9000.0 | lm loss: 2\n";
    test::writeFile(m_folder.filePath("run.log"), iterations);
    QFile sample(P2_TEST_DATA "/import/nccl-info.txt");
    QVERIFY(sample.open(QIODevice::ReadOnly));
    const QString mark = "node-a:4021:4088 [0] NCCL INFO ";
    test::writeFile(m_folder.filePath("nccl.log"),
                    QString::fromUtf8(sample.readAll()) + mark +
                        "comm 0x55 rank 0 nRanks 4 nNodes 1 localRanks 4 localRank 0 MNNVL 0\n" + mark +
                        "AllReduce: 268435456 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n");
    test::writeFile(m_folder.filePath("times.csv"),
                    "axes,reduce,matrix,seconds,bytes\n8,0,\"[[2,4]]\",10,1GiB\n8,0,\"[[2,4]]\",20,2GiB\n"
                    "\"2,4\",0,\"[[2,1],[1,4]]\",40,1GiB\n\"2,4\",0,\"[[2,1],[1,4]]\",80,2GiB\n");
    QFile lesson(P2_RESOURCES "/lessons/01-read-a-grid.json");
    QVERIFY(lesson.open(QIODevice::ReadOnly));
    test::writeFile(m_folder.filePath("lesson.json"),
                    QString::fromUtf8(lesson.readAll()).replace("{devices}", "{nothing}"));
    test::writeFile(
        m_folder.filePath("unpriced.json"),
        "{\"format\": \"p2-graph\", \"version\": 1, \"name\": \"part\", \"unpriced\": [\"Loop\"], \"operators\": [{"
        "\"name\": \"fc\", \"kind\": \"gemm\", \"dimensions\": {\"m\": 64, \"n\": 64, \"k\": 64}, \"inputs\": "
        "{\"x\": [\"m\", \"k\"]}, \"parameters\": {\"w\": [\"k\", \"n\"]}, \"outputs\": {\"y\": [\"m\", \"n\"]}}]}");
    test::writeFile(m_folder.filePath("codes.txt"), "Ada: P2-7K2M-5D1-Q3ZT\n");
    test::writeFile(m_folder.filePath("rank0.json"),
                    "{\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"user_annotation\", "
                    "\"name\": \"ProfilerStep#1\", \"pid\": 0, \"tid\": 7, \"ts\": 0, \"dur\": 10000000}, "
                    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"sm90_gemm\", \"pid\": 0, \"tid\": 7, "
                    "\"ts\": 0, \"dur\": 6000000}]}");
  }

  void everyKeyIsInTheManPage_data() {
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("status");
    const auto row = [](const QStringList& command, int status = 0) {
      QTest::newRow(qPrintable(command.mid(0, 3).join(' '))) << command << status;
    };
    const QStringList axes{"--axes", "8,2,4", "--reduce", "0,2"};
    row(QStringList{"placements", "gcp-a100:4"} + axes);
    row(QStringList{"programs", "gcp-a100:4", "--bound", "--limit", "3"} + axes);
    row(QStringList{"simulate", "gcp-a100:4", "--overlap", "--limit", "2", "--model", "nccl"} + axes);
    row({"simulate", "dgx-h100:4", "--goal", "reducescatter", "--axes", "8,4", "--reduce", "0", "--limit", "3"});
    row({"sweep", "dgx-h100:4", "--axes", "8,4", "--reduce", "0", "--bytes", "1MB..1GB"});
    row({"sweep", "gcp-a100:4", "--map", "--axes", "8,8", "--reduce", "0", "--bytes", "1MB..1GB"});
    row({"step", "dgx-h100:32", "--workload", "llama3-70b", "--best", "2"});
    row({"simulate", "dgx-h100:4", "--goal", "rs", "--axes", "8,4", "--reduce", "0,1", "--scatter", "0", "--limit",
         "3"});
    const QStringList strategy{"strategy", "transformer", "--model",  "hierarchical",
                               "--system", "gcp-a100:1",  "--compare"};
    row(strategy + QStringList{"--recompute", "full", "--device-memory", "40GB"});
    QTest::newRow("strategy --stages") << strategy + QStringList{"--stages", "2"} << 0;
    row({"strategy", "alexnet", "--best", "2"});
    row({"strategy", m_folder.filePath("unpriced.json")});
    row({"strategy", "--list"});
    const QString plan = test::planFileIn(m_folder);
    row({"run", plan, "--bytes", "16", "--repeat", "1", "--runner",
         test::lyingRunner(m_folder, test::hashOf(plan), 1, 4)});
    QTest::newRow("run --dry") << QStringList{"run", plan, "--dry"} << 0;
    const QStringList train{"train",
                            "llama3-8b",
                            "dgx-h100:1",
                            "--best",
                            "2",
                            "--evaluate",
                            QStringLiteral(P2_TEST_DATA "/training_files/torchtitan.py")};
    row(train);
    QTest::newRow("train --why") << train + QStringList{"--why", "mine", "1"} << 0;
    row({"what-if", "llama3-8b", "dgx-h100:1", "--batch", "100", "--vary", "nodes=1,3", "--price", "2", "--tokens",
         "1T", "--deadline", "900d"});
    row({"compare", "dgx-h100:2", "dgx-h100:2", "--degrade", "NIC 0 of node 1: 50%", "--train", "llama3-8b", "--batch",
         "64", "--axes", "16", "--reduce", "0"});
    row({"compare-run", QStringLiteral(P2_TEST_DATA "/workload/kineto_mesh.json")});
    row({"workload", "mixtral-8x7b"});
    row({"workload", "--list"});
    row({"simulate", "dgx-a100:16", "--axes", "128", "--reduce", "0", "--bytes", "256MiB", "--limit", "1", "--best",
         "1"});
    row({"atlas", "--list"});
    row({"atlas", "--versions"});
    row({"atlas", "dgx-a100"});
    row({"check", "gcp-a100:4", "--axes", "8,2,4", "--reduce", "0,2", "--matrix", "[[1,8],[2,1],[2,2]]",
         "node:InsideGroup:AllReduce; node:InsideGroup:AllReduce"},
        1);
    row({"check", "gcp-a100:4", "--axes", "8,2,4", "--reduce", "0,2", "--matrix", "[[1,8],[2,1],[2,2]]",
         "node:InsideGroup:ReduceScatter"},
        1);
    row({"lesson", "list"});
    row({"lesson", "check", m_folder.filePath("lesson.json")}, 1);
    row({"lesson", "--read-codes", m_folder.filePath("codes.txt")}, 1);
    row({"import", "--list"});
    row({"import", m_folder.filePath("nccl.log")});
    QTest::newRow("train --measured") << QStringList{"train",       "llama3-70b",
                                                     "dgx-h100:16", "--batch",
                                                     "256",         "--framework",
                                                     "megatron",    "--best",
                                                     "1",           "--too-large",
                                                     "--measured",  m_folder.filePath("run.log") + ":tp=8,pp=2"}
                                      << 0;
    QTest::newRow("atlas --training") << QStringList{"atlas", "--training"} << 0;
    row({"compare-run", m_folder.filePath("rank0.json")});
    row({"calibrate", "node:2@10GB/s gpu:4@100GB/s", m_folder.filePath("times.csv")});
    row({"calibrate", "dgx-h100:2", QStringLiteral(P2_TEST_DATA "/nccl/h100x8-cnode3-002-all_reduce.txt"), "--folds",
         "2"});
  }
  void everyKeyIsInTheManPage() {
    QFETCH(QStringList, command);
    QFETCH(int, status);
    const test::Answer answer = test::runP2(command + QStringList{"--json"});
    QVERIFY2(answer.status == status, qPrintable(answer.err));
    QSet<QString> keys;
    collect(QJsonDocument::fromJson(answer.out.toUtf8()).object(), keys);
    QVERIFY(!keys.isEmpty());
    m_seen += keys;
    m_answers[command] = answer.out;
    QStringList missing;
    for (const QString& key : keys) {
      // KEY_low and KEY_high are explained once for all.
      const QString base = QString(key).remove(QRegularExpression("_(low|high)$"));
      if (!m_words.contains(QRegularExpression("\\b" + base + "\\b"))) missing += key;
    }
    QVERIFY2(missing.isEmpty(), qPrintable("not in p2(1): " + missing.join(", ")));
  }

  // The schema of an answer comes from the same rows as its JSON and the manual, and knows no other key.
  void everyAnswerFitsItsSchema_data() { everyKeyIsInTheManPage_data(); }
  void everyAnswerFitsItsSchema() {
    QFETCH(QStringList, command);
    QFETCH(int, status);
    const test::Answer answer = test::runP2(command + QStringList{"--schema"});
    QVERIFY2(answer.status == status, qPrintable(answer.err));
    const auto isAccepted = [&](const QString& json) {
      return test::schemaTextAccepts(answer.out.toStdString(), json.toStdString());
    };
    const QString json = m_answers.value(command);
    QVERIFY(!json.isEmpty());
    QVERIFY2(isAccepted(json), qPrintable(answer.out));
    const QJsonObject object = QJsonDocument::fromJson(json.toUtf8()).object();
    QJsonObject more = object;
    more["unheard_of"] = 1;
    QVERIFY(!isAccepted(QJsonDocument(more).toJson()));
    for (auto it = object.begin(); it != object.end(); ++it) {
      QJsonArray list = it->toArray();
      if (list.isEmpty() || !list[0].isObject()) continue;
      list[0] = QJsonObject{{"unheard_of", 1}};
      more = object;
      more[it.key()] = list;
      QVERIFY2(!isAccepted(QJsonDocument(more).toJson()), qPrintable(it.key()));
    }
    QMultiHash<QString, QString> descriptions;
    collectDescriptions(QJsonDocument::fromJson(answer.out.toUtf8()).object(), descriptions);
    for (const auto& [key, help] : describedFor(command.front())) {
      if (descriptions.values(key).contains(help)) m_described += key + ' ' + help;
    }
  }

  // Each row of the manual is the description of that key in the schema of some answer.
  void everyRowDescribesAKeyOfASchema() {
    int count = 0;
    for (const QString& command : QStringList{"simulate", "check", "sweep", "step", "train", "strategy", "run", "atlas",
                                              "calibrate", "compare", "what-if", "lesson", "import", "workload"}) {
      for (const auto& [key, help] : describedFor(command)) {
        ++count;
        QVERIFY2(m_described.contains(key + ' ' + help), qPrintable(command + ": " + key + ' ' + help));
      }
    }
    QVERIFY(count > 120);
  }

  // Another question has the same keys and types.
  void aSchemaIsNotOfOneAnswerAlone_data() {
    QTest::addColumn<QStringList>("asked");
    QTest::addColumn<QStringList>("other");
    const auto row = [](const char* asked, const char* other) {
      QTest::newRow(asked) << QString(asked).split(' ') << QString(other).split(' ');
    };
    row("simulate gcp-a100:4 --model nccl --limit 2 --axes 8,2,4 --reduce 0,2",
        "simulate dgx-h100:2 --axes 16 --reduce 0 --limit 2");
    row("train llama3-8b dgx-h100:1 --batch 64 --best 2", "train mixtral-8x7b dgx-h100:4 --batch 256 --best 3");
    row("strategy transformer --model hierarchical --system gcp-a100:1",
        "strategy mlp --model hierarchical --system dgx-h100:1");
    row("sweep dgx-h100:4 --axes 8,4 --reduce 0 --bytes 1MB..1GB",
        "sweep gcp-a100:4 --axes 8,8 --reduce 0 --bytes 1MB..1GB");
    row("atlas dgx-a100", "atlas dgx-h100");
    row("compare dgx-h100:2 dgx-h200:2 --train llama3-8b --batch 64",
        "compare dgx-a100:2 dgx-h100:2 --train llama2-13b --batch 64");
  }
  void aSchemaIsNotOfOneAnswerAlone() {
    QFETCH(QStringList, asked);
    QFETCH(QStringList, other);
    const test::Answer schema = test::runP2(asked + QStringList{"--schema"});
    const test::Answer answer = test::runP2(other + QStringList{"--json"});
    QVERIFY2(schema.status == 0 && answer.status == 0, qPrintable(schema.err + answer.err));
    QVERIFY2(test::schemaTextAccepts(schema.out.toStdString(), answer.out.toStdString()), qPrintable(schema.out));
  }

  // The section JSON describes no key that no answer has; it runs after the answers above.
  void everyDescribedKeyIsInAnAnswer() {
    const QString section = m_page.section("\n.SH JSON\n", 1).section("\n.SH ", 0, 0);
    static const QRegularExpression kHead("\\.TP\n\\\\fB([a-z0-9_]+)\\\\fR\n");
    QStringList unknown;
    int count = 0;
    for (auto head = kHead.globalMatch(section); head.hasNext(); ++count) {
      const QString key = head.next().captured(1);
      if (!m_seen.contains(key)) unknown += key;
    }
    QCOMPARE(count, section.count(".TP\n"));
    QVERIFY(count > 80);
    QVERIFY2(unknown.isEmpty(), qPrintable("in no answer: " + unknown.join(", ")));
  }

 private:
  /// The rows of a command in the section JSON: key and description.
  [[nodiscard]] QList<std::pair<QString, QString>> describedFor(const QString& command) const {
    QList<std::pair<QString, QString>> rows;
    const QString section = m_page.section("\n.SH JSON\n", 1).section("\n.SH ", 0, 0);
    for (const QString& part : section.split(".SS Of ").mid(1)) {
      if (!part.section('\n', 0, 0).split(", ").contains(command)) continue;
      static const QRegularExpression kRow("\\.TP\n\\\\fB([a-z0-9_]+)\\\\fR\n(.*)\\.\n");
      for (auto row = kRow.globalMatch(part); row.hasNext();) {
        const auto match = row.next();
        rows.append({match.captured(1), match.captured(2)});
      }
    }
    return rows;
  }

  QTemporaryDir m_folder;
  QString m_page;   ///< p2(1)
  QString m_words;  ///< the same without changes of the font
  QSet<QString> m_seen;
  QHash<QStringList, QString> m_answers;  ///< of the commands above, in JSON
  QSet<QString> m_described;              ///< rows of the manual that a schema has: key and description
};

QTEST_APPLESS_MAIN(TestAnswerKeys)
#include "tst_answer_keys.moc"
