// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_graph_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "views/common/graph_drawing.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/literal/literal_text.h"

namespace p2::views {
namespace {

using Kind = LiteralMoment::Kind;

}  // namespace

LiteralGraphView::LiteralGraphView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("literalGraph"));
  setAccessibleName(tr("Graph of the literal algorithm"));
}

void LiteralGraphView::setRun(std::shared_ptr<const LiteralRun> run) {
  m_run = std::move(run);
  m_moment = 0;
  m_picked = -1;
  setAccessibleDescription({});
  drawingChanged();
}

void LiteralGraphView::setMoment(std::size_t moment) {
  m_moment = moment;
  setAccessibleDescription(fullText(m_picked));
  update();
}

void LiteralGraphView::setTextPixels(int pixels) {
  m_mostFittedZoom = std::max(Navigation::kMostFittedZoom, double(pixels) / kTextPixels);
  fit();
}

QRectF LiteralGraphView::rectOf(int vertex) const {
  const QRectF& rect = m_run->layout.nodes[std::size_t(vertex)];
  return {toWidget(rect.topLeft()), toWidget(rect.bottomRight())};
}

QRectF LiteralGraphView::drawingBounds() const { return m_run ? m_run->layout.bounds : QRectF(); }

bool LiteralGraphView::isNeighbour(std::size_t vertex, std::size_t of) const {
  const auto& scope = m_run->trace().tables[of].scope;
  return vertex != of && std::find(scope.begin(), scope.end(), vertex) != scope.end();
}

LiteralGraphView::Part LiteralGraphView::partOf(std::size_t vertex) const {
  const LiteralMoment& moment = m_run->trace().moments[m_moment];
  switch (moment.kind) {
    case Kind::Tables:
      return Part::Waiting;
    case Kind::Join:
      return vertex == moment.vertex ? Part::Chosen : vertex < moment.vertex ? Part::Processed : Part::Waiting;
    case Kind::Result:
      return Part::Processed;
    default:
      break;
  }
  if (vertex == moment.vertex) return Part::Chosen;
  if (moment.kind == Kind::Restrict && vertex == moment.neighbour) return Part::LosesRows;
  if (isNeighbour(vertex, moment.vertex)) return Part::Neighbour;
  return m_run->trace().isProcessed(vertex, m_moment) ? Part::Processed : Part::Waiting;
}

/// The second line of a vertex.
QString LiteralGraphView::stateText(std::size_t vertex) const {
  const LiteralTrace& trace = m_run->trace();
  const LiteralMoment& moment = trace.moments[m_moment];
  const Part part = partOf(vertex);
  if (moment.kind == Kind::Result) {
    const auto& strategy = m_run->solution.strategy;
    return strategy ? configurationText(*m_run->problem, vertex, strategy->choice[vertex]) : tr("none left");
  }
  if (moment.kind == Kind::Join) {
    return part == Part::Chosen ? tr("joins S") : part == Part::Processed ? tr("✓ in S") : tr("to be joined");
  }
  const auto& unprocessed = trace.iterations[moment.iteration].unprocessed[vertex];
  if (part == Part::LosesRows) return moment.before == moment.after ? tr("keeps its rows") : tr("loses rows");
  if (!unprocessed) return tr("✓ processed");
  return part == Part::Chosen ? tr("v_min, |un| = %1").arg(*unprocessed) : tr("|un| = %1").arg(*unprocessed);
}

QString LiteralGraphView::fullText(int vertex) const {
  if (!m_run || vertex < 0) return {};
  const auto index = std::size_t(vertex);
  return tr("%1: %2; %3")
      .arg(qs(m_run->problem->vertices[index].name), stateText(index),
           counted(std::int64_t(m_run->problem->domainOf(index).configurations.size()), tr("configuration"),
                   tr("configurations")));
}

void LiteralGraphView::paintDrawing(QPainter& painter, const QRectF&) {
  if (!m_run) return;
  QFont font = Theme::tabularFont();
  font.setPixelSize(kTextPixels);
  painter.setFont(font);
  const LiteralMoment& moment = m_run->trace().moments[m_moment];
  const bool inLoop = moment.iteration < m_run->trace().iterations.size() && moment.kind != Kind::Tables;
  for (std::size_t i = 0; i < m_run->edges.size(); ++i) {
    const GraphShape::Edge& edge = m_run->edges[i];
    const bool lit = inLoop && (edge.from == moment.vertex || edge.to == moment.vertex);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(lit ? Theme::accent() : Theme::mutedText(), lit ? 2.5 : 1));
    painter.drawPath(m_run->layout.edges[i]);
  }
  for (std::size_t vertex = 0; vertex < m_run->layout.nodes.size(); ++vertex) paintVertex(painter, vertex);
}

