// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFontMetricsF>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <cmath>

#include "support/warnings.h"
#include "views/common/category_stroke.h"
#include "views/common/pass_color.h"
#include "views/common/theme.h"

using namespace p2::views;

namespace {

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// WCAG 2: 1 … 21.
double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace

class TestTheme : public QObject {
  Q_OBJECT

 private slots:
  void init() { test::failOnWarnings(); }
  void cleanup() { Theme::apply(Theme::Scheme::Light); }

  void schemes_data() {
    QTest::addColumn<int>("scheme");
    QTest::newRow("light") << int(Theme::Scheme::Light);
    QTest::newRow("dark") << int(Theme::Scheme::Dark);
  }

  void textIsReadable_data() { schemes_data(); }
  void textIsReadable() {
    QFETCH(int, scheme);
    Theme::apply(Theme::Scheme(scheme));
    QCOMPARE(Theme::isDark(), scheme == int(Theme::Scheme::Dark));
    const QList<QPair<const char*, QColor>> inks{{"text", Theme::text()},
                                                 {"mutedText", Theme::mutedText()},
                                                 {"accent", Theme::accent()},
                                                 {"good", Theme::good()},
                                                 {"bad", Theme::bad()}};
    QList<QPair<const char*, QColor>> papers{{"surface", Theme::surface()},
                                             {"window", Theme::window()},
                                             {"tint", Theme::tint()},
                                             {"box 0", Theme::box(0)},
                                             {"box 1", Theme::box(1)}};
    for (const auto& [ink, inkColor] : inks) {
      for (const auto& [paper, paperColor] : papers) readable(ink, inkColor, paper, paperColor, 4.5);
    }
    for (int depth = 0; depth < 5; ++depth) {
      readable("text", Theme::text(), "deep box", Theme::box(depth), 4.5);
      readable("mutedText", Theme::mutedText(), "deep box", Theme::box(depth), 4.5);
    }
    readable("onAccent", Theme::onAccent(), "accent", Theme::accent(), 4.5);
  }

  void widgetsAreReadable_data() { schemes_data(); }
  void widgetsAreReadable() {
    QFETCH(int, scheme);
    Theme::apply(Theme::Scheme(scheme));
    const QPalette palette = QApplication::palette();
    using Role = QPalette::ColorRole;
    for (const auto& [ink, paper] : QList<QPair<Role, Role>>{{QPalette::WindowText, QPalette::Window},
                                                             {QPalette::Text, QPalette::Base},
                                                             {QPalette::Text, QPalette::AlternateBase},
                                                             {QPalette::PlaceholderText, QPalette::Base},
                                                             {QPalette::ButtonText, QPalette::Button},
                                                             {QPalette::HighlightedText, QPalette::Highlight},
                                                             {QPalette::ToolTipText, QPalette::ToolTipBase},
                                                             {QPalette::Link, QPalette::Base}}) {
      for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        readable("role", palette.color(group, ink), "role", palette.color(group, paper), 4.5);
      }
    }
  }

  void categoriesAreReadableAndDistinct_data() { schemes_data(); }
  void categoriesAreReadableAndDistinct() {
    QFETCH(int, scheme);
    Theme::apply(Theme::Scheme(scheme));
    for (int i = 0; i < 8; ++i) {
      readable("onCategory", Theme::onCategory(i), "category", Theme::category(i), 4.5);
      for (int j = 0; j < i; ++j) QVERIFY(Theme::category(i) != Theme::category(j));
      QCOMPARE(Theme::category(i + 8), Theme::category(i));
      QVERIFY(Theme::categoryPattern(i) != Theme::categoryPattern(i + 8));
    }
  }

  void passesAreReadableAndDistinct_data() { schemes_data(); }
  void passesAreReadableAndDistinct() {
    QFETCH(int, scheme);
    Theme::apply(Theme::Scheme(scheme));
    for (int i = 0; i < 4; ++i) {
      readable("text", Theme::text(), "pass", passColor(i), 4.5);
      for (int j = 0; j < i; ++j) {
        const int turn = std::abs(passColor(i).hslHue() - passColor(j).hslHue());
        QVERIFY2(std::min(turn, 360 - turn) >= 30, qPrintable(passColor(i).name()));
      }
      for (int category = 0; category < 8; ++category) QVERIFY(passColor(i) != Theme::category(category));
    }
  }

