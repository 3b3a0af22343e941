// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

class QLabel;

namespace p2::views {

/// A label that wraps, as high as its words, or no higher than some lines, beyond which it scrolls.
class ScrolledText : public QScrollArea {
  Q_OBJECT

 public:
  /// `leastLines`: lines that it has room for even where it says less.
  ScrolledText(QLabel& label, int leastLines, QWidget* parent = nullptr);

  /// 0 for all lines.
  void setMostLines(int lines);
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLabel& m_label;
  int m_leastLines;
  int m_mostLines = 0;
};

}  // namespace p2::views
