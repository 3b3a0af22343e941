// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace p2::views {

/// The empty state of a perspective: the reason, and a button for the next action.
class EmptyPage : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyPage(QWidget* parent = nullptr);
  /// The button is only there when it would help: when it has a text.
  void say(const QString& text, const QString& buttonText);
  /// A field between text and button that offers another choice; hidden until it is shown.
  void addChoice(QWidget* choice);

 signals:
  void clicked();

 private:
  QLabel* m_text;
  QPushButton* m_button;
  QVBoxLayout* m_column;
};

}  // namespace p2::views
