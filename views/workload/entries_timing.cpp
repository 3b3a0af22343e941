// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_timing.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <utility>

#include "views/common/decimal_box.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kMostSlowdownTyped = 1000;
constexpr double kPercent = 100;

}  // namespace

EntriesTiming::EntriesTiming(QWidget* parent) : QWidget(parent) {
  bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  makeSeconds();
  makeFactors();
  makeTogether();
  setTiming({});
}

void EntriesTiming::makeSeconds() {
  m_seconds = named(new QLineEdit, "computeSeconds", tr("Computation of a step"));
  m_seconds->setPlaceholderText(tr("not given"));
  m_seconds->setToolTip(tr(
      "Seconds of computation in a step, as in 8.7 s, which hide communication that may overlap. Empty: not given, and "
      "nothing is hidden (Alt+C)"));
  m_problem = named(new InlineMessage, "computeProblem");
  auto* caption = new QLabel(tr("&Computation of a step"));
  caption->setBuddy(m_seconds);
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  row->addWidget(caption);
  row->addWidget(m_seconds, 1);
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->addLayout(row);
  m_problem->floatBelow(*m_seconds);
  // Enter confirms a questioned value; leaving the field does not.
  connect(m_seconds, &QLineEdit::returnPressed, this, [this] {
    if (m_seconds->text() == m_doubted && !m_doubted.isEmpty()) readSeconds(true);
  });
  connect(m_seconds, &QLineEdit::editingFinished, this, [this] { readSeconds(false); });
}

DecimalBox* EntriesTiming::makeFactor(const char* name, const QString& caption, const QString& toolTip,
                                      QHBoxLayout& row) {
  auto* box = new DecimalBox;
  box->setObjectName(name);
  box->setAccessibleName(QString(caption).remove('&'));
  box->setToolTip(toolTip);
  box->setKeyboardTracking(false);
  auto* label = new QLabel(caption);
  label->setBuddy(box);
  row.addWidget(label);
  row.addWidget(box, 1);
  return box;
}

void EntriesTiming::makeFactors() {
  auto* row = new QHBoxLayout;
  row->setSpacing(Theme::kGrid);
  m_slowdown = makeFactor("stepSlowdown", tr("Slow&down"),
                          tr("κ: how many times longer communication takes while devices compute; 1.13 unless you "
                             "measured another factor. Used only with seconds of computation (Alt+D)"),
                          *row);
  m_slowdown->setRange(1, kMostSlowdownTyped);
  m_slowdown->setSingleStep(0.05);
  m_slowdown->setSuffix(tr("×"));
  m_usable = makeFactor("stepUsable", tr("Usa&ble"),
                        tr("ω: the share of the computation that can overlap with communication. Used only with "
                           "seconds of computation (Alt+B)"),
                        *row);
  m_usable->setRange(0, kPercent);
  m_usable->setDecimals(1);
  m_usable->setSingleStep(5);
  m_usable->setSuffix(tr(" %"));
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  connect(m_slowdown, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    StepOptions timing = m_timing;
    timing.slowdown = value == kDefaultSlowdown ? std::nullopt : std::optional(value);
    choose(timing, tr("Change slowdown"));
  });
  connect(m_usable, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    StepOptions timing = m_timing;
    timing.usableShare = value / kPercent == kDefaultUsableShare ? std::nullopt : std::optional(value / kPercent);
    choose(timing, tr("Change usable share"));
  });
}

void EntriesTiming::makeTogether() {
  m_together = named(new QCheckBox(tr("Overlappin&g collectives share links")), "stepConcurrent");
  m_together->setToolTip(tr(
      "On: overlappable communication also runs during exposed communication, in streams of its own, and both load the "
      "same links. A step then takes as long as the longest of: computation and exposed communication; everything that "
      "may overlap; the busiest link under both loads. Off: collectives run one after the other (Alt+G)"));
  static_cast<QVBoxLayout*>(layout())->addWidget(m_together);
  connect(m_together, &QCheckBox::toggled, this, [this](bool together) {
    StepOptions timing = m_timing;
    timing.concurrent = together;
    choose(timing, together ? tr("Let communications run together") : tr("Let communications run one by one"));
  });
}

void EntriesTiming::setTiming(const StepOptions& timing) {
  m_timing = timing;
  m_seconds->setText(timing.computeSeconds ? editableSeconds(*timing.computeSeconds) : QString());
  m_problem->showProblem({});
  for (QWidget* factor : std::initializer_list<QWidget*>{m_slowdown, m_usable}) {
    factor->setEnabled(timing.computeSeconds.has_value());
  }
  const QSignalBlocker quietSlowdown(m_slowdown);
  const QSignalBlocker quietUsable(m_usable);
  const QSignalBlocker quietTogether(m_together);
  m_slowdown->setValue(timing.slowdown.value_or(kDefaultSlowdown));
  m_usable->setValue(timing.usableShare.value_or(kDefaultUsableShare) * kPercent);
  m_together->setChecked(timing.concurrent.value_or(false));
}

void EntriesTiming::choose(const StepOptions& timing, const QString& what) {
  if (timing == std::exchange(m_timing, timing)) return;
  emit chosen(timing, what);
}

void EntriesTiming::readSeconds(bool confirmed) {
  const QString typed = m_seconds->text().trimmed();
  StepOptions timing = m_timing;
  timing.computeSeconds.reset();
  if (!typed.isEmpty()) {
    const auto parsed = typedSeconds(typed, m_timing.computeSeconds.value_or(1));
    if (!parsed.ok()) return m_problem->showProblem(qs(parsed.error().text()));
    const QString doubt = confirmed ? QString() : doubtOfSeconds(m_timing.computeSeconds.value_or(0), *parsed);
    m_doubted = doubt.isEmpty() ? QString() : m_seconds->text();
    if (!doubt.isEmpty()) {
      return m_problem->say(InlineMessage::Kind::Note, tr("%1 Press Enter again to keep it.").arg(doubt));
    }
    timing.computeSeconds = *parsed;
  }
  m_problem->showProblem({});
  choose(timing, tr("Change computation"));
}

}  // namespace p2::views
