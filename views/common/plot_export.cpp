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
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "text/text_file.h"
#include "views/common/figure_dialog.h"
#include "views/common/save_dialog.h"
#include "views/common/svg_document.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kEdge = 12;
constexpr double kPixels = 2;         // picture pixels per screen pixel
constexpr double kPrintedPixels = 4;  // in figures for print: 384 dots per inch

QFont titleFont() {
  QFont font = Theme::tabularFont();
  font.setBold(true);
  return font;
}

QRect subtitleRect(const ExportedPlot& exported) {
  const QRect room(kEdge, 0, exported.plot->width() - 2 * kEdge, 1 << 20);
  return QFontMetrics(Theme::tabularFont()).boundingRect(room, Qt::TextWordWrap, exported.subtitle);
}

/// Height of a plot over its width in print.
constexpr double kPrintedAspect = 0.62;

bool hasTitle(const ExportedPlot& exported) {
  return exported.plot && !exported.title.isEmpty() && (!exported.style.isForPrint() || exported.style.title);
}

/// Of title and subtitle above a plot; pictures that are drawn for it bring their own.
int headHeight(const ExportedPlot& exported) {
  if (!hasTitle(exported)) return 0;
  const int title = QFontMetrics(titleFont()).lineSpacing();
  if (exported.style.isForPrint()) return kEdge + title;
  const int lines = exported.subtitle.isEmpty() ? 0 : subtitleRect(exported).height();
  return kEdge + title + lines + kEdge / 2;
}

/// Layout size: the screen's, or the paper's before scaling.
QSize plotSize(const ExportedPlot& exported) {
  if (!exported.style.isForPrint()) return exported.plot->size();
  const int width = exported.style.layoutWidth();
  return {width, int(std::lround(width * kPrintedAspect))};
}

double scaleOf(const ExportedPlot& exported) {
  if (!exported.style.isForPrint()) return 1;
  if (exported.plot || exported.size.width() <= 0) return exported.style.scale();
  const double width = exported.style.millimetres / FigureStyle::kMillimetresPerInch * FigureStyle::kDotsPerInch;
  return width / exported.size.width();
}

QSize layoutSize(const ExportedPlot& exported) {
  return exported.plot ? plotSize(exported) + QSize(0, headHeight(exported)) : exported.size;
}

QSize sizeOf(const ExportedPlot& exported) {
  const QSizeF size = QSizeF(layoutSize(exported)) * scaleOf(exported);
  return {int(std::lround(size.width())), int(std::lround(size.height()))};
}

int dotsPerInch(const ExportedPlot& exported) {
  return exported.plot ? exported.plot->logicalDpiX() : int(QGuiApplication::primaryScreen()->logicalDotsPerInch());
}

void paintHead(const ExportedPlot& exported, QPainter& painter) {
  const int height = headHeight(exported);
  if (height == 0) return;
  const int width = plotSize(exported).width();
  painter.fillRect(QRect(0, 0, width, height), Theme::surface());
  painter.setPen(Theme::text());
  painter.setFont(titleFont());
  const int title = painter.fontMetrics().lineSpacing();
  painter.drawText(QRect(kEdge, kEdge, width - 2 * kEdge, title), int(Qt::AlignLeft | Qt::AlignVCenter),
                   exported.title);
  if (exported.style.isForPrint()) return;
  painter.setFont(Theme::tabularFont());
  painter.setPen(Theme::mutedText());
  painter.drawText(QRect(kEdge, kEdge + title, width - 2 * kEdge, height - kEdge - title),
                   int(Qt::AlignLeft | Qt::TextWordWrap), exported.subtitle);
}

/// Hides the legend of a plot where none is wanted, until the figure is drawn.
class LegendShown {
 public:
  explicit LegendShown(const ExportedPlot& exported)
      : m_legend(exported.plot->legend), m_before(m_legend && m_legend->visible()) {
    if (m_before) m_legend->setVisible(!exported.style.isForPrint() || exported.style.legend);
  }
  ~LegendShown() {
    if (m_before) m_legend->setVisible(true);
  }
  LegendShown(const LegendShown&) = delete;
  LegendShown& operator=(const LegendShown&) = delete;

 private:
  QCPLegend* m_legend;
  bool m_before;
};

/// The light colours of paper for a figure for print, until it is drawn.
class OnPaper {
 public:
  explicit OnPaper(const ExportedPlot& exported) : m_plot(exported.style.isForPrint() ? exported.plot : nullptr) {
    if (!exported.style.isForPrint()) return;
    m_paper.emplace(Theme::Look{false, Theme::tabularFont()});
    restyle();
  }
  ~OnPaper() {
    m_paper.reset();
    restyle();
  }
  OnPaper(const OnPaper&) = delete;
  OnPaper& operator=(const OnPaper&) = delete;

