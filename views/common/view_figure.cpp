// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view_figure.h"

#include <QPainter>

#include "views/common/theme.h"

namespace p2::views {

ExportedPlot figureOf(ViewPicture picture, int screenWidth, const FigureStyle& style) {
  const bool print = style.isForPrint();
  const bool legend = !print || style.legend;
  QFont bold = Theme::tabularFont();
  bold.setBold(true);
  const QFontMetrics letters(bold);
  const int head = print && style.title ? letters.lineSpacing() + Theme::kGrid / 2 : 0;
  const QSize drawn = picture.size(print ? style.layoutWidth() : screenWidth, legend);
  ExportedPlot exported;
  exported.csv = std::move(picture.csv);
  exported.title = picture.title;
  exported.style = style;
  exported.size = drawn + QSize(0, head);
  const Theme::Look look = print ? Theme::Look{false, Theme::tabularFont()} : Theme::look();
  exported.paint = [=, paint = std::move(picture.paint), title = picture.title](QPainter& painter) {
    const Theme::Painting painting(look);
    painter.fillRect(QRect(QPoint(), drawn + QSize(0, head)), Theme::surface());
    if (head > 0) {
      painter.setFont(bold);
      painter.setPen(Theme::text());
      painter.drawText(QRect(Theme::kGrid, 0, drawn.width() - 2 * Theme::kGrid, head), Qt::AlignVCenter, title);
    }
    painter.translate(0, head);
    paint(painter, drawn, legend);
  };
  return exported;
}

}  // namespace p2::views
