// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/system/wire_labels.h"

class QLabel;
class QListWidget;

namespace p2::views {

/// The busiest links next to the drawing, the busiest first: how much each carries, and how busy it is next to the
/// first.
class BusiestList : public QWidget {
  Q_OBJECT
 public:
  explicit BusiestList(QWidget* parent = nullptr);

  /// Hidden when there are none.
  void show(const std::vector<std::pair<QString, ShownLoad>>& links);

 signals:
  /// Somebody wants to see where that link is.
  void linkWanted(const QString& name);

 private:
  QLabel* m_first = nullptr;
  QListWidget* m_list = nullptr;
};

}  // namespace p2::views