  void linesAndMarksStandOut_data() { schemes_data(); }
  void linesAndMarksStandOut() {
    QFETCH(int, scheme);
    Theme::apply(Theme::Scheme(scheme));
    QList<QPair<const char*, QColor>> graphics{
        {"accent", Theme::accent()}, {"good", Theme::good()}, {"bad", Theme::bad()}, {"mutedText", Theme::mutedText()}};
    for (int i = 0; i < 8; ++i) graphics.append({"stroke", categoryStroke(i)});
    for (const auto& [name, color] : graphics) {
      readable(name, color, "surface", Theme::surface(), 3);
      readable(name, color, "window", Theme::window(), 3);
      readable(name, color, "box 0", Theme::box(0), 3);
    }
    // What has the keyboard, and what is switched on, is framed or filled with the accent.
    for (int depth = 0; depth < 5; ++depth) readable("accent", Theme::accent(), "box", Theme::box(depth), 3);
    readable("accent", Theme::accent(), "tint", Theme::tint(), 3);
    readable("edge", fieldEdge(), "surface", Theme::surface(), 3);
    readable("edge", fieldEdge(), "window", Theme::window(), 3);
    // Nobody takes a line for that of another category.
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < i; ++j) QVERIFY(categoryStroke(i) != categoryStroke(j));
      const int turn = std::abs(categoryStroke(i).hslHue() - Theme::category(i).hslHue());
      QVERIFY2(std::min(turn, 360 - turn) <= 8, qPrintable(categoryStroke(i).name()));
    }
  }

  void fieldsAreFramed_data() { schemes_data(); }
  void fieldsAreFramed() {
    QFETCH(int, scheme);
    Theme::apply(Theme::Scheme(scheme));
    QLineEdit line;
    QComboBox combo;
    QSpinBox spin;
    QPushButton button("Go");
    for (QWidget* field : std::initializer_list<QWidget*>{&line, &combo, &spin, &button}) {
      field->resize(160, 40);
      const QImage drawn = field->grab().toImage();
      readable(field->metaObject()->className(), drawn.pixelColor(0, 20), "surface", Theme::surface(), 3);
    }
  }

  void letters_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("letters");
    QTest::newRow("first") << 0 << "A";
    QTest::newRow("last of one") << 25 << "Z";
    QTest::newRow("first of two") << 26 << "AA";
    QTest::newRow("last of two") << 701 << "ZZ";
    QTest::newRow("first of three") << 702 << "AAA";
  }
  void letters() {
    QFETCH(int, index);
    QFETCH(QString, letters);
    QCOMPARE(Theme::categoryLetter(index), letters);
  }

  void loadsGrowLighterAndAreClamped() {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
      const double now = luminance(Theme::load(i / 100.0));
      QVERIFY(now > before);
      before = now;
    }
    QCOMPARE(Theme::load(-3), Theme::load(0));
    QCOMPARE(Theme::load(7), Theme::load(1));
    QCOMPARE(Theme::load(std::nan("")), Theme::load(0));
  }

  void figuresAlign() {
    const QFontMetricsF metrics(Theme::tabularFont());
    for (const QChar digit : QString("123456789")) {
      QCOMPARE(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(QChar('0')));
    }
  }

  void everyIconIsDrawnInTheSchemesColours_data() {
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(":/p2/icons").entryList({"*.svg"})) {
      if (file != "p2-explorer.svg") QTest::newRow(qPrintable(file)) << file.chopped(4);
    }
  }
  void everyIconIsDrawnInTheSchemesColours() {
    QFETCH(QString, name);
    Theme::apply(Theme::Scheme::Light);
    const QIcon icon = Theme::icon(name);
    const QColor light = inkOf(icon, QIcon::Off);
    QCOMPARE(light, Theme::text());
    QCOMPARE(inkOf(icon, QIcon::On), Theme::accent());
    Theme::apply(Theme::Scheme::Dark);
    QCOMPARE(inkOf(icon, QIcon::Off), Theme::text());
  }

  // Arrows, ticks and the window's icon: Qt leaves out without a word what it cannot read.
  void picturesOfControlsCanBeRead() {
    const QRegularExpression picture(R"(url\(([^)]+)\))");
    for (const Theme::Scheme scheme : {Theme::Scheme::Light, Theme::Scheme::Dark}) {
      Theme::apply(scheme);
      QStringList files{":/p2/icons/p2-explorer.svg"};
      const QString rules = qApp->styleSheet();
      for (const QRegularExpressionMatch& match : picture.globalMatch(rules)) files << match.captured(1);
      QVERIFY(files.size() >= 4);
      for (const QString& file : files) {
        QVERIFY2(inkOf(QIcon(file), QIcon::Off).alpha() > 0,
                 qPrintable(file + " is not drawn; Qt needs its plugins for SVG (Debian's qt6-svg-plugins)"));
      }
    }
  }

  void theStyleSheetHasNoUnknownColours() {
    Theme::apply(Theme::Scheme::Dark);
    QString rules = qApp->styleSheet();
    rules.remove(QRegularExpression(R"(/\*.*?\*/)", QRegularExpression::DotMatchesEverythingOption));
    QVERIFY(!rules.isEmpty());
    QVERIFY2(!rules.contains('@'), qPrintable(rules.mid(rules.indexOf('@'), 40)));
  }

 private:
  static void readable(const char* ink, const QColor& inkColor, const char* paper, const QColor& paperColor,
                       double least) {
    const double found = contrast(inkColor, paperColor);
    const QString pair = QString("%1 %2 on %3 %4").arg(ink, inkColor.name(), paper, paperColor.name());
    QVERIFY2(found >= least, qPrintable(pair + ": " + QString::number(found)));
  }

  /// The colour of the most opaque pixel.
  static QColor inkOf(const QIcon& icon, QIcon::State state) {
    const QPixmap pixmap = icon.pixmap(QSize(64, 64), QIcon::Normal, state);
    const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
    QColor most(Qt::transparent);
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        const QColor pixel = image.pixelColor(x, y);
        if (pixel.alpha() > most.alpha()) most = pixel;
      }
    }
    return most;
  }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
