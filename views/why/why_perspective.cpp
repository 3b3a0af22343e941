// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_perspective.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include "text/text_file.h"
#include "timeline/chrome_trace.h"
#include "training_answer/plan_reduction.h"
#include "views/accuracy/accuracy_mark.h"
#include "views/common/brief_label.h"
#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/save_dialog.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/common/view_figure.h"
#include "views/common/view_tabs.h"
#include "views/shell/session.h"
#include "views/shell/training_text.h"
#include "views/timeline/timeline_view.h"
#include "views/why/collectives_model.h"
#include "views/why/machine_view.h"
#include "views/why/memory_view.h"
#include "views/why/waterfall_view.h"
#include "views/why/why_words.h"

namespace p2::views {
namespace {

constexpr int kLowLines = 30;  // a page of fewer lines of text gives its figures the room
constexpr int kFindingLines = 2;

Result<StepStudy> studyOf(const WhyQuestion& question, const std::stop_token& stop) {
  return studyStep(question.answer->question, question.planned, question.answer->answer.reserve, stop);
}

}  // namespace

WhyPerspective::WhyPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_study(session.jobs(), [](const WhyQuestion& question, std::stop_token stop, const Progress&) {
        return studyOf(question, stop);
      }) {
  setObjectName(QStringLiteral("whyPerspective"));
  m_empty = new EmptyPage;
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeContent());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  forwardFocus(*this, *m_timeline);
  connectParts();
  m_session.planner().follow(*this);
  refresh();
}

WhyPerspective::~WhyPerspective() = default;

QList<QAction*> WhyPerspective::viewActions() { return m_tabs->tabActions(); }

QWidget* WhyPerspective::mainList() { return m_timeline; }

void WhyPerspective::makeTable() {
  m_collectives = new CollectivesModel(this);
  m_table = new QTableView;
  m_table->setMinimumHeight(60);
  m_table->setModel(m_collectives);
  setUpTable(*m_table, {.name = QStringLiteral("whyCollectives"),
                        .accessible = tr("Collectives of the step"),
                        .toolTip = tr("A click on the name of a collective, or Enter, shows its programs"),
                        .stretched = CollectivesModel::Link,
                        .fitted = true});
}

QWidget* WhyPerspective::makeContent() {
  m_finding = new BriefLabel;
  QFont bold = m_finding->font();
  bold.setBold(true);
  m_finding->setFont(bold);
  m_finding->setObjectName(QStringLiteral("whyFinding"));
  m_about = named(new BriefLabel, "whyAbout");
  m_message = new InlineMessage;
  m_timeline = named(new TimelineView, "whyTimeline");
  auto* head = new QHBoxLayout;
  head->addWidget(m_finding, 1);
  head->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Step), 0, Qt::AlignTop);
  m_right = new QSplitter(Qt::Vertical);
  m_right->addWidget(m_timeline);
  m_right->addWidget(makeDetails());
  m_right->setStretchFactor(0, 3);
  m_right->setStretchFactor(1, 2);
  m_right->setChildrenCollapsible(false);
  auto* all = new QSplitter;
  all->addWidget(makeWaterfall());
  all->addWidget(m_right);
  all->setStretchFactor(0, 0);
  all->setStretchFactor(1, 1);
  all->setChildrenCollapsible(false);
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(head);
  layout->addWidget(m_about);
  layout->addWidget(m_message);
  layout->addWidget(all, 1);
  return content;
}

QWidget* WhyPerspective::makeWaterfall() {
  m_waterfall = new WaterfallView;
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_waterfall);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  const auto picture = [this] { return m_waterfall->picture(); };
  auto* left = new QWidget;
  auto* layout = new QVBoxLayout(left);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(scroll, 1);
  layout->addWidget(exportButton("whyWaterfallExport", tr("Waterfall"), "waterfall", *m_waterfall, picture), 0,
                    Qt::AlignLeft);
  return left;
}

