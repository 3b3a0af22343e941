// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/range_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr const char* kOverSetting = "costs/over";
constexpr const char* kLinkSetting = "costs/overLink";

bool isOfLink(SweepOver over) { return over == SweepOver::Bandwidth || over == SweepOver::Latency; }

QString editableValue(SweepOver over, double value) {
  switch (over) {
    case SweepOver::Bytes:
      return editableBytes(Bytes(value));
    case SweepOver::Nodes:
      return QString::number(value, 'g', 15);
    case SweepOver::Bandwidth:
      return editableBandwidth(value);
    case SweepOver::Latency:
      return editableSeconds(value);
  }
  return {};
}

Result<double> typedValue(SweepOver over, const QString& typed, double before) {
  switch (over) {
    case SweepOver::Bytes: {
      P2_TRY_ASSIGN(const Bytes bytes, typedBytes(typed, Bytes(before)));
      return bytes.value();
    }
    case SweepOver::Nodes: {
      bool isWhole = false;
      const qlonglong nodes = typed.trimmed().toLongLong(&isWhole);
      if (isWhole && nodes >= 1 && nodes <= kMostDevices) return double(nodes);
      return Error{"\"" + typed.toStdString() + "\" is not a number of nodes; write a whole number from 1"};
    }
    case SweepOver::Bandwidth:
      return typedBandwidth(typed, before);
    case SweepOver::Latency:
      return typedSeconds(typed, before);
  }
  return before;
}

}  // namespace

RangeBar::RangeBar(QWidget* parent) : QWidget(parent), m_over(new QComboBox), m_link(new QComboBox) {
  auto* overCaption = new QLabel(tr("&Over"));
  named(m_over, "sweepOver", tr("Over"), tr("What changes along the horizontal axis (Alt+O)"));
  m_over->addItem(tr("size"), int(SweepOver::Bytes));
  m_over->addItem(tr("nodes"), int(SweepOver::Nodes));
  m_over->addItem(tr("bandwidth of"), int(SweepOver::Bandwidth));
  m_over->addItem(tr("latency of"), int(SweepOver::Latency));
  overCaption->setBuddy(m_over);
  named(m_link, "sweepLink", tr("Link"), tr("The interconnect whose bandwidth or latency changes"));
  m_from = makeEdge("sweepFrom", tr("The first value; all values are spread evenly in their logarithm"));
  m_to = makeEdge("sweepTo", tr("The last value"));
  auto* layout = bareLayout<QHBoxLayout>(this, Theme::kGrid);
  const std::initializer_list<QWidget*> parts{overCaption,          m_over, m_link, new QLabel(tr("from")), m_from,
                                              new QLabel(tr("to")), m_to};
  for (QWidget* part : parts) layout->addWidget(part);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  const auto over = std::clamp(QSettings().value(kOverSetting).toInt(), 0, m_over->count() - 1);
  m_over->setCurrentIndex(over);
  connect(m_over, &QComboBox::currentIndexChanged, this, &RangeBar::chooseOver);
  connect(m_link, &QComboBox::currentIndexChanged, this, &RangeBar::chooseOver);
}

QLineEdit* RangeBar::makeEdge(const char* name, const QString& toolTip) {
  auto* edge = new QLineEdit;
  edge->setObjectName(name);
  edge->setToolTip(toolTip);
  edge->setAccessibleName(toolTip);
  edge->setFixedWidth(edge->fontMetrics().horizontalAdvance("1234567 GB/s"));
  connect(edge, &QLineEdit::editingFinished, this, &RangeBar::takeEdges);
  return edge;
}

void RangeBar::setSystem(const System& system) {
  if (m_link->count() > 0 && system == m_system) return;
  const bool first = m_system.levels.empty();
  m_system = system;
  const QString before = first ? QSettings().value(kLinkSetting).toString() : m_link->currentText();
  const std::vector<TriableLink> links = triableLinks(system);
  {
    const QSignalBlocker quiet(m_link);
    m_link->clear();
    for (const TriableLink& link : links) m_link->addItem(qs(link.name));
    m_link->setCurrentIndex(std::max(0, m_link->findText(before)));
  }
  const auto over = SweepOver(m_over->currentData().toInt());
  const bool changes = first || over != m_range.over || (isOfLink(over) && m_link->currentText() != before);
  if (changes) chooseOver();
}

void RangeBar::chooseOver() {
  const auto over = SweepOver(m_over->currentData().toInt());
  const std::string link = isOfLink(over) ? m_link->currentText().toStdString() : std::string();
  const auto range = defaultRange(m_system, over, link);
  m_range = range.ok() ? *range : SweepRange{};
  remember();
  showRange();
  if (!range.ok()) emit problem(qs(range.error().text()));
  emit rangeChanged();
}

void RangeBar::takeEdges() {
  SweepRange next = m_range;
  for (const auto& [edge, value] : {std::pair(m_from, &next.from), std::pair(m_to, &next.to)}) {
    // The shown value may be rounded; untouched, the exact value stays.
    if (edge->text() == editableValue(m_range.over, *value)) continue;
    const auto typed = typedValue(m_range.over, edge->text(), *value);
    if (!typed.ok()) {
      emit problem(qs(typed.error().text()));
      return;
    }
    *value = *typed;
  }
  if (!(next.from > 0 && next.to > next.from)) {
    emit problem(tr("%1 to %2 is an empty range; write a value above 0 and then a larger one")
                     .arg(m_from->text(), m_to->text()));
    return;
  }
  emit problem({});
  if (next == m_range) return;
  m_range = next;
  showRange();
  emit rangeChanged();
}

void RangeBar::showRange() {
  m_link->setVisible(isOfLink(m_range.over));
  m_from->setText(editableValue(m_range.over, m_range.from));
  m_to->setText(editableValue(m_range.over, m_range.to));
  emit problem({});
}

void RangeBar::remember() const {
  QSettings settings;
  settings.setValue(kOverSetting, m_over->currentIndex());
  if (isOfLink(m_range.over)) settings.setValue(kLinkSetting, m_link->currentText());
}

}  // namespace p2::views
