// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/present_window.h"

#include <QEvent>
#include <QFontInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/theme.h"
#include "views/present/pointer_ring.h"
#include "views/present/speaker_notes.h"
#include "views/stage/stage_legend.h"
#include "views/stage/stage_painter.h"

namespace p2::views {
namespace {

constexpr int kRoomForLegend = 900;  // pixels of height from which on it is there unasked
constexpr int kLetters = 30;         // lines of the smallest letters in the height
constexpr int kFewestPixels = 12;
constexpr int kMostSentence = 3;  // part of the height that is kept for the sentence

struct Key {
  int key;
  void (Timeline::*move)();
};

/// A clicker sends the keys by which programs for slides turn pages or begin.
constexpr std::array kSteps{
    Key{Qt::Key_Right, &Timeline::forward},  Key{Qt::Key_PageDown, &Timeline::forward},
    Key{Qt::Key_Space, &Timeline::forward},  Key{Qt::Key_F5, &Timeline::forward},
    Key{Qt::Key_Left, &Timeline::back},      Key{Qt::Key_PageUp, &Timeline::back},
    Key{Qt::Key_Backspace, &Timeline::back}, Key{Qt::Key_Home, &Timeline::first},
    Key{Qt::Key_End, &Timeline::last},       Key{Qt::Key_P, &Timeline::togglePlay},
};

}  // namespace

PresentWindow::PresentWindow(Player& player, QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_player(player),
      m_title(new QLabel),
      m_middle(new QHBoxLayout),
      m_stage(new QVBoxLayout),
      m_page(new QTextBrowser),
      m_sentence(new QLabel),
      m_ring(new PointerRing(this)),
      m_speaker(new SpeakerNotes(this)) {
  setObjectName("presentWindow");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("P² Explorer, presenting"));
  setMinimumSize(640, 400);
  wrapped(named(m_title, "presentTitle"));
  m_title->setTextFormat(Qt::PlainText);
  wrapped(named(m_sentence, "presentSentence"));
  m_sentence->setTextFormat(Qt::RichText);
  m_sentence->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_page->setObjectName("presentPage");
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->hide();
  m_middle->setSpacing(2 * Theme::kGrid);
  m_middle->addWidget(m_page, 2);
  m_middle->addLayout(m_stage, 3);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * Theme::kGrid, Theme::kGrid, 2 * Theme::kGrid, 2 * Theme::kGrid);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_title);
  layout->addLayout(m_middle, 1);
  layout->addWidget(m_sentence);
  for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_sentence, m_page, m_page->viewport(), this}) {
    watch(*part);
  }
  m_speaker->installEventFilter(this);
  for (auto* part : m_speaker->findChildren<QWidget*>()) part->installEventFilter(this);
  setTextSize();
  m_blank = new QWidget(this);
  m_blank->setObjectName("presentBlank");
  m_blank->setAutoFillBackground(true);
  m_blank->setPalette(QPalette(Qt::black));
  m_blank->hide();
}

bool PresentWindow::isBlank() const { return m_blank->isVisible(); }

int PresentWindow::letterPixels(int height) { return std::max(kFewestPixels, height / kLetters); }

double PresentWindow::magnification() const {
  const double smallest = StagePainter::kLeastText * QFontInfo(Theme::tabularFont()).pixelSize();
  return std::max(1.0, letterPixels(height()) / smallest);
}

void PresentWindow::setTextSize() {
  m_letters = letterPixels(height());
  QFont text = font();
  text.setPixelSize(m_letters);
  setFont(text);
  m_sentence->setFont(text);
  QFont large = text;
  large.setPixelSize(text.pixelSize() * 7 / 6);
  large.setBold(true);
  m_title->setFont(large);
  m_page->setFont(text);
  // Widgets polished by a style sheet do not inherit fonts.
  if (m_body != nullptr) {
    for (auto* part : m_body->findChildren<QWidget*>()) part->setFont(text);
  }
  if (m_legend != nullptr) m_legend->setFont(text);
  reserveRoom();
  emit magnified(magnification());
}

void PresentWindow::tellSpeaker(const QString& now, const QString& next) { m_speaker->show(now, next); }

void PresentWindow::setSpeakerText(const QString& notes) { m_speaker->setNotes(notes); }

void PresentWindow::openSpeaker() {
  m_speaker->open(*this);
  activateWindow();
}

void PresentWindow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // A window that comes back from the taskbar is shown again.
  if (!std::exchange(m_seen, true) && SpeakerNotes::hasScreenFor(*this)) openSpeaker();
}

void PresentWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::ApplicationFontChange) setTextSize();
  QWidget::changeEvent(event);
}

void PresentWindow::watch(QWidget& widget) {
  widget.setMouseTracking(true);
  widget.installEventFilter(this);
}

