// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot_export.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPageSize>
#include <QPdfWriter>
#include <QScreen>
#include <QSvgGenerator>
#include <algorithm>
#include <array>

#include "text/text_file.h"
#include "views/common/save_dialog.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kEdge = 12;
constexpr double kPixels = 2;  // picture pixels per screen pixel

QFont titleFont() {
  QFont font = Theme::tabularFont();
  font.setBold(true);
  return font;
}

QRect subtitleRect(const ExportedPlot& exported) {
  const QRect room(kEdge, 0, exported.plot->width() - 2 * kEdge, 1 << 20);
  return QFontMetrics(Theme::tabularFont()).boundingRect(room, Qt::TextWordWrap, exported.subtitle);
}

/// Of title and subtitle above a plot; pictures that are drawn for it bring their own.
int headHeight(const ExportedPlot& exported) {
  if (!exported.plot || exported.title.isEmpty()) return 0;
  const int title = QFontMetrics(titleFont()).lineSpacing();
  const int lines = exported.subtitle.isEmpty() ? 0 : subtitleRect(exported).height();
  return kEdge + title + lines + kEdge / 2;
}

QSize sizeOf(const ExportedPlot& exported) {
  return exported.plot ? exported.plot->size() + QSize(0, headHeight(exported)) : exported.size;
}

int dotsPerInch(const ExportedPlot& exported) {
  return exported.plot ? exported.plot->logicalDpiX() : int(QGuiApplication::primaryScreen()->logicalDotsPerInch());
}

void paintHead(const ExportedPlot& exported, QPainter& painter) {
  const int height = headHeight(exported);
  if (height == 0) return;
  const int width = exported.plot->width();
  painter.fillRect(QRect(0, 0, width, height), Theme::surface());
  painter.setPen(Theme::text());
  painter.setFont(titleFont());
  const int title = painter.fontMetrics().lineSpacing();
  painter.drawText(QRect(kEdge, kEdge, width - 2 * kEdge, title), int(Qt::AlignLeft | Qt::AlignVCenter),
                   exported.title);
  painter.setFont(Theme::tabularFont());
  painter.setPen(Theme::mutedText());
  painter.drawText(QRect(kEdge, kEdge + title, width - 2 * kEdge, height - kEdge - title),
                   int(Qt::AlignLeft | Qt::TextWordWrap), exported.subtitle);
}

bool paintOn(const ExportedPlot& exported, QPaintDevice* device) {
  if (!exported.plot) {
    QPainter painter;
    if (!painter.begin(device)) return false;
    exported.paint(painter);
    return painter.end();
  }
  QCPPainter painter;
  if (!painter.begin(device)) return false;
  painter.setMode(QCPPainter::pmVectorized);
  paintHead(exported, painter);
  painter.translate(0, headHeight(exported));
  exported.plot->toPainter(&painter, exported.plot->width(), exported.plot->height());
  return painter.end();
}

bool writePng(const ExportedPlot& exported, QIODevice& file) {
  QPixmap pixmap(sizeOf(exported) * kPixels);
  pixmap.setDevicePixelRatio(kPixels);
  pixmap.fill(Theme::surface());
  if (QCustomPlot* plot = exported.plot) {
    QPainter painter;
    if (!painter.begin(&pixmap)) return false;
    paintHead(exported, painter);
    QPixmap drawn = plot->toPixmap(plot->width(), plot->height(), kPixels);
    drawn.setDevicePixelRatio(kPixels);
    painter.drawPixmap(0, headHeight(exported), drawn);
    return painter.end() && pixmap.save(&file, "PNG");
  }
  return paintOn(exported, &pixmap) && pixmap.save(&file, "PNG");
}

bool writeSvg(const ExportedPlot& exported, QIODevice& file) {
  QSvgGenerator generator;
  generator.setOutputDevice(&file);
  generator.setSize(sizeOf(exported));
  generator.setViewBox(QRect(QPoint(), sizeOf(exported)));
  generator.setResolution(dotsPerInch(exported));
  generator.setTitle(exported.title);
  return paintOn(exported, &generator);
}

bool writePdf(const ExportedPlot& exported, QIODevice& file) {
  QPdfWriter writer(&file);
  const double pointsPerPixel = 72.0 / dotsPerInch(exported);
  writer.setResolution(dotsPerInch(exported));
  writer.setPageSize(QPageSize(QSizeF(sizeOf(exported)) * pointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(exported.title);
  return paintOn(exported, &writer);
}

bool writeCsv(const ExportedPlot& exported, QIODevice& file) {
  return file.write(exported.csv.data(), qint64(exported.csv.size())) == qint64(exported.csv.size());
}

struct PlotWriter {
  const char* suffix;
  const char* description;
  bool (*write)(const ExportedPlot&, QIODevice&);
};

constexpr std::array kWriters{PlotWriter{"png", QT_TRANSLATE_NOOP("QObject", "PNG image"), writePng},
                              PlotWriter{"svg", QT_TRANSLATE_NOOP("QObject", "SVG drawing"), writeSvg},
                              PlotWriter{"pdf", QT_TRANSLATE_NOOP("QObject", "PDF document"), writePdf},
                              PlotWriter{"csv", QT_TRANSLATE_NOOP("QObject", "CSV table"), writeCsv}};

}  // namespace

Result<void> exportPlot(const ExportedPlot& exported, const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  const auto* writer = std::find_if(kWriters.begin(), kWriters.end(),
                                    [&](const PlotWriter& known) { return QLatin1String(known.suffix) == suffix; });
  if (writer == kWriters.end()) {
    return Error{"\"" + suffix.toStdString() + "\" is not a format of plots; use png, svg, pdf or csv",
                 path.toStdString()};
  }
  QBuffer made;
  made.open(QIODevice::WriteOnly);
  if (!writer->write(exported, made)) {
    return Error{"the plot cannot be drawn in this size; make the window smaller", path.toStdString(),
                 ErrorKind::Failed};
  }
  return writeTextFile(path.toStdString(), made.data().toStdString());
}

PlotExportButton::PlotExportButton(const QString& name, const QString& fileName, std::function<ExportedPlot()> exported,
                                   QWidget* parent)
    : QToolButton(parent), m_name(name), m_fileName(fileName), m_exported(std::move(exported)) {
  setObjectName(name + "Button");
  setText(tr("Expor&t"));
  setIcon(Theme::icon("export"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setPopupMode(QToolButton::InstantPopup);
  setToolTip(tr("Save the plot as an image, or its values as a table (Alt+T)"));
  setAccessibleName(tr("Export"));
  auto* menu = new QMenu(this);
  menu->setObjectName(name + "Menu");
  for (const PlotWriter& writer : kWriters) {
    const QString suffix = QLatin1String(writer.suffix);
    const QString description = QObject::tr(writer.description);
    QAction* action = menu->addAction(tr("%1 …").arg(description));
    action->setObjectName(name + "-" + suffix);
    connect(action, &QAction::triggered, this, [this, suffix, description] { askForFile(suffix, description); });
  }
  setMenu(menu);
}

void PlotExportButton::askForFile(const QString& suffix, const QString& description) {
  const SaveWish wish{
      m_name + "Dialog", tr("Export the plot"), {QStringLiteral("%1 (*.%2)").arg(description, suffix)}, m_fileName};
  askWhereToSave(this, wish, [this](const QString& path) {
    const auto done = exportPlot(m_exported(), path);
    if (done.ok()) {
      emit written(path);
    } else {
      emit failed(qs(done.error().text()));
    }
  });
}

}  // namespace p2::views
