// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace p2::views {

/// The user's own program, as a row above the list.
class DraftRow : public QAbstractButton {
  Q_OBJECT
 public:
  explicit DraftRow(QWidget* parent = nullptr);
  /// The program, and its facts: "3 steps · 280 ms" or "✗ step 2 cannot run".
  void show(const QString& notation, const QString& facts);

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {80, heightForWidth(width())}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QRect textRect(int width) const;
  QString m_notation;
  QString m_facts;
};

}  // namespace p2::views
