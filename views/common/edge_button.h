// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace p2::views {

/// A narrow button at the edge of the panels, with its text from bottom to top.
class EdgeButton : public QAbstractButton {
  Q_OBJECT
 public:
  explicit EdgeButton(const QString& title, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {sizeHint().width(), sizeHint().width()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace p2::views
