// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>
#include <QUndoStack>
#include <functional>
#include <memory>

#include "workspace/workspace.h"

namespace p2::views {

/// One step of the undo stack: the workspace before and after it. Steps with the same non-empty merge key become one,
/// and none at all when they end where they began.
class WorkspaceEdit : public QUndoCommand {
 public:
  using Snapshot = std::shared_ptr<const Workspace>;

  WorkspaceEdit(const QString& text, QString mergeKey, Snapshot before, Snapshot after,
                std::function<void(Snapshot)> show)
      : QUndoCommand(text),
        m_mergeKey(std::move(mergeKey)),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_show(std::move(show)) {}

  void undo() override { m_show(m_before); }
  void redo() override { m_show(m_after); }
  /// Makes later consequences of the edit part of it: undo takes back both.
  void amend(Snapshot after) { m_after = std::move(after); }
  /// The document before the step and those that were merged into it.
  [[nodiscard]] const Workspace& before() const { return *m_before; }
  [[nodiscard]] bool hasKey(const QString& mergeKey) const { return !mergeKey.isEmpty() && m_mergeKey == mergeKey; }
  [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }

  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const WorkspaceEdit*>(other);
    if (next->m_mergeKey != m_mergeKey) return false;
    m_after = next->m_after;
    setObsolete(*m_after == *m_before);
    return true;
  }

 private:
  QString m_mergeKey;
  Snapshot m_before;
  Snapshot m_after;
  std::function<void(Snapshot)> m_show;
};

/// The document before the steps that an edit with this key is undone together with; `now` if it will be a step of its
/// own.
[[nodiscard]] inline const Workspace& originOf(const QUndoStack& undo, const QString& mergeKey, const Workspace& now) {
  if (undo.index() == 0 || undo.isClean()) return now;
  const auto* last = static_cast<const WorkspaceEdit*>(undo.command(undo.index() - 1));
  return last->hasKey(mergeKey) ? last->before() : now;
}

}  // namespace p2::views
