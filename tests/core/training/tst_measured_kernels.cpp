// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "support/fixtures.h"
#include "support/warnings.h"
#include "training/detail/kernels.h"

using namespace p2;

namespace {

/// A row of tests/gpu/kernels.py.
struct MeasuredKernel {
  QString kind;
  QString type;
  double a = 0;
  double b = 0;
  double c = 0;
  double flop = 0;
  double bytes = 0;
  double seconds = 0;
};

std::vector<MeasuredKernel> kernelsIn(const QString& file) {
  QFile csv(QStringLiteral(P2_TEST_DATA "/kernels/") + file);
  std::vector<MeasuredKernel> kernels;
  if (!csv.open(QIODevice::ReadOnly)) return kernels;
  for (const QString& line : QString::fromUtf8(csv.readAll()).split('\n', Qt::SkipEmptyParts)) {
    const QStringList cells = line.split(',');
    if (line.startsWith('#') || cells.size() != 10 || cells[0] == "kind") continue;
    kernels.push_back({cells[0], cells[1], cells[2].toDouble(), cells[3].toDouble(), cells[4].toDouble(),
                       cells[6].toDouble(), cells[7].toDouble(), cells[8].toDouble()});
  }
  return kernels;
}

/// Measured over modelled seconds of a group of kernels.
struct Ratios {
  std::vector<double> values;

  [[nodiscard]] double at(double share) const {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::size_t(share * double(sorted.size() - 1))];
  }
  /// Median of |ln ratio| around the median ratio: an error that no constant removes.
  [[nodiscard]] double spread() const {
    std::vector<double> distances;
    for (const double value : values) distances.push_back(std::abs(std::log(value / at(.5))));
    std::sort(distances.begin(), distances.end());
    return distances[distances.size() / 2];
  }
};

}  // namespace

/// The kernels of core/training against kernels that were timed one by one (tests/gpu/check), on a GPU whose constants
/// were fitted to training steps alone.
class TestMeasuredKernels : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void hopper_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("H100") << "h100.csv";
    QTest::newRow("H200") << "h200.csv";
  }

  void hopper() {
    QFETCH(const QString, file);
    const std::vector<MeasuredKernel> measured = kernelsIn(file);
    QVERIFY(measured.size() > 1000);
    const TrainingAccelerator accelerator = test::valueOf(trainingAcceleratorOf(QTest::currentDataTag()));
    std::map<QString, Ratios> groups;
    for (const MeasuredKernel& kernel : measured) {
      const double modelled = modelledSeconds(accelerator, kernel);
      if (modelled > 0) groups[groupOf(kernel)].values.push_back(kernel.seconds / modelled);
    }
    for (const auto& [name, ratios] : groups) {
      std::printf("%s %-28s %4zu rows, measured over modelled: median %.2f, 10 %% %.2f, 90 %% %.2f, spread %.2f\n",
                  QTest::currentDataTag(), qPrintable(name), ratios.values.size(), ratios.at(.5), ratios.at(.1),
                  ratios.at(.9), ratios.spread());
    }
    const auto isWithin = [&](const char* name, double low, double high, double spread) {
      const Ratios& ratios = groups.at(name);
      QVERIFY2(ratios.at(.5) > low && ratios.at(.5) < high && ratios.spread() < spread, name);
    };
    // Constants that no product was timed for: they come out of whole steps.
    isWithin("product bf16, from 0.1 TFLOP", .95, 1.1, .06);
    isWithin("product bf16, below 0.1 TFLOP", .95, 1.2, .1);
    isWithin("product fp8, from 0.1 TFLOP", .85, 1.05, .06);
    isWithin("product fp8, below 0.1 TFLOP", 1, 1.3, .2);
    isWithin("passes, long", .9, 1.3, .25);
    // The constant of steps includes what surrounds attention in a layer; kernels of Hopper alone are faster.
    isWithin("attention cudnn, long", .65, .9, .15);
    isWithin("attention_backward cudnn, long", .6, .85, .15);
    const StepConstants constants = constantsOf(accelerator, {});
    const double older = groups.at("attention flash, long").at(.5) / groups.at("attention cudnn, long").at(.5);
    QVERIFY(std::abs(std::log(older * constants[StepConstant::OlderAttention])) < .15);
  }

 private:
  static TrainingConfiguration configurationOf(const QString& type) {
    TrainingConfiguration configuration;
    configuration.precision = type == "fp8" ? ProductPrecision::Fp8 : ProductPrecision::Bf16;
    return configuration;
  }

  static StepConstants constantsOf(const TrainingAccelerator& accelerator, const TrainingConfiguration& configuration) {
    const TrainingConstants& all = trainingConstants();
    return {all, all.numbersFor(accelerator.generation, configuration)};
  }

  static QString groupOf(const MeasuredKernel& kernel) {
    if (kernel.kind == "product") {
      return "product " + kernel.type + (kernel.flop >= 1e11 ? ", from 0.1 TFLOP" : ", below 0.1 TFLOP");
    }
    if (kernel.kind.startsWith("attention"))
      return kernel.kind + " " + kernel.type + (kernel.a >= 4096 ? ", long" : ", short");
    return "passes, " + QString(kernel.bytes >= 5e8 ? "long" : "short");
  }

  /// 0 for kernels that the model has no counterpart of.
  static double modelledSeconds(const TrainingAccelerator& accelerator, const MeasuredKernel& kernel) {
    const TrainingConfiguration configuration = configurationOf(kernel.type);
    const StepConstants constants = constantsOf(accelerator, configuration);
    const Kernels kernels(accelerator, constants, configuration);
    if (kernel.kind == "product") return kernels.product({kernel.a, kernel.b, kernel.c});
    if (kernel.kind == "attention") return kernels.fusedAttention(kernel.flop, false);
    if (kernel.kind == "attention_backward") return kernels.fusedAttention(kernel.flop, true);
    return kernel.bytes > 0 ? kernels.passes(kernel.bytes) : 0;
  }
};

QTEST_APPLESS_MAIN(TestMeasuredKernels)
#include "tst_measured_kernels.moc"
