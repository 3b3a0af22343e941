// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_showing.h"

#include <QAction>
#include <QToolButton>
#include <utility>

#include "views/common/inline_message.h"
#include "views/common/player.h"
#include "views/common/text.h"
#include "views/compare/compare_pane.h"
#include "views/compare/compare_view.h"
#include "views/present/export_button.h"
#include "views/present/present_run.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

QToolButton* buttonOf(QAction* action) {
  auto* button = new QToolButton;
  button->setObjectName(action->objectName().replace("Action", "Button"));
  button->setDefaultAction(action);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

ProgramShowing::ProgramShowing(Session& session, Player& player, QWidget& perspective)
    : QObject(&perspective),
      m_session(session),
      m_player(player),
      m_perspective(perspective),
      m_pane(new ComparePane(session, player)),
      m_compare(new QAction(tr("A|B"), this)),
      m_present(new QAction(tr("Present"), this)),
      m_export(new ExportButton(session)),
      m_message(new InlineMessage) {
  m_compare->setObjectName("compareAction");
  m_compare->setCheckable(true);
  m_compare->setShortcut(Qt::CTRL | Qt::Key_B);
  m_compare->setToolTip(tr("Two programs side by side; B is the program pinned in a list (Ctrl+B)"));
  m_present->setObjectName("presentAction");
  m_present->setShortcut(Qt::Key_F11);
  m_present->setToolTip(
      tr("Full screen. Page Up/Down: step, R: pointer ring, S: speaker notes, B: black, Esc: leave (F11)"));
  for (QAction* action : actions()) action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(m_compare, &QAction::toggled, this, [this](bool on) {
    m_pane->setOn(on);
    m_pane->setVisible(on);
    for (QWidget* other : m_others) other->setVisible(!on);
    emit comparingChanged(on);
  });
  connect(m_present, &QAction::triggered, this, &ProgramShowing::present);
  connect(&m_session, &Session::pinnedChanged, this, &ProgramShowing::followPin);
  connect(m_pane, &ComparePane::runsChanged, this, &ProgramShowing::startRace);
  m_pane->hide();
  makeButtons();
}

void ProgramShowing::makeButtons() {
  m_message->setObjectName("exportMessage");
  m_message->say(InlineMessage::Kind::Note, {});
  connect(m_export, &ExportButton::failed, m_message, &InlineMessage::showProblem);
  connect(m_export, &ExportButton::written, this, [this](const QString& path) {
    m_message->sayBriefly(InlineMessage::Kind::Note, tr("Written: %1").arg(path));
  });
  m_buttons = {buttonOf(m_compare), buttonOf(m_present), m_export};
  connect(m_export, &ExportButton::wanted, this, [this] {
    if (!m_replay) return;
    ShownRun run = shownRun(m_replay);
    const Timeline& timeline = m_player.timeline();
    const auto runs = compares() ? m_pane->runs() : nullptr;
    if (!runs) return m_export->setRun(std::move(run), timeline.step(), timeline.progress());
    run.rival = std::make_shared<const ShownRun>(shownRun(runs->b.replay));
    const Race::Moment moment = m_pane->view().race().momentOf(0, timeline.position());
    m_export->setRun(std::move(run), moment.step, moment.progress);
  });
}

void ProgramShowing::race() {
  m_races = true;
  m_pane->view().setClock(Race::Clock::TrueTime);
  m_compare->setChecked(true);
  startRace();
}

void ProgramShowing::startRace() {
  // The comparison may still be an earlier one.
  const bool chosen = m_replay && m_session.program() && m_replay->program == m_session.program()->program &&
                      m_replay->placement.matrix() == m_session.placement()->matrix;
  if (!m_races || !chosen || !compares() || !m_pane->runs() || m_pane->runs()->a.replay != m_replay) return;
  m_races = false;
  m_player.change([](Timeline& timeline) {
    timeline.first();
    timeline.play();
  });
}

void ProgramShowing::followPin() {
  if (m_session.pinned()) m_compare->setChecked(true);
}

QWidget* ProgramShowing::message() { return m_message; }

bool ProgramShowing::compares() const { return m_pane->isOn(); }

void ProgramShowing::setReplay(std::shared_ptr<const Replay> replay) {
  // The presented timeline no longer exists.
  if (m_window && m_replay != replay) m_window->close();
  m_replay = std::move(replay);
  m_pane->setShown(m_replay);
}

void ProgramShowing::present() {
  if (!m_replay || m_window) return;
  const bool both = compares() && m_pane->runs();
  m_window = both ? presentComparison() : presentRun(shownRun(m_replay), m_player, &m_perspective);
  m_window->setSpeakerText(qs(m_session.workspace()->notes));
  connect(m_window, &PresentWindow::left, this, [this] {
    m_perspective.activateWindow();
    m_perspective.setFocus();
  });
}

PresentWindow* ProgramShowing::presentComparison() {
  auto* window = new PresentWindow(m_player, &m_perspective);
  auto* both = new CompareView;
  both->setMagnification(window->magnification());
  connect(window, &PresentWindow::magnified, both, &CompareView::setMagnification);
  both->setLegendShown(false);
  both->setRuns(m_pane->runs());
  both->setClock(m_pane->view().race().clock());
  window->setTitle({});
  window->setBody(both);
  const auto show = [window, both, this] {
    both->setPosition(m_player.timeline().position());
    window->setSentence(both->positionText(m_player.timeline()).toHtmlEscaped());
  };
  connect(&m_player, &Player::moved, both, show);
  // The clock is one for both.
  connect(both, &CompareView::clockChanged, this, [this, both] { m_pane->view().setClock(both->race().clock()); });
  show();
  window->showFullScreen();
  window->activateWindow();
  return window;
}

}  // namespace p2::views
