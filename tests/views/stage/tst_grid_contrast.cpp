// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "collective/device_state.h"
#include "support/fixtures.h"
#include "views/common/contributor_colors.h"
#include "views/common/theme.h"
#include "views/stage/grid_style.h"
#include "views/stage/state_image.h"

using namespace p2;
using namespace p2::views;

/// Whether a grid can be read: WCAG contrast, as all eyes and as those without red or green cones see it (Machado,
/// Oliveira and Fernandes, 2009, severity 1).
class TestGridContrast : public QObject {
  Q_OBJECT
 private slots:
  void heldAndNotHeldStandApart_data();
  void heldAndNotHeldStandApart();
  void contributorsAreToldApart_data() { heldAndNotHeldStandApart_data(); }
  void contributorsAreToldApart();
  void picturesUseTheseInks_data();
  void picturesUseTheseInks();
  void moreThanEightHaveASecondCue();
};

namespace {

using Rgb = std::array<double, 3>;
using Matrix = std::array<Rgb, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kDeuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kProtanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};

double linearOf(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Rgb seen(const QColor& color, const Matrix& eyes) {
  const Rgb light{linearOf(color.redF()), linearOf(color.greenF()), linearOf(color.blueF())};
  Rgb result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < 3; ++i) result[row] += eyes[row][i] * light[i];
    result[row] = std::clamp(result[row], 0.0, 1.0);
  }
  return result;
}

double luminanceOf(const Rgb& rgb) { return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]; }

double contrastOf(const Rgb& a, const Rgb& b) {
  const auto [low, high] = std::minmax({luminanceOf(a), luminanceOf(b)});
  return (high + 0.05) / (low + 0.05);
}

/// CIE 1976 difference.
double distanceOf(const Rgb& a, const Rgb& b) {
  const auto lab = [](const Rgb& rgb) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
    const double y = f(luminanceOf(rgb));
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
    return Rgb{116 * y - 16, 500 * (x - y), 200 * (y - z)};
  };
  const Rgb p = lab(a);
  const Rgb q = lab(b);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

const Matrix& eyesOf(const QString& name) {
  return name == "deuteranopia" ? kDeuteranopia : name == "protanopia" ? kProtanopia : kNormal;
}

}  // namespace

void TestGridContrast::heldAndNotHeldStandApart_data() {
  QTest::addColumn<int>("scheme");
  QTest::addColumn<QString>("eyes");
  for (const Theme::Scheme scheme : {Theme::Scheme::Light, Theme::Scheme::Dark}) {
    for (const QString& eyes : {QString("all cones"), QString("deuteranopia"), QString("protanopia")}) {
      const QString name = (scheme == Theme::Scheme::Light ? QString("light, ") : QString("dark, ")) + eyes;
      QTest::newRow(qPrintable(name)) << int(scheme) << eyes;
    }
  }
}

// A held row has a frame that a row that is not held lacks; a part that is there fills its bit.
void TestGridContrast::heldAndNotHeldStandApart() {
  QFETCH(int, scheme);
  QFETCH(QString, eyes);
  Theme::apply(Theme::Scheme(scheme));
  const GridInk ink = GridInk::current();
  const auto contrast = [&](const QColor& a, const QColor& b) {
    return contrastOf(seen(a, eyesOf(eyes)), seen(b, eyesOf(eyes)));
  };
  QStringList bits;
  double least = 99;
  for (int i = 0; i < kContributorColors; ++i) {
    const double onHeld = contrast(contributorColor(i), ink.missing);
    least = std::min(least, onHeld);
    bits.append(QString::number(onHeld, 'f', 2));
  }
  const double onGround = contrast(ink.frame, ink.ground);
  const double onMissing = contrast(ink.frame, ink.missing);
  qInfo("%s", qPrintable(QString("%1: frame/not held %2, frame/missing %3, bits/held %4")
                             .arg(QTest::currentDataTag())
                             .arg(onGround, 0, 'f', 2)
                             .arg(onMissing, 0, 'f', 2)
                             .arg(bits.join(' '))));
  QVERIFY(onGround >= 3);
  QVERIFY(onMissing >= 3);
  QVERIFY2(least >= 3, qPrintable(QString::number(least)));
}

void TestGridContrast::contributorsAreToldApart() {
  QFETCH(int, scheme);
  QFETCH(QString, eyes);
  Theme::apply(Theme::Scheme(scheme));
  double nearest = 999;
  for (int i = 0; i < kContributorColors; ++i) {
    for (int j = 0; j < i; ++j) {
      nearest = std::min(nearest,
                         distanceOf(seen(contributorColor(i), eyesOf(eyes)), seen(contributorColor(j), eyesOf(eyes))));
    }
  }
  QVERIFY2(nearest >= 25, qPrintable(QString::number(nearest)));
}

void TestGridContrast::picturesUseTheseInks_data() {
  QTest::addColumn<int>("scheme");
  QTest::newRow("light") << int(Theme::Scheme::Light);
  QTest::newRow("dark") << int(Theme::Scheme::Dark);
}

void TestGridContrast::picturesUseTheseInks() {
  QFETCH(int, scheme);
  Theme::apply(Theme::Scheme(scheme));
  const GridInk ink = GridInk::current();
  constexpr int kUnit = 20;
  const QImage image = stateImage(test::valueOf(DeviceState::fromText("..../1.1./1.1./....")), 4 * kUnit);
  const auto at = [&](int row, int column) {
    return image.pixelColor(column * kUnit + kUnit / 2, row * kUnit + kUnit / 4);
  };
  QCOMPARE(at(0, 0), ink.ground);
  QCOMPARE(at(1, 0), memberColor(0, 4));
  QCOMPARE(at(1, 2), memberColor(2, 4));
  QCOMPARE(at(1, 1), ink.missing);
  QCOMPARE(image.pixelColor(4 * kUnit - 1, kUnit + kUnit / 4), ink.frame);
  QCOMPARE(image.pixelColor(kUnit + 3, kUnit), ink.frame);
}

void TestGridContrast::moreThanEightHaveASecondCue() {
  for (const int members : {9, 16, 40, 64}) {
    for (int i = 0; i < members; ++i) {
      for (int j = 0; j < i; ++j) {
        QVERIFY(memberColor(i, members) != memberColor(j, members) ||
                memberPattern(i, members) != memberPattern(j, members));
      }
    }
  }
}

QTEST_MAIN(TestGridContrast)
#include "tst_grid_contrast.moc"
