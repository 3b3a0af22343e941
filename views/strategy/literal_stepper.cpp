// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/literal_stepper.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <algorithm>
#include <utility>

#include "views/common/empty_page.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/shell/session.h"
#include "views/strategy/literal_graph_view.h"
#include "views/strategy/literal_lessons.h"
#include "views/strategy/literal_tables.h"
#include "views/strategy/literal_text.h"

namespace p2::views {
namespace {

constexpr int kLeastRows = 100;
constexpr int kUsualRows = 20'000;
constexpr int kMostRows = 1'000'000;

template <class Field>
Field* field(const char* name, const QString& accessibleName, const QString& tip) {
  auto* result = new Field;
  result->setObjectName(QLatin1String(name));
  result->setAccessibleName(accessibleName);
  result->setToolTip(tip);
  return result;
}

}  // namespace

LiteralStepper::LiteralStepper(Session& session, QWidget* parent)
    : QWidget(parent),
      m_running(session.jobs(),
                [](const Question& question, std::stop_token stop, const Progress& progress) {
                  return runLiterally(question.problem, question.options, std::move(stop), progress);
                }),
      m_pages(new QStackedWidget),
      m_empty(new EmptyPage),
      m_player(new Player(this)) {
  auto* layout = panelLayout(this);
  layout->addWidget(makeOptions());
  layout->addWidget(m_pages, 1);
  m_content = makeContent();
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_content);
  for (QAction* action : m_bar->actions()) addAction(action);
  setFocusProxy(m_graph);
  connectOptions();
  connect(m_player, &Player::moved, this, &LiteralStepper::showMoment);
  connect(m_graph, &LiteralGraphView::vertexPicked, this, &LiteralStepper::showTables);
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    if (m_due) {
      runAgain();
    } else {
      emit exactSolverWanted();
    }
  });
  connect(&m_running, &DerivedBase::changed, this, &LiteralStepper::follow);
  setProblem(nullptr);
}

QWidget* LiteralStepper::makeOptions() {
  auto* row = new QWidget;
  m_graphs = field<QComboBox>("literalGraphs", tr("Graph"), tr("Which graph the algorithm is shown on"));
  m_graphs->addItem(tr("This graph"));
  for (const LiteralLesson& lesson : literalLessons()) m_graphs->addItem(lesson.title, lesson.name);
  m_ties = field<QComboBox>(
      "literalTies", tr("Ties"),
      tr("Which of several equally cheap rows stays. As printed any may; then the optimum can get lost"));
  m_ties->addItem(tr("lowest configuration"));
  m_ties->addItem(tr("any, as printed"));
  m_seed = field<QSpinBox>("literalSeed", tr("Seed"), tr("Of the dice that choose among equally cheap rows"));
  m_seed->setRange(0, 9999);
  m_limit = field<QSpinBox>("literalLimit", tr("Most rows"),
                            tr("Graphs that need more rows of tables or more strategies are refused"));
  m_limit->setRange(kLeastRows, kMostRows);
  m_limit->setSingleStep(kLeastRows * 100);
  m_limit->setValue(kUsualRows);
  m_limit->setKeyboardTracking(false);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  const auto add = [layout](const QString& text, QWidget* field) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    layout->addWidget(label);
    layout->addWidget(field);
  };
  add(tr("&Graph"), m_graphs);
  add(tr("T&ies"), m_ties);
  add(tr("See&d"), m_seed);
  add(tr("&Most rows"), m_limit);
  layout->addStretch();
  return row;
}

QWidget* LiteralStepper::makeContent() {
  auto* content = new QWidget;
  m_bar = new PlayerBar(*m_player, PlayerBar::Motion::Jumps);
  m_graph = new LiteralGraphView;
  m_tables = new LiteralTables;
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName(QStringLiteral("literalSplitter"));
  split->setChildrenCollapsible(false);
  split->addWidget(m_graph);
  split->addWidget(m_tables);
  split->setSizes({320, 640});
  split->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_bar);
  layout->addWidget(split, 1);
  addWords(*layout);
  return content;
}

void LiteralStepper::addWords(QVBoxLayout& layout) {
  m_lines = panelTitle({});
  m_lines->setObjectName(QStringLiteral("literalLines"));
  m_words = new QLabel;
  m_words->setObjectName(QStringLiteral("literalWords"));
  m_words->setTextFormat(Qt::PlainText);
  m_words->setWordWrap(true);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  // Room for the longest sentence, so that nothing jumps while steps pass.
  m_words->setMinimumHeight(2 * m_words->fontMetrics().lineSpacing());
  m_invariant = new InlineMessage;
  m_invariant->setObjectName(QStringLiteral("literalInvariant"));
  layout.addWidget(m_lines);
  layout.addWidget(m_words);
  layout.addWidget(m_invariant);
}

