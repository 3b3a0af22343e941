// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace p2::views {

/// A part of a form that folds away under its heading; a click on it, or Space, folds and unfolds.
class FoldBox : public QWidget {
  Q_OBJECT
 public:
  /// `name` is the object name of the heading's button. Takes ownership of the content; starts folded.
  FoldBox(const QString& name, const QString& title, QWidget* content, QWidget* parent = nullptr);

  [[nodiscard]] bool isOpen() const;
  void setOpen(bool open);

 private:
  QToolButton* m_heading;
};

}  // namespace p2::views
