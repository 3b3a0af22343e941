// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/entries_sliders.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "views/common/decimal_box.h"
#include "views/common/figure_slider.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kAmountDecades = 2;
constexpr double kDefaultShare = 0.5;
constexpr double kDefaultWindow = 0.1;
constexpr double kMostMilliseconds = 1e9;
constexpr double kMostAmount = 9e18;

using Extent = CommunicationOverlap::Extent;

/// A whole number of 1 or more; nothing while the slider stands at its own.
std::optional<std::int64_t> amountOf(const FigureSlider& slider, std::int64_t own) {
  if (!slider.isMoved()) return std::nullopt;
  const std::int64_t rounded = std::max<std::int64_t>(1, std::llround(std::min(slider.figure(), kMostAmount)));
  return rounded == own ? std::nullopt : std::optional(rounded);
}

std::optional<double> asFigure(std::optional<std::int64_t> amount) {
  return amount ? std::optional(double(*amount)) : std::nullopt;
}

}  // namespace

EntriesSliders::EntriesSliders(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel),
      m_bytes(new FigureSlider(kAmountDecades)),
      m_count(new FigureSlider(kAmountDecades)),
      m_reset(new QPushButton(tr("Re&set"))),
      m_apply(new QPushButton(tr("Appl&y to the workload"))) {
  setObjectName("entrySliders");
  wrapped(named(m_title, "triedEntry"));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Theme::kGrid);
  grid->setVerticalSpacing(Theme::kGrid / 2);
  m_bytesText = addAmount(*grid, tr("Bytes"), "bytesSlider", *m_bytes);
  m_countText = addAmount(*grid, tr("Count"), "countSlider", *m_count);
  grid->addWidget(new QLabel(tr("Runs")), grid->rowCount(), 0);
  grid->addWidget(makeOverlap(), grid->rowCount() - 1, 1, 1, 2);
  grid->setColumnStretch(1, 1);
  m_reset->setObjectName("resetEntries");
  m_reset->setToolTip(tr("Restore the figures of the document (Alt+S); a double click restores one slider"));
  m_apply->setObjectName("applyEntries");
  m_apply->setToolTip(tr("Apply these figures to the document's workload; can be undone (Alt+Y)"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_reset);
  buttons->addWidget(m_apply, 1);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid);
  layout->addWidget(m_title);
  layout->addLayout(grid);
  layout->addLayout(buttons);
  connect(m_reset, &QPushButton::clicked, this, &EntriesSliders::resetWanted);
  connect(m_apply, &QPushButton::clicked, this, &EntriesSliders::applyWanted);
  clear();
  setAnyTried(false);
}

QLabel* EntriesSliders::addAmount(QGridLayout& grid, const QString& caption, const char* name, FigureSlider& slider) {
  slider.setObjectName(name);
  slider.setAccessibleName(tr("%1 of the selected entry").arg(caption));
  connect(&slider, &QSlider::valueChanged, this, [this] {
    showFigures();
    emit moved();
  });
  connect(&slider, &QSlider::sliderReleased, this, &EntriesSliders::released);
  return addFigureRow(grid, caption, slider, QStringLiteral("00.00 GB"));
}

QWidget* EntriesSliders::makeOverlap() {
  auto* row = new QWidget;
  m_overlap = named(new QComboBox, "overlapChoice", tr("How the entry overlaps with computation"),
                    tr("Part of the entry that may overlap with computation; the rest is exposed"));
  m_overlap->addItem(tr("exposed"), int(Extent::None));
  m_overlap->addItem(tr("overlaps with computation"), int(Extent::Compute));
  m_overlap->addItem(tr("a share overlaps"), int(Extent::Fraction));
  m_overlap->addItem(tr("in a window of computation"), int(Extent::Window));
  m_overlap->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_overlapValue = named(new DecimalBox, "overlapValue");
  m_overlapValue->setKeyboardTracking(false);
  auto* layout = bareLayout<QHBoxLayout>(row);
  layout->addWidget(m_overlap, 1);
  layout->addWidget(m_overlapValue);
  connect(m_overlap, &QComboBox::activated, this, [this] {
    const auto extent = Extent(m_overlap->currentData().toInt());
    if (extent == m_entry.overlap.extent) return;
    emit overlapChosen({extent, extent == Extent::Fraction ? kDefaultShare
                                : extent == Extent::Window ? kDefaultWindow
                                                           : 0});
  });
  connect(m_overlapValue, &QDoubleSpinBox::valueChanged, this, &EntriesSliders::chooseOverlap);
  return row;
}

