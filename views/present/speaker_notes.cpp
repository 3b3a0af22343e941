// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/present/speaker_notes.h"

#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include "views/common/panel.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr QSize kWindow{640, 520};

QScreen* otherScreen(const QWidget& presented) {
  for (QScreen* screen : QGuiApplication::screens()) {
    if (screen != presented.screen()) return screen;
  }
  return nullptr;
}

QLabel* text(const char* name) {
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

SpeakerNotes::SpeakerNotes(QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_now(text("speakerNow")),
      m_next(text("speakerNext")),
      m_notes(text("speakerNotes")) {
  setObjectName(QStringLiteral("speakerWindow"));
  setWindowTitle(tr("P² Explorer, speaker notes"));
  resize(kWindow);
  m_now->setTextFormat(Qt::RichText);
  m_next->setTextFormat(Qt::RichText);
  m_notes->setTextFormat(Qt::PlainText);
  auto* page = new QWidget;
  QVBoxLayout* column = panelLayout(page);
  column->addWidget(panelTitle(tr("On the screen")));
  column->addWidget(m_now);
  column->addWidget(panelTitle(tr("Next")));
  column->addWidget(m_next);
  column->addWidget(panelTitle(tr("Notes")));
  column->addWidget(m_notes);
  column->addStretch(1);
  auto* scroll = named(new QScrollArea, "speakerScroll", tr("Speaker notes"));
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(page);
  auto* layout = bareLayout<QVBoxLayout>(this);
  layout->addWidget(scroll);
  setNotes({});
}

void SpeakerNotes::show(const QString& now, const QString& next) {
  m_now->setText(now);
  m_next->setText(next.isEmpty() ? tr("The end") : next);
}

void SpeakerNotes::setNotes(const QString& notes) {
  m_notes->setText(notes.isEmpty() ? tr("None. The Cluster page has room for notes.") : notes);
}

bool SpeakerNotes::hasScreenFor(const QWidget& presented) { return otherScreen(presented) != nullptr; }

void SpeakerNotes::open(const QWidget& presented) {
  QScreen* other = otherScreen(presented);
  if (other == nullptr) return QWidget::show();
  setGeometry(other->availableGeometry());
  QWidget::show();
}

}  // namespace p2::views
