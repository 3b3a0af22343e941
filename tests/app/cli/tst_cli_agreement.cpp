// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <random>

#include "support/filled.h"
#include "tests/app/cli/run_p2.h"

using namespace p2;

namespace {

/// Shapes with several placements that every command answers at once.
struct Shape {
  const char* system;
  std::vector<int> axes;
  std::vector<int> reduce;
};

const std::array<Shape, 14> kShapes{{{"gcp-a100:4", {16, 4}, {0, 1}},
                                     {"gcp-a100:2", {8, 4}, {0}},
                                     {"snellius-h100:4", {8, 2}, {0}},
                                     {"polaris:4", {16}, {0}},
                                     {"polaris:2", {2, 4}, {1}},
                                     {"abci-v100:2", {4, 2}, {0}},
                                     {"dgx-h100:4", {8, 4}, {0}},
                                     {"dgx-a100:2", {4, 4}, {1}},
                                     {"mi300x:2", {8, 2}, {0}},
                                     {"gcp-v100:2", {4, 2, 2}, {0, 2}},
                                     {"alps-gh200:4", {4, 4}, {1}},
                                     {"rack:2@10GB/s,8us node:2@50GB/s,5us gpu:4@300GB/s,1us", {4, 4}, {0, 1}},
                                     {"node:3@8GB/s,20us gpu:4@200GB/s", {6, 2}, {0}},
                                     {"rtx4090-pcie:2", {4, 4}, {0}}}};

QString axesText(const Shape& shape) {
  QStringList axes;
  for (std::size_t i = 0; i < shape.axes.size(); ++i) axes << QString("a%1=%2").arg(i).arg(shape.axes[i]);
  return axes.join(',');
}

QStringList reducedNames(const Shape& shape) {
  QStringList names;
  for (const int axis : shape.reduce) names << QString("a%1").arg(axis);
  return names;
}

/// A step that has this one collective.
QByteArray workloadOf(const Shape& shape, qint64 bytes) {
  QJsonObject axes;
  for (std::size_t i = 0; i < shape.axes.size(); ++i) axes[QString("a%1").arg(i)] = shape.axes[i];
  const QJsonObject sum{{"name", "sum"},
                        {"axes", QJsonArray::fromStringList(reducedNames(shape))},
                        {"kind", "AllReduce"},
                        {"bytes", bytes}};
  return QJsonDocument(QJsonObject{{"format", "p2-workload"},
                                   {"version", 1},
                                   {"name", "one"},
                                   {"axes", axes},
                                   {"collectives", QJsonArray{sum}}})
      .toJson();
}

QString programText(const QJsonArray& steps) {
  QStringList text;
  for (const QJsonValue& step : steps) {
    text << step.toObject()["slice"].toString() + ':' + step.toObject()["form"].toString() + ':' +
                step.toObject()["collective"].toString();
  }
  return text.join("; ");
}

bool isNear(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

/// What a command names as the best.
struct Best {
  QJsonArray matrix;
  QString program;
  double seconds = 0;
};

/// The one placement with a program in an answer of programs or simulate.
Best onlyProgramIn(const QJsonObject& answer) {
  Best best;
  for (const QJsonValue& each : answer["placements"].toArray()) {
    const QJsonArray programs = each.toObject()["programs"].toArray();
    if (programs.isEmpty()) continue;
    best = {each.toObject()["matrix"].toArray(), programText(programs[0].toObject()["steps"].toArray()),
            programs[0].toObject()["seconds"].toDouble()};
  }
  return best;
}

}  // namespace

class TestCliAgreement : public QObject {
  Q_OBJECT

