// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_figure.h"

#include <QPainter>
#include <algorithm>

#include "base/numbers.h"
#include "text/csv.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/plan/heat_model.h"
#include "views/plan/plan_bars.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostFigureRows = 12;
constexpr int kFigureBar = 9;
constexpr int kFigureGap = 6;

int figureLine() { return QFontMetrics(Theme::tabularFont()).lineSpacing(); }
int figureRow() { return figureLine() + kFigureBar + kFigureGap; }

/// Parts that any of the rows has, in the order of the bars.
std::vector<TimePart> partsOf(const std::vector<PlannedConfiguration>& rows) {
  StepEstimate all;
  for (const PlannedConfiguration& row : rows) {
    const StepParts& parts = row.estimate.parts;
    all.parts.compute += parts.compute + parts.inefficiency;
    all.parts.recompute += parts.recompute;
    for (std::size_t axis = 0; axis < kExposedAxes.size(); ++axis) all.parts.exposed[axis] += parts.exposed[axis];
    all.parts.bubble += parts.bubble;
    all.parts.imbalance += parts.imbalance;
    all.parts.optimizer += parts.optimizer;
    all.parts.host += parts.host;
  }
  return timePartsOf(all);
}

/// Lays the legend out, and draws it where there is a painter. Returns where it ends.
int paintPartLegend(QPainter* painter, const std::vector<TimePart>& parts, int top, int width) {
  const QFontMetrics letters(Theme::tabularFont());
  int left = kFigureGap;
  for (TimePart part : parts) {
    const int room = 2 * kFigureBar + kFigureGap / 2 + letters.horizontalAdvance(part.name);
    if (left + room > width && left > kFigureGap) {
      left = kFigureGap;
      top += figureLine();
    }
    if (painter != nullptr) {
      const QString name = std::exchange(part.name, QString());
      paintTimePart(*painter, QRectF(left, top + (figureLine() - kFigureBar) / 2.0, 1.5 * kFigureBar, kFigureBar), part,
                    false);
      painter->setPen(Theme::text());
      painter->drawText(QRect(left + 2 * kFigureBar, top, room, figureLine()), Qt::AlignVCenter, name);
    }
    left += room + kFigureGap;
  }
  return top + figureLine();
}

void paintPlanRow(QPainter& painter, const PlannedConfiguration& row, const QString& place, const QRectF& room,
                  double perSecond) {
  const double line = figureLine();
  const QString step = intervalText(row.estimate);
  painter.setPen(Theme::text());
  painter.drawText(QRectF(room.topLeft(), QSizeF(room.width(), line)), Qt::AlignRight | Qt::AlignVCenter, step);
  const double names = room.width() - painter.fontMetrics().horizontalAdvance(step) - kFigureGap;
  const QString name =
      place + QStringLiteral("  ") + degreesText(row.configuration).replace(QStringLiteral(" · "), QStringLiteral("·"));
  painter.drawText(QRectF(room.topLeft(), QSizeF(names, line)), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(name, Qt::ElideRight, int(names)));
  double left = room.left();
  for (TimePart part : timePartsOf(row.estimate)) {
    part.name.clear();
    paintTimePart(painter, QRectF(left, room.top() + line, part.seconds * perSecond, kFigureBar), part, false);
    left += part.seconds * perSecond;
  }
}

std::string heatCsv(const HeatModel& model) {
  std::string csv;
  for (int column = 0; column < model.columnCount(); ++column) {
    csv += ',' + csvCell(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    csv += '\n' + csvCell(model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString().toStdString());
    for (int column = 0; column < model.columnCount(); ++column) {
      const PlannedConfiguration* planned = model.at(model.index(row, column));
      csv += ',' + (planned ? exactNumber(planned->estimate.seconds) : std::string());
    }
  }
  return csv + '\n';
}

void paintHeat(QPainter& painter, const HeatModel& model, QSize size) {
  painter.setFont(Theme::tabularFont());
  const int line = figureLine() + kFigureGap;
  int names = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QString name = model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
    names = std::max(names, painter.fontMetrics().horizontalAdvance(name) + 2 * kFigureGap);
  }
  const double width = double(size.width() - names) / std::max(1, model.columnCount());
  painter.setPen(Theme::text());
  for (int column = 0; column < model.columnCount(); ++column) {
    painter.drawText(QRectF(names + column * width, 0, width, line), Qt::AlignCenter,
                     model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    const double top = (row + 1) * line;
    painter.setPen(Theme::text());
    painter.drawText(QRectF(0, top, names - kFigureGap, line), Qt::AlignRight | Qt::AlignVCenter,
                     model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString());
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex index = model.index(row, column);
      const QRectF cell(names + column * width, top, width - 1, line - 1.0);
      const QColor fill = model.at(index) ? Theme::load(model.heatAt(index)) : Theme::surface();
      painter.fillRect(cell, fill);
      painter.setPen(model.at(index) ? inkOn(fill) : Theme::mutedText());
      painter.drawText(cell, Qt::AlignCenter, index.data().toString());
    }
  }
}

}  // namespace

ViewPicture planBarsPicture(std::shared_ptr<const PlannerAnswer> found, std::vector<int> places) {
  const auto csv = [found, places] { return found ? planCsv(*found, places) : std::string(); };
  places.resize(std::min(places.size(), kMostFigureRows));
  std::vector<PlannedConfiguration> rows;
  QStringList names;
  double longest = 0;
  for (const int place : places) {
    rows.push_back(found->answer.configurations[std::size_t(place)]);
    names << (isTiedWithBest(found->answer, std::size_t(place)) ? QStringLiteral("1=") : QString::number(place + 1));
    longest = std::max(longest, rows.back().estimate.seconds);
  }
  const auto parts = partsOf(rows);
  const auto sizeOf = [parts, count = int(rows.size())](int width, bool legend) {
    const int rowsEnd = count * figureRow() + kFigureGap;
    return QSize(width, (legend ? paintPartLegend(nullptr, parts, rowsEnd, width) : rowsEnd) + kFigureGap);
  };
  const auto paint = [rows, names, parts, longest](QPainter& painter, QSize size, bool legend) {
    painter.setFont(Theme::tabularFont());
    const double width = size.width() - 2.0 * kFigureGap;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const QRectF room(kFigureGap, kFigureGap + double(row) * figureRow(), width, figureRow());
      paintPlanRow(painter, rows[row], names[qsizetype(row)], room, longest > 0 ? width / longest : 0);
    }
    if (legend) paintPartLegend(&painter, parts, int(rows.size()) * figureRow() + kFigureGap, size.width());
  };
  return {QObject::tr("Where the time of a step goes"), sizeOf, paint, csv};
}

ViewPicture heatPicture(const HeatModel& model) {
  return {QObject::tr("Step time over two degrees"),
          [&model](int width, bool) {
            return QSize(width, (model.rowCount() + 1) * (figureLine() + kFigureGap) + kFigureGap);
          },
          [&model](QPainter& painter, QSize size, bool) { paintHeat(painter, model, size); },
          [&model] { return heatCsv(model); }};
}

}  // namespace p2::views
