// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/paper_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "base/units.h"
#include "views/common/accessible_items.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

enum Column { Machine, Axes, Placement, FirstTime };

Result<std::vector<PaperSeconds>> predictAll(const std::stop_token& stop, const Progress& progress) {
  std::vector<PaperSeconds> all;
  for (const PaperResult& result : paperResults()) {
    P2_TRY_ASSIGN(const auto seconds, predictedPaperSeconds(result, stop));
    all.push_back(seconds);
    if (progress) progress(double(all.size()) / double(paperResults().size()));
  }
  return all;
}

QString comparedText(double measured, double predicted) {
  if (measured <= 0) return QStringLiteral("–");
  return PaperDialog::tr("%1 → %2 (%3)")
      .arg(secondsText(measured), secondsText(predicted), qs(formatSignedPercent(predicted / measured - 1)));
}

}  // namespace

bool isPaperMachine(const System& system) {
  const QString name = qs(system.name);
  return name.startsWith(QStringLiteral("gcp-a100:")) || name.startsWith(QStringLiteral("gcp-v100:"));
}

PaperDialog::PaperDialog(JobQueue& jobs, const System& system, QWidget* parent)
    : QDialog(parent),
      m_machine(qs(system.name)),
      m_finding(new QLabel),
      m_onlyHere(new QCheckBox(tr("&%1 only").arg(m_machine))),
      m_predictions(
          jobs, [](int, const std::stop_token& stop, const Progress& progress) { return predictAll(stop, progress); }) {
  setObjectName("paperDialog");
  setWindowTitle(tr("How good is this here?"));
  wrapped(named(m_finding, "paperFinding"));
  named(m_onlyHere, "paperOnlyHere", {}, tr("Only placements that were measured on this machine"));
  m_onlyHere->setChecked(true);
  auto* table = new QTableView;
  table->setModel(&m_model);
  setUpTable(*table, {.name = "paperTable",
                      .accessible = tr("Measured times of the paper and their predictions"),
                      .toolTip = tr("Measured → predicted, ten runs of 2 GiB on every GPU"),
                      .striped = true,
                      .fitted = true});
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_finding);
  layout->addWidget(m_onlyHere);
  layout->addWidget(table, 1);
  layout->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 150, fontMetrics().lineSpacing() * 34);
  connect(m_onlyHere, &QCheckBox::toggled, this, &PaperDialog::fill);
  connect(&m_predictions, &DerivedBase::changed, this, [this, table] {
    fill();
    table->resizeColumnsToContents();
  });
  m_finding->setText(tr("Predicting the paper's measurements …"));
  m_predictions.ask(tr("Predicting the paper's measurements"), 0);
}

void PaperDialog::fill() {
  const auto predictions = m_predictions.current();
  if (!predictions) return;
  QStringList titles{tr("Machine"), tr("Axes, reduced"), tr("Placement")};
  for (const std::string_view time : kPaperTimes) titles << qs(time);
  m_model.clear();
  m_model.setHorizontalHeaderLabels(titles);
  std::vector<double> errors;
  for (std::size_t i = 0; i < paperResults().size(); ++i) {
    const PaperResult& result = paperResults()[i];
    if (m_onlyHere->isChecked() && qs(result.machine) != m_machine) continue;
    QList<QStandardItem*> row{new QStandardItem(qs(result.machine)),
                              new QStandardItem(tr("%1, axis %2").arg(qs(result.axes), qs(result.reduce))),
                              new QStandardItem(qs(result.matrix))};
    for (std::size_t time = 0; time < kPaperTimes.size(); ++time) {
      const double measured = result.measured[time];
      const double predicted = (*predictions)[i][time];
      row << new QStandardItem(comparedText(measured, predicted));
      if (measured > 0) errors.push_back(std::abs(predicted / measured - 1));
    }
    for (QStandardItem* item : row) item->setEditable(false);
    m_model.appendRow(row);
  }
  const QString times = counted(std::int64_t(errors.size()), tr("time"), tr("times"));
  const QString where = m_onlyHere->isChecked() ? tr("on this machine") : tr("on all its machines");
  const QString text =
      errors.empty()
          ? tr("The paper did not measure this number of nodes. Untick the box to see the others.")
          : tr("The paper measured %1 %2; the median error of the predictions is %3. None of them was used to fit "
               "the figures of the preset, which are nominal.")
                .arg(times, where, qs(formatPercent(upperMedianOf(std::move(errors)))));
  m_finding->setText(text);
  announce(*this, text);
}

}  // namespace p2::views
