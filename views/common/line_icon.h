// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIconEngine>
#include <QString>

namespace p2::views {

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

}  // namespace p2::views
