// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace p2::views {

/// A large button with an icon, a heading and a sentence that wraps to the width; as high as these need.
class DoorButton : public QPushButton {
  Q_OBJECT
 public:
  /// `heading` may have an access key.
  DoorButton(const QString& icon, const QString& heading, const QString& sentence, QWidget* parent = nullptr);
  void setSentence(const QString& sentence);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QFont headingFont() const;
  [[nodiscard]] int iconSide() const;
  /// Width of the icon and the heading next to each other.
  [[nodiscard]] int leastWidth() const;

  QString m_icon;
  QString m_sentence;
};

}  // namespace p2::views