/// Collectives, machine and memory behind their tabs, and the files of the timeline above them.
QWidget* WhyPerspective::makeDetails() {
  makeTable();
  m_machine = new MachineView;
  m_memory = new MemoryView;
  m_details = new QStackedWidget;
  for (QWidget* page : std::initializer_list<QWidget*>{m_table, m_machine, m_memory}) m_details->addWidget(page);
  m_tabs =
      new ViewTabs(QStringLiteral("whyTabs"), tr("Detail"), QStringLiteral("why/detail"),
                   {{"whyCollectivesAction", "collectives", tr("Collectives"), tr("Every collective of the step")},
                    {"whyMachineAction", "machine", tr("Machine"), tr("Where the axes are, and loads of links")},
                    {"whyMemoryAction", "memory", tr("Memory"), tr("Memory of the fullest device over the step")}});
  auto* trace = named(new QToolButton, "whyTrace");
  trace->setText(tr("Trace…"));
  trace->setToolTip(tr("Write the timeline as a trace that ui.perfetto.dev opens"));
  connect(trace, &QToolButton::clicked, this, &WhyPerspective::exportTrace);
  const auto timeline = [this] { return m_timeline->picture(); };
  const auto detail = [this] {
    return m_details->currentWidget() == m_memory ? m_memory->picture() : m_machine->picture();
  };
  m_detailExport = exportButton("whyDetailExport", tr("Drawing"), "step", *m_details, detail);
  auto* head = new QHBoxLayout;
  head->setSpacing(Theme::kGrid / 2);
  head->addWidget(m_tabs);
  head->addStretch(1);
  head->addWidget(trace);
  m_timelineExport = exportButton("whyTimelineExport", tr("Timeline"), "timeline", *m_timeline, timeline);
  head->addWidget(m_timelineExport);
  head->addWidget(m_detailExport);
  auto* details = new QWidget;
  auto* layout = new QVBoxLayout(details);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(m_details, 1);
  return details;
}

QToolButton* WhyPerspective::exportButton(const QString& name, const QString& text, const QString& file,
                                          const QWidget& view, std::function<ViewPicture()> picture) {
  auto* button = new PlotExportButton(name, file, [&view, picture = std::move(picture)](const FigureStyle& style) {
    return figureOf(picture(), view.width(), style);
  });
  button->setText(text);
  button->setToolTip(tr("Save it as an image or a figure for print, or its values as a table"));
  button->setAccessibleName(tr("Export: %1").arg(text));
  connect(button, &PlotExportButton::written, this, [this](const QString& path) {
    m_message->sayBriefly(InlineMessage::Kind::Good, tr("Written: %1").arg(path));
  });
  connect(button, &PlotExportButton::failed, m_message, &InlineMessage::showProblem);
  return button;
}

/// The table of collectives is no drawing.
void WhyPerspective::showDetail(int page) {
  m_details->setCurrentIndex(page);
  m_detailExport->setEnabled(m_details->currentWidget() != m_table);
}

void WhyPerspective::connectParts() {
  connect(&m_session, &Session::trainingChanged, this, &WhyPerspective::refresh);
  connect(&m_study, &DerivedBase::changed, this, &WhyPerspective::showStudy);
  connect(m_waterfall, &WaterfallView::chosenChanged, this, &WhyPerspective::chooseBar);
  connect(m_timeline, &TimelineView::followed, this, &WhyPerspective::followSlice);
  connect(m_tabs, &QTabBar::currentChanged, this, &WhyPerspective::showDetail);
  showDetail(m_tabs->currentIndex());
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { openCollective(index.row()); });
  connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (m_collectives->isLink(index)) openCollective(index.row());
  });
  m_table->setMouseTracking(true);
  connect(m_table, &QTableView::entered, this, [this](const QModelIndex& index) {
    m_table->viewport()->setCursor(m_collectives->isLink(index) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  });
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    emit perspectiveWanted(m_session.planner().hasModel() ? QString(kPlanPage) : QString(kModelPage));
  });
}

void WhyPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  const bool low = height() < kLowLines * fontMetrics().lineSpacing();
  m_finding->setMostLines(low ? kFindingLines : 0);
  m_about->setMostLines(low ? 1 : 0);
  for (QToolButton* button : {m_timelineExport, m_detailExport}) {
    button->setToolButtonStyle(low ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  }
  // The splitter gives the details no less than they need.
  if (low) m_right->setSizes({height(), 0});
}

void WhyPerspective::showEmpty() {
  const StepPlanner& planner = m_session.planner();
  m_pages->setCurrentIndex(0);
  if (!planner.hasModel()) {
    return m_empty->say(tr("Choose a model to see where the time of a training step goes."), tr("Choose a model"));
  }
  if (const auto problem = planner.problem()) return m_empty->say(qs(problem->text()), tr("Go to the plan"));
  m_empty->say(tr("Planning the step…"), {});
}

