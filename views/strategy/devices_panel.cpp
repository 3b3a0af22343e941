// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/devices_panel.h"

#include <QPushButton>
#include <algorithm>

#include "strategy/anytime_solver.h"
#include "strategy/baselines.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

/// The largest first: 6, 4, 2, 1.
std::vector<std::int64_t> powersUpTo(std::int64_t devices) {
  std::vector<std::int64_t> powers;
  for (std::int64_t power = 1; power < devices; power *= 2) powers.push_back(power);
  powers.push_back(devices);
  std::reverse(powers.begin(), powers.end());
  return powers;
}

Result<DevicesPlot::Point> pointFor(const StrategyQuestion& question, const std::stop_token& stop,
                                    const Progress& progress) {
  P2_TRY_ASSIGN(const auto instance, loadStrategy(question, stop, progress));
  P2_TRY_ASSIGN(const auto found, solveAnytime(instance->problem, {}, stop));
  const Solution& solution = found.solution;
  DevicesPlot::Point point{question.options.devices, solution.strategies.front().cost, {}};
  if (const auto data = baselineStrategy(instance->problem, Baseline::DataParallelism, stop); data.ok()) {
    point.dataParallel = data->cost;
  }
  return point;
}

}  // namespace

DevicesPanel::DevicesPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_plot(new DevicesPlot),
      m_button(new QPushButton),
      m_message(new InlineMessage),
      m_note(new InlineMessage),
      m_next(session.jobs(), [](const StrategyQuestion& question, const std::stop_token& stop,
                                const Progress& progress) { return pointFor(question, stop, progress); }) {
  named(m_button, "strategyDevicesButton", tr("Cost over devices"));
  m_message->setObjectName(QStringLiteral("strategyDevicesMessage"));
  QVBoxLayout* layout = panelLayout(this);
  layout->addWidget(m_plot, 1);
  layout->addWidget(m_message);
  layout->addWidget(m_note);
  layout->addWidget(m_button, 0, Qt::AlignRight);
  connect(m_button, &QPushButton::clicked, this, &DevicesPanel::toggle);
  connect(&session, &Session::workspaceChanged, this, &DevicesPanel::refresh);
  connect(&m_next, &DerivedBase::changed, this, &DevicesPanel::take);
  refresh();
}

void DevicesPanel::toggle() {
  if (m_next.isRunning()) return m_next.cancel();
  const StrategyQuestion question = questionOf(*m_session.workspace());
  m_message->showProblem({});
  if (m_question != question || m_missing.empty()) {
    m_question = question;
    m_missing = powersUpTo(question.options.devices);
    m_points.clear();
    m_plot->setPoints({});
  }
  computeNext();
}

void DevicesPanel::computeNext() {
  if (m_missing.empty() || m_question != questionOf(*m_session.workspace())) return refresh();
  StrategyQuestion question = *m_question;
  question.options.devices = m_missing.back();
  const std::int64_t devices = question.options.devices;
  m_next.askAgain(devices == 1 ? tr("Best strategy on 1 device") : tr("Best strategy on %1 devices").arg(devices),
                  question);
}

void DevicesPanel::take() {
  if (const auto point = m_next.current()) {
    m_points.push_back(*point);
    m_plot->setPoints(m_points);
  } else if (m_next.problem()) {
    m_message->showProblem(
        tr("%1: %2").arg(counted(m_missing.back(), tr("device"), tr("devices")), qs(m_next.problem()->text())));
  } else {
    return refresh();
  }
  m_missing.pop_back();
  computeNext();
}

void DevicesPanel::refresh() {
  const StrategyQuestion question = questionOf(*m_session.workspace());
  m_plot->setStale(m_question && m_question != question);
  // Placements divide the whole system.
  const bool flat = question.options.model == StrategyCostModel::Flat;
  m_note->say(InlineMessage::Kind::Note, flat ? QString()
                                              : tr("Only the flat model compares numbers of devices: the others "
                                                   "place axes on the whole system."));
  m_button->setEnabled(flat);
  m_button->setText(m_next.isRunning() ? tr("Stop") : tr("Compute"));
  m_button->setToolTip(m_next.isRunning() ? tr("Stop; the points found so far stay")
                                          : tr("Find the best strategy on 1, 2, 4 … devices"));
}

}  // namespace p2::views
