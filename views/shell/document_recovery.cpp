// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/document_recovery.h"

#include <utility>

#include "views/common/text.h"

namespace p2::views {

DocumentRecovery::DocumentRecovery(Session& session, const QString& folder, int afterMs, std::function<File()> file)
    : m_session(session), m_file(std::move(file)), m_recovery(folder) {
  m_timer.setSingleShot(true);
  m_timer.setInterval(afterMs);
  connect(&m_timer, &QTimer::timeout, this, &DocumentRecovery::keep);
  connect(&session.undoStack(), &QUndoStack::indexChanged, this, [this] {
    if (m_session.undoStack().isClean()) {
      // All was undone: a copy of it would be offered as work that was lost.
      m_timer.stop();
      m_recovery.discard();
    } else if (!m_timer.isActive()) {
      m_timer.start();
    }
  });
}

void DocumentRecovery::offer() {
  m_left = m_recovery.adopt();
  if (const QStringList files = m_recovery.unreadable(); !files.isEmpty()) emit unreadable(files);
  emit leftChanged();
}

void DocumentRecovery::takeLeft() {
  m_left.reset();
  keep();
  emit leftChanged();
}

void DocumentRecovery::discardLeft() {
  if (!m_left) return;
  m_recovery.dropAdopted();
  offer();
}

void DocumentRecovery::forget() {
  m_timer.stop();
  m_recovery.discard();
  if (!m_left) m_recovery.dropAdopted();
}

void DocumentRecovery::keep() {
  if (m_session.undoStack().isClean()) return;
  struct Kept {};
  m_session.jobs().start<Kept>(
      tr("Saving a recovery copy"), QStringLiteral("autosave"),
      [write = m_recovery.writer(), file = m_file(), workspace = m_session.workspace()](
          std::stop_token, const Progress&) -> Result<Kept> {
        P2_TRY(write({file.path, workspaceToJson(*workspace), file.kind, file.known->toText()}));
        return Kept{};
      },
      [this](const Result<Kept>& result) {
        if (!result.ok()) {
          emit failed(qs(result.error().text()));
        } else if (!m_left) {
          m_recovery.dropAdopted();  // The restored document is now in this program's own copy.
        }
      },
      [this] {
        if (!m_session.undoStack().isClean()) m_timer.start();
      });
}

}  // namespace p2::views
