// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QSettings>
#include <QTest>

#include "views/shell/document_controller.h"
#include "views/shell/examples.h"
#include "views/shell/scripted_dialogs.h"

namespace p2::test {

/// A document controller with everything it needs, in a folder of its own or one that outlives it.
struct Desk {
  explicit Desk(const QString& folder, int autosaveMs = 30'000)
      : settings(folder + "/settings.ini", QSettings::IniFormat),
        documents(session, answers, {settings, folder + "/recovery", autosaveMs}) {}

  void editBytes(double bytes) {
    Workspace next = *session.workspace();
    next.options.cost.bytes = Bytes(bytes);
    session.edit("Bytes", next);
  }

  Answers answers;
  QSettings settings;
  views::Session session;
  views::DocumentController documents;
};

inline void writeFile(const QString& path, const QByteArray& content) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(content);
}

inline QByteArray readFile(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QByteArray exampleText(const char* name) {
  return QByteArray::fromStdString(workspaceToJson(views::readExample(name).value()));
}

}  // namespace p2::test