 private:
  /// Plots keep pens and brushes; they take them from the theme again when the palette changes.
  void restyle() const {
    if (m_plot == nullptr) return;
    QEvent event(QEvent::PaletteChange);
    QCoreApplication::sendEvent(m_plot, &event);
  }

  QCustomPlot* m_plot;
  std::optional<Theme::Painting> m_paper;
};

bool paintOn(const ExportedPlot& exported, QPaintDevice* device) {
  const OnPaper paper(exported);
  const double scale = scaleOf(exported);
  if (!exported.plot) {
    QPainter painter;
    if (!painter.begin(device)) return false;
    painter.scale(scale, scale);
    exported.paint(painter);
    return painter.end();
  }
  const LegendShown legend(exported);
  QCPPainter painter;
  if (!painter.begin(device)) return false;
  painter.setMode(QCPPainter::pmVectorized);
  painter.scale(scale, scale);
  paintHead(exported, painter);
  painter.translate(0, headHeight(exported));
  const QSize size = plotSize(exported);
  exported.plot->toPainter(&painter, size.width(), size.height());
  const bool drawn = painter.end();
  exported.plot->replot();
  return drawn;
}

bool writePng(const ExportedPlot& exported, QIODevice& file) {
  if (exported.style.isForPrint()) {
    const QPixmap printed = figurePixmap(exported);
    return !printed.isNull() && printed.save(&file, "PNG");
  }
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
  return writeSvgDocument(file, [&exported](QSvgGenerator& generator) {
    generator.setSize(sizeOf(exported));
    generator.setViewBox(QRect(QPoint(), sizeOf(exported)));
    generator.setResolution(dotsPerInch(exported));
    generator.setTitle(exported.title);
    return paintOn(exported, &generator);
  });
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
  const std::string csv = exported.csv ? exported.csv() : std::string();
  return file.write(csv.data(), qint64(csv.size())) == qint64(csv.size());
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

QString filterOf(const PlotWriter& writer) {
  return QStringLiteral("%1 (*.%2)").arg(QObject::tr(writer.description), QLatin1String(writer.suffix));
}

}  // namespace

QSizeF figureMillimetres(const ExportedPlot& exported) {
  return QSizeF(sizeOf(exported)) / FigureStyle::kDotsPerInch * FigureStyle::kMillimetresPerInch;
}

QPixmap figurePixmap(const ExportedPlot& exported) {
  const QSize size = sizeOf(exported);
  if (size.isEmpty()) return {};
  const double pixels = exported.style.isForPrint() ? kPrintedPixels : kPixels;
  QPixmap pixmap(size * pixels);
  pixmap.setDevicePixelRatio(pixels);
  pixmap.fill(exported.style.isForPrint() ? QColor(Qt::white) : Theme::surface());
  return paintOn(exported, &pixmap) ? pixmap : QPixmap();
}

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

void askForFigure(QWidget* parent, const QString& name, const QString& fileName,
                  const std::function<ExportedPlot(const FigureStyle&)>& exported,
                  const std::function<void(const QString&, const Result<void>&)>& done) {
  auto* dialog = new FigureDialog(exported, parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QDialog::accepted, parent, [=] {
    QStringList filters;
    for (const char* suffix : {"pdf", "svg", "png"}) {
      for (const PlotWriter& writer : kWriters) {
        if (QLatin1String(writer.suffix) == QLatin1String(suffix)) filters += filterOf(writer);
      }
    }
    const SaveWish wish{name + "Dialog", QObject::tr("Export the figure"), filters, fileName};
    askWhereToSave(parent, wish, [exported, done, style = dialog->style()](const QString& path) {
      done(path, exportPlot(exported(style), path));
    });
  });
  dialog->open();
}

PlotExportButton::PlotExportButton(const QString& name, const QString& fileName,
                                   std::function<ExportedPlot(const FigureStyle&)> exported, QWidget* parent)
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
  QAction* figure = menu->addAction(tr("&Figure for print …"), this, [this] {
    askForFigure(this, m_name, m_fileName, m_exported,
                 [this](const QString& path, const Result<void>& done) { tell(path, done); });
  });
  figure->setObjectName(name + "-figure");
  for (const PlotWriter& writer : kWriters) {
    const QString filter = filterOf(writer);
    QAction* action = menu->addAction(tr("%1 …").arg(QObject::tr(writer.description)));
    action->setObjectName(name + "-" + QLatin1String(writer.suffix));
    connect(action, &QAction::triggered, this, [this, filter] { askForFile(filter); });
  }
  setMenu(menu);
}

void PlotExportButton::askForFile(const QString& filter) {
  const SaveWish wish{m_name + "Dialog", tr("Export the plot"), {filter}, m_fileName};
  askWhereToSave(this, wish, [this](const QString& path) { tell(path, exportPlot(m_exported({}), path)); });
}

void PlotExportButton::tell(const QString& path, const Result<void>& done) {
  if (done.ok()) {
    emit written(path);
  } else {
    emit failed(qs(done.error().text()));
  }
}

}  // namespace p2::views