void LiteralGraphView::paintVertex(QPainter& painter, std::size_t vertex) const {
  const QRectF& rect = m_run->layout.nodes[vertex];
  const Part part = partOf(vertex);
  const bool chosen = part == Part::Chosen;
  const bool near = part == Part::Neighbour || part == Part::LosesRows;
  painter.setPen(QPen(near || chosen ? Theme::accent() : Theme::line(), near ? 2 : 1,
                      part == Part::LosesRows ? Qt::DashLine : Qt::SolidLine));
  painter.setBrush(chosen                    ? Theme::accent()
                   : near                    ? Theme::tint()
                   : part == Part::Processed ? Theme::box(2)
                                             : Theme::surface());
  painter.drawRoundedRect(rect, 4, 4);
  if (int(vertex) == m_picked) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Theme::text(), 1.5));
    painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), 6, 6);
  }
  if (kTextPixels * zoom() < kLeastTextHeight) return;
  const QRectF room = rect.adjusted(8, 4, -8, -4);
  const QFontMetrics metrics = painter.fontMetrics();
  const auto line = [&](const QString& text, int half, Qt::TextElideMode elide) {
    const QRectF place(room.left(), room.top() + half * room.height() / 2, room.width(), room.height() / 2);
    painter.drawText(place, Qt::AlignCenter, metrics.elidedText(text, elide, int(room.width())));
  };
  painter.setPen(chosen ? Theme::onAccent() : Theme::text());
  line(qs(m_run->problem->vertices[vertex].name), 0, Qt::ElideMiddle);
  if (!chosen) painter.setPen(part == Part::Waiting ? Theme::mutedText() : Theme::text());
  line(stateText(vertex), 1, Qt::ElideRight);
}

void LiteralGraphView::hovered(std::optional<QPointF> point) {
  const bool over = m_run && point && m_run->layout.nodeAt(*point) >= 0;
  setCursor(over ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool LiteralGraphView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && m_picked >= 0) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool walks = !directionOf(key->key()).isNull() && key->modifiers() == Qt::NoModifier;
    if (walks || key->key() == Qt::Key_Escape) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip && m_run) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), fullText(m_run->layout.nodeAt(toDrawing(help->pos()))), this);
    return true;
  }
  return Canvas::event(event);
}

void LiteralGraphView::mousePressEvent(QMouseEvent* event) {
  m_pressedAt = event->position();
  Canvas::mousePressEvent(event);
}

void LiteralGraphView::mouseReleaseEvent(QMouseEvent* event) {
  Canvas::mouseReleaseEvent(event);
  const bool dragged = (event->position() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
  if (event->button() != Qt::LeftButton || dragged || !m_run) return;
  const int vertex = m_run->layout.nodeAt(toDrawing(event->position()));
  pick(vertex == m_picked ? -1 : vertex);
}

void LiteralGraphView::keyPressEvent(QKeyEvent* event) {
  const QPoint direction = directionOf(event->key());
  const bool plain = event->modifiers() == Qt::NoModifier;
  const bool any = m_run && !m_run->layout.nodes.empty();
  const bool begins = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || direction.y() != 0;
  if (any && plain && m_picked < 0 && begins) {
    pick(0);
  } else if (any && plain && m_picked >= 0 && !direction.isNull()) {
    pick(m_run->layout.neighbour(m_picked, direction));
  } else if (m_picked >= 0 && event->key() == Qt::Key_Escape) {
    pick(-1);
  } else {
    Canvas::keyPressEvent(event);
  }
}

void LiteralGraphView::pick(int vertex) {
  if (vertex == m_picked) return;
  m_picked = vertex;
  setAccessibleDescription(fullText(vertex));
  if (vertex >= 0) reveal(m_run->layout.nodes[std::size_t(vertex)]);
  update();
  emit vertexPicked(vertex);
}

}  // namespace p2::views
