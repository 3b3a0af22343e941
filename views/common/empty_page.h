// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace p2::views {

/// The empty state of a perspective: the reason, and a button for the next action.
class EmptyPage : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyPage(QWidget* parent = nullptr);
  /// The button is only there when it would help: when it has a text.
  void say(const QString& text, const QString& buttonText);

 signals:
  void clicked();

 private:
  QLabel* m_text;
  QPushButton* m_button;
};

}  // namespace p2::views
