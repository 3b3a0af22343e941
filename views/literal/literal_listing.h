// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include "strategy/literal/literal_trace.h"

namespace p2::views {

/// Lines of the algorithm as printed: Algorithm 1's, or the lines of the function that it calls in the end.
struct ListingLines {
  int algorithm = 1;
  int first = 1;
  int last = 1;
  friend bool operator==(const ListingLines&, const ListingLines&) = default;
};

/// The lines that a moment carries out.
[[nodiscard]] ListingLines linesOf(LiteralMoment::Kind kind);

/// The algorithm as it was printed, with the lines under way marked.
class LiteralListing : public QListWidget {
  Q_OBJECT
 public:
  explicit LiteralListing(QWidget* parent = nullptr);

  /// Marks the lines and brings them into view; `broken` marks them as those in which the optimum got lost.
  void showLines(const ListingLines& lines, bool broken);
  /// Texts of the lines that are marked.
  [[nodiscard]] QStringList marked() const;
  void setTextPixels(int pixels);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addLines();
  void mark();

  ListingLines m_lines;
  bool m_broken = false;
};

}  // namespace p2::views
