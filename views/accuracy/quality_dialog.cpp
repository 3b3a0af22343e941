// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/quality_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "base/units.h"
#include "cost/cost_model.h"
#include "views/accuracy/quality_plot.h"
#include "views/common/accessible_items.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr const char* kPredicts = "nccl";  // the model that the atlas is predicted by

QString percent(double share) { return qs(formatPercent(share)); }

QString leftOut() {
  const auto model = costModelFrom(kPredicts);
  if (!model.ok()) return {};
  const std::string_view text = (*model)->unmodelledEffects();
  return qs(text);
}

/// "https://…" as links.
QString sourcesHtml(const std::vector<const AtlasTable*>& tables) {
  QString html;
  for (const AtlasTable* table : tables) {
    QString source = qs(table->source).toHtmlEscaped();
    if (source.startsWith("http")) source = QStringLiteral("<a href=\"%1\">%1</a>").arg(source);
    QString note = qs(table->note).toHtmlEscaped();
    if (!note.isEmpty()) note += "<br>";
    html += QStringLiteral("<p><b>%1</b><br>%2%3</p>").arg(tableTitle(*table).toHtmlEscaped(), note, source);
  }
  return html;
}

}  // namespace

QualityDialog::QualityDialog(JobQueue& jobs, const System& system, const std::string& model, QWidget* parent)
    : QDialog(parent),
      m_system(system),
      m_finding(new QLabel),
      m_message(new InlineMessage),
      m_pages(new QStackedWidget),
      m_plot(new QualityPlot),
      m_detail(new QLabel),
      m_bands(new QTableWidget(int(kSizeBands), 4)),
      m_sources(new QTextBrowser),
      m_onlyAllReduce(new QCheckBox(tr("&AllReduce only"))),
      m_progress(new QProgressBar),
      m_quality(jobs, [](const Question& question, const std::stop_token& stop, const Progress& progress) {
        return modelQuality(question.system, question.onlyAllReduce, stop, progress);
      }) {
  setObjectName("qualityDialog");
  setWindowTitle(tr("How good is this model here?"));
  wrapped(named(m_finding, "qualityFinding"));
  m_message->setObjectName("qualityMessage");
  wrapped(named(m_detail, "qualityDetail"));
  m_detail->setMinimumHeight(2 * m_detail->fontMetrics().lineSpacing());
  m_plot->setMinimumSize(420, 380);
  auto* left = new QVBoxLayout;
  left->addWidget(m_plot, 1);
  left->addWidget(m_detail);
  auto* content = new QWidget;
  auto* columns = bareLayout<QHBoxLayout>(content, 2 * Theme::kGrid);
  columns->addLayout(left, 3);
  columns->addWidget(makeSide(model), 2);
  m_progress->setObjectName("qualityProgress");
  m_progress->setRange(0, 1000);
  m_progress->setAccessibleName(tr("Progress"));
  m_pages->addWidget(m_progress);
  m_pages->addWidget(content);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_finding);
  layout->addWidget(m_message);
  layout->addWidget(m_pages, 1);
  layout->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 180, fontMetrics().lineSpacing() * 42);
  connect(m_plot, &QualityPlot::pointHovered, m_detail, &QLabel::setText);
  connect(m_onlyAllReduce, &QCheckBox::toggled, this, &QualityDialog::ask);
  connect(&m_quality, &DerivedBase::changed, this, &QualityDialog::follow);
  connect(&m_quality, &DerivedBase::progressed, this, [this](double done) { m_progress->setValue(int(1000 * done)); });
  ask();
}

