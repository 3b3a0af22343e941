// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/whatif/what_if_perspective.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>

#include "views/accuracy/accuracy_mark.h"
#include "views/common/decimal_box.h"
#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/shell/training_text.h"
#include "views/whatif/change_controls.h"
#include "views/whatif/compare_dialog.h"
#include "views/whatif/points_model.h"
#include "views/whatif/points_table.h"
#include "views/whatif/step_bars.h"
#include "views/whatif/what_if_words.h"

namespace p2::views {
namespace {

constexpr int kLeastLines = 30;  // of text in the page; below it the bars are brief
constexpr const char* kOver[] = {"nodes", "spine", "nic", "batch", "sequence", "framework"};

QDoubleSpinBox* amountBox(const QString& name, const QString& toolTip, double most) {
  auto* box = new DecimalBox;
  box->setObjectName(name);
  box->setToolTip(toolTip);
  box->setRange(0, most);
  box->setSpecialValueText(QObject::tr("not given"));
  return box;
}

}  // namespace

WhatIfPerspective::WhatIfPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_kept(session.jobs(), pointsOf),
      m_best(session.jobs(), pointsOf),
      m_faster(session.jobs(), pointsOf),
      m_tableKept(session.jobs(), pointsOf),
      m_table(session.jobs(), pointsOf) {
  setObjectName(QStringLiteral("whatIfPerspective"));
  m_empty = new EmptyPage;
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeContent());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  forwardFocus(*this, *m_list);
  connectParts();
  m_session.planner().follow(*this);
  refresh();
}

WhatIfPerspective::~WhatIfPerspective() = default;

QWidget* WhatIfPerspective::mainList() { return m_list; }

void WhatIfPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  m_bars->setBrief(height() < kLeastLines * fontMetrics().lineSpacing());
}

QWidget* WhatIfPerspective::makeForm() {
  m_controls = new ChangeControls;
  m_price = amountBox(QStringLiteral("whatIfPrice"),
                      tr("Price of a device for an hour, in any currency. At first it is the system's"), 1e6);
  m_power = amountBox(QStringLiteral("whatIfPower"),
                      tr("Watts of a device. At first they are the system's, or the limit of its board"), 1e5);
  m_power->setDecimals(0);
  m_controls->addField(tr("&Price per hour"), *m_price);
  m_controls->addField(tr("&Watts"), *m_power);
  auto* form = new QWidget;
  QVBoxLayout* layout = panelLayout(form);
  layout->addWidget(m_controls);
  layout->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(form);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(form->minimumSizeHint().width() + 2 * Theme::kGrid);
  return scroll;
}

QWidget* WhatIfPerspective::makeTable() {
  m_points = new PointsModel(this);
  m_list = new PointsTable(*m_points);
  m_list->setMinimumHeight(60);
  m_over = named(new QComboBox, "whatIfOver", {},
                 tr("The quantity that varies in the table; the changes at the left stay as they are"));
  m_over->addItems({tr("nodes"), tr("spine"), tr("NIC"), tr("global batch"), tr("sequence"), tr("framework")});
  auto* caption = new QLabel(tr("Where the best plan changes, o&ver"));
  caption->setBuddy(m_over);
  auto* head = new QHBoxLayout;
  head->addWidget(caption);
  head->addWidget(m_over);
  m_searching = named(new QLabel, "whatIfSearching");
  m_searching->setForegroundRole(QPalette::PlaceholderText);
  // It comes and goes, and must not widen the page.
  m_searching->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  head->addWidget(m_searching, 1);
  auto* table = new QWidget;
  QVBoxLayout* layout = panelLayout(table);
  layout->setContentsMargins({});
  layout->addLayout(head);
  layout->addWidget(m_list, 1);
  return table;
}

