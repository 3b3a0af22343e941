// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/literal_stepper.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <algorithm>
#include <utility>

#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/wrap_layout.h"
#include "views/literal/literal_lessons.h"
#include "views/literal/literal_player.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kLeastRows = 100;
constexpr int kDefaultRows = 20'000;
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
      m_player(new LiteralPlayer) {
  auto* layout = panelLayout(this);
  layout->addWidget(makeOptions());
  layout->addWidget(m_pages, 1);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_player);
  for (QAction* action : m_player->actions()) addAction(action);
  forwardFocus(*this, *m_player->graph());
  connectOptions();
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
  m_graphs = field<QComboBox>("literalGraphs", tr("Graph"), tr("Graph on which the algorithm is shown"));
  m_graphs->addItem(tr("This graph"));
  for (const LiteralLesson& lesson : literalLessons()) m_graphs->addItem(lesson.title, lesson.name);
  m_ties = field<QComboBox>("literalTies", tr("Ties"),
                            tr("The row that is kept among equally cheap ones. The printed algorithm may keep any of "
                               "them, which can lose the optimum"));
  m_ties->addItem(tr("lowest configuration"));
  m_ties->addItem(tr("any, as printed"));
  m_seed = field<QSpinBox>("literalSeed", tr("Seed"), tr("Seed of the random choice among equally cheap rows"));
  m_seed->setRange(0, 9999);
  m_limit = field<QSpinBox>("literalLimit", tr("Most rows"),
                            tr("Maximum number of table rows or strategies; larger graphs are refused"));
  m_limit->setRange(kLeastRows, kMostRows);
  m_limit->setSingleStep(kLeastRows * 100);
  m_limit->setValue(kDefaultRows);
  m_limit->setKeyboardTracking(false);
  auto* layout = new WrapLayout(row);
  const auto add = [layout](const QString& text, QWidget* field) {
    auto* both = new QWidget;
    auto* pair = bareLayout<QHBoxLayout>(both, Theme::kGrid);
    auto* label = new QLabel(text);
    label->setBuddy(field);
    pair->addWidget(label);
    pair->addWidget(field);
    layout->addWidget(both);
  };
  add(tr("Gra&ph"), m_graphs);
  add(tr("T&ies"), m_ties);
  add(tr("See&d"), m_seed);
  add(tr("&Most rows"), m_limit);
  return row;
}

void LiteralStepper::connectOptions() {
  connect(m_graphs, &QComboBox::activated, this, &LiteralStepper::chooseGraph);
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
  m_graphs->setItemText(
      0, m_problem && !m_problem->name.empty() ? tr("This graph: %1").arg(qs(m_problem->name)) : tr("This graph"));
  if (m_graphs->currentIndex() != 0) return;
  // The graph that was shown is another one, or gone.
  if (!m_problem) m_graphs->setCurrentIndex(1);
  chooseGraph();
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
  const auto& lessons = literalLessons();
  const auto lesson = std::find_if(lessons.begin(), lessons.end(), [&](const auto& each) { return each.name == name; });
  // A graph of the user is solved; a lesson shows its subject.
  const LiteralLesson chosen =
      lesson == lessons.end() ? LiteralLesson{{}, {}, LiteralOptions::Ties::Lowest, 0} : *lesson;
  const QSignalBlocker quietSeed(m_seed);
  const QSignalBlocker quietTies(m_ties);
  m_seed->setValue(int(chosen.seed));
  m_ties->setCurrentIndex(chosen.ties == LiteralOptions::Ties::Lowest ? 0 : 1);
  showSeed();
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
  m_player->pause();
  m_player->setEnabled(false);
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
  m_pages->setCurrentWidget(m_player);
  m_player->setEnabled(true);
  m_player->setRun(std::move(run));
}

void LiteralStepper::showError(const Error& error) {
  const bool tooLarge = error.kind == ErrorKind::TooLarge;
  m_empty->say(qs(error.text()), tooLarge ? tr("Use the exact solver") : QString());
  m_pages->setCurrentWidget(m_empty);
}

}  // namespace p2::views
