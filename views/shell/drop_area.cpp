// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/drop_area.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QUrl>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kFrame = 3;
constexpr double kVeil = 0.85;

}  // namespace

DropArea::DropArea(QWidget& window) : QWidget(&window), m_window(window) {
  setObjectName(QStringLiteral("dropArea"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
  window.setAcceptDrops(true);
  // Fields and drawings take drags themselves, so that the window alone would not hear of them.
  qApp->installEventFilter(this);
}

QStringList DropArea::filesOf(const QMimeData* data) {
  QStringList files;
  if (data == nullptr || !data->hasUrls()) return files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) files += url.toLocalFile();
  }
  return files;
}

bool DropArea::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool isDrag = type == QEvent::DragEnter || type == QEvent::DragMove || type == QEvent::Drop;
  if (!isDrag && type != QEvent::DragLeave) return false;
  const auto* widget = qobject_cast<const QWidget*>(watched);
  if (widget == nullptr || widget->window() != &m_window) return false;
  if (type == QEvent::DragLeave) {
    hide();
    return false;
  }
  auto* drop = static_cast<QDropEvent*>(event);
  const QStringList files = filesOf(drop->mimeData());
  if (files.isEmpty()) return false;
  drop->setDropAction(Qt::CopyAction);
  drop->accept();
  if (type != QEvent::Drop) {
    showOver(files);
    return true;
  }
  hide();
  QMetaObject::invokeMethod(
      this, [this, files] { emit dropped(files); }, Qt::QueuedConnection);
  return true;
}

void DropArea::showOver(const QStringList& files) {
  m_sentence = files.size() == 1 ? tr("Drop %1 to open it").arg(QFileInfo(files.front()).fileName())
                                 : tr("Drop %1 files to open them").arg(files.size());
  setAccessibleName(m_sentence);
  setGeometry(m_window.rect());
  raise();
  show();
  update();
}

void DropArea::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor veil = Theme::surface();
  veil.setAlphaF(float(kVeil));
  painter.fillRect(rect(), veil);
  const double inset = Theme::kGrid + kFrame / 2.0;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Theme::accent(), kFrame, Qt::DashLine));
  painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), Theme::kGrid, Theme::kGrid);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  painter.setFont(large);
  painter.setPen(Theme::text());
  painter.drawText(rect().adjusted(4 * Theme::kGrid, 0, -4 * Theme::kGrid, 0), Qt::AlignCenter | Qt::TextWordWrap,
                   m_sentence);
}

}  // namespace p2::views