void WhyPerspective::refresh() {
  const StepPlanner& planner = m_session.planner();
  const PlannedConfiguration* planned = planner.shown();
  if (!planner.hasModel() || planned == nullptr) {
    m_study.withdraw();
    return showEmpty();
  }
  m_study.ask(tr("Where the time goes"), {planner.answer(), *planned});
  showStudy();
}

void WhyPerspective::showStudy() {
  const StepPlanner& planner = m_session.planner();
  const auto study = m_study.answer();
  if (!study || planner.shown() == nullptr) {
    if (const auto& problem = m_study.problem()) {
      m_pages->setCurrentIndex(0);
      return m_empty->say(qs(problem->text()), tr("Go to the plan"));
    }
    return showEmpty();
  }
  m_pages->setCurrentIndex(1);
  const bool stale = !m_study.isCurrent() || !planner.isCurrent();
  if (study != m_shown) {
    m_shown = study;
    m_finding->setText(findingOf(*study, planner.shownRow() == 0));
    m_waterfall->setBars(waterfallOf(study->planned.estimate, study->detail.hidden));
    m_timeline->show(std::shared_ptr<const p2::Timeline>(study, &study->timeline));
    m_collectives->setStudy(study);
    const auto answer = m_study.answered()->answer;
    m_about->setText(aboutOf(*study, answer->question.system));
    m_about->setToolTip(explainAxes(study->planned));
    m_machine->setStudy(study, std::shared_ptr<const System>(answer, &answer->question.system));
    m_memory->setCurve(study->memory);
    chooseBar();
  }
  const auto& problem = m_study.problem();
  m_message->showProblem(problem ? qs(problem->text()) : QString());
  m_finding->setEnabled(!stale);
  m_waterfall->setStale(stale);
  m_timeline->setStale(stale);
  m_collectives->setStale(stale);
  m_machine->setStale(stale);
  m_memory->setStale(stale);
}

void WhyPerspective::chooseBar() {
  const int bar = m_waterfall->chosen();
  const auto axis = bar < 0 ? std::nullopt : m_waterfall->bars()[std::size_t(bar)].axis;
  m_collectives->setAxis(axis);
  if (axis) m_tabs->setCurrentIndex(0);
}

void WhyPerspective::followSlice(std::uint32_t slice) {
  const SliceKind kind = m_shown->timeline.detailOf(m_shown->timeline.slices[slice]).kind;
  const auto& bars = m_waterfall->bars();
  const auto bar = std::find_if(bars.begin(), bars.end(), [&](const WaterfallBar& each) { return each.kind == kind; });
  if (bar == bars.end()) return;
  m_waterfall->choose(int(bar - bars.begin()));
  chooseBar();
}

void WhyPerspective::openCollective(int row) {
  if (!m_shown || row < 0) return;
  const StepCollective& each = m_shown->collectives[m_collectives->collectiveOf(row)];
  auto next = withPlan(*m_session.workspace(), m_study.answered()->answer->question.model, m_shown->planned);
  if (next.ok()) next = withEntry(std::move(*next), each.entry);
  if (!next.ok()) return m_message->showProblem(qs(next.error().text()));
  m_session.edit(tr("Look at %1 of %2").arg(qs(nameOf(each.entry.kind)), qs(each.entry.name)), std::move(*next));
  emit perspectiveWanted(kProgramsPage);
}

void WhyPerspective::exportTrace() {
  if (!m_shown) return;
  const SaveWish wish{QStringLiteral("whyTraceDialog"),
                      tr("Write the timeline as a trace"),
                      {tr("Trace for Perfetto (*.json)")},
                      QStringLiteral("step-trace")};
  askWhereToSave(this, wish, [this](const QString& file) { writeTrace(file); });
}

void WhyPerspective::writeTrace(const QString& file) {
  m_session.jobs().start<std::monostate>(
      tr("Write the trace"), {},
      [study = m_shown, path = file.toStdString()](std::stop_token, const Progress&) -> Result<std::monostate> {
        P2_TRY(writeTextFile(path, chromeTraceText(study->timeline)));
        return std::monostate{};
      },
      [self = QPointer(this), file](Result<std::monostate> done) {
        if (!self) return;
        if (!done.ok()) return self->m_message->showProblem(qs(done.error().text()));
        self->m_message->sayBriefly(InlineMessage::Kind::Good, tr("Written: %1. Open it at ui.perfetto.dev").arg(file));
      });
}

}  // namespace p2::views
