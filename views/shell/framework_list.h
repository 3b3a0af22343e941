// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace p2::views {

class Session;

/// The list of training frameworks, whose choice is the document's: first those that run on the system's accelerator,
/// then all of these together, then the others with the reason why they do not. Those cannot be chosen.
class FrameworkList : public QComboBox {
  Q_OBJECT

 public:
  explicit FrameworkList(Session& session, QWidget* parent = nullptr);

 private:
  void choose(int index);
  void refresh();

  Session& m_session;
};

}  // namespace p2::views
