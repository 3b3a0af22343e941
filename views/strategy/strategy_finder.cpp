// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_finder.h"

#include <QPointer>
#include <algorithm>

#include "views/shell/session.h"

namespace p2::views {
namespace {

using Answer = std::shared_ptr<const StrategyAnswer>;

std::optional<std::size_t> vertexNamed(const StrategyProblem& problem, const std::string& name) {
  const auto found = std::find_if(problem.vertices.begin(), problem.vertices.end(),
                                  [&](const StrategyProblem::Vertex& vertex) { return vertex.name == name; });
  if (found == problem.vertices.end()) return std::nullopt;
  return std::size_t(found - problem.vertices.begin());
}

std::optional<std::size_t> configurationOf(const ConfigurationDomain& domain, const Configuration& parts) {
  const auto found = std::find(domain.configurations.begin(), domain.configurations.end(), parts);
  if (found == domain.configurations.end()) return std::nullopt;
  return std::size_t(found - domain.configurations.begin());
}

Result<std::vector<BaselineAnswer>> priceAll(const StrategyProblem& problem, const std::stop_token& stop,
                                             const Progress& progress) {
  std::vector<BaselineAnswer> answers;
  for (const Baseline baseline : kBaselines) {
    auto strategy = baselineStrategy(problem, baseline, stop);
    if (!strategy.ok() && strategy.error().kind == ErrorKind::Cancelled) return cancelledError();
    BaselineAnswer answer{baseline, {}, {}};
    if (strategy.ok()) {
      answer.strategy = std::move(strategy).value();
    } else {
      answer.reason = strategy.error().text();
    }
    answers.push_back(std::move(answer));
    if (progress) progress(double(answers.size()) / double(kBaselines.size()));
  }
  return answers;
}

}  // namespace

StrategyFinder::StrategyFinder(Session& session, QObject* parent) : QObject(parent), m_session(session) {
  connect(&session, &Session::workspaceChanged, this, &StrategyFinder::follow);
}

void StrategyFinder::setActive(bool active) {
  m_active = active;
  follow();
}

void StrategyFinder::findAgain() {
  m_loaded.reset();
  m_loading.reset();
  follow();
}

bool StrategyFinder::isSearching() const {
  return m_session.jobs().isRunning(m_loadJob) || m_session.jobs().isRunning(m_solveJob);
}

bool StrategyFinder::isCurrent() const {
  return m_answer && !m_problem && m_answer->instance == m_instance && m_answer->pins == pins() &&
         m_loaded == questionOf(*m_session.workspace());
}

void StrategyFinder::follow() {
  const StrategyQuestion question = questionOf(*m_session.workspace());
  if (m_active && m_loaded != question) {
    if (m_loading != question || !m_session.jobs().isRunning(m_loadJob)) load(question);
  } else if (m_active && !isCurrent()) {
    if (m_solving != pins() || !m_session.jobs().isRunning(m_solveJob)) solve();
  }
  emit changed();
}

void StrategyFinder::load(const StrategyQuestion& question) {
  m_loading = question;
  m_problem.reset();
  m_session.jobs().cancel(m_solveJob);
  m_session.jobs().cancel(m_baselineJob);
  m_loadJob = m_session.jobs().start<std::shared_ptr<const StrategyInstance>>(
      tr("Pricing the configurations"), QStringLiteral("strategy-load"),
      [question](std::stop_token stop, const Progress& progress) {
        return loadStrategy(question, std::move(stop), progress);
      },
      [self = QPointer(this), question](Result<std::shared_ptr<const StrategyInstance>> result) {
        if (!self) return;
        if (!result.ok()) return self->fail(result.error());
        self->m_instance = std::move(result).value();
        self->m_loaded = question;
        self->m_baselines.clear();
        self->follow();
      });
}

void StrategyFinder::solve() {
  m_solving = pins();
  m_problem.reset();
  m_solveJob = m_session.jobs().start<Answer>(
      tr("Finding the best strategy"), QStringLiteral("strategy-solve"),
      [instance = m_instance, pins = m_solving](std::stop_token stop, const Progress& progress) -> Result<Answer> {
        SolveOptions options;
        options.best = kListed;
        options.pinned = pins;
        auto solution = solveExactly(instance->problem, options, std::move(stop), progress);
        if (!solution.ok()) return solution.error();
        return std::make_shared<const StrategyAnswer>(StrategyAnswer{instance, pins, std::move(solution).value()});
      },
      [self = QPointer(this)](Result<Answer> result) {
        if (!self) return;
        if (!result.ok()) return self->fail(result.error());
        self->m_answer = std::move(result).value();
        emit self->changed();
        if (self->m_baselines.empty() && !self->m_session.jobs().isRunning(self->m_baselineJob)) self->priceBaselines();
      });
}

void StrategyFinder::priceBaselines() {
  m_baselineJob = m_session.jobs().start<std::vector<BaselineAnswer>>(
      tr("Pricing what people choose unasked"), QStringLiteral("strategy-baselines"),
      [instance = m_instance](std::stop_token stop, const Progress& progress) {
        return priceAll(instance->problem, stop, progress);
      },
      [self = QPointer(this)](Result<std::vector<BaselineAnswer>> result) {
        if (!self) return;
        if (!result.ok()) return self->fail(result.error());
        self->m_baselines = std::move(result).value();
        emit self->changed();
      });
}

void StrategyFinder::fail(const Error& error) {
  m_problem = error;
  emit changed();
}

Pins StrategyFinder::pins() const {
  Pins pins;
  if (!m_instance) return pins;
  const StrategyProblem& problem = m_instance->problem;
  for (const StrategyPin& wanted : m_session.workspace()->strategy.pins) {
    const auto vertex = vertexNamed(problem, wanted.vertex);
    if (!vertex) continue;
    const auto configuration = configurationOf(problem.domainOf(*vertex), wanted.parts);
    if (!configuration) continue;
    pins.resize(problem.vertices.size());
    pins[*vertex] = configuration;
  }
  return pins;
}

QStringList StrategyFinder::unknownPins() const {
  QStringList unknown;
  if (!m_instance) return unknown;
  const StrategyProblem& problem = m_instance->problem;
  for (const StrategyPin& wanted : m_session.workspace()->strategy.pins) {
    const auto vertex = vertexNamed(problem, wanted.vertex);
    if (!vertex || !configurationOf(problem.domainOf(*vertex), wanted.parts)) {
      unknown << QString::fromStdString(wanted.vertex);
    }
  }
  return unknown;
}

void StrategyFinder::pin(std::size_t vertex, std::optional<std::size_t> configuration) {
  const std::string& name = m_instance->problem.vertices[vertex].name;
  Workspace next = *m_session.workspace();
  std::erase_if(next.strategy.pins, [&](const StrategyPin& pin) { return pin.vertex == name; });
  if (configuration) {
    next.strategy.pins.push_back({name, m_instance->problem.domainOf(vertex).configurations[*configuration]});
  }
  m_session.edit((configuration ? tr("Pin %1") : tr("Unpin %1")).arg(QString::fromStdString(name)), std::move(next));
}

void StrategyFinder::unpinAll() {
  Workspace next = *m_session.workspace();
  next.strategy.pins.clear();
  m_session.edit(tr("Unpin all vertices"), std::move(next));
}

}  // namespace p2::views
