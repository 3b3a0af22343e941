// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_export.h"

#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>

#include "views/cost/cost_bars.h"
#include "views/cost/cost_plot.h"

namespace p2::views {
namespace {

bool paintOn(CostPlot& plot, QPaintDevice* device) {
  QCPPainter painter;
  if (!painter.begin(device)) return false;
  painter.setMode(QCPPainter::pmVectorized);
  plot.toPainter(&painter, plot.width(), plot.height());
  return painter.end();
}

bool writePng(CostPlot& plot, QIODevice& file) {
  return plot.toPixmap(plot.width(), plot.height(), plot.devicePixelRatioF()).save(&file, "PNG");
}

bool writeSvg(CostPlot& plot, QIODevice& file) {
  QSvgGenerator generator;
  generator.setOutputDevice(&file);
  generator.setSize(plot.size());
  generator.setViewBox(plot.rect());
  generator.setResolution(plot.logicalDpiX());
  generator.setTitle(QObject::tr("Predicted costs"));
  return paintOn(plot, &generator);
}

bool writePdf(CostPlot& plot, QIODevice& file) {
  QPdfWriter writer(&file);
  const double pointsPerPixel = 72.0 / plot.logicalDpiX();
  writer.setResolution(plot.logicalDpiX());
  writer.setPageSize(QPageSize(QSizeF(plot.size()) * pointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(QObject::tr("Predicted costs"));
  return paintOn(plot, &writer);
}

bool writeCsv(CostPlot& plot, QIODevice& file) {
  const std::string csv = plot.bars().empty() ? std::string() : costCsv(plot.exploration(), plot.bars());
  return file.write(csv.data(), qint64(csv.size())) == qint64(csv.size());
}

struct Writer {
  CostFormat format;
  bool (*write)(CostPlot&, QIODevice&);
};

const std::vector<Writer>& writers() {
  static const std::vector<Writer> kWriters{{{"png", QObject::tr("PNG image")}, writePng},
                                            {{"svg", QObject::tr("SVG drawing")}, writeSvg},
                                            {{"pdf", QObject::tr("PDF document")}, writePdf},
                                            {{"csv", QObject::tr("CSV table")}, writeCsv}};
  return kWriters;
}

}  // namespace

const std::vector<CostFormat>& costFormats() {
  static const std::vector<CostFormat> kFormats = [] {
    std::vector<CostFormat> formats;
    for (const Writer& writer : writers()) formats.push_back(writer.format);
    return formats;
  }();
  return kFormats;
}

Result<void> exportCosts(CostPlot& plot, const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const auto writer = std::find_if(writers().begin(), writers().end(),
                                   [&](const Writer& known) { return known.format.suffix == suffix; });
  if (writer == writers().end()) {
    return Error{"\"" + suffix.toStdString() + "\" is not a format of costs; use png, svg, pdf or csv",
                 path.toStdString()};
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !writer->write(plot, file) || !file.commit()) {
    return Error{"cannot be written: " + file.errorString().toStdString(), path.toStdString(), ErrorKind::Failed};
  }
  return {};
}

}  // namespace p2::views
