// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/plan_comparison_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "base/sentence.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/accessible_items.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/compare/compared_lines_model.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr QSize kComparisonSize{720, 640};
constexpr int kLeastSideCharacters = 40;

}  // namespace

PlanComparisonDialog::PlanComparisonDialog(Session& session, std::shared_ptr<const PlannerAnswer> found,
                                           std::vector<NamedConfiguration> extras, int a, int b, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_found(std::move(found)),
      m_extras(std::move(extras)),
      m_lines(new ComparedLinesModel(this)),
      m_finding(panelTitle({})),
      m_intervals(new QLabel) {
  setObjectName(QStringLiteral("planComparisonDialog"));
  setWindowTitle(tr("Compare two configurations"));
  m_a = makeSide(QStringLiteral("comparedA"), tr("First configuration"), a);
  m_b = makeSide(QStringLiteral("comparedB"), tr("Second configuration"), b);
  auto* sides = new QFormLayout;
  sides->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  sides->addRow(tr("C&ompare"), m_a);
  sides->addRow(tr("&with"), m_b);
  wrapped(named(m_finding, "planComparisonFinding"));
  m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse);
  wrapped(named(m_intervals, "planComparisonIntervals"));
  auto* head = new QHBoxLayout;
  head->addWidget(m_intervals, 1);
  head->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Step), 0, Qt::AlignTop);
  auto* table = new QTableView;
  table->setModel(m_lines);
  setUpTable(*table, {.name = QStringLiteral("planComparisonTable"),
                      .accessible = tr("Both configurations line by line"),
                      .toolTip = {},
                      .striped = true,
                      .linesPerRow = 1,
                      .stretched = ComparedLinesModel::A,
                      .fitted = true});
  table->horizontalHeader()->setSectionResizeMode(ComparedLinesModel::B, QHeaderView::Stretch);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copied = buttons->addButton(tr("&Copy table"), QDialogButtonBox::ActionRole);
  named(copied, "planComparisonCopy", {}, tr("Copy the sentence and all lines as text with tabs"));
  copied->setAutoDefault(false);
  connect(copied, &QPushButton::clicked, this, &PlanComparisonDialog::copy);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  QVBoxLayout* layout = panelLayout(this);
  layout->addLayout(sides);
  layout->addWidget(m_finding);
  layout->addLayout(head);
  layout->addWidget(table, 1);
  layout->addWidget(buttons);
  resize(kComparisonSize);
  for (QComboBox* side : {m_a, m_b}) connect(side, &QComboBox::activated, this, &PlanComparisonDialog::present);
  present();
}

QComboBox* PlanComparisonDialog::makeSide(const QString& name, const QString& accessible, int place) {
  auto* side = new QComboBox;
  side->setObjectName(name);
  side->setAccessibleName(accessible);
  side->setToolTip(tr("A row of the table, or your own configuration"));
  side->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  side->setMinimumContentsLength(kLeastSideCharacters);
  const auto add = [&](int each) {
    const PlannedConfiguration& planned = at(each);
    side->addItem(tr("%1: %2 · microbatch %3, %4")
                      .arg(nameOf(each), degreesText(planned.configuration), batchText(planned.configuration),
                           secondsText(planned.estimate.seconds)),
                  each);
  };
  for (int each = 0; each < int(m_extras.size()); ++each) add(placeOfExtra(each));
  for (int each = 0; each < int(m_found->answer.configurations.size()); ++each) add(each);
  side->setCurrentIndex(std::max(0, side->findData(place)));
  return side;
}

const PlannedConfiguration& PlanComparisonDialog::at(int place) const {
  return place < 0 ? m_extras[std::size_t(placeOfExtra(place))].planned
                   : m_found->answer.configurations[std::size_t(place)];
}

QString PlanComparisonDialog::nameOf(int place) const {
  return place < 0 ? qs(m_extras[std::size_t(placeOfExtra(place))].name) : tr("row %1").arg(place + 1);
}

void PlanComparisonDialog::present() {
  const int placeA = m_a->currentData().toInt();
  const int placeB = m_b->currentData().toInt();
  const NamedConfiguration a{nameOf(placeA).toStdString(), at(placeA)};
  const NamedConfiguration b{nameOf(placeB).toStdString(), at(placeB)};
  auto lines = compareConfigurations(a.planned, b.planned, m_found->answer.reserve, m_found->question.system);
  const TrainingAnswer& answer = m_found->answer;
  const QString finding = placeA == placeB
                              ? tr("Choose two different configurations.")
                              : qs(sentenceOf(describeComparison(lines, a, b, answer.reserve, answer.memory)));
  m_finding->setText(finding);
  announce(*this, finding);
  m_intervals->setText(tr("%1: %2 per step, %3 MFU; %4: %5 per step, %6 MFU")
                           .arg(qs(a.name), intervalText(a.planned.estimate), shareText(a.planned.estimate.mfu),
                                qs(b.name), intervalText(b.planned.estimate), shareText(b.planned.estimate.mfu)));
  m_lines->setLines(std::move(lines), qs(a.name), qs(b.name));
}

void PlanComparisonDialog::copy() const {
  QGuiApplication::clipboard()->setText(m_finding->text() + '\n' + m_lines->allText());
}

}  // namespace p2::views
