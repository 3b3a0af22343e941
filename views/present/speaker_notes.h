// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace p2::views {

/// The speaker's window next to a presentation: the step on the screen, the next one, the rules that both obey, and the
/// notes of the document. It stands on the second screen where there is one.
class SpeakerNotes : public QWidget {
  Q_OBJECT
 public:
  explicit SpeakerNotes(QWidget* parent = nullptr);

  /// Rich text; an empty `next` says that this is the end.
  void show(const QString& now, const QString& next);
  void setNotes(const QString& notes);
  /// Opens it on a screen without the presentation, full size; next to it as a window of its own where there is one
  /// screen. `presented` is the presentation's window.
  void open(const QWidget& presented);
  /// Whether there is a screen for it besides the presentation's.
  [[nodiscard]] static bool hasScreenFor(const QWidget& presented);

 private:
  QLabel* m_now;
  QLabel* m_next;
  QLabel* m_notes;
};

}  // namespace p2::views
