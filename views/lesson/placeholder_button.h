// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>
#include <utility>
#include <vector>

namespace p2::views {

/// A button whose menu lists placeholders of a lesson's page, each with its value.
class PlaceholderButton : public QToolButton {
  Q_OBJECT
 public:
  PlaceholderButton(const char* name, const QString& text, const QString& tip, QWidget* parent = nullptr);

  /// Names and values of the menu. Without any, the menu names the remedy.
  void offer(const std::vector<std::pair<QString, QString>>& placeholders);

 signals:
  void chosen(QString name);
};

}  // namespace p2::views
