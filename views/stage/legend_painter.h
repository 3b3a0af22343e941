// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <QString>
#include <QStringList>
#include <vector>

#include "views/stage/replay.h"

namespace p2::views {

/// Draws how a stage is read, wrapped to a width; in fewer words where the whole ones would take more than three lines.
/// A plain value, for screens and files.
class LegendPainter {
 public:
  LegendPainter() { fill(); }
  /// Also shows the colours of the contributors if each has its own. A narrow legend leaves out symbols that cannot
  /// occur in this program.
  void setReplay(const Replay* replay);
  /// Explains digits instead of filled bits.
  void setNumbers(bool numbers);
  /// Whether devices are too small for bits, so that bars stand for chunks and sums (Detail::Glyph and coarser).
  void setGlyphs(bool glyphs);
  [[nodiscard]] QStringList words() const;

  [[nodiscard]] int heightForWidth(int width, const QFont& font) const;
  /// Width in pixels of the entries in the last line.
  [[nodiscard]] int lastLineWidth(int width, const QFont& font) const;
  /// Paints from the origin of the painter.
  void paint(QPainter& painter, int width, const QFont& font) const;

 private:
  enum class Symbol { None, Hues, Part, Missing, NotHeld, Changed, Tile, Plate, Root, Group, Bars };
  struct Entry {
    Symbol symbol = Symbol::None;
    QString text;
    QString brief = {};  // where there is little room; empty for the same
    QPointF at = {};     // left upper corner
  };
  void fill();
  [[nodiscard]] bool canOccur(Symbol symbol) const;
  [[nodiscard]] std::vector<Entry> laidOut(int width, const QFont& font) const;
  void layOut(std::vector<Entry>& entries, int width, const QFont& font) const;
  [[nodiscard]] double symbolWidth(Symbol symbol, const QFont& font) const;
  void paintSymbol(QPainter& painter, Symbol symbol, const QRectF& rect) const;

  std::vector<Entry> m_entries;
  std::vector<int> m_hues;      // the contributors' devices, in column order
  bool m_moves = true;          // a step sends something
  bool m_sums = true;           // a step adds
  bool m_leavesNothing = true;  // a device can be without a chunk
  bool m_hasRoot = true;
  bool m_numbers = false;
  bool m_glyphs = false;
};

}  // namespace p2::views
