// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/accessible_bus.h"

#include <QDBusMetaType>

namespace p2::test {
namespace {

const QString kSession = "p2SessionBus";
const QString kAccessible = "p2AccessibleBus";
const char* const kObject = "org.a11y.atspi.Accessible";

AccessibleReference registry(const char* path) {
  return {"org.a11y.atspi.Registry", QDBusObjectPath(QString::fromLatin1(path))};
}

}  // namespace

QDBusArgument& operator<<(QDBusArgument& argument, const AccessibleReference& reference) {
  argument.beginStructure();
  argument << reference.service << reference.path;
  argument.endStructure();
  return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, AccessibleReference& reference) {
  argument.beginStructure();
  argument >> reference.service >> reference.path;
  argument.endStructure();
  return argument;
}

AccessibleBus::AccessibleBus(const QString& sessionAddress) : m_bus(kAccessible) {
  qDBusRegisterMetaType<AccessibleReference>();
  const QDBusConnection session = QDBusConnection::connectToBus(sessionAddress, kSession);
  const QDBusMessage answer =
      session.call(QDBusMessage::createMethodCall("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"));
  if (answer.type() != QDBusMessage::ReplyMessage) {
    m_problem = "no accessibility bus: " + answer.errorMessage();
    return;
  }
  m_bus = QDBusConnection::connectToBus(answer.arguments().constFirst().toString(), kAccessible);
  if (!m_bus.isConnected()) {
    m_problem = "the accessibility bus does not answer: " + m_bus.lastError().message();
    return;
  }
  listen();
}

AccessibleBus::~AccessibleBus() {
  QDBusConnection::disconnectFromBus(kAccessible);
  QDBusConnection::disconnectFromBus(kSession);
}

// Programs tell only what somebody has said that they listen to.
void AccessibleBus::listen() {
  static_cast<void>(call(registry("/org/a11y/atspi/registry"), "org.a11y.atspi.Registry", "RegisterEvent",
                         {QStringLiteral("object:")}));
  m_bus.connect({}, {}, "org.a11y.atspi.Event.Object", "PropertyChange", this, SLOT(heard(QDBusMessage)));
}

void AccessibleBus::heard(const QDBusMessage& message) {
  if (message.arguments().value(0) == "accessible-description") described.push_back(message.path());
}

QDBusMessage AccessibleBus::call(const AccessibleReference& object, const char* interface, const char* method,
                                 const QVariantList& arguments) const {
  QDBusMessage message = QDBusMessage::createMethodCall(object.service, object.path.path(),
                                                        QString::fromLatin1(interface), QString::fromLatin1(method));
  message.setArguments(arguments);
  return m_bus.call(message);
}

QString AccessibleBus::property(const AccessibleReference& object, const char* property) const {
  const QDBusMessage answer = call(object, "org.freedesktop.DBus.Properties", "Get",
                                   {QString::fromLatin1(kObject), QString::fromLatin1(property)});
  if (answer.type() != QDBusMessage::ReplyMessage) return {};
  return answer.arguments().constFirst().value<QDBusVariant>().variant().toString();
}

QString AccessibleBus::role(const AccessibleReference& object) const {
  const QDBusMessage answer = call(object, kObject, "GetRoleName");
  return answer.type() == QDBusMessage::ReplyMessage ? answer.arguments().constFirst().toString() : QString();
}

bool AccessibleBus::is(const AccessibleReference& object, AccessibleState state) const {
  const QDBusMessage answer = call(object, kObject, "GetState");
  if (answer.type() != QDBusMessage::ReplyMessage) return false;
  const auto words = qdbus_cast<QList<uint>>(answer.arguments().constFirst());
  return !words.empty() && (words[0] >> int(state) & 1U) != 0;
}

std::vector<AccessibleReference> AccessibleBus::children(const AccessibleReference& object) const {
  const QDBusMessage answer = call(object, kObject, "GetChildren");
  if (answer.type() != QDBusMessage::ReplyMessage) return {};
  const auto list = qdbus_cast<QList<AccessibleReference>>(answer.arguments().constFirst());
  return {list.begin(), list.end()};
}

std::optional<AccessibleReference> AccessibleBus::application(const QString& wanted) const {
  for (const AccessibleReference& program : children(registry("/org/a11y/atspi/accessible/root"))) {
    if (name(program) == wanted) return program;
  }
  return std::nullopt;
}

bool AccessibleBus::act(const AccessibleReference& object) const {
  const QDBusMessage answer = call(object, "org.a11y.atspi.Action", "DoAction", {0});
  return answer.type() == QDBusMessage::ReplyMessage && answer.arguments().constFirst().toBool();
}

bool AccessibleBus::walk(const AccessibleReference& object,
                         const std::function<bool(const AccessibleReference&, const QString&)>& visit) const {
  // What holds rows and entries has hundreds of them, which are asked for by children() where they matter.
  static const QStringList kHolders{"list", "menu bar", "table", "tree", "tree table"};
  for (const AccessibleReference& child : children(object)) {
    if (!is(child, AccessibleState::showing)) continue;
    const QString childRole = role(child);
    if (!visit(child, childRole)) return false;
    if (!kHolders.contains(childRole) && !walk(child, visit)) return false;
  }
  return true;
}

std::optional<AccessibleReference> AccessibleBus::find(const AccessibleReference& root, const QString& wantedRole,
                                                       const QString& wantedName) const {
  std::optional<AccessibleReference> found;
  walk(root, [&](const AccessibleReference& object, const QString& objectRole) {
    if (objectRole == wantedRole && name(object) == wantedName) found = object;
    return !found;
  });
  return found;
}

}  // namespace p2::test

#include "accessible_bus.moc"
