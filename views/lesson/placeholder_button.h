// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <optional>
#include <utility>
#include <vector>

namespace p2::views {

/// A button whose menu lists placeholders of a lesson's page, each with its value.
class PlaceholderButton : public QToolButton {
  Q_OBJECT
 public:
  using Placeholders = std::vector<std::pair<QString, QString>>;  ///< names and values

  PlaceholderButton(const char* name, const QString& text, const QString& tip, QWidget* parent = nullptr);

  /// Fills the menu; without placeholders it says `why`. May be called while one is being chosen.
  void offer(const Placeholders& placeholders, const QString& why);

 signals:
  void chosen(QString name);

 private:
  std::optional<std::pair<Placeholders, QString>> m_offered;
};

}  // namespace p2::views
