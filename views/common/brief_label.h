// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace p2::views {

/// Plain words that wrap, and that can be limited to some lines where room is short. The last line then ends in an
/// ellipsis, and the tooltip has all words before its own.
class BriefLabel : public QLabel {
  Q_OBJECT

 public:
  explicit BriefLabel(QWidget* parent = nullptr);

  /// 0 for all lines.
  void setMostLines(int lines);
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] int mostHeight() const;
  [[nodiscard]] bool isCut() const;
  [[nodiscard]] QSize limited(QSize size) const;

  int m_mostLines = 0;
};

}  // namespace p2::views
