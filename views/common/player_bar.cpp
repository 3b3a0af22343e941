// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/player_bar.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kTicksPerStep = 200;
constexpr std::array kSpeeds{0.25, 0.5, 1.0, 2.0, 4.0};

struct Transport {
  const char* name;
  const char* text;
  const char* icon;
  QKeySequence shortcut;
  void (Timeline::*move)();
};

}  // namespace

PlayerBar::PlayerBar(Player& player, Motion motion, QWidget* parent)
    : QWidget(parent), m_player(player), m_motion(motion) {
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid);
  makeActions();
  addButtons(*layout);
  addSlider(*layout);
  addOptions(*layout);
  connect(&m_player, &Player::moved, this, &PlayerBar::showTimeline);
  showTimeline();
}

void PlayerBar::setStepCount(int steps) {
  m_stepCount = steps;
  showTimeline();
}

void PlayerBar::setHeldBack(const QString& why) {
  m_heldBack = why;
  showTimeline();
}

int PlayerBar::widthOf(const QWidget& option) const { return option.minimumSizeHint().width() + layout()->spacing(); }

QSize PlayerBar::minimumSizeHint() const {
  QSize least = QWidget::minimumSizeHint();
  for (const QWidget* option : m_folding) {
    if (!option->isHidden()) least.rwidth() -= widthOf(*option);
  }
  return least;
}

void PlayerBar::fold() {
  int needed = minimumSizeHint().width();
  for (const QWidget* option : m_folding) needed += widthOf(*option);
  for (QWidget* option : m_folding) {
    option->setVisible(needed <= width());
    if (option->isHidden()) needed -= widthOf(*option);
  }
}

void PlayerBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fold();
}

void PlayerBar::addButton(QWidget& button) {
  button.installEventFilter(this);
  layout()->addWidget(&button);
}

void PlayerBar::addOption(QWidget& button) {
  addButton(button);
  m_folding.prepend(&button);
  fold();
}

void PlayerBar::setPositionText(std::function<QString(const Timeline&)> text) {
  m_positionText = std::move(text);
  showTimeline();
}

bool PlayerBar::eventFilter(QObject* watched, QEvent* event) {
  // Space presses the control that has the focus; everywhere else it plays.
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    event->accept();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void PlayerBar::makeActions() {
  const std::array transports{
      Transport{"first", "First state", "first", Qt::Key_Home, &Timeline::first},
      Transport{"back", "Step back", "back", Qt::Key_Left, &Timeline::back},
      Transport{"play", "Play", "play", Qt::Key_Space, &Timeline::togglePlay},
      Transport{"forward", "Step forward", "forward", Qt::Key_Right, &Timeline::forward},
      Transport{"last", "Last state", "last", Qt::Key_End, &Timeline::last},
  };
  for (const Transport& transport : transports) {
    auto* action = new QAction(Theme::icon(transport.icon), tr(transport.text), this);
    action->setObjectName(QString(transport.name) + "Action");
    action->setShortcut(transport.shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this,
            [this, move = transport.move] { m_player.change([move](Timeline& timeline) { (timeline.*move)(); }); });
    m_actions.append(action);
  }
  m_play = m_actions[2];
}

void PlayerBar::addButtons(QHBoxLayout& layout) {
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  for (QAction* action : m_actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setObjectName(action->objectName().replace("Action", "Button"));
    button->setAccessibleName(action->text());
    button->installEventFilter(this);
    buttons->addWidget(button);
  }
  layout.addLayout(buttons);
}

void PlayerBar::addSlider(QHBoxLayout& layout) {
  m_step = named(new QLabel, "stepLabel");
  m_step->setFont(Theme::tabularFont());
  m_step->setMinimumWidth(m_step->fontMetrics().horizontalAdvance(tr("before step 00 of 00")));
  m_slider = named(new QSlider(Qt::Horizontal), "scrubber", tr("Position"), tr("Drag to any moment"));
  m_slider->setTickPosition(QSlider::TicksBelow);
  m_slider->setTickInterval(kTicksPerStep);
  m_slider->setSingleStep(kTicksPerStep);
  m_slider->setPageStep(kTicksPerStep);
  connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
    m_player.change([value](Timeline& timeline) { timeline.scrubTo(double(value) / kTicksPerStep); });
  });
  connect(m_slider, &QSlider::sliderReleased, this, [this] { m_player.change(&Timeline::settle); });
  layout.addWidget(m_slider, 1);
  layout.addWidget(m_step);
}

