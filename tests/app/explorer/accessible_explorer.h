// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <memory>
#include <optional>
#include <utility>

#include "app/explorer/accessible_bus.h"

namespace p2::test {

/// The explorer as a process of its own on an X server and a session bus of its own, and what a screen reader's user
/// does with it. What cannot be done fails the test that asked for it.
class AccessibleExplorer {
 public:
  static constexpr int kPatience = 60000;  // ms

  /// Opens it on a document.
  void start(const QString& document);
  void stop();

  /// Whether it has not ended: nothing is shown any more then.
  [[nodiscard]] bool isThere() const { return m_explorer.state() == QProcess::Running; }
  [[nodiscard]] AccessibleBus* bus() const { return m_bus.get(); }
  [[nodiscard]] const AccessibleReference& application() const { return m_application; }
  /// The object of this role and name, as soon as it is shown; where it isn't, what is shown instead is told. Waits no
  /// longer than the explorer is there.
  [[nodiscard]] std::optional<AccessibleReference> shown(const QString& role, const QString& name) const;
  void goTo(const QString& perspective) const { choose({QStringLiteral("View"), perspective}); }
  /// Does what a click on the object of this role and name does.
  void press(const QString& role, const QString& name) const;
  /// Takes the way through the menus, entry by entry.
  void choose(const QStringList& way) const;
  /// What can have the keyboard below `root`, and who of them says nothing.
  [[nodiscard]] std::pair<int, QStringList> inReach(const AccessibleReference& root) const;

 private:
  /// Starts a program that says one line when it is ready, its address or its display; the line.
  static QString started(QProcess& process, const QString& program, const QStringList& arguments);

  QTemporaryDir m_folder;
  QProcess m_session, m_screen, m_explorer;
  std::unique_ptr<AccessibleBus> m_bus;
  AccessibleReference m_application;
};

}  // namespace p2::test