QWidget* QualityDialog::makeSide(const std::string& model) {
  auto* side = new QWidget;
  named(m_onlyAllReduce, "onlyAllReduce", {}, tr("Only tables of the collective that programs reach (Alt+A)"));
  m_onlyAllReduce->setChecked(true);
  makeTable();
  auto* unmodelledEffects = new QLabel(tr("Not modelled by the nccl model: %1").arg(leftOut()));
  wrapped(named(unmodelledEffects, "qualityLeavesOut"));
  auto* priced =
      new QLabel(tr("This document is priced by the %1 model, which has no protocols; the errors below belong to the "
                    "nccl model.")
                     .arg(qs(model)));
  priced->setWordWrap(true);
  priced->setVisible(model != kPredicts);
  named(m_sources, "qualitySources", tr("Sources"));
  m_sources->setOpenExternalLinks(true);
  auto* layout = bareLayout<QVBoxLayout>(side, Theme::kGrid);
  for (QWidget* part : std::initializer_list<QWidget*>{m_onlyAllReduce, m_bands, unmodelledEffects, priced}) {
    layout->addWidget(part);
  }
  layout->addWidget(new QLabel(tr("Where this was measured")));
  layout->addWidget(m_sources, 1);
  return side;
}

void QualityDialog::makeTable() {
  m_bands->setHorizontalHeaderLabels({tr("Sizes"), tr("Measured"), tr("Error here"), tr("All machines")});
  m_bands->horizontalHeaderItem(2)->setToolTip(tr("Median of |predicted / measured − 1|"));
  m_bands->horizontalHeaderItem(3)->setToolTip(tr("This median over all healthy tables of the atlas"));
  m_bands->setEditTriggers(QAbstractItemView::NoEditTriggers);
  setUpTable(*m_bands, {.name = "qualityBands",
                        .accessible = tr("Median error in every band of sizes"),
                        .toolTip = tr("Median of |predicted / measured − 1| in every band of sizes"),
                        .stretched = 3,
                        .fitted = true});
  for (int row = 0; row < int(kSizeBands); ++row) {
    for (int column = 0; column < 4; ++column) {
      auto* item = new QTableWidgetItem(column == 0 ? bandTitle(std::size_t(row)) : QString());
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      m_bands->setItem(row, column, item);
    }
  }
  m_bands->setFixedHeight(m_bands->horizontalHeader()->sizeHint().height() +
                          int(kSizeBands) * m_bands->verticalHeader()->defaultSectionSize() + 2 * Theme::kGrid);
}

void QualityDialog::ask() { m_quality.ask(tr("Predicting measured tables"), {m_system, m_onlyAllReduce->isChecked()}); }

void QualityDialog::follow() {
  const auto& problem = m_quality.problem();
  m_message->showProblem(problem ? qs(problem->text()) : QString());
  m_pages->setVisible(!problem);
  if (const auto quality = m_quality.current()) present(*quality);
}

void QualityDialog::tell(const QString& finding) {
  m_finding->setText(finding);
  announce(*this, finding);
}

void QualityDialog::present(const ModelQuality& quality) {
  m_pages->setCurrentIndex(1);
  m_plot->setPoints(quality.points);
  m_plot->setVisible(!quality.points.empty());
  m_sources->setHtml(sourcesHtml(quality.tables));
  for (int row = 0; row < int(kSizeBands); ++row) {
    const ModelQuality::Band& band = quality.bands[std::size_t(row)];
    m_bands->item(row, 1)->setText(QString::number(band.sizes));
    m_bands->item(row, 2)->setText(band.here ? percent(*band.here) : tr("–"));
    m_bands->item(row, 3)->setText(percent(band.everywhere));
  }
  if (quality.points.empty()) {
    tell(tr("No published measurements for this machine. On the machines that were measured, the nccl "
            "model errs by %1 below 64 KiB, %2 to 4 MiB and %3 above (medians).")
             .arg(percent(quality.bands[0].everywhere), percent(quality.bands[1].everywhere),
                  percent(quality.bands[2].everywhere)));
    return;
  }
  QStringList parts;
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    if (quality.bands[band].here) parts << tr("%1 %2").arg(percent(*quality.bands[band].here), bandTitle(band));
  }
  tell(tr("On machines like this one the nccl model errs by %1 (medians over %2, %3). Its constants were fitted to "
          "these "
          "tables among others, which makes their errors look smaller; intervals are from machines that were held out.")
           .arg(parts.join(", "), counted(std::int64_t(quality.tables.size()), tr("table"), tr("tables")),
                counted(std::int64_t(quality.points.size()), tr("size"), tr("sizes"))));
}

}  // namespace p2::views
