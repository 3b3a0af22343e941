// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_finder.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_costs.h"

namespace p2::views {
namespace {

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

Result<StrategyAnswer> solved(const std::shared_ptr<const StrategyInstance>& instance, const Pins& pins,
                              std::stop_token stop, const Progress& progress) {
  StrategySearch search;
  search.solving.best = StrategyFinder::kListed;
  search.solving.pinned = pins;
  return strategyAnswer(instance, search, std::move(stop), progress);
}

Result<std::vector<StrategyBaseline>> priced(const StrategyInstance& instance, const std::stop_token& stop,
                                             const Progress& progress) {
  P2_TRY_ASSIGN(auto prices, StrategyPrices::of(instance, stop));
  return baselinesOf(instance, prices, stop, progress);
}

Result<double> costWithoutPins(std::shared_ptr<const StrategyInstance> instance,
                               const std::optional<StrategyQuestion>& question, std::stop_token stop,
                               const Progress& progress) {
  if (question) {
    P2_TRY_ASSIGN(instance, loadStrategy(*question, stop, progress));
  }
  P2_TRY_ASSIGN(const auto answer, solved(instance, {}, std::move(stop), progress));
  return answer.best().cost;
}

}  // namespace

StrategyFinder::StrategyFinder(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_instance(session.jobs(),
                 [](const StrategyQuestion& question, std::stop_token stop, const Progress& progress) {
                   return loadStrategy(question, std::move(stop), progress);
                 }),
      m_answer(session.jobs(),
               [](const SolveQuestion& question, std::stop_token stop, const Progress& progress) {
                 return solved(question.instance, question.pins, std::move(stop), progress);
               }),
      m_baselines(session.jobs(), [](const Instance& instance, const std::stop_token& stop,
                                     const Progress& progress) { return priced(*instance, stop, progress); }),
      m_free(session.jobs(), [](const FreeQuestion& question, std::stop_token stop, const Progress& progress) {
        return costWithoutPins(question.instance, question.question, std::move(stop), progress);
      }) {
  connect(&session, &Session::workspaceChanged, this, &StrategyFinder::follow);
  for (const DerivedBase* derived :
       std::initializer_list<const DerivedBase*>{&m_instance, &m_answer, &m_baselines, &m_free}) {
    connect(derived, &DerivedBase::changed, this, &StrategyFinder::follow);
  }
}

void StrategyFinder::setActive(bool active) {
  m_active = active;
  follow();
}

void StrategyFinder::findAgain() {
  m_instance.askAgain(tr("Pricing the configurations"), questionOf(*m_session.workspace()));
}

bool StrategyFinder::isSearching() const { return m_instance.isRunning() || m_answer.isRunning(); }

bool StrategyFinder::isCurrent() const {
  return m_instance.isCurrent() && m_instance.question() == questionOf(*m_session.workspace()) &&
         m_answer.isCurrent() && m_answer.question() == SolveQuestion{instance(), pins()} && !problem();
}

std::optional<Error> StrategyFinder::problem() const {
  for (const DerivedBase* derived : std::initializer_list<const DerivedBase*>{&m_instance, &m_answer, &m_baselines}) {
    if (derived->problem()) return derived->problem();
  }
  return std::nullopt;
}

const std::vector<StrategyBaseline>& StrategyFinder::baselines() const {
  static const std::vector<StrategyBaseline> kNone;
  return m_baselines.answer() && m_baselines.answered() == instance() ? *m_baselines.answer() : kNone;
}

void StrategyFinder::follow() {
  if (m_active) m_instance.ask(tr("Pricing the configurations"), questionOf(*m_session.workspace()));
  if (!m_instance.isCurrent()) {
    m_answer.withdraw();
    m_baselines.withdraw();
  } else if (m_active) {
    m_answer.ask(tr("Finding the best strategy"), {instance(), pins()});
  }
  if (m_answer.isCurrent()) m_baselines.ask(tr("Pricing common strategies"), instance());
  if (!isCurrent() || m_answer.answer()->pins.empty()) {
    m_free.withdraw();
  } else if (m_active) {
    m_free.ask(tr("Pricing the pins"), freeQuestion());
  }
  emit changed();
}

StrategyFinder::FreeQuestion StrategyFinder::freeQuestion() const {
  if (!instance()->onMesh) return {instance(), std::nullopt};
  StrategyQuestion question = questionOf(*m_session.workspace());
  question.pins.clear();
  return {nullptr, std::move(question)};
}

std::optional<double> StrategyFinder::freeCost() const {
  if (!m_free.isCurrent() || !isCurrent()) return std::nullopt;
  return *m_free.answer();
}

QString StrategyFinder::pinsText() const {
  const auto answer = m_answer.answer();
  if (!answer || answer->pins.empty()) return {};
  const auto count = std::count_if(answer->pins.begin(), answer->pins.end(), [](const auto& pin) { return pin; });
  QString pins = count == 1 ? tr("1 pin") : tr("%1 pins").arg(count);
  const auto free = freeCost();
  if (!free) return pins;
  return tr("%1: %2").arg(pins, overFreeText(answer->solution.strategies.front().cost, *free));
}

Pins StrategyFinder::pins() const {
  Pins pins;
  if (!instance()) return pins;
  const StrategyProblem& problem = instance()->problem;
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
  if (!instance()) return unknown;
  const StrategyProblem& problem = instance()->problem;
  for (const StrategyPin& wanted : m_session.workspace()->strategy.pins) {
    const auto vertex = vertexNamed(problem, wanted.vertex);
    if (!vertex || !configurationOf(problem.domainOf(*vertex), wanted.parts)) {
      unknown << qs(wanted.vertex);
    }
  }
  return unknown;
}

void StrategyFinder::pin(const std::vector<std::size_t>& vertices, const std::optional<Configuration>& parts) {
  const StrategyProblem& problem = instance()->problem;
  Workspace next = *m_session.workspace();
  for (const std::size_t vertex : vertices) {
    const std::string& name = problem.vertices[vertex].name;
    std::erase_if(next.strategy.pins, [&](const StrategyPin& pin) { return pin.vertex == name; });
    if (parts) next.strategy.pins.push_back({name, *parts});
  }
  QString what = qs(problem.vertices[vertices.front()].name);
  if (vertices.size() > 1) what = tr("%1 and %2 like it").arg(what).arg(vertices.size() - 1);
  m_session.edit((parts ? tr("Pin %1") : tr("Unpin %1")).arg(what), std::move(next));
}

void StrategyFinder::unpinAll() {
  Workspace next = *m_session.workspace();
  next.strategy.pins.clear();
  m_session.edit(tr("Unpin all vertices"), std::move(next));
}

}  // namespace p2::views