  /// Answers of several commands that run at the same time.
  static std::vector<QJsonObject> answersOf(const std::vector<QStringList>& commands) {
    std::vector<std::unique_ptr<QProcess>> running;
    for (const QStringList& command : commands) {
      running.push_back(std::make_unique<QProcess>());
      running.back()->start(test::p2Program(), command);
    }
    std::vector<QJsonObject> answers;
    for (const auto& each : running) {
      const bool ended = each->waitForFinished(120'000) && each->exitStatus() == QProcess::NormalExit;
      answers.push_back(ended && each->exitCode() == 0 ? QJsonDocument::fromJson(each->readAllStandardOutput()).object()
                                                       : QJsonObject());
    }
    return answers;
  }

 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  // simulate, sweep, plan and step with one collective name the same placement, program and time, for 300 random
  // questions that are asked of the program itself.
  void commandsAgree() {
    std::mt19937 random(300);
    std::uniform_real_distribution<double> exponent(2.5, 10);
    int several = 0;
    int placements = 0;
    int alone = 0;
    for (int question = 0; question < 300; ++question) {
      const Shape& shape = kShapes[random() % kShapes.size()];
      const auto bytes = qint64(std::pow(10, exponent(random)));
      const QString path = m_folder.filePath("workload.json");
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(workloadOf(shape, bytes));
      file.close();
      const QStringList model{"--model", question % 2 == 0 ? "nccl" : "paper", "--algorithm",
                              question % 3 == 0 ? "ring" : "auto"};
      const QStringList asked =
          QStringList{shape.system, "--axes", axesText(shape), "--reduce", reducedNames(shape).join(',')} + model;
      const QStringList size{"--bytes", QString::number(bytes), "--repeat", "1"};
      const QString name = asked.join(' ') + ' ' + size.join(' ');
      const auto answers =
          answersOf({QStringList{"simulate"} + asked + size + QStringList{"--best", "1", "--json"},
                     QStringList{"sweep"} + asked +
                         QStringList{"--sizes", QString("%1..%2").arg(bytes).arg(2 * bytes), "--points", "2", "--json"},
                     QStringList{"plan"} + asked + size + QStringList{"--program", "1"},
                     QStringList{"step", shape.system, "--workload", path, "--json"} + model});
      for (const QJsonObject& each : test::filled(answers)) QVERIFY2(!each.isEmpty(), qPrintable(name));
      const Best best = onlyProgramIn(answers[0]);
      QVERIFY2(best.seconds > 0, qPrintable(name));
      several += best.program.contains(';');
      const QJsonObject swept = answers[1]["points"].toArray()[0].toObject()["best"].toObject();
      QCOMPARE(swept["matrix"].toArray(), best.matrix);
      QCOMPARE(swept["program"].toString(), best.program);
      QVERIFY2(isNear(swept["seconds"].toDouble(), best.seconds), qPrintable(name));
      const QJsonObject plan = answers[2];
      QCOMPARE(plan["matrix"].toArray(), best.matrix);
      QCOMPARE(plan["program"].toString(), best.program);
      QVERIFY2(isNear(plan["predicted"].toObject()["seconds"].toDouble(), best.seconds), qPrintable(name));
      const QJsonArray ranked = answers[3]["placements"].toArray();
      placements += int(ranked.size());
      QVERIFY2(isNear(ranked[0].toObject()["step_seconds"].toDouble(), best.seconds), qPrintable(name));
      const bool isAlone = ranked.size() == 1 || !isNear(ranked[1].toObject()["step_seconds"].toDouble(), best.seconds);
      alone += int(isAlone);
      QVERIFY2(!isAlone || ranked[0].toObject()["matrix"].toArray() == best.matrix, qPrintable(name));
    }
    QVERIFY2(several > 20 && placements > 600 && alone > 100,
             qPrintable(QString("%1, %2, %3").arg(several).arg(placements).arg(alone)));
  }

  // programs has no options for bytes and model: with the defaults of simulate it lists the same first.
  void programsAgreeWithSimulate() {
    for (const Shape& shape : kShapes) {
      const QStringList asked{shape.system, "--axes", axesText(shape), "--reduce", reducedNames(shape).join(','),
                              "--best",     "1",      "--json"};
      const auto answers = answersOf({QStringList{"simulate"} + asked, QStringList{"programs"} + asked});
      const Best one = onlyProgramIn(answers[0]);
      const Best other = onlyProgramIn(answers[1]);
      QVERIFY2(one.seconds > 0, qPrintable(asked.join(' ')));
      QCOMPARE(other.matrix, one.matrix);
      QCOMPARE(other.program, one.program);
      QVERIFY2(isNear(other.seconds, one.seconds), qPrintable(asked.join(' ')));
    }
  }

 private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliAgreement)
#include "tst_cli_agreement.moc"
