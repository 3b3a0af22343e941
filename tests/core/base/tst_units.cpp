// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "base/units.h"
#include "support/fixtures.h"

using namespace p2;

class TestUnits : public QObject {
  Q_OBJECT

  static void spellings(const std::vector<std::tuple<const char*, const char*, double>>& rows) {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");  // NaN: an error
    for (const auto& [name, text, value] : rows) QTest::newRow(name) << QString::fromUtf8(text) << value;
  }
  template <class Quantity>
  static void compare(const Result<Quantity>& parsed, const QString& text, double value) {
    QCOMPARE(parsed.ok(), !std::isnan(value));
    if (parsed.ok()) {
      QVERIFY(*parsed == Quantity(value));
    } else {
      QVERIFY2(QString::fromStdString(parsed.error().message).contains(text), "the sentence names what was written");
    }
  }

 private slots:
  void bandwidths_data() {
    spellings({{"bytes", "270GB/s", 270e9},
               {"blank", "270 GB/s", 270e9},
               {"bits", "100Gbit/s", 12.5e9},
               {"bps", "100Gbps", 12.5e9},
               {"plain", "8e9", 8e9},
               {"slow and said so", "50B/s", 50},
               {"no unit", "50", NAN},
               {"short", "32GB", 32e9},
               {"binary", "1GiB/s", 1073741824},
               {"zero", "0GB/s", NAN},
               {"negative", "-3GB/s", NAN},
               {"infinite", "infGB/s", NAN},
               {"word", "fast", NAN},
               {"unit", "5 furlongs", NAN},
               {"nan", "nan", NAN},
               {"overflow", "1e308TB/s", NAN},
               {"more than any", "1e308", NAN},
               {"the most", "1e18B/s", 1e18},
               {"beyond the most", "1.1e18B/s", NAN},
               {"less than a byte", "0.5B/s", NAN},
               {"empty", "", NAN}});
  }
  void bandwidths() {
    QFETCH(QString, text);
    QFETCH(double, value);
    compare(parseBandwidth(text.toStdString()), text, value);
  }

  void times_data() {
    spellings({{"us", "2us", 2e-6},
               {"micro", "2 µs", 2e-6},
               {"ms", "1.5ms", 1.5e-3},
               {"zero", "0", 0.0},
               {"ns", "750ns", 750e-9},
               {"negative", "-1us", NAN},
               {"the longest", "1e9s", 1e9},
               {"longer", "1e308", NAN},
               {"unit", "3 days", NAN},
               {"empty", "", NAN}});
  }
  void times() {
    QFETCH(QString, text);
    QFETCH(double, value);
    compare(parseSeconds(text.toStdString()), text, value);
  }

  void sizes_data() {
    spellings({{"plain", "2147483648", 2147483648.0},
               {"binary", "2GiB", 2147483648.0},
               {"decimal", "512MB", 512e6},
               {"zero", "0", NAN},
               {"negative", "-4kB", NAN},
               {"more than any", "1e308", NAN},
               {"overflow", "1e308TB", NAN},
               {"word", "many", NAN}});
  }
  void sizes() {
    QFETCH(QString, text);
    QFETCH(double, value);
    compare(parseBytes(text.toStdString()), text, value);
  }

  void speeds_data() {
    spellings({{"plain", "1e13", 1e13},
               {"tera", "989TFLOP/s", 989e12},
               {"spoken", "67 TFLOPS", 67e12},
               {"peta", "2.25 PFLOP/s", 2.25e15},
               {"no unit", "989", NAN},
               {"bytes", "10GB", NAN},
               {"zero", "0", NAN},
               {"negative", "-1TFLOP/s", NAN},
               {"more than any", "1e308", NAN},
               {"the most", "1EFLOP/s", 1e18},
               {"word", "fast", NAN},
               {"empty", "", NAN}});
  }
  void speeds() {
    QFETCH(QString, text);
    QFETCH(double, value);
    compare(parseFlops(text.toStdString()), text, value);
  }

  // What is typed says exactly the value.
  void typedTextsReadBack() {
    for (const double value : {989e12, 66.9e12, 1.0 / 3 * 1e13, 80e9, 12.0}) {
      QCOMPARE(test::valueOf(parseFlops(typedFlops(value))), value);
      QCOMPARE(test::valueOf(parseBytes(typedBytes(Bytes(value)))), Bytes(value));
    }
    QCOMPARE(typedFlops(989e12), std::string("989TFLOP/s"));
    QCOMPARE(typedFlops(6.69e13), std::string("66.9TFLOP/s"));
    QCOMPARE(typedFlops(1.979e15), std::string("1.979PFLOP/s"));
    QCOMPARE(typedSeconds(3.8e-6), std::string("3.8µs"));
    QCOMPARE(typedSeconds(0.6e-6), std::string("0.6µs"));
    QCOMPARE(typedSeconds(1.0 / 3), std::string("333.3333333333333ms"));
    QCOMPARE(test::valueOf(parseBandwidth(typedBandwidth(12.5e9 / 3))), 12.5e9 / 3);
    QCOMPARE(typedBytes(Bytes(80e9)), std::string("80GB"));
  }

  void formats() {
    QCOMPARE(formatFlops(989e12), std::string("989 TFLOP/s"));
    QCOMPARE(formatSeconds(2.8312), std::string("2.83 s"));
    QCOMPARE(formatSeconds(0.0124), std::string("12.4 ms"));
    QCOMPARE(formatSeconds(3.1e-6), std::string("3.10 µs"));
    QCOMPARE(formatSeconds(0.9999), std::string("1.00 s"));
    QCOMPARE(formatSeconds(0), std::string("0 s"));
    QCOMPARE(formatSeconds(3.2e-9), std::string("3.20 ns"));
    QCOMPARE(formatSeconds(0.2e-9), std::string("0.20 ns"));
    QCOMPARE(formatSeconds(50e-9), std::string("0.05 µs"));
    QCOMPARE(formatBytes(Bytes(134217728)), std::string("134 MB"));
    QCOMPARE(formatBytes(Bytes(2147483648.0)), std::string("2.15 GB"));
    QCOMPARE(formatBytes(Bytes(12)), std::string("12 B"));
    QCOMPARE(formatBandwidth(270e9), std::string("270 GB/s"));
    QCOMPARE(formatFactor(1.839), std::string("1.84×"));
  }

  void writesShares() {
    QCOMPARE(formatPercent(0), std::string("0 %"));
    QCOMPARE(formatPercent(0.0004), std::string("< 0.1 %"));
    QCOMPARE(formatPercent(0.0724), std::string("7.2 %"));
    QCOMPARE(formatPercent(0.0996), std::string("10 %"));
    QCOMPARE(formatPercent(-0.124), std::string("−12 %"));
    QCOMPARE(formatPercent(12.5), std::string("1250 %"));
    QCOMPARE(formatPercent(0.994), std::string("99 %"));
    QCOMPARE(formatPercent(0.999), std::string("99.9 %"));
    QCOMPARE(formatPercent(0.99999), std::string("99.9 %"));
    QCOMPARE(formatPercent(-0.9996), std::string("−99.9 %"));
    QCOMPARE(formatPercent(1), std::string("100 %"));
    QCOMPARE(formatSignedPercent(0.0001), std::string("0 %"));
    QCOMPARE(formatSignedPercent(0.0009), std::string("0 %"));
    QCOMPARE(formatSignedPercent(-0.001), std::string("−0.1 %"));
    QCOMPARE(formatSignedPercent(0.031), std::string("+3.1 %"));
    QCOMPARE(formatSignedPercent(-0.5), std::string("−50 %"));
  }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
