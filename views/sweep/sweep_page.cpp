// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_page.h"

#include <QCheckBox>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/brief_label.h"
#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/sweep/link_sliders.h"
#include "views/sweep/map_plot.h"
#include "views/sweep/measured_bar.h"
#include "views/sweep/range_bar.h"
#include "views/sweep/sweep_plot.h"
#include "views/sweep/sweep_words.h"

namespace p2::views {
namespace {

constexpr int kDetailLines = 2;
constexpr int kPatienceMs = 200;  // before the old answer is greyed and the progress appears

}  // namespace

SweepPage::SweepPage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_range(new RangeBar),
      m_message(new InlineMessage),
      m_finding(new BriefLabel),
      m_plots(new QStackedWidget),
      m_sliders(new LinkSliders),
      m_measured(new MeasuredBar(session)),
      m_detail(new BriefLabel),
      m_progress(new QProgressBar),
      m_stop(new QToolButton),
      m_sweep(session.jobs(),
              [](const Question& question, std::stop_token stop, const Progress& progress) {
                return sweep(question.workspace, question.range, false, std::move(stop), progress);
              }),
      m_mapped(session.jobs(), [](const Question& question, std::stop_token stop, const Progress& progress) {
        return p2::sweepMap(question.workspace, question.range, std::move(stop), progress);
      }) {
  m_message->setObjectName("sweepMessage");
  m_finding->setObjectName("sweepFinding");
  makePlots();
  auto* middle = new QHBoxLayout;
  middle->setSpacing(Theme::kGrid);
  middle->addWidget(m_plots, 1);
  middle->addWidget(m_sliders);
  auto* content = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  content->addWidget(makeToolbar());
  content->addWidget(m_message);
  content->addWidget(m_finding);
  content->addLayout(middle, 1);
  content->addWidget(m_measured);
  content->addWidget(makeFooter());
  showParts(m_parts->isChecked());
  showLinks(m_links->isChecked());
  forwardFocus(*this, *m_plots);
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatienceMs);
  connectPlots();
  connectParts();
}

void SweepPage::connectPlots() {
  const auto showDetail = [this](const QString& text) {
    m_detail->setText(
        text.isEmpty() ? tr("Point at the chart to see a value; click to select its placement and program.") : text);
  };
  showDetail({});
  connect(m_curves, &SweepPlot::pointHovered, this, showDetail);
  connect(m_map, &MapPlot::cellHovered, this, showDetail);
  connect(m_curves, &SweepPlot::pointClicked, this,
          [this](int point) { choose(m_curves->sweep()->points[std::size_t(point)].best); });
  connect(m_map, &MapPlot::cellClicked, this,
          [this](int row, int column) { choose(m_map->map()->at(std::size_t(row), std::size_t(column)).best); });
  connect(m_curves, &SweepPlot::pointActivated, this, &SweepPage::programWanted);
  connect(m_map, &MapPlot::cellActivated, this, &SweepPage::programWanted);
}

void SweepPage::connectParts() {
  connect(m_range, &RangeBar::rangeChanged, this, [this] { ask(Asking::AtOnce); });
  connect(m_range, &RangeBar::problem, this, [this](const QString& sentence) {
    m_rangeProblem = sentence;
    showState();
  });
  connect(m_parts, &QCheckBox::toggled, this, &SweepPage::showParts);
  connect(m_links, &QCheckBox::toggled, this, &SweepPage::showLinks);
  connect(m_sliders, &LinkSliders::moved, this, [this] { ask(Asking::InTurn); });
  connect(m_sliders, &LinkSliders::released, this, [this] { ask(Asking::AtOnce); });
  connect(m_sliders, &LinkSliders::applyWanted, this, &SweepPage::applyLinks);
  connect(m_measured, &MeasuredBar::tableChanged, this,
          [this] { m_curves->setMeasured(m_measured->table(), m_measured->title()); });
  connect(m_stop, &QToolButton::clicked, this, [this] {
    m_waits = false;
    if (derived().isRunning()) {
      derived().cancel();
    } else {
      askAgain();
    }
  });
  connect(&m_patience, &QTimer::timeout, this, &SweepPage::showState);
  for (DerivedBase* each : std::initializer_list<DerivedBase*>{&m_sweep, &m_mapped}) {
    connect(each, &DerivedBase::changed, this, &SweepPage::follow);
    connect(each, &DerivedBase::progressed, this, [this](double done) { m_progress->setValue(int(1000 * done)); });
  }
  connect(&m_session, &Session::workspaceChanged, this, [this] {
    if (isVisible()) followDocument();
  });
  const auto showChosen = [this] { m_map->setChosen(chosenMatrix()); };
  connect(&m_session, &Session::selectionChanged, this, showChosen);
}

void SweepPage::showMap(bool map) {
  m_plots->setCurrentWidget(map ? static_cast<QWidget*>(m_map) : m_curves);
  m_parts->setVisible(!map);
  m_measured->setVisible(!map);
  if (isVisible()) ask(Asking::AtOnce);
  follow();
}