void EntriesSliders::setEntry(std::size_t row, const WorkloadEntry& entry, const TriedEntry& tried,
                              std::size_t standsFor) {
  m_entry = entry;
  setEnabled(true);
  const QString name = qs(entry.name).toHtmlEscaped();
  QString title = QStringLiteral("<b>%1 %2</b>").arg(Theme::categoryLetter(int(row)), name);
  if (standsFor > 1) title += tr(", %L1 equal entries").arg(qulonglong(standsFor));
  m_title->setText(title);
  m_bytes->setFigure(double(entry.bytes), asFigure(tried.bytes));
  m_count->setFigure(double(entry.count), asFigure(tried.count));
  m_count->setEnabled(standsFor == 1);
  m_bytes->setToolTip(
      tr("Bytes of the full tensor, a hundredth to a hundred times; a double click restores its own value"));
  m_count->setToolTip(
      standsFor == 1 ? tr("How often in a step, a hundredth to a hundred times; a double click restores its own value")
                     : tr("Several entries of the workload are shown as one; change their counts in the file"));
  showOverlap(entry.overlap);
  showFigures();
}

void EntriesSliders::clear() {
  m_entry = {};
  setEnabled(false);
  m_title->setText(tr("Select an entry to try other figures."));
  m_bytes->setFigure(1);
  m_count->setFigure(1);
  m_bytesText->clear();
  m_countText->clear();
  m_overlapValue->hide();
}

void EntriesSliders::setAnyTried(bool any) {
  m_reset->setEnabled(any);
  m_apply->setEnabled(any);
}

TriedEntry EntriesSliders::tried() const {
  return {amountOf(*m_bytes, m_entry.bytes), amountOf(*m_count, m_entry.count)};
}

void EntriesSliders::showFigures() {
  const TriedEntry now = tried();
  const auto bytes = double(now.bytes.value_or(m_entry.bytes));
  showFigure(*m_bytesText, bytesText(Bytes(bytes)), now.bytes.has_value());
  showFigure(*m_countText, QStringLiteral("%L1").arg(qlonglong(now.count.value_or(m_entry.count))),
             now.count.has_value());
}

void EntriesSliders::showOverlap(const CommunicationOverlap& overlap) {
  const QSignalBlocker quietChoice(m_overlap);
  const QSignalBlocker quietValue(m_overlapValue);
  m_overlap->setCurrentIndex(m_overlap->findData(int(overlap.extent)));
  const bool share = overlap.extent == Extent::Fraction;
  m_overlapValue->setVisible(share || overlap.extent == Extent::Window);
  m_overlapValue->setDecimals(share ? 1 : 3);
  m_overlapValue->setRange(0, share ? 100 : kMostMilliseconds);
  m_overlapValue->setSuffix(share ? tr(" %") : tr(" ms"));
  m_overlapValue->setValue(overlap.value * (share ? 100 : 1000));
  m_overlapValue->setAccessibleName(share ? tr("Share that overlaps with computation") : tr("Window of computation"));
  m_overlapValue->setToolTip(share ? tr("The share that may overlap with computation, in percent")
                                   : tr("Milliseconds of computation in a step that can hide it"));
}

void EntriesSliders::chooseOverlap() {
  CommunicationOverlap chosen = m_entry.overlap;
  chosen.value = m_overlapValue->value() / (chosen.extent == Extent::Fraction ? 100 : 1000);
  if (chosen != m_entry.overlap) emit overlapChosen(chosen);
}

}  // namespace p2::views
