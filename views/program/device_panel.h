// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "views/stage/folded_matrix.h"
#include "views/stage/replay.h"

class QLabel;

namespace p2::views {

/// One device's bit matrix with its rows and columns named, or the sums that it holds.
class StateMatrix : public QWidget {
  Q_OBJECT
 public:
  explicit StateMatrix(QWidget* parent = nullptr);
  /// `contributors` are the devices behind the columns. With `numbers` sums stand for bits, see numbersImage().
  void show(const DeviceState& state, const DeviceGroup& contributors, bool numbers);
  [[nodiscard]] QSize sizeHint() const override { return {256, 256}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  DeviceState m_state;
  DeviceGroup m_contributors;
  bool m_numbers = false;
};

/// The contents of the chosen device, enlarged and in words.
class DevicePanel : public QWidget {
  Q_OBJECT
 public:
  explicit DevicePanel(QWidget* parent = nullptr);
  /// Shows the state after `steps` steps.
  void show(const Replay& replay, Device device, int steps, bool numbers);

 signals:
  void closed();

 private:
  QLabel* m_title;
  QLabel* m_text;
  StateMatrix* m_matrix;
  FoldedMatrix* m_folded;
};

}  // namespace p2::views