void PresentWindow::setBody(QWidget* body, int share) {
  m_middle->setStretchFactor(m_stage, share);
  // The key that led to another one may still be on its way through the one before.
  if (m_body != nullptr) {
    QObject::disconnect(&m_player, nullptr, m_body, nullptr);
    m_body->setParent(nullptr);
    m_body->deleteLater();
  }
  m_body = body;
  m_stage->insertWidget(0, body, 1);
  watch(*body);
  for (auto* part : body->findChildren<QWidget*>()) {
    watch(*part);
    // Widgets polished by a style sheet do not inherit fonts.
    part->setFont(font());
  }
  m_ring->raise();
  body->setFocus();
}

void PresentWindow::setLegend(StageLegend* legend) {
  delete m_legend;
  m_legend = legend;
  if (legend == nullptr) return;
  m_stage->addWidget(legend);
  watch(*legend);
  legend->setFont(font());
  legend->setVisible(height() >= kRoomForLegend);
}

void PresentWindow::setTitle(const QString& title) {
  m_title->setText(title);
  m_title->setVisible(!title.isEmpty());
}

void PresentWindow::setSentence(const QString& html) { m_sentence->setText(html); }

void PresentWindow::reserveSentences(const QStringList& html) {
  m_sentences = html;
  reserveRoom();
}

void PresentWindow::reserveRoom() {
  const QString shown = m_sentence->text();
  const QMargins margins = layout()->contentsMargins();
  int room = 0;
  for (const QString& each : m_sentences) {
    m_sentence->setText(each);
    room = std::max(room, m_sentence->heightForWidth(width() - margins.left() - margins.right()));
  }
  m_sentence->setText(shown);
  m_sentence->setMinimumHeight(std::min(room, height() / kMostSentence));
}

void PresentWindow::setPageText(const QString& html) {
  m_page->setHtml(html);
  m_page->setVisible(!html.isEmpty());
}

bool PresentWindow::obey(const QKeyEvent& event) {
  // Numbers, arrows and + of the keypad are the same keys.
  if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  if (isBlank()) {
    m_blank->hide();
    return true;
  }
  if (event.key() == Qt::Key_B || event.key() == Qt::Key_Period) {
    m_blank->setGeometry(rect());
    m_blank->show();
    m_blank->raise();
    return true;
  }
  if (event.key() == Qt::Key_Escape || event.key() == Qt::Key_F11) {
    close();
    return true;
  }
  if (event.key() == Qt::Key_R) {
    m_ring->setOn(!m_ring->isOn());
    return true;
  }
  if (event.key() == Qt::Key_S) {
    openSpeaker();
    return true;
  }
  if (event.key() == Qt::Key_L && m_legend != nullptr) {
    m_legend->setVisible(m_legend->isHidden());
    return true;
  }
  const auto* step = std::find_if(kSteps.begin(), kSteps.end(), [&](const Key& one) { return one.key == event.key(); });
  if (step == kSteps.end()) return false;
  if (turnPage(event)) return true;
  m_player.change([step](Timeline& timeline) { (timeline.*step->move)(); });
  return true;
}

bool PresentWindow::turnPage(const QKeyEvent& event) {
  if (!m_turnsPages) return false;
  const Timeline& timeline = m_player.timeline();
  const auto isOneOf = [&event](std::initializer_list<Qt::Key> keys) {
    return std::find(keys.begin(), keys.end(), event.key()) != keys.end();
  };
  const bool ends = timeline.position() == timeline.steps() && !timeline.moving();
  if (ends && isOneOf({Qt::Key_PageDown, Qt::Key_Right, Qt::Key_Space, Qt::Key_F5})) {
    emit pageWanted(1);
    return true;
  }
  if (timeline.position() == 0 && isOneOf({Qt::Key_PageUp, Qt::Key_Left, Qt::Key_Backspace})) {
    emit pageWanted(-1);
    return true;
  }
  return false;
}

// The presentation's keys take precedence over the stage's.
bool PresentWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && watched != this && obey(*static_cast<QKeyEvent*>(event))) return true;
  auto* seen = qobject_cast<QWidget*>(watched);
  if (event->type() == QEvent::MouseMove && seen != nullptr && seen->window() == this) {
    const auto* part = static_cast<QWidget*>(watched);
    m_ring->follow(part->mapTo(this, static_cast<QMouseEvent*>(event)->position().toPoint()));
  }
  return QWidget::eventFilter(watched, event);
}

void PresentWindow::keyPressEvent(QKeyEvent* event) {
  if (!obey(*event)) QWidget::keyPressEvent(event);
}

void PresentWindow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_letters != letterPixels(height())) {
    setTextSize();
  } else {
    reserveRoom();
  }
  m_ring->setGeometry(rect());
  m_ring->raise();
  m_blank->setGeometry(rect());
  if (isBlank()) m_blank->raise();
  const bool grew = event->oldSize().height() < kRoomForLegend && height() >= kRoomForLegend;
  if (m_legend != nullptr && grew) m_legend->show();
}

void PresentWindow::closeEvent(QCloseEvent* event) {
  QWidget::closeEvent(event);
  emit left();
}

}  // namespace p2::views