QWidget* WhatIfPerspective::makeContent() {
  m_finding = panelTitle({});
  wrapped(named(m_finding, "whatIfFinding"));
  // The sentence of a change takes two lines, and must not move the slider that is dragged.
  m_finding->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_finding->setMinimumHeight(2 * m_finding->fontMetrics().lineSpacing());
  m_message = named(new InlineMessage, "whatIfMessage");
  m_bars = new StepBars;
  auto* right = new QWidget;
  QVBoxLayout* column = panelLayout(right);
  column->setContentsMargins({});
  column->addWidget(m_bars);
  column->addWidget(makeTable(), 1);
  auto* splitter = splitterOf(Qt::Horizontal, {{makeForm(), 0}, {right, 1}});
  auto* content = new QWidget;
  auto* layout = bareLayout<QVBoxLayout>(content);
  auto* head = new QHBoxLayout;
  head->addWidget(m_finding, 1);
  auto* compare = named(new QPushButton(tr("&Compare with another machine…")), "whatIfCompare", {},
                        tr("The step on another machine: a preset, levels as text, or a file"));
  connect(compare, &QPushButton::clicked, this, [this] {
    auto* dialog = new CompareDialog(m_session, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
  head->addWidget(compare, 0, Qt::AlignTop);
  auto* figure = new PlotExportButton(
      QStringLiteral("whatIfFigure"), QStringLiteral("what-if"),
      [this](const FigureStyle& style) { return figureOf(m_bars->picture(), m_bars->width(), style); });
  connect(figure, &PlotExportButton::written, this,
          [this](const QString& path) { m_searching->setText(tr("Written: %1").arg(path)); });
  connect(figure, &PlotExportButton::failed, this, [this](const QString& why) { m_message->showProblem(why); });
  head->addWidget(figure, 0, Qt::AlignTop);
  head->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Step), 0, Qt::AlignTop);
  layout->addLayout(head);
  layout->addWidget(m_message);
  layout->addWidget(splitter, 1);
  return content;
}

void WhatIfPerspective::connectParts() {
  connect(&m_session, &Session::trainingChanged, this, &WhatIfPerspective::refresh);
  connect(m_controls, &ChangeControls::changed, this, &WhatIfPerspective::ask);
  connect(m_controls, &ChangeControls::adoptWanted, this, &WhatIfPerspective::adopt);
  connect(m_over, &QComboBox::currentIndexChanged, this, &WhatIfPerspective::ask);
  for (Asked* each : {&m_kept, &m_best, &m_faster, &m_tableKept, &m_table}) {
    connect(each, &DerivedBase::changed, this, &WhatIfPerspective::showPoints);
  }
  connect(&m_table, &DerivedBase::progressed, this, &WhatIfPerspective::showTable);
  for (QDoubleSpinBox* each : {m_price, m_power}) {
    connect(each, &QDoubleSpinBox::valueChanged, this, &WhatIfPerspective::showPoints);
  }
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    emit perspectiveWanted(m_session.planner().hasModel() ? QString(kPlanPage) : QString(kModelPage));
  });
}

/// One undoable edit.
void WhatIfPerspective::adopt() {
  if (!m_answer || !m_session.planner().isCurrent()) return;
  const WhatIfChange change = m_controls->change();
  const auto kept = m_kept.current();
  const bool runs = kept && !kept->empty() && kept->front().kept;
  auto next = adopted(*m_session.workspace(), m_answer->question, change, runs ? &*kept->front().kept : nullptr);
  if (!next.ok()) return m_message->showProblem(qs(next.error().text()));
  m_session.edit(tr("Use %1").arg(qs(describe(change, nodeNameOf(next->system)))), std::move(*next));
}

RunningCost WhatIfPerspective::cost() const {
  RunningCost cost;
  if (m_price->value() > 0) cost.pricePerDeviceHour = m_price->value();
  if (m_power->value() > 0) cost.wattsPerDevice = m_power->value();
  return cost;
}

void WhatIfPerspective::showEmpty() {
  const StepPlanner& planner = m_session.planner();
  m_pages->setCurrentIndex(0);
  if (!planner.hasModel()) {
    return m_empty->say(tr("Choose a model to try its step on other machines."), tr("Choose a model"));
  }
  if (const auto problem = planner.problem()) return m_empty->say(qs(problem->text()), tr("Go to the plan"));
  m_empty->say(tr("Planning the step…"), {});
}

void WhatIfPerspective::refresh() {
  const StepPlanner& planner = m_session.planner();
  m_controls->setAdoptable(planner.isCurrent());
  if (!planner.hasModel() || planner.shown() == nullptr) {
    for (Asked* each : {&m_kept, &m_best, &m_faster, &m_tableKept, &m_table}) each->forget();
    return showEmpty();
  }
  if (planner.answer() != m_answer) {
    const bool isOther = !m_answer || !(m_answer->question.system == planner.answer()->question.system) ||
                         m_answer->question.batch != planner.answer()->question.batch ||
                         m_answer->question.sequence != planner.answer()->question.sequence ||
                         m_answer->question.precision != planner.answer()->question.precision ||
                         m_answer->question.reserve != planner.answer()->question.reserve;
    m_answer = planner.answer();
    if (isOther) {
      m_controls->setQuestion(m_answer->question);
      const RunningCost stated = runningCostOf(m_answer->question.system.accelerator);
      const QSignalBlocker powerBlocker(m_power);
      const QSignalBlocker priceBlocker(m_price);
      m_power->setValue(stated.wattsPerDevice.value_or(0));
      m_price->setValue(stated.pricePerDeviceHour.value_or(0));
    }
  }
  m_controls->setRecomputation(planner.shown()->configuration.recomputation);
  m_controls->setFramework(*planner.shown()->framework, m_answer->question.system);
  ask();
}

