// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

class QLineEdit;

namespace p2::views {

class InlineMessage;

/// The seconds of computation of a step, as text; empty where they are not given.
class EntriesTiming : public QWidget {
  Q_OBJECT
 public:
  explicit EntriesTiming(QWidget* parent = nullptr);
  /// What the document says; what is being typed goes.
  void setSeconds(std::optional<double> seconds);

 signals:
  void secondsChosen(std::optional<double> seconds);

 private:
  void read();

  std::optional<double> m_seconds;
  QLineEdit* m_edit;
  InlineMessage* m_problem;
};

}  // namespace p2::views
