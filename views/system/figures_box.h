// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QCheckBox;

namespace p2::views {

class Session;

/// Choice of the links' figures for prices: the nominal ones, or those fitted to measurements.
class FiguresBox : public QWidget {
  Q_OBJECT
 public:
  explicit FiguresBox(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] QAction* calibrateAction() const { return m_calibrate; }

 private:
  void refresh();

  Session& m_session;
  QCheckBox* m_fitted = nullptr;
  QAction* m_calibrate = nullptr;
};

}  // namespace p2::views
