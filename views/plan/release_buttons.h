// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "training_answer/freed_choices.h"
#include "views/shell/derived.h"
#include "workspace/workspace.h"

class QVBoxLayout;

namespace p2::views {

class Session;

/// Buttons that release a fixed choice where the fixed choices leave no plan. A job finds them.
class ReleaseButtons : public QWidget {
  Q_OBJECT
 public:
  explicit ReleaseButtons(Session& session, QWidget* parent = nullptr);

  /// Finds them for the session's document, or hides them.
  void setWanted(bool wanted);
  /// Whether the job found any for the document.
  [[nodiscard]] bool offersAny() const { return m_freed.current() && !m_freed.current()->empty(); }

 signals:
  void changed();

 private:
  struct Question {
    System system;
    TrainingChoice training;
    friend bool operator==(const Question&, const Question&) = default;
  };
  void showButtons();

  Session& m_session;
  QVBoxLayout* m_column;
  Derived<Question, std::vector<FreedChoice>> m_freed;
};

}  // namespace p2::views
