// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/vertex_menu.h"

namespace p2::views {

VertexMenu::VertexMenu(const StrategyPicture& picture, int vertex, int frame, bool pins, QWidget* parent)
    : QMenu(parent) {
  setObjectName(QStringLiteral("strategyMenu"));
  setAttribute(Qt::WA_DeleteOnClose);
  if (vertex >= 0) {
    const StrategyPicture::Vertex& at = picture.vertices[std::size_t(vertex)];
    const QString all = at.vertices.size() > 1 ? tr(" (all %1)").arg(at.vertices.size()) : QString();
    const QString pin = at.pinned ? tr("Unpin") : tr("Pin to %1").arg(at.marks);
    add("strategyMenuPin", pin + all + QStringLiteral("\tP"), &VertexMenu::pinToggled);
    add("strategyMenuConfigurations", tr("Show its configurations\tReturn"), &VertexMenu::configurationsWanted);
    add("strategyMenuCopy", tr("Copy its costs"), &VertexMenu::copyWanted);
    if (at.repeat) {
      add("strategyMenuFold", at.vertices.size() > 1 ? tr("Show each layer by itself\tF") : tr("Fold its layers\tF"),
          &VertexMenu::foldToggled);
    }
  } else if (frame >= 0) {
    add("strategyMenuUnfold", tr("Show each of %1 by itself").arg(picture.frames[std::size_t(frame)].title),
        &VertexMenu::unfoldWanted);
  }
  if (pins) add("strategyMenuUnpinAll", tr("Unpin all"), &VertexMenu::unpinAllWanted);
}

void VertexMenu::add(const char* name, const QString& text, void (VertexMenu::*wanted)()) {
  QAction* action = addAction(text, this, wanted);
  action->setObjectName(QLatin1String(name));
}

}  // namespace p2::views
