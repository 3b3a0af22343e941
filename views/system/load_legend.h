// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace p2::views {

/// Legend of the colours of loaded links: from idle to the busiest link, with its busy seconds per run.
class LoadLegend : public QWidget {
  Q_OBJECT
 public:
  explicit LoadLegend(QWidget* parent = nullptr);

  /// Grey when `stale`: the loads belong to an earlier question.
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
