// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace p2::test {

/// A text as a plot draws it.
struct DrawnText {
  QString text;
  QRectF rect;  ///< pixels of the plot
};

/// The visible texts on a plot that match, in the order in which they were added.
inline QList<DrawnText> drawnTexts(const QCustomPlot& plot, const QString& pattern = {}) {
  QList<DrawnText> texts;
  for (int i = 0; i < plot.itemCount(); ++i) {
    const auto* item = qobject_cast<QCPItemText*>(plot.item(i));
    if (item == nullptr || !item->visible() || !item->text().contains(QRegularExpression(pattern))) continue;
    texts.append({item->text(), QRectF(item->topLeft->pixelPosition(), item->bottomRight->pixelPosition())});
  }
  return texts;
}

/// As above, the texts alone.
inline QStringList textsOn(const QCustomPlot& plot, const QString& pattern = {}) {
  QStringList texts;
  for (const DrawnText& each : drawnTexts(plot, pattern)) texts.append(each.text);
  return texts;
}

/// The first graph of a plot that has a property, as a lambda says; null where none has.
template <class Has>
const QCPGraph* graphThat(const QCustomPlot& plot, Has has) {
  for (int i = 0; i < plot.graphCount(); ++i) {
    if (has(*plot.graph(i))) return plot.graph(i);
  }
  return nullptr;
}

}  // namespace p2::test
