// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot_export.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QFileDialog>
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
#include "views/common/theme.h"

namespace p2::views {
namespace {

QSize sizeOf(const ExportedPlot& exported) { return exported.plot ? exported.plot->size() : exported.size; }

int dotsPerInch(const ExportedPlot& exported) {
  return exported.plot ? exported.plot->logicalDpiX() : int(QGuiApplication::primaryScreen()->logicalDotsPerInch());
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
  exported.plot->toPainter(&painter, exported.plot->width(), exported.plot->height());
  return painter.end();
}

bool writePng(const ExportedPlot& exported, QIODevice& file) {
  if (QCustomPlot* plot = exported.plot) {
    return plot->toPixmap(plot->width(), plot->height(), plot->devicePixelRatioF()).save(&file, "PNG");
  }
  const double ratio = qGuiApp->devicePixelRatio();
  QPixmap pixmap(exported.size * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Theme::surface());
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
  setText(tr("&Export"));
  setIcon(Theme::icon("export"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setPopupMode(QToolButton::InstantPopup);
  setToolTip(tr("Save the plot as an image or what it shows as a table (Alt+E)"));
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
  delete m_dialog;
  m_dialog = new QFileDialog(this, tr("Export the plot"), {}, QString("%1 (*.%2)").arg(description, suffix));
  m_dialog->setObjectName(m_name + "Dialog");
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  m_dialog->setAcceptMode(QFileDialog::AcceptSave);
  m_dialog->setDefaultSuffix(suffix);
  m_dialog->selectFile(m_fileName + "." + suffix);
  connect(m_dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    const auto done = exportPlot(m_exported(), path);
    if (done.ok()) {
      emit written(path);
    } else {
      emit failed(QString::fromStdString(done.error().text()));
    }
  });
  m_dialog->open();
}

}  // namespace p2::views
