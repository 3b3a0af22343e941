// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "base/pasted_text.h"

using namespace p2;

namespace {

const QStringList kLines{"#       size         count      type   redop    root",
                         "     1048576        262144     float     sum      -1",
                         "     2097152        524288     float     sum      -1", "GPU0     X      NV18    PIX",
                         "GPU1    NV18     X      PIX"};

QString words(const QString& text) { return QString::fromStdString(pastedText(text.toStdString())).simplified(); }

}  // namespace

/// Lines as a program printed them, whatever carried them here.
class TestPastedText : public QObject {
  Q_OBJECT
 private slots:
  void dropsTheMarks_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("behind");
    const auto row = [](const char* name, const char* before, const char* behind = "") {
      QTest::newRow(name) << QString(before) << QString(behind);
    };
    row("nothing", "");
    row("Open MPI tags", "[1,0]<stdout>:");
    row("Open MPI time stamps", "Thu Jul 18 15:41:05 2024<stdout>:");
    row("Open MPI both", "Thu Jul 18 15:41:05 2024[1,0]<stdout>:");
    row("Open MPI 5 tags", "[prterun-a-1@1,0]<stdout>: ");
    row("a cloud's tags", "[1,mpirank:0,algo-1]<stdout>:");
    row("srun labels", "0: ");
    row("srun wide labels", " 12: ");
    row("kubectl time stamps", "2024-07-18T15:41:05.123456789Z ");
    row("kubectl prefix", "[pod/nccl-launcher-x7k2p/nccl] ");
    row("kubectl both", "[pod/nccl-launcher-x7k2p/nccl] 2024-07-18T15:41:05.123456789+02:00 ");
    row("a pod", "[nccl-test-0] ");
    row("stern", "nccl-launcher-x7k2p nccl ");
    row("docker compose", "worker-1  | ");
    row("pdsh", "node-3: ");
    row("torchrun", "[rank0]: ");
    row("torchrun default", "[default0]:");
    row("Ray", "(RayTrainWorker pid=1234, ip=10.0.0.1) ");
    row("MPICH", "[0] ");
    row("quotation", "> ");
    row("quotation of quotation", "> > ");
    row("escaped quotation", "&gt; ");
    row("syslog", "Jul  8 15:41:05 node-a ");
    row("a plain time", "2024/07/18 15:41:05 ");
    row("a bracketed time", "[2024-07-18 15:41:05,123] ");
    row("klog", "I0718 15:41:05.123456 4711 runner.cc:12] ");
    row("carriage returns", "", "\r");
    row("colours", "\x1b[32m", "\x1b[0m");
    row("hard blanks", "\xC2\xA0\xC2\xA0");
    row("Markdown table", "| ", " |");
  }
  void dropsTheMarks() {
    QFETCH(QString, before);
    QFETCH(QString, behind);
    QString text;
    for (const QString& line : kLines) text += before + line + behind + "\n";
    QCOMPARE(words(text), kLines.join(' ').simplified());
  }

  void readsTablesOfHtml() {
    QCOMPARE(words("<table><tr><th>GPU0</th><th>GPU1</th></tr>\n<tr><td>GPU0</td><td>&nbsp;X&nbsp;</td></tr></table>"),
             QString("GPU0 GPU1 GPU0 X"));
  }

  // What looks like a mark and is part of the text.
  void keepsTheText_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("addresses") << "0000:0d:00.0 ENABLED\n0000:d1:00.0 ENABLED\n0000:d2:00.0 ENABLED\n0000:d3:00.0 X\n";
    QTest::newRow("cards") << "mlx5_0 X PIX\nmlx5_1 PIX X\nmlx5_2 PIX PIX\nmlx5_3 PIX PIX\n";
    QTest::newRow("GPUs") << "GPU0 X\nGPU1 X\nGPU2 X\nGPU3 X\n";
    QTest::newRow("ROCm") << "GPU[0] : (Topology) Numa Node: 0\nGPU[1] : (Topology) Numa Node: 1\n";
    QTest::newRow("JSON") << "{\"a\": \"> b\"}\n";
    QTest::newRow("short") << "node-1 7\nnode-2 8\n";
  }
  void keepsTheText() {
    QFETCH(QString, text);
    QCOMPARE(words(text), text.simplified());
  }
};

QTEST_APPLESS_MAIN(TestPastedText)
#include "tst_pasted_text.moc"
