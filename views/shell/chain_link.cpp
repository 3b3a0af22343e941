// SPDX-License-Identifier: GPL-3.0-or-later
#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/common/matrix_painter.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/chain_bar.h"

namespace p2::views {
namespace {

constexpr int kPadding = Theme::kGrid;
constexpr std::size_t kMostDrawnRows = 3;
constexpr int kMostValueCharacters = 110;
constexpr int kLeastBrief = 6;  // characters of a value without a caption

QFont scaled(QFont font, double factor) {
  font.setPointSizeF(font.pointSizeF() * factor);
  return font;
}

/// Rounded up: a text that is a fraction of a pixel wider than its place would be elided.
int widthOf(const QString& text, const QFont& font) {
  return int(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
}

}  // namespace

ChainLink::ChainLink(const QString& objectName, const QString& caption, QWidget* parent)
    : QAbstractButton(parent), m_caption(caption) {
  setObjectName(objectName);
  setAccessibleName(caption);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
  // A button would not become narrower than its text.
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void ChainLink::setValue(const QString& value, const ParallelismMatrix& matrix, const QString& remark) {
  m_value = value;
  m_matrix = matrix;
  const QString spoken = matrix.empty() ? value : qs(matrix.text()) + ", " + value;
  setAccessibleName(m_caption + ": " + spoken);
  // The complete text, even if elided.
  setToolTip(tr("%1: %2. Click to change it").arg(m_caption, spoken) + (remark.isEmpty() ? QString() : "\n" + remark));
  updateGeometry();
  update();
}

void ChainLink::setLeastCharacters(int characters) {
  m_leastCharacters = characters;
  updateGeometry();
}

void ChainLink::setStale(bool stale) {
  m_stale = stale;
  update();
}

void ChainLink::setBrief(bool brief) {
  m_brief = brief;
  updateGeometry();
  update();
}

bool ChainLink::drawsMatrix() const { return !m_brief && !m_matrix.empty() && m_matrix.rows() <= kMostDrawnRows; }

QString ChainLink::shownValue() const { return m_matrix.empty() || drawsMatrix() ? m_value : qs(m_matrix.text()); }

int ChainLink::captionWidth() const { return m_brief ? 0 : widthOf(m_caption, captionFont()); }

QFont ChainLink::captionFont() const { return scaled(font(), 0.85); }
QFont ChainLink::matrixFont() const { return scaled(Theme::tabularFont(), 0.75); }

int ChainLink::matrixWidth() const {
  return !drawsMatrix() ? 0 : matrixSize(m_matrix, QFontMetrics(matrixFont())).width() + kPadding / 2;
}

QSize ChainLink::sizeHint() const {
  const QFontMetrics value(font());
  const QFontMetrics caption(captionFont());
  const int most = value.averageCharWidth() * kMostValueCharacters;
  const int text = std::max(std::min(widthOf(shownValue(), font()), most), captionWidth());
  if (m_brief) return {2 * kPadding + text, kPadding + value.height()};
  // Always as tall as three rows of a matrix: the bar must not jump.
  const int drawn = int(kMostDrawnRows) * QFontMetrics(matrixFont()).lineSpacing() + 8;
  return {2 * kPadding + matrixWidth() + text, std::max(kPadding + value.height() + caption.height(), drawn)};
}

QSize ChainLink::minimumSizeHint() const {
  const int value =
      std::min(widthOf(shownValue(), font()), m_leastCharacters * QFontMetrics(font()).averageCharWidth());
  return {2 * kPadding + matrixWidth() +
              std::max(m_brief ? kLeastBrief * QFontMetrics(font()).averageCharWidth() : captionWidth(), value),
          sizeHint().height()};
}

void ChainLink::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (underMouse() || isDown()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::tint());
    painter.drawRoundedRect(rect(), 4, 4);
  }
  if (hasFocus()) {
    painter.setPen(QPen(Theme::accent(), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
  }
  const QColor ink = m_stale ? Theme::mutedText() : Theme::text();
  QRect inner = rect().adjusted(kPadding, 0, -kPadding, 0);
  if (drawsMatrix()) {
    painter.setFont(matrixFont());
    paintMatrix(painter, inner, m_matrix, ink);
    inner.setLeft(inner.left() + matrixWidth());
  }
  const QFontMetrics caption(captionFont());
  const QFontMetrics value(font());
  const int above = m_brief ? 0 : caption.height();
  const int top = (height() - above - value.height()) / 2;
  if (!m_brief) {
    painter.setFont(captionFont());
    painter.setPen(Theme::mutedText());
    painter.drawText(QRect(inner.left(), top, inner.width(), above), Qt::AlignVCenter, m_caption);
  }
  painter.setFont(font());
  painter.setPen(ink);
  painter.drawText(QRect(inner.left(), top + above, inner.width(), value.height()), Qt::AlignVCenter,
                   value.elidedText(shownValue(), Qt::ElideRight, inner.width()));
}

bool ChainLink::event(QEvent* event) {
  if (event->type() == QEvent::FontChange) updateGeometry();
  return QAbstractButton::event(event);
}

}  // namespace p2::views
