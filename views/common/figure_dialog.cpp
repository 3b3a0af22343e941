// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/figure_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr QLatin1String kWidthKey("figure/millimetres");
constexpr QLatin1String kPointsKey("figure/points");
constexpr QLatin1String kTitleKey("figure/title");
constexpr QLatin1String kLegendKey("figure/legend");

QCheckBox* rememberedBox(const QString& text, const QString& name, const QString& toolTip, const QString& key,
                         bool first) {
  auto* box = new QCheckBox(text);
  box->setObjectName(name);
  box->setToolTip(toolTip);
  box->setChecked(QSettings().value(key, first).toBool());
  return box;
}

}  // namespace

FigureDialog::FigureDialog(std::function<ExportedPlot(const FigureStyle&)> exported, QWidget* parent)
    : QDialog(parent),
      m_exported(std::move(exported)),
      m_width(new QComboBox),
      m_points(new QComboBox),
      m_title(rememberedBox(tr("&Title"), QStringLiteral("figureTitle"), tr("Write the title above the figure"),
                            kTitleKey, false)),
      m_legend(rememberedBox(tr("&Legend"), QStringLiteral("figureLegend"), tr("Explain the colours inside the figure"),
                             kLegendKey, true)),
      m_preview(new QLabel),
      m_size(new QLabel) {
  setObjectName(QStringLiteral("figureDialog"));
  setWindowTitle(tr("Figure for print"));
  named(m_width, "figureWidth", {}, tr("Width of the figure on paper"));
  m_width->addItem(tr("one column, 85 mm"), FigureStyle::kColumn);
  m_width->addItem(tr("both columns, 180 mm"), FigureStyle::kPage);
  named(m_points, "figurePoints", {}, tr("Size of the text on paper"));
  for (const int points : {7, 8, 9}) m_points->addItem(tr("%1 pt").arg(points), double(points));
  m_width->setCurrentIndex(std::max(0, m_width->findData(QSettings().value(kWidthKey, FigureStyle::kColumn))));
  m_points->setCurrentIndex(std::max(0, m_points->findData(QSettings().value(kPointsKey, 8.0))));
  m_preview->setObjectName(QStringLiteral("figurePreview"));
  m_preview->setAlignment(Qt::AlignCenter);
  m_preview->setMinimumSize(360, 260);
  m_size->setObjectName(QStringLiteral("figureSize"));
  m_size->setForegroundRole(QPalette::PlaceholderText);
  auto* form = new QFormLayout;
  form->addRow(tr("&Width"), m_width);
  form->addRow(tr("Text &size"), m_points);
  form->addRow(m_title);
  form->addRow(m_legend);
  form->addRow(m_size);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(2 * Theme::kGrid);
  columns->addLayout(form);
  columns->addWidget(m_preview, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* save = buttons->addButton(tr("Save &as…"), QDialogButtonBox::AcceptRole);
  save->setObjectName(QStringLiteral("figureSave"));
  save->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(columns, 1);
  layout->addWidget(buttons);
  for (QComboBox* box : {m_width, m_points})
    connect(box, &QComboBox::currentIndexChanged, this, &FigureDialog::preview);
  for (QCheckBox* box : {m_title, m_legend}) connect(box, &QCheckBox::toggled, this, &FigureDialog::preview);
  connect(this, &QDialog::accepted, this, [this] {
    QSettings settings;
    settings.setValue(kWidthKey, m_width->currentData());
    settings.setValue(kPointsKey, m_points->currentData());
    settings.setValue(kTitleKey, m_title->isChecked());
    settings.setValue(kLegendKey, m_legend->isChecked());
  });
  preview();
}

FigureStyle FigureDialog::style() const {
  return {m_width->currentData().toDouble(), m_points->currentData().toDouble(), m_title->isChecked(),
          m_legend->isChecked()};
}

void FigureDialog::preview() {
  const ExportedPlot exported = m_exported(style());
  const QSizeF size = figureMillimetres(exported);
  m_size->setText(tr("%1 × %2 mm").arg(size.width(), 0, 'f', 0).arg(size.height(), 0, 'f', 0));
  const QPixmap picture = figurePixmap(exported);
  if (picture.isNull()) return m_preview->setText(tr("There is nothing to draw."));
  const QSize room = m_preview->size().expandedTo(m_preview->minimumSize()) * picture.devicePixelRatio();
  QPixmap fitted = picture.scaled(picture.size().boundedTo(room), Qt::KeepAspectRatio, Qt::SmoothTransformation);
  fitted.setDevicePixelRatio(picture.devicePixelRatio());
  m_preview->setPixmap(fitted);
}

}  // namespace p2::views
