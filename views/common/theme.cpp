// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QIconEngine>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QPalette>
#include <QString>
#include <QStyle>
#include <QSvgRenderer>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "views/common/category_stroke.h"
#include "views/common/pass_color.h"

namespace p2::views {
namespace {

/// Draws resources/icons/<name>.svg in the colours of the scheme that applies at the time of painting: icons made
/// before a change from light to dark stay legible after it.
class LineIconEngine : public QIconEngine {
 public:
  explicit LineIconEngine(QString name);

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
  [[nodiscard]] QIconEngine* clone() const override;

 private:
  QString m_name;
};

QColor inkFor(QIcon::Mode mode, QIcon::State state) {
  if (mode == QIcon::Disabled) return Theme::line();
  return state == QIcon::On ? Theme::accent() : Theme::text();
}

LineIconEngine::LineIconEngine(QString name) : m_name(std::move(name)) {}

void LineIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
  QFile file(":/p2/icons/" + m_name + ".svg");
  if (!file.open(QIODevice::ReadOnly)) return;
  // Qt's renderer does not know SVG's currentColor.
  QByteArray svg = file.readAll();
  svg.replace("currentColor", inkFor(mode, state).name().toLatin1());
  const int side = std::min(rect.width(), rect.height());
  const QPointF corner(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0);
  QSvgRenderer(svg).render(painter, QRectF(corner, QSizeF(side, side)));
}

QPixmap LineIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
  QPixmap pixmap(size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paint(&painter, QRect(QPoint(0, 0), size), mode, state);
  return pixmap;
}

QIconEngine* LineIconEngine::clone() const { return new LineIconEngine(m_name); }

// The application's palette and font belong to the GUI thread.
thread_local std::optional<Theme::Look> t_look;

QColor colorAt(const QJsonValue& value) { return QColor(value.toString()); }

struct SchemeColors {
  QColor window, surface, line, edge, text, mutedText, accent, onAccent, tint, good, bad;
  QVector<QColor> boxes, passes, strokes;

  static SchemeColors from(const QJsonObject& o) {
    SchemeColors colors{colorAt(o["window"]),
                        colorAt(o["surface"]),
                        colorAt(o["line"]),
                        colorAt(o["edge"]),
                        colorAt(o["text"]),
                        colorAt(o["mutedText"]),
                        colorAt(o["accent"]),
                        colorAt(o["onAccent"]),
                        colorAt(o["tint"]),
                        colorAt(o["good"]),
                        colorAt(o["bad"]),
                        {},
                        {},
                        {}};
    const QJsonArray boxes = o["boxes"].toArray();
    for (const auto& value : boxes) colors.boxes.append(colorAt(value));
    const QJsonArray passes = o["passes"].toArray();
    for (const auto& value : passes) colors.passes.append(colorAt(value));
    const QJsonArray strokes = o["strokes"].toArray();
    for (const auto& value : strokes) colors.strokes.append(colorAt(value));
    return colors;
  }
};

struct Palette {
  SchemeColors light, dark;
  QVector<QColor> categories, onCategories, loads;

  static Palette read() {
    QFile file(":/p2/palette.json");
    if (!file.open(QIODevice::ReadOnly)) qFatal("the palette is not compiled in");
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    Palette palette;
    palette.light = SchemeColors::from(root["light"].toObject());
    palette.dark = SchemeColors::from(root["dark"].toObject());
    const QJsonArray categories = root["categories"].toArray();
    for (const auto& value : categories) {
      palette.categories.append(colorAt(value.toObject()["fill"]));
      palette.onCategories.append(colorAt(value.toObject()["text"]));
    }
    const QJsonArray loads = root["loads"].toArray();
    for (const auto& value : loads) palette.loads.append(colorAt(value));
    return palette;
  }
};

const Palette& palette() {
  static const Palette kPalette = Palette::read();
  return kPalette;
}

const SchemeColors& colors() { return Theme::isDark() ? palette().dark : palette().light; }

bool systemIsDark() {
  // Without an own palette the application shows the platform's.
  QApplication::setPalette(QPalette());
  return Theme::isDark();
}

QPalette widgetPalette(const SchemeColors& c) {
  QPalette result;
  const auto set = [&result](QPalette::ColorRole role, const QColor& normal, const QColor& disabled) {
    result.setColor(QPalette::Active, role, normal);
    result.setColor(QPalette::Inactive, role, normal);
    result.setColor(QPalette::Disabled, role, disabled);
  };
  set(QPalette::Window, c.window, c.window);
  set(QPalette::WindowText, c.text, c.mutedText);
  set(QPalette::Base, c.surface, c.window);
  set(QPalette::AlternateBase, c.boxes.first(), c.boxes.first());
  set(QPalette::Text, c.text, c.mutedText);
  set(QPalette::PlaceholderText, c.mutedText, c.mutedText);
  set(QPalette::Button, c.boxes.first(), c.boxes.first());
  set(QPalette::ButtonText, c.text, c.mutedText);
  set(QPalette::BrightText, c.bad, c.bad);
  set(QPalette::Highlight, c.accent, c.line);
  set(QPalette::HighlightedText, c.onAccent, c.text);
  set(QPalette::Link, c.accent, c.mutedText);
  set(QPalette::LinkVisited, c.accent, c.mutedText);
  set(QPalette::ToolTipBase, c.surface, c.surface);
  set(QPalette::ToolTipText, c.text, c.text);
  set(QPalette::Light, c.surface, c.surface);
  set(QPalette::Midlight, c.boxes[1], c.boxes[1]);
  set(QPalette::Mid, c.line, c.line);
  set(QPalette::Dark, c.line, c.line);
  set(QPalette::Shadow, c.line, c.line);
  return result;
}

QString styleSheet(const SchemeColors& c, bool dark) {
  QFile file(":/p2/style.qss");
  if (!file.open(QIODevice::ReadOnly)) qFatal("the style sheet is not compiled in");
  QString sheet = QString::fromUtf8(file.readAll());
  const std::array<std::pair<const char*, QColor>, 13> tokens{{{"@window", c.window},
                                                               {"@surface", c.surface},
                                                               {"@box0", c.boxes[0]},
                                                               {"@box1", c.boxes[1]},
                                                               {"@line", c.line},
                                                               {"@edge", c.edge},
                                                               {"@text", c.text},
                                                               {"@muted", c.mutedText},
                                                               {"@accent", c.accent},
                                                               {"@onAccent", c.onAccent},
                                                               {"@tint", c.tint},
                                                               {"@good", c.good},
                                                               {"@bad", c.bad}}};
  for (const auto& [token, color] : tokens) sheet.replace(QLatin1String(token), color.name());
  sheet.replace("@check", dark ? "check-dark" : "check-light");
  return sheet;
}

bool hasTabularDigits(const QFont& font) {
  const QFontMetricsF metrics(font);
  const QString digits = "0123456789";
  return std::all_of(digits.begin(), digits.end(), [&metrics](QChar digit) {
    return qFuzzyCompare(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(QChar('0')));
  });
}

}  // namespace

