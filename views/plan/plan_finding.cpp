// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan/plan_finding.h"

#include <QLabel>
#include <QVBoxLayout>

#include "base/sentence.h"
#include "training_answer/plan_hints.h"
#include "views/common/brief_label.h"
#include "views/common/link_label.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/plan/plan_words.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr double kBestScale = 1.15;
constexpr int kChosenLines = 2;
constexpr QLatin1String kAllRows("all");

/// The name of a row inside a hint as a link to it.
QString linkedHint(const QString& hint, const PlannerAnswer& found, std::size_t place) {
  const QString degrees = degreesText(found.answer.configurations[place].configuration);
  const QString link =
      QStringLiteral("<a href=\"%1\">%2</a>")
          .arg(place)
          .arg(QObject::tr("row %1, %2").arg(countText(std::int64_t(place) + 1), degrees).toHtmlEscaped());
  return hint.toHtmlEscaped().replace(degrees.toHtmlEscaped(), link);
}

}  // namespace

PlanFinding::PlanFinding(QWidget* parent)
    : QWidget(parent), m_best(new BriefLabel), m_hints(new LinkLabel), m_chosen(new BriefLabel) {
  m_best->setObjectName("planFinding");
  m_best->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QFont large = m_best->font();
  large.setPointSizeF(large.pointSizeF() * kBestScale);
  m_best->setFont(large);
  named(m_hints, "planHints", {}, tr("Choose the row, or show all of them"));
  m_chosen->setObjectName("planChosen");
  m_chosen->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_chosen->setMostLines(kChosenLines);
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  for (QWidget* part : std::initializer_list<QWidget*>{m_best, m_hints, m_chosen}) layout->addWidget(part);
  connect(m_hints, &QLabel::linkActivated, this, [this](const QString& link) {
    if (link == kAllRows) return emit allWanted();
    emit placeWanted(link.toInt());
  });
}

void PlanFinding::setAnswer(const PlannerAnswer& found, const Shown& shown) {
  m_isStale = shown.isStale;
  if (!m_isStale) {
    m_bestText = findingOf(found);
    showHints(found);
    m_chosenText = chosenText(found, shown.planned, shown.place);
    if (shown.lost) m_chosenText = lostChoiceText(*shown.lost);
    m_longest = chosenText(found, &found.answer.configurations.back(), -1);
  }
  showSentences();
}

void PlanFinding::showHints(const PlannerAnswer& found) {
  QStringList hints;
  QStringList links;
  const QString hidden = hiddenBestText(found);
  if (found.leavesNone || !hidden.isEmpty()) {
    if (!hidden.isEmpty()) hints << hidden;
    links << hidden.toHtmlEscaped() + QStringLiteral(" <a href=\"%1\">%2</a>").arg(kAllRows, tr("Show all rows"));
  }
  for (const PlanHint& hint : planHints(found.question, found.answer)) {
    if (found.leavesNone && hint.place) continue;
    hints << qs(sentenceOf(hint.text));
    links << (hint.place ? linkedHint(hints.last(), found, *hint.place) : hints.last().toHtmlEscaped());
  }
  m_hintText = hints.join(' ');
  m_hintLinks = links.join(' ');
}

void PlanFinding::setMostLines(int lines) {
  if (std::exchange(m_mostLines, lines) != lines) showSentences();
}

QString PlanFinding::text() const {
  QStringList parts{m_bestText, m_hintText, m_chosenText};
  parts.removeAll(QString());
  return parts.join(' ');
}

/// Sentences about an older question are greyed in their place.
void PlanFinding::showSentences() {
  const bool low = m_mostLines > 0;
  m_best->setMostLines(m_mostLines);
  m_best->setText(m_isStale ? tr("Comparing configurations …") : low ? text() : m_bestText);
  if (m_hints->text() != m_hintLinks) m_hints->setText(m_hintLinks);
  m_hints->setVisible(!low && !m_hintLinks.isEmpty());
  m_hints->setEnabled(!m_isStale);
  m_chosen->setText(m_chosenText);
  m_chosen->setVisible(!low);
  m_chosen->setEnabled(!m_isStale);
  keepRoomForChoice();
}

void PlanFinding::keepRoomForChoice() {
  const auto heightOf = [this](const QLabel& label, const QString& text) {
    const QRect room(0, 0, std::max(1, width()), 1 << 20);
    return label.fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height();
  };
  const bool low = m_mostLines > 0;
  m_best->setMinimumHeight(low ? 0 : heightOf(*m_best, m_bestText));
  m_chosen->setMinimumHeight(
      low ? 0 : std::min(kChosenLines * m_chosen->fontMetrics().lineSpacing(), heightOf(*m_chosen, m_longest)));
}

void PlanFinding::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  keepRoomForChoice();
}

}  // namespace p2::views
