// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QStringList>
#include <vector>

class QToolButton;

namespace p2::views {

/// A step of a program: a click chooses it, its cross, Delete or Backspace takes it away, dragging it or Ctrl with Left
/// and Right moves it.
class StepChip : public QFrame {
  Q_OBJECT
 public:
  enum class State { Done, Chosen, Wrong, NotReached };

  StepChip(int step, const QString& text, QWidget* parent = nullptr);
  void setState(State state, const QString& reason);

 signals:
  void chosen();
  void removed();
  void movedBy(int places);
  void dropped();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  [[nodiscard]] QSize sizeHint() const override;

 private:
  QString m_text;
  State m_state = State::NotReached;
  QToolButton* m_remove;
  QPoint m_pressedAt;
  bool m_dragging = false;
};

/// The steps of a program in a row, which goes on in further rows where it is too long, and [+] and [New] behind them.
class StepChips : public QWidget {
  Q_OBJECT
 public:
  explicit StepChips(QWidget* parent = nullptr);

  /// Steps up to `valid` can run; reasons are tooltips of the others.
  void show(const QStringList& steps, int valid, const QString& reason);
  void setChosen(int step);
  [[nodiscard]] QToolButton* addButton() const { return m_add; }
  /// Starts an empty program; disabled while there are no steps.
  [[nodiscard]] QToolButton* newButton() const { return m_new; }

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void stepChosen(int step);
  void stepRemoved(int step);
  void stepMoved(int from, int to);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int layOut(int width, bool apply) const;
  void refreshStates();
  void drop(int step);
  [[nodiscard]] int placeOf(int step) const;

  QStringList m_steps;
  int m_valid = 0;
  int m_chosen = -1;
  int m_focusAfter = -1;  // the chip that gets the keyboard when the steps have changed
  QString m_reason;
  std::vector<StepChip*> m_chips;
  QToolButton* m_add;
  QToolButton* m_new;
};

}  // namespace p2::views
