// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>
#include <QVector>

namespace p2::views {

/// The one palette, read from resources/palette.json: Okabe–Ito for categories, cividis for loads, one accent, greys
/// for the rest, each for a light and a dark surface.
class Theme {
 public:
  enum class Scheme { System, Light, Dark };

  /// Applies a scheme to the whole application (palette, style sheet, font features).
  static void apply(Scheme scheme);
  [[nodiscard]] static bool isDark();
  /// Scales the application's text to `percent` of the system's size.
  static void setTextZoom(int percent);

  [[nodiscard]] static QColor accent();
  [[nodiscard]] static QColor onAccent();      ///< text on accent()
  [[nodiscard]] static QColor tint();          ///< a light accent behind selections; text() is readable on it
  [[nodiscard]] static QColor window();        ///< around the drawings
  [[nodiscard]] static QColor surface();       ///< canvas of drawings
  [[nodiscard]] static QColor box(int depth);  ///< nested boxes, outermost 0
  [[nodiscard]] static QColor line();          ///< borders at rest
  [[nodiscard]] static QColor text();
  [[nodiscard]] static QColor mutedText();  ///< still 4.5:1 on surface()
  [[nodiscard]] static QColor good();
  [[nodiscard]] static QColor bad();
  /// Category i: one of eight colours, readable as a fill with onCategory() on it.
  [[nodiscard]] static QColor category(int i);
  [[nodiscard]] static QColor onCategory(int i);
  /// The second cue next to the colour: a letter, A … Z, AA …
  [[nodiscard]] static QString categoryLetter(int i);
  /// Beyond eight categories, hatching tells repeats of a colour apart.
  [[nodiscard]] static Qt::BrushStyle categoryPattern(int i);
  /// cividis at 0 … 1.
  [[nodiscard]] static QColor load(double fraction);
  /// Application font with tabular figures.
  [[nodiscard]] static QFont tabularFont();
  /// A font with only its family set: a table's cells have the size of the table.
  [[nodiscard]] static QFont tabularDigits();
  /// The line icon resources/icons/<name>.svg, drawn in the scheme's text colour, in the accent when switched on.
  [[nodiscard]] static QIcon icon(const QString& name);

  static constexpr int kGrid = 8;

  /// Colours and font for painting elsewhere: on another thread, or on paper.
  struct Look {
    bool dark = false;
    QFont font;  ///< as tabularFont()
  };
  [[nodiscard]] static Look look();
  /// Gives the look to everything painted on its thread while it lives.
  class Painting {
   public:
    explicit Painting(Look look);
    ~Painting();
    Painting(const Painting&) = delete;
    Painting& operator=(const Painting&) = delete;
  };
};

}  // namespace p2::views
