// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "views/literal/literal_run.h"

namespace p2::views {

/// The optimum among the strategies left, moment by moment: a cell each, green while the optimum is there, red and
/// crossed from the moment in which it got lost. A click goes there.
class LiteralStrip : public QWidget {
  Q_OBJECT
 public:
  explicit LiteralStrip(QWidget* parent = nullptr);

  void setRun(std::shared_ptr<const LiteralRun> run);
  /// The moment that is shown, and the last one that may be; later ones are drawn as not told yet.
  void setMoment(std::size_t moment, std::size_t last);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }
  /// Rectangle of a moment.
  [[nodiscard]] QRectF rectOf(std::size_t moment) const;

 signals:
  void momentWanted(std::size_t moment);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] std::optional<std::size_t> momentAt(QPointF point) const;
  void name();

  std::shared_ptr<const LiteralRun> m_run;
  std::size_t m_moment = 0;
  std::size_t m_last = 0;
};

/// The first moment after which no optimum is left; none if there always is one, or if unknown.
[[nodiscard]] std::optional<std::size_t> lostMoment(const LiteralTrace& trace);

}  // namespace p2::views
