// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot_style.h"

#include <qcustomplot.h>

#include "views/common/axis_labels.h"
#include "views/common/theme.h"

namespace p2::views {

void stylePlot(QCustomPlot& plot) {
  if (plot.findChild<AxisLabels*>() == nullptr) new AxisLabels(plot);
  plot.setBackground(Theme::surface());
  const QFont font = Theme::tabularFont();
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
    axis->setBasePen(QPen(Theme::mutedText()));
    axis->setTickPen(QPen(Theme::mutedText()));
    axis->setSubTickPen(QPen(Theme::line()));
    axis->setTickLabelColor(Theme::text());
    axis->setLabelColor(Theme::text());
    axis->setTickLabelFont(font);
    axis->setLabelFont(font);
    axis->grid()->setPen(QPen(Theme::line(), 0, Qt::DotLine));
    axis->grid()->setZeroLinePen(Qt::NoPen);
  }
  plot.legend->setFont(font);
  plot.legend->setTextColor(Theme::text());
  plot.legend->setBrush(Theme::surface());
  plot.legend->setBorderPen(QPen(Theme::line()));
}

}  // namespace p2::views
