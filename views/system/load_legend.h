// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace p2::views {

/// What the colours of loaded links mean: from idle to the busiest link, which is busy so many seconds of a run.
class LoadLegend : public QWidget {
  Q_OBJECT
 public:
  explicit LoadLegend(QWidget* parent = nullptr);

  /// Grey when `stale`: the loads belong to what was asked before.
  void setScale(double mostSeconds, bool stale);
  [[nodiscard]] QString text() const { return m_text; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_text;
  bool m_stale = false;
};

}  // namespace p2::views
