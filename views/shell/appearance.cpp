// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/appearance.h"

#include <QAction>
#include <QActionGroup>
#include <QSettings>
#include <algorithm>

namespace p2::views {
namespace {

constexpr QLatin1StringView kSchemeKey("scheme");
constexpr QLatin1StringView kZoomKey("textZoom");
constexpr int kLeastZoom = 100;
constexpr int kMostZoom = 200;
constexpr int kZoomStep = 10;

}  // namespace

Appearance::Appearance(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_schemes(new QActionGroup(this)) {
  addScheme(tr("&Light"), Theme::Scheme::Light);
  addScheme(tr("&Dark"), Theme::Scheme::Dark);
  addScheme(tr("&Follow the system"), Theme::Scheme::System);
  addZoom(tr("Larger text"), QKeySequence(Qt::CTRL | Qt::Key_Plus), [this] { return m_percent + kZoomStep; });
  addZoom(tr("Smaller text"), QKeySequence(Qt::CTRL | Qt::Key_Minus), [this] { return m_percent - kZoomStep; });
  addZoom(tr("Normal text"), QKeySequence(Qt::CTRL | Qt::Key_0), [] { return kLeastZoom; });
  // The main row's plus needs Shift on many keyboards, so "=" counts as plus.
  m_zoomActions[0]->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});

  bool known = false;
  const int scheme = m_settings.value(kSchemeKey, int(Theme::Scheme::System)).toInt(&known);
  known = known && scheme >= int(Theme::Scheme::System) && scheme <= int(Theme::Scheme::Dark);
  setTextZoom(m_settings.value(kZoomKey, kLeastZoom).toInt());
  setScheme(known ? Theme::Scheme(scheme) : Theme::Scheme::System);
}

void Appearance::setScheme(Theme::Scheme scheme) {
  m_settings.setValue(kSchemeKey, int(scheme));
  for (QAction* action : schemeActions()) action->setChecked(action->data().toInt() == int(scheme));
  Theme::apply(scheme);
  emit changed();
}

void Appearance::setTextZoom(int percent) {
  m_percent = std::clamp(percent, kLeastZoom, kMostZoom);
  m_settings.setValue(kZoomKey, m_percent);
  Theme::setTextZoom(m_percent);
  m_zoomActions[0]->setEnabled(m_percent < kMostZoom);
  m_zoomActions[1]->setEnabled(m_percent > kLeastZoom);
  emit changed();
}

QList<QAction*> Appearance::schemeActions() const { return m_schemes->actions(); }

void Appearance::addScheme(const QString& text, Theme::Scheme scheme) {
  QAction* action = m_schemes->addAction(text);
  action->setCheckable(true);
  action->setData(int(scheme));
  connect(action, &QAction::triggered, this, [this, scheme] { setScheme(scheme); });
}

void Appearance::addZoom(const QString& text, const QKeySequence& shortcut, std::function<int()> percent) {
  auto* action = new QAction(text, this);
  action->setShortcut(shortcut);
  connect(action, &QAction::triggered, this, [this, percent = std::move(percent)] { setTextZoom(percent()); });
  m_zoomActions << action;
}

}  // namespace p2::views
