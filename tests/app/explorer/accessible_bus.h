// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>
#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace p2::test {

/// An object that a program shows to assistive technology: the bus name of the program and a path of its own. On the
/// bus it is "(so)".
struct AccessibleReference {
  QString service;
  QDBusObjectPath path;

  bool operator==(const AccessibleReference&) const = default;
};

QDBusArgument& operator<<(QDBusArgument& argument, const AccessibleReference& reference);
const QDBusArgument& operator>>(const QDBusArgument& argument, AccessibleReference& reference);

/// Bits of an object's state by AT-SPI's numbers.
enum class AccessibleState { focusable = 11, showing = 25 };

/// What a screen reader sees of a program, over AT-SPI: trees of objects, their words, the actions they offer and what
/// they tell. Every question goes over the bus and is answered at once, or with nothing where the object has gone.
class AccessibleBus : public QObject {
  Q_OBJECT

 public:
  /// The accessibility bus of the session bus at `sessionAddress`. A problem() where there is none.
  explicit AccessibleBus(const QString& sessionAddress);
  ~AccessibleBus() override;

  [[nodiscard]] QString problem() const { return m_problem; }
  /// The program of this name, once it has said that it is there.
  [[nodiscard]] std::optional<AccessibleReference> application(const QString& name) const;
  [[nodiscard]] QString name(const AccessibleReference& object) const { return property(object, "Name"); }
  [[nodiscard]] QString description(const AccessibleReference& object) const { return property(object, "Description"); }
  [[nodiscard]] QString role(const AccessibleReference& object) const;
  [[nodiscard]] bool is(const AccessibleReference& object, AccessibleState state) const;
  [[nodiscard]] std::vector<AccessibleReference> children(const AccessibleReference& object) const;
  /// Presses a button, chooses a check box: the object's first action. Whether there was one.
  bool act(const AccessibleReference& object) const;
  /// Visits what is shown below `object` with its role, in the order of the tree, but for the rows and entries of
  /// tables, lists and menus, until a visit says that it is enough. Whether none did.
  bool walk(const AccessibleReference& object,
            const std::function<bool(const AccessibleReference&, const QString& role)>& visit) const;
  /// The first shown object below `root` of this role and name.
  [[nodiscard]] std::optional<AccessibleReference> find(const AccessibleReference& root, const QString& role,
                                                        const QString& name) const;

  /// The paths of the objects that told of a changed description, in the order of time.
  std::vector<QString> described;

 private slots:
  void heard(const QDBusMessage& message);

 private:
  [[nodiscard]] QString property(const AccessibleReference& object, const char* property) const;
  [[nodiscard]] QDBusMessage call(const AccessibleReference& object, const char* interface, const char* method,
                                  const QVariantList& arguments = {}) const;
  void listen();

  QString m_problem;
  QDBusConnection m_bus;
};

}  // namespace p2::test

Q_DECLARE_METATYPE(p2::test::AccessibleReference)