void PlayerBar::addOptions(QHBoxLayout& layout) {
  m_speed = named(new QComboBox, "speed", tr("Speed"),
                  tr("Playback speed. At 1× a step that costs ten times as much lasts 1.2 s longer"));
  for (const double speed : kSpeeds) m_speed->addItem(QString::number(speed) + "×", speed);
  m_speed->setCurrentIndex(m_speed->findData(1.0));
  connect(m_speed, &QComboBox::currentIndexChanged, this, [this] {
    m_player.change([speed = m_speed->currentData().toDouble()](Timeline& timeline) { timeline.setSpeed(speed); });
  });
  auto* loop = named(new QCheckBox(tr("&Loop")), "loop", {}, tr("Repeat from the start (Alt+L)"));
  connect(loop, &QCheckBox::toggled, this,
          [this](bool on) { m_player.change([on](Timeline& timeline) { timeline.setLoops(on); }); });
  auto* animate = named(new QCheckBox(tr("A&nimate")), "animate", {}, tr("Animate the steps (Alt+N)"));
  connect(animate, &QCheckBox::toggled, this,
          [this](bool on) { m_player.change([on](Timeline& timeline) { timeline.setAnimated(on); }); });
  m_player.change([](Timeline& timeline) { timeline.setAnimated(false); });
  animate->setChecked(m_motion == Motion::Moves &&
                      style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0);
  for (QWidget* option : std::initializer_list<QWidget*>{m_speed, loop, animate}) {
    option->installEventFilter(this);
    layout.addWidget(option);
  }
  m_folding = {loop, m_speed};
  if (m_motion == Motion::Jumps) {
    animate->hide();
  } else {
    m_folding.append(animate);
  }
  loop->setAccessibleName(tr("Loop"));
  animate->setAccessibleName(tr("Animate"));
}

void PlayerBar::showTimeline() {
  const Timeline& timeline = m_player.timeline();
  const QSignalBlocker quiet(m_slider);
  const bool heldBack = !m_heldBack.isEmpty() && timeline.steps() < std::max(m_stepCount, 1);
  m_slider->setRange(0, (heldBack ? m_stepCount : timeline.steps()) * kTicksPerStep);
  m_slider->setValue(qRound(timeline.position() * kTicksPerStep));
  m_slider->setEnabled(timeline.steps() > 0);
  m_play->setIcon(Theme::icon(timeline.playing() ? "pause" : "play"));
  m_play->setText(timeline.playing() ? tr("Pause") : tr("Play"));
  const bool atLimit = heldBack && timeline.position() == timeline.steps();
  for (QAction* action : {m_play, m_actions[3], m_actions[4]}) action->setEnabled(!atLimit);
  for (QAction* action : std::as_const(m_actions)) {
    action->setToolTip(action->isEnabled()
                           ? tr("%1 (%2)").arg(action->text(), action->shortcut().toString(QKeySequence::NativeText))
                           : m_heldBack);
  }
  m_step->setText(stepText());
}

QString PlayerBar::stepText() const {
  const Timeline& timeline = m_player.timeline();
  if (m_positionText) return m_positionText(timeline);
  if (m_stepCount == 0) return {};
  if (m_motion == Motion::Moves) {
    if (timeline.position() == 0) return tr("before step 1 of %1").arg(m_stepCount);
    const bool fails = timeline.shownStep() == m_failingStep;
    return (!timeline.rests() ? tr("step %1 of %2")
            : fails           ? tr("step %1 of %2 fails")
                              : tr("after step %1 of %2"))
        .arg(timeline.shownStep() + 1)
        .arg(m_stepCount);
  }
  if (timeline.step() >= m_stepCount) return tr("after step %1 of %1").arg(m_stepCount);
  return tr("step %1 of %2").arg(timeline.step() + 1).arg(m_stepCount);
}

}  // namespace p2::views
