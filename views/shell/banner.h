// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace p2::views {

/// A sentence across the window with buttons for remedies; it stays until its cause is gone.
class Banner : public QFrame {
  Q_OBJECT
 public:
  /// The object name also names its parts: "problemBanner", "problemBannerText".
  explicit Banner(const QString& objectName, QWidget* parent = nullptr);

  /// Shows the sentence; an empty one hides the banner.
  void say(const QString& sentence);
  /// Adds a button; the caller connects it.
  QPushButton* addButton(const QString& objectName, const QString& text, const QString& toolTip);

 private:
  QLabel* m_text;
  QHBoxLayout* m_layout;
};

}  // namespace p2::views