void WhatIfPerspective::ask() {
  const PlannedConfiguration* shown = m_session.planner().shown();
  if (!m_answer || shown == nullptr) return;
  const ChosenConfiguration chosen = chosenFrom(*shown);
  const WhatIfChange change = m_controls->change();
  m_kept.ask(tr("The step after the change"), {m_answer, chosen, {change}, false});
  m_best.ask(tr("The best after the change"), {m_answer, chosen, {change}, true});
  // As costly as the best, and asked for by few changes.
  if (change != WhatIfChange{} && hasOddDevices(m_answer->question, change)) {
    m_faster.ask(tr("Faster changes nearby"), {m_answer, chosen, {change}, true, true});
  } else {
    m_faster.forget();
  }
  const std::string over = kOver[std::size_t(std::max(0, m_over->currentIndex()))];
  WhatIfQuestion values{m_answer, chosen, m_controls->around(over), false};
  m_tableKept.ask(tr("The step over %1").arg(m_over->currentText()), values);
  values.findsBest = true;
  values.soFar = std::make_shared<PointsSoFar>();
  m_table.ask(tr("The best over %1").arg(m_over->currentText()), std::move(values));
  showPoints();
}

/// The answer, or while it is searched for: the kept configuration at all values, and the best ones found so far.
void WhatIfPerspective::showTable() {
  auto points = m_table.answer();
  const bool searches = !m_table.isCurrent() && m_table.isRunning();
  const auto kept = searches ? m_tableKept.current() : nullptr;
  QString note = searches ? tr("Searching for the best configuration at each value …") : QString();
  if (kept) {
    auto partial = *kept;
    const Points found = m_table.question()->soFar->points();
    std::copy(found.begin(), found.end(), partial.begin());
    note = tr("Searching for the best configuration: %1 of %2 values …").arg(found.size()).arg(partial.size());
    points = std::make_shared<const Points>(std::move(partial));
  }
  m_searching->setText(note);
  m_points->setStale(!m_table.isCurrent() && !kept);
  m_points->setPoints(std::move(points));
}

void WhatIfPerspective::showPoints() {
  const PlannedConfiguration* before = m_session.planner().shown();
  if (before == nullptr || !m_answer) return showEmpty();
  m_pages->setCurrentIndex(1);
  const auto stepOf = [&](const QString& name, const PlannedConfiguration& planned, const RunningCost& cost,
                          std::int64_t devices, bool stale) {
    QString plan = degreesText(planned.configuration) + tr(" · microbatch %1").arg(batchText(planned.configuration));
    if (planned.framework != before->framework) plan += tr(" · %1").arg(qs(planned.framework->label));
    return StepBars::Step{name, figuresText(planned, cost, devices), plan, waterfallOf(planned.estimate), stale};
  };
  const RunningCost now = cost();
  std::vector<StepBars::Step> steps{
      stepOf(tr("before"), *before, now, m_answer->question.system.deviceCount(), !m_session.planner().isCurrent())};
  if (const auto kept = m_kept.answer(); kept && !kept->empty()) {
    const WhatIfPoint& point = kept->front();
    if (point.kept)
      steps.push_back(stepOf(tr("after"), *point.kept, costAt(point, now), point.devices, !m_kept.isCurrent()));
    else if (const auto& fewer = point.fewer)
      steps.push_back(stepOf(tr("after, with %1").arg(qs(point.fewerText())), fewer->planned, costAt(point, now),
                             fewer->devices, !m_kept.isCurrent()));
    else
      steps.push_back({tr("after"), {}, qs(point.keptProblem), {}, !m_kept.isCurrent()});
    const auto faster = m_faster.current();
    const std::string nearby = faster && !faster->empty() ? faster->front().fasterText() : std::string();
    const auto best = m_best.current();
    const bool found = best && !best->empty() && best->front().best;
    m_finding->setText(findingText(point, *before, found ? &*best->front().best : nullptr, nearby));
  }
  if (const auto best = m_best.answer(); best && !best->empty()) {
    const WhatIfPoint& point = best->front();
    const QString name = point.best && point.kept && !point.bestChanges()
                             ? tr("best there: %1").arg(qs(describeBest(*point.kept, *point.best)))
                             : tr("best there");
    if (point.best) {
      steps.push_back(stepOf(name, *point.best, costAt(point, now), point.devices, !m_best.isCurrent()));
      if (!point.bestReason.empty()) steps.back().figures += QStringLiteral(" · ") + qs(point.bestReason);
    } else {
      steps.push_back({tr("best there"), {}, qs(point.bestProblem), {}, !m_best.isCurrent()});
    }
  }
  m_bars->setSteps(std::move(steps));
  m_points->setCost(now);
  m_list->setPriced(m_price->value() > 0);
  showTable();
  const auto& problem = m_kept.problem() ? m_kept.problem() : m_table.problem();
  m_message->showProblem(problem ? qs(problem->text()) : QString());
}

}  // namespace p2::views