void SweepPage::setLow(bool low) {
  m_curves->setLow(low);
  m_finding->setMostLines(low ? 1 : 0);
  m_detail->setMostLines(low ? 1 : 0);
  m_detail->setMinimumHeight((low ? 1 : kDetailLines) * m_detail->fontMetrics().lineSpacing());
  m_write->setToolButtonStyle(low ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

void SweepPage::zoom(double factor) {
  m_plots->currentWidget() == m_map ? m_map->zoom(factor) : m_curves->zoom(factor);
}

void SweepPage::showAll() { m_plots->currentWidget() == m_map ? m_map->fit() : m_curves->fit(); }

void SweepPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  followDocument();
}

void SweepPage::followDocument() {
  const System& system = m_session.workspace()->system;
  m_sliders->setSystem(system);
  m_range->setSystem(system);
  std::int64_t members = 1;
  for (const Axis& axis : m_session.workspace()->axes) members *= axis.reduce ? axis.size : 1;
  m_measured->setQuestion(system, m_session.workspace()->options.goal, members);
  m_map->setChosen(chosenMatrix());
  ask(Asking::AtOnce);
}

ParallelismMatrix SweepPage::chosenMatrix() const {
  return m_session.placement() != nullptr ? m_session.placement()->matrix : ParallelismMatrix();
}

SweepPage::Question SweepPage::question() const {
  const Workspace& document = *m_session.workspace();
  Question question;
  question.workspace.system = withTried(document.system, m_sliders->tried());
  question.workspace.axes = document.axes;
  question.workspace.options = document.options;
  question.workspace.options.cost.repeat = 1;
  question.workspace.options.cost.overlap = false;  // a sweep prices one step after another
  question.range = m_range->range();
  // Other sizes of the document are no other question.
  if (question.range.over == SweepOver::Bytes) question.workspace.options.cost.bytes = CostOptions{}.bytes;
  return question;
}

DerivedBase& SweepPage::derived() {
  return m_plots->currentWidget() == m_map ? static_cast<DerivedBase&>(m_mapped) : m_sweep;
}

void SweepPage::ask(Asking asking) {
  m_waits = asking == Asking::InTurn && derived().isRunning();
  if (m_waits) return;
  if (m_plots->currentWidget() == m_map) {
    m_mapped.ask(tr("Mapping placements by size"), question());
  } else {
    m_sweep.ask(tr("Finding the best by size"), question());
  }
}

void SweepPage::askAgain() {
  if (m_plots->currentWidget() == m_map) {
    m_mapped.askAgain(tr("Mapping placements by size"), question());
  } else {
    m_sweep.askAgain(tr("Finding the best by size"), question());
  }
}

void SweepPage::follow() {
  if (m_waits && !derived().isRunning()) return ask(Asking::AtOnce);
  if (m_curves->sweep() != m_sweep.answer()) {
    m_curves->setSweep(m_sweep.answer());
    emit answered();
  }
  if (m_map->map() != m_mapped.answer()) {
    m_map->setMap(m_mapped.answer());
    emit answered();
  }
  if (derived().isRunning()) {
    if (!m_patience.isActive()) m_patience.start();
  } else {
    m_patience.stop();
  }
  if (!m_patience.isActive()) showState();
}

// While answers come quickly, as under a slider, nothing is greyed and nothing blinks.
void SweepPage::showState() {
  const bool running = derived().isRunning();
  const bool cancelled = derived().wasCancelled();
  m_curves->setStale(!m_sweep.isCurrent());
  m_map->setStale(!m_mapped.isCurrent());
  m_progress->setVisible(running);
  m_stop->setVisible(running || cancelled);
  m_stop->setText(running ? tr("Stop") : tr("Find again"));
  m_stop->setToolTip(running ? tr("Stop; the last answer stays") : tr("Resume the stopped search"));
  const auto& problem = derived().problem();
  say(InlineMessage::Kind::Problem, problem && m_rangeProblem.isEmpty() ? qs(problem->text()) : m_rangeProblem);
  const bool map = m_plots->currentWidget() == m_map;
  QString finding;
  if (map && m_mapped.answer()) finding = findingOf(*m_mapped.answer());
  if (!map && m_sweep.answer()) finding = findingOf(*m_sweep.answer());
  if (finding.isEmpty()) finding = running ? tr("Searching for the best …") : tr("There is nothing to show yet.");
  if (!m_sliders->tried().empty()) finding = tr("With other links: ") + finding;
  m_finding->setText(finding);
}

// In the place of the finding, so that nothing moves under the mouse.
void SweepPage::say(InlineMessage::Kind kind, const QString& sentence) {
  // The shown view is laid out at once, the hidden ones later.
  if (!sentence.isEmpty()) m_finding->hide();
  m_message->say(kind, sentence);
  if (sentence.isEmpty()) m_finding->show();
}

std::optional<QString> SweepPage::leftOut() const {
  const auto of = [](const auto& answer, const System& largest) {
    return qs(unmodelledEffectsOf(answer.workspace.options.cost, answer.algorithms, largest));
  };
  if (m_plots->currentWidget() == m_map) {
    const auto& map = m_mapped.answer();
    return map ? std::optional(of(*map, map->workspace.system)) : std::nullopt;
  }
  const auto& sweep = m_sweep.answer();
  return sweep ? std::optional(of(*sweep, sweep->largest)) : std::nullopt;
}

void SweepPage::choose(const SweepChoice& choice) {
  Workspace next = *m_session.workspace();
  if (!checkMatrix(next.system, next.axes, choice.matrix).ok()) {
    say(InlineMessage::Kind::Note,
        tr("%1 is a placement on another number of nodes; change the system's number of nodes to choose it")
            .arg(qs(choice.matrix.text())));
    return;
  }
  next.matrix = choice.matrix;
  next.program = programText(*choice.hierarchy, choice.program);
  m_session.edit(tr("Choose placement"), std::move(next), QStringLiteral("choose placement"));
}

void SweepPage::applyLinks() {
  Workspace next = *m_session.workspace();
  next.system = withTried(std::move(next.system), m_sliders->tried());
  m_session.edit(tr("Change links"), std::move(next));
}

void SweepPage::showParts(bool apart) {
  QSettings().setValue(kPartsSetting, apart);
  m_curves->setParts(apart);
}

void SweepPage::showLinks(bool visible) {
  QSettings().setValue(kLinksSetting, visible);
  m_sliders->setVisible(visible);
}

}  // namespace p2::views
