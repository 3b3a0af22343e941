// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/messages.h"
#include "tests/app/cli/run_p2.h"

namespace p2::test {

/// The hash that p2 run gives a plan file.
inline QString hashOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
  return QString::fromStdString(planHash(file.readAll().toStdString()));
}

/// A program that greets like a runner and answers every request with the same result, of a plan with this hash.
inline QString lyingRunner(const QTemporaryDir& folder, const QString& hash, int steps, int ranks) {
  const Spread second{1, 1, 1};
  RunResult result{"mpi", "none", "0", hash.toStdString(), {}, Bytes(16), 1, 0, second, {}};
  for (int rank = 0; rank < ranks; ++rank) result.hosts.push_back("vm");
  for (int step = 0; step < steps; ++step) result.steps.push_back({"AllReduce", 4, Bytes(16), second, 1, 1});
  std::string script = "#!/bin/sh\n";
  for (const Message& stated :
       {Message(Hello{kProtocol, "0", "vm"}), Message(Capabilities()), Message(RunFinished{1, result})}) {
    script += "cat << 'END'\n" + messageLine(stated) + "END\n";
  }
  const QString path = folder.filePath("runner");
  writeFile(path, QString::fromStdString(script + "cat > /dev/null\n"));
  QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

}  // namespace p2::test
