// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QLabel>

namespace p2::views {

/// Rich text whose links have the colour of the current scheme. QLabel keeps the colour they were laid out with.
class LinkLabel : public QLabel {
  Q_OBJECT

 public:
  explicit LinkLabel(QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void recolor();

  QColor m_color;  // of links when the text was last laid out here
};

}  // namespace p2::views
