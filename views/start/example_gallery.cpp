// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/example_gallery.h"

#include <QEvent>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "views/common/theme.h"
#include "views/shell/examples.h"

namespace p2::views {
namespace {

constexpr QSize kPicture{176, 104};

/// Breaks a title into lines of a button that are as wide as its picture.
QString broken(const QString& title, const QFontMetrics& metrics) {
  QStringList lines{QString()};
  for (const QString& word : title.split(' ')) {
    const QString longer = lines.back().isEmpty() ? word : lines.back() + ' ' + word;
    if (metrics.horizontalAdvance(longer) > kPicture.width() && !lines.back().isEmpty()) {
      lines += word;
    } else {
      lines.back() = longer;
    }
  }
  return lines.join('\n');
}

}  // namespace

ExampleGallery::ExampleGallery(Sketch sketch, QWidget* parent) : QWidget(parent), m_sketch(std::move(sketch)) {
  setObjectName(QStringLiteral("exampleGallery"));
  setAccessibleName(tr("Examples"));
  QPixmap blank(kPicture);
  blank.fill(Qt::transparent);
  for (const Example& example : examples()) {
    auto* button = new QToolButton(this);
    button->setObjectName("example-" + example.name);
    button->setText(broken(example.title, button->fontMetrics()));
    button->setAccessibleName(example.title);
    button->setToolTip(tr("Open %1").arg(example.title));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize(kPicture);
    // Without a picture it would keep no room for one.
    button->setIcon(QIcon(blank));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, name = example.name] { emit wanted(name); });
    m_buttons.push_back(button);
  }
}

QSize ExampleGallery::minimumSizeHint() const {
  const QSize each = m_buttons.empty() ? QSize() : m_buttons.front()->size();
  return {each.width(), m_buttons.empty() ? 0 : m_buttons.back()->geometry().bottom() + 1};
}

bool ExampleGallery::event(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    m_drawn = 0;
    drawNext();
  } else if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    place();
  }
  return QWidget::event(event);
}

void ExampleGallery::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
}

void ExampleGallery::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  place();
  drawNext();
}

void ExampleGallery::place() {
  QSize each;
  for (std::size_t i = 0; i < m_buttons.size(); ++i) {
    m_buttons[i]->setText(broken(examples()[i].title, m_buttons[i]->fontMetrics()));
    each = each.expandedTo(m_buttons[i]->sizeHint());
  }
  // The style sheet's padding, which a button does not count as part of itself.
  each.rheight() += 2 * Theme::kGrid;
  const int columns = std::max(1, (width() + Theme::kGrid) / (each.width() + Theme::kGrid));
  for (std::size_t i = 0; i < m_buttons.size(); ++i) {
    const QPoint at(int(i) % columns * (each.width() + Theme::kGrid),
                    int(i) / columns * (each.height() + Theme::kGrid));
    m_buttons[i]->setGeometry(QRect(at, each));
  }
  setMinimumHeight(minimumSizeHint().height());
}

void ExampleGallery::drawNext() {
  if (m_drawing || !isVisible() || isComplete()) return;
  m_drawing = true;
  QTimer::singleShot(0, this, [this] {
    m_drawing = false;
    if (isComplete()) return;
    const auto workspace = readExample(examples()[m_drawn].name);
    if (workspace.ok()) {
      m_buttons[m_drawn]->setIcon(
          QIcon(QPixmap::fromImage(m_sketch(workspace->system, kPicture, devicePixelRatioF()))));
    }
    ++m_drawn;
    if (isComplete()) emit completed();
    drawNext();
  });
}

}  // namespace p2::views
