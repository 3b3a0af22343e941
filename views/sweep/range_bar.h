// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "explore/sweep.h"
#include "views/sweep/tried_figures.h"

class QComboBox;
class QLineEdit;

namespace p2::views {

/// The variable of a sweep and its range. An invalid range is reported and not used.
class RangeBar : public QWidget {
  Q_OBJECT
 public:
  explicit RangeBar(QWidget* parent = nullptr);

  /// Sets the system whose links can be swept over. A range of a link that it lacks becomes one of bytes.
  void setSystem(const System& system);
  [[nodiscard]] const SweepRange& range() const { return m_range; }

 signals:
  void rangeChanged();
  void problem(const QString& sentence);  ///< empty when there is none any more

 private:
  QLineEdit* makeEdge(const char* name, const QString& toolTip);
  void chooseOver();
  void takeEdges();
  void showRange();
  void remember() const;

  System m_system;
  SweepRange m_range;
  QComboBox* m_over;
  QComboBox* m_link;
  QLineEdit* m_from;
  QLineEdit* m_to;
};

}  // namespace p2::views