void Theme::apply(Scheme scheme) {
  const bool dark = scheme == Scheme::Dark || (scheme == Scheme::System && systemIsDark());
  const SchemeColors& chosen = dark ? palette().dark : palette().light;
  // A style sheet that takes the place of another works out every widget's palette many times over: replacing it takes
  // eight times as long as leaving it and setting the next.
  qApp->setStyleSheet({});
  QApplication::setPalette(widgetPalette(chosen));
  qApp->setStyleSheet(styleSheet(chosen, dark));
}

bool Theme::isDark() {
  if (t_look) return t_look->dark;
  const QPalette current = QApplication::palette();
  return current.color(QPalette::Window).lightnessF() < current.color(QPalette::WindowText).lightnessF();
}

void Theme::setTextZoom(int percent) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setPointSizeF(QFontInfo(font).pointSizeF() * percent / 100.0);
  // Widgets that a style sheet has polished would not notice the new font.
  const QString sheet = qApp->styleSheet();
  qApp->setStyleSheet({});
  QApplication::setFont(font);
  qApp->setStyleSheet(sheet);
}

QColor Theme::accent() { return colors().accent; }
QColor Theme::onAccent() { return colors().onAccent; }
QColor Theme::tint() { return colors().tint; }
QColor Theme::window() { return colors().window; }
QColor Theme::surface() { return colors().surface; }
QColor Theme::box(int depth) { return colors().boxes[std::clamp(depth, 0, int(colors().boxes.size()) - 1)]; }
QColor Theme::line() { return colors().line; }
QColor Theme::text() { return colors().text; }
QColor Theme::mutedText() { return colors().mutedText; }
QColor Theme::good() { return colors().good; }
QColor Theme::bad() { return colors().bad; }
QColor Theme::category(int i) { return palette().categories[i % palette().categories.size()]; }
QColor Theme::onCategory(int i) { return palette().onCategories[i % palette().onCategories.size()]; }

QColor categoryStroke(int i) { return colors().strokes[i % colors().strokes.size()]; }
QColor passColor(int i) { return colors().passes[i % colors().passes.size()]; }
QColor fieldEdge() { return colors().edge; }

QString Theme::categoryLetter(int i) {
  QString letters;
  for (int rest = i; rest >= 0; rest = rest / 26 - 1) letters.prepend(QChar('A' + rest % 26));
  return letters;
}

Qt::BrushStyle Theme::categoryPattern(int i) {
  static constexpr std::array kPatterns{Qt::SolidPattern, Qt::BDiagPattern, Qt::FDiagPattern, Qt::DiagCrossPattern,
                                        Qt::HorPattern,   Qt::VerPattern,   Qt::CrossPattern};
  return kPatterns[std::size_t(i / palette().categories.size()) % kPatterns.size()];
}

QColor Theme::load(double fraction) {
  const QVector<QColor>& stops = palette().loads;
  const double place = (std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0) * double(stops.size() - 1);
  const qsizetype left = std::min(qsizetype(place), stops.size() - 2);
  const double share = place - double(left);
  const auto mix = [share](int a, int b) { return int(std::lround(a + (b - a) * share)); };
  const QColor& a = stops[left];
  const QColor& b = stops[left + 1];
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

QFont Theme::tabularFont() {
  if (t_look) return t_look->font;
  const QFont font = QApplication::font();
  if (hasTabularDigits(font)) return font;
  // Words next to the figures are easier to read in another proportional font than in one of fixed width.
  for (const char* family : {"Noto Sans", "DejaVu Sans", "Liberation Sans"}) {
    QFont other = font;
    other.setFamilies({QLatin1String(family)});
    if (QFontInfo(other).family() == QLatin1String(family) && hasTabularDigits(other)) return other;
  }
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPointSizeF(QFontInfo(font).pointSizeF());
  return fixed;
}

QFont Theme::tabularDigits() {
  QFont family;
  family.setFamilies(tabularFont().families());
  return family;
}

Theme::Look Theme::look() { return {isDark(), tabularFont()}; }

Theme::Painting::Painting(Look look) { t_look = std::move(look); }
Theme::Painting::~Painting() { t_look.reset(); }

QIcon Theme::icon(const QString& name) { return QIcon(new LineIconEngine(name)); }

}  // namespace p2::views
