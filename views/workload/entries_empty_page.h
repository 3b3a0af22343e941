// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QAction;

namespace p2::views {

/// The page while the document has no workload: a sentence, and a button for every source of one. An action
/// with a menu becomes a button that opens it.
class EntriesEmptyPage : public QWidget {
  Q_OBJECT
 public:
  explicit EntriesEmptyPage(const QList<QAction*>& sources, QWidget* parent = nullptr);
};

}  // namespace p2::views
