// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/drawing_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <algorithm>
#include <array>
#include <memory>

#include "system/text_drawing.h"
#include "text/text_file.h"
#include "views/common/navigation.h"
#include "views/common/svg_document.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kMargin = 16;
constexpr double kSketched = 4;    // how much more a sketch holds than a readable drawing
constexpr int kPixelsPerUnit = 2;  // in a PNG
constexpr int kDotsPerInch = 72;   // one unit of the drawing is one point

QSizeF sheetOf(const SystemDrawing& drawing) { return drawing.bounds.size() + QSizeF(2 * kMargin, 2 * kMargin); }

bool paintOn(QPaintDevice* device, const DrawnContent& content, double scale) {
  QPainter painter;
  if (!painter.begin(device)) return false;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(scale, scale);
  painter.fillRect(QRectF({0, 0}, sheetOf(content.drawing)), Theme::surface());
  painter.translate(QPointF(kMargin, kMargin) - content.drawing.bounds.topLeft());
  paintDrawing(painter, content.drawing, content.loads);
  return painter.end();
}

bool writePng(QIODevice& file, const DrawnContent& content) {
  QImage image((sheetOf(content.drawing) * kPixelsPerUnit).toSize(), QImage::Format_ARGB32_Premultiplied);
  return paintOn(&image, content, kPixelsPerUnit) && image.save(&file, "PNG");
}

bool writeSvg(QIODevice& file, const DrawnContent& content) {
  return writeSvgDocument(file, [&content](QSvgGenerator& generator) {
    generator.setResolution(kDotsPerInch);
    generator.setViewBox(QRectF({0, 0}, sheetOf(content.drawing)));
    generator.setSize(sheetOf(content.drawing).toSize());
    generator.setTitle(QObject::tr("System"));
    return paintOn(&generator, content, 1);
  });
}

bool writePdf(QIODevice& file, const DrawnContent& content) {
  QPdfWriter writer(&file);
  writer.setResolution(kDotsPerInch);
  writer.setPageSize(QPageSize(sheetOf(content.drawing), QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(QObject::tr("System"));
  return paintOn(&writer, content, 1);
}

bool writeText(QIODevice& file, const DrawnContent& content) {
  const std::string text = drawnAsText(content.system);
  return file.write(text.data(), qint64(text.size())) == qint64(text.size());
}

struct Writer {
  const char* suffix;
  const char* filter;
  bool (*write)(QIODevice&, const DrawnContent&);
};

constexpr std::array<Writer, 4> kWriters{{{"png", QT_TR_NOOP("PNG image (*.png)"), writePng},
                                          {"svg", QT_TR_NOOP("SVG drawing (*.svg)"), writeSvg},
                                          {"pdf", QT_TR_NOOP("PDF document (*.pdf)"), writePdf},
                                          {"txt", QT_TR_NOOP("Text (*.txt)"), writeText}}};

}  // namespace

QStringList drawingFilters() {
  QStringList filters;
  for (const Writer& writer : kWriters) filters += QObject::tr(writer.filter);
  return filters;
}

QImage systemSketch(const System& system, QSize size, double ratio) {
  QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Theme::surface());
  // Words are not read here.
  const SystemDrawing drawing = drawSystem(system, {}, fittingDetail(system, {}, size * kSketched));
  const auto zoom = Navigation::fittedZoom(drawing.bounds, size, kSketched);
  if (!zoom) return image;
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(QPointF(size.width(), size.height()) / 2);
  painter.scale(*zoom, *zoom);
  painter.translate(-drawing.bounds.center());
  paintDrawing(painter, drawing, {});
  return image;
}

ExportedPlot drawingFigure(const System& system, const std::vector<std::int64_t>& open, ShownLoads loads,
                           const FigureStyle& style) {
  constexpr double kTallest = 1.2;  // times its width
  // Units of the drawing in which its text has the size asked for.
  const double textPoints = kDrawnText * FigureStyle::kPointsPerInch / FigureStyle::kDotsPerInch;
  const double width = style.millimetres / FigureStyle::kMillimetresPerInch * FigureStyle::kDotsPerInch * textPoints /
                       std::max(1.0, style.points);
  const QSizeF room = QSizeF(width - 2 * kMargin, kTallest * width) * (kLeastLabel / kDrawnText);
  auto drawing = std::make_shared<const SystemDrawing>(drawSystem(system, open, fittingDetail(system, open, room)));
  ExportedPlot exported;
  exported.title = QObject::tr("System");
  exported.style = style;
  const QSizeF sheet = sheetOf(*drawing);
  exported.size = QSizeF(std::max(width, sheet.width()), sheet.height()).toSize();
  exported.paint = [drawing, loads = std::move(loads), size = exported.size](QPainter& painter) {
    const Theme::Painting painting(Theme::Look{false, Theme::tabularFont()});
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(), size), Theme::surface());
    painter.translate((size.width() - drawing->bounds.width()) / 2 - drawing->bounds.left(),
                      kMargin - drawing->bounds.top());
    paintDrawing(painter, *drawing, loads, true);
  };
  return exported;
}

Result<void> writeDrawing(const DrawnContent& content, const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  for (const Writer& writer : kWriters) {
    if (suffix != QLatin1String(writer.suffix)) continue;
    QBuffer made;
    made.open(QIODevice::WriteOnly);
    if (writer.write(made, content)) return writeTextFile(path.toStdString(), made.data().toStdString());
    return Error{"the drawing is too large for this format; use svg or txt", path.toStdString(), ErrorKind::Failed};
  }
  return Error{"\"" + suffix.toStdString() + "\" is not a format of drawings; use png, svg, pdf or txt",
               path.toStdString()};
}

}  // namespace p2::views
