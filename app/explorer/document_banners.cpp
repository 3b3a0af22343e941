// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/document_banners.h"

#include <QPushButton>

#include "views/common/text.h"
#include "views/shell/axes_fit_button.h"
#include "views/shell/banner.h"
#include "views/shell/banner_area.h"
#include "views/shell/document_controller.h"
#include "views/shell/perspective.h"
#include "views/shell/session.h"

namespace p2::explorer {

using views::DocumentController;

DocumentBanners::DocumentBanners(views::Session& session, DocumentController& documents, QWidget& pages)
    : QObject(&pages),
      m_session(session),
      m_documents(documents),
      m_problem(new views::Banner("problemBanner")),
      m_trouble(new views::Banner("troubleBanner")),
      m_recovery(new views::Banner("recoveryBanner")),
      m_changed(new views::Banner("changedBanner")) {
  auto* area = new views::BannerArea(pages);
  for (views::Banner* banner : {m_recovery, m_changed, m_trouble, m_problem}) area->add(banner);
  addButtons();
  connect(&documents, &DocumentController::troubleChanged, this, &DocumentBanners::refresh);
  connect(&documents, &DocumentController::recoverableChanged, this, &DocumentBanners::refresh);
  connect(&documents, &DocumentController::changedOutsideChanged, this, &DocumentBanners::refresh);
  connect(&session, &views::Session::freshnessChanged, this, &DocumentBanners::refresh);
  refresh();
}

void DocumentBanners::addButtons() {
  QPushButton* dismiss = m_trouble->addButton("troubleDismiss", tr("Dismiss"), tr("Hide this message"));
  connect(dismiss, &QPushButton::clicked, &m_documents, &DocumentController::dismissTrouble);
  views::fitAxesBy(*m_problem->addButton("problemFit", {}, tr("Let the axes cover all devices of the system")),
                   m_session);
  QPushButton* reopen = m_changed->addButton("changedReopen", tr("Reload"), tr("Open the file as it is now"));
  connect(reopen, &QPushButton::clicked, &m_documents, &DocumentController::reopen);
  QPushButton* keep =
      m_changed->addButton("changedKeep", tr("Keep mine"), tr("Keep editing; saving will ask what to do"));
  connect(keep, &QPushButton::clicked, &m_documents, &DocumentController::keepOwn);
  QPushButton* restore = m_recovery->addButton("recoveryRestore", tr("Restore"), tr("Open the unsaved changes"));
  connect(restore, &QPushButton::clicked, &m_documents, &DocumentController::restore);
  QPushButton* discard = m_recovery->addButton("recoveryDiscard", tr("Discard"), tr("Delete the unsaved changes"));
  connect(discard, &QPushButton::clicked, &m_documents, &DocumentController::discardRecovery);
}

void DocumentBanners::setPage(views::Perspective* page, bool dependsOnAxes) {
  m_page = page;
  m_dependsOnAxes = dependsOnAxes;
  refresh();
}

void DocumentBanners::refresh() {
  auto problem = m_dependsOnAxes ? m_session.problem() : std::nullopt;
  if (problem && m_page && m_page->says(*problem)) problem.reset();
  m_problem->say(problem ? views::qs(problem->text()) : QString());
  m_trouble->say(m_documents.trouble());
  m_changed->say(m_documents.changedOutside());
  const QString left = m_documents.recoverable();
  m_recovery->say(left.isEmpty() ? QString()
                                 : tr("P² Explorer closed unexpectedly; unsaved changes to %1 were kept.").arg(left));
}

}  // namespace p2::explorer
