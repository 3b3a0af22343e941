// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "views/strategy/strategy_picture.h"

namespace p2::views {

/// Actions for a vertex of the picture, or for a folded part.
class VertexMenu : public QMenu {
  Q_OBJECT
 public:
  /// `vertex` or `frame` may be −1; `pins` says whether any vertex is pinned.
  VertexMenu(const StrategyPicture& picture, int vertex, int frame, bool pins, QWidget* parent);

 signals:
  void pinToggled();
  void unpinAllWanted();
  void configurationsWanted();
  void foldToggled();
  void unfoldWanted();
  void copyWanted();

 private:
  void add(const char* name, const QString& text, void (VertexMenu::*wanted)());
};

}  // namespace p2::views
