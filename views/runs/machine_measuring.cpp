// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/machine_measuring.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kShortRepeat = 5;
constexpr double kSmaller = 16;

}  // namespace

MachineMeasuring::MachineMeasuring(Session& session, RunQueue& queue, QWidget* parent)
    : QWidget(parent), m_session(session), m_queue(queue) {
  m_text = new QLabel;
  wrapped(named(m_text, "measureText"));
  m_button = new QPushButton(tr("Measure this machine"));
  named(m_button, "measureMachine", {},
        tr("Make a few short runs here and fit the system's figures to them. Undo reverts"));
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  layout->addWidget(m_text);
  layout->addWidget(m_button);
  connect(m_button, &QPushButton::clicked, this, &MachineMeasuring::measureWanted);
  connect(&m_session, &Session::freshnessChanged, this, &MachineMeasuring::refresh);
  connect(&m_session, &Session::selectionChanged, this, &MachineMeasuring::refresh);
  connect(&m_queue, &RunQueue::cancelled, this, [this] { m_rows.reset(); });
  connect(&m_queue, &RunQueue::changed, this, &MachineMeasuring::endWhenIdle);
  refresh();
}

void MachineMeasuring::setTarget(std::optional<Target> target) {
  m_target = std::move(target);
  refresh();
}

void MachineMeasuring::refresh() {
  const System& system = m_session.workspace()->system;
  const bool isHere = m_target && m_target->host.empty();
  setVisible(isHere && !system.calibrated);
  m_text->setText(tr("Predictions describe %1, not this computer. Measure it first (a few short runs) for "
                     "comparable predictions.")
                      .arg(system.name.empty() ? tr("the drawn system") : qs(system.name)));
  m_button->setEnabled(!m_queue.isRunning() && m_session.isCurrent() && m_session.program() != nullptr);
}

std::vector<RunOrder> MachineMeasuring::orders(const RunOrder& order) const {
  const auto exploration = m_session.exploration();
  if (!exploration) return {};
  const auto ranked = rankedPrograms(*exploration);
  const std::size_t count = std::min(kPrograms, ranked.size());
  std::vector<RunOrder> orders;
  for (std::size_t i = 0; i < count; ++i) {
    // Evenly from the fastest to the slowest, so that steps on every level are among them.
    const auto [at, program] = ranked[count == 1 ? 0 : i * (ranked.size() - 1) / (count - 1)];
    const PlacementResult& placement = exploration->placements[at];
    RunOrder made = order;
    made.workspace = exploration->workspace;
    made.workspace.matrix = placement.matrix;
    made.workspace.program = programText(*placement.hierarchy, placement.programs[program].program);
    made.repeat = kShortRepeat;
    made.pieces = 1;
    orders.push_back(made);
    made.bytes = Bytes(std::max(1.0, order.bytes.value() / kSmaller));
    orders.push_back(std::move(made));
  }
  return orders;
}

void MachineMeasuring::take(const RunRow& row) {
  if (m_rows && !row.failed()) m_rows->push_back(row);
}

void MachineMeasuring::endWhenIdle() {
  refresh();
  if (!m_rows || m_queue.isRunning()) return;
  const std::vector<RunRow> rows = std::move(*m_rows);
  m_rows.reset();
  emit measured(rows);
}

}  // namespace p2::views