void LiteralStepper::connectOptions() {
  connect(m_graphs, &QComboBox::activated, this, [this] {
    m_fallback = false;
    chooseGraph();
  });
  connect(m_ties, &QComboBox::currentIndexChanged, this, [this] {
    showSeed();
    runAgain();
  });
  connect(m_seed, &QSpinBox::valueChanged, this, &LiteralStepper::runAgain);
  connect(m_limit, &QSpinBox::valueChanged, this, &LiteralStepper::runAgain);
  showSeed();
}

void LiteralStepper::setProblem(std::shared_ptr<const StrategyProblem> problem) {
  m_problem = std::move(problem);
  qobject_cast<QStandardItemModel*>(m_graphs->model())->item(0)->setEnabled(m_problem != nullptr);
  m_graphs->setItemText(0, m_problem && !m_problem->name.empty()
                               ? tr("This graph: %1").arg(QString::fromStdString(m_problem->name))
                               : tr("This graph"));
  if (!m_problem && m_graphs->currentIndex() == 0) {
    m_fallback = true;
    m_graphs->setCurrentIndex(1);
    chooseGraph();
  } else if (m_problem && (m_fallback || m_graphs->currentIndex() == 0)) {
    m_fallback = false;
    m_graphs->setCurrentIndex(0);
    chooseGraph();
  }
}

std::shared_ptr<const StrategyProblem> LiteralStepper::chosenProblem() const {
  if (m_graphs->currentIndex() == 0) return m_problem;
  return std::make_shared<const StrategyProblem>(readLesson(m_graphs->currentData().toString()).value());
}

LiteralOptions LiteralStepper::options() const {
  LiteralOptions options;
  options.ties = m_ties->currentIndex() == 0 ? LiteralOptions::Ties::Lowest : LiteralOptions::Ties::Arbitrary;
  options.seed = std::uint64_t(m_seed->value());
  options.rowLimit = std::uint64_t(m_limit->value());
  return options;
}

void LiteralStepper::chooseGraph() {
  const QString name = m_graphs->currentData().toString();
  for (const LiteralLesson& lesson : literalLessons()) {
    if (lesson.name != name) continue;
    const QSignalBlocker quiet(m_seed);
    m_seed->setValue(int(lesson.seed));
  }
  runAgain();
}

void LiteralStepper::showSeed() { m_seed->setEnabled(m_ties->currentIndex() != 0); }

void LiteralStepper::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_due) runAgain();
}

void LiteralStepper::runAgain() {
  m_due = !isVisible();
  // The answer to an earlier question is not awaited any more.
  m_running.withdraw();
  if (m_due) return;
  m_player->change(&Timeline::pause);
  m_content->setEnabled(false);
  m_running.ask(tr("Running the literal algorithm"), {chosenProblem(), options()});
}

void LiteralStepper::follow() {
  if (const auto run = m_running.current()) return showRun(run);
  if (m_running.problem()) return showError(*m_running.problem());
  if (!m_running.wasCancelled()) return;
  m_due = true;
  m_empty->say(tr("The literal algorithm was stopped."), tr("Run it again"));
  m_pages->setCurrentWidget(m_empty);
}

void LiteralStepper::showRun(std::shared_ptr<const LiteralRun> run) {
  m_run = std::move(run);
  m_pages->setCurrentWidget(m_content);
  m_content->setEnabled(true);
  m_graph->setRun(m_run);
  const int moments = int(m_run->trace().moments.size());
  m_bar->setStepCount(moments);
  m_player->change([moments](Timeline& timeline) { timeline = timeline.restarted(moments - 1); });
}

void LiteralStepper::showError(const Error& error) {
  const bool tooLarge = error.kind == ErrorKind::TooLarge;
  m_empty->say(QString::fromStdString(error.text()), tooLarge ? tr("Use the exact solver") : QString());
  m_pages->setCurrentWidget(m_empty);
}

void LiteralStepper::showMoment() {
  if (!m_run) return;
  m_moment = std::size_t(m_player->timeline().step());
  m_graph->setMoment(m_moment);
  m_lines->setText(linesText(*m_run, m_moment));
  m_words->setText(momentText(*m_run, m_moment));
  const InvariantText invariant = invariantText(*m_run, m_moment);
  m_invariant->say(invariant.kind, invariant.sentence);
  showTables();
}

void LiteralStepper::showTables() { m_tables->show(m_run, m_moment, m_graph->picked()); }

}  // namespace p2::views
