// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/file_use.h"

#include <QFile>
#include <QFileInfo>

#include "importers/importers.h"
#include "remote/measured_files.h"
#include "text/argument.h"
#include "text/text_file.h"
#include "training_files/stated_training.h"
#include "workload/sources.h"

namespace p2::views {
namespace {

constexpr qint64 kUseHead = 64 << 10;

/// The kind that the file's "format" key names, if any.
std::optional<FileUse> ownUse(const QByteArray& head) {
  const std::string_view name = formatIn({head.constData(), std::size_t(head.size())});
  if (name == "p2-workspace" || name == "p2-plan" || name == "p2-lesson") return FileUse::Document;
  if (name == "p2-system") return FileUse::Machine;
  if (name == "p2-workload" || name == "p2-model") return FileUse::Workload;
  if (name == "p2-training") return FileUse::Training;
  if (name == "p2-graph" || name == "strategy-tables") return FileUse::Graph;
  return std::nullopt;
}

}  // namespace

Result<FileUse> fileUse(const QString& path, const std::stop_token& stop) {
  const std::string name = path.toStdString();
  const QFileInfo info(path);
  if (info.exists() && !info.isFile()) {
    return Error{info.isDir() ? "it is a folder; open a file in it" : "it is not a regular file; open one", name,
                 ErrorKind::Failed};
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return Error{"it cannot be read: " + file.errorString().toStdString(), name, ErrorKind::Failed};
  }
  if (info.suffix().toLower() == QStringLiteral("onnx")) return FileUse::Graph;
  const QByteArray head = file.read(kUseHead);
  if (const auto own = ownUse(head)) return *own;
  if (isImportable({head.constData(), std::size_t(head.size())})) return FileUse::Machine;
  if (const auto format = workloadFormatOf(name); format.ok()) {
    return needsDegrees(**format) ? FileUse::ModelShape : FileUse::Workload;
  }
  if (stop.stop_requested()) return cancelledError();
  if (const auto text = readTextFile(name); text.ok()) {
    if (holdsMeasurements(*text, name)) return FileUse::Measurements;
    if (readTraining(*text).ok()) return FileUse::Training;
  }
  // One that was cut off has no content that can be recognised; opening it says where it ends.
  if (name.ends_with(".p2.json")) return FileUse::Document;
  return Error{
      "unknown kind of file; P² Explorer opens workspaces and plans, machine descriptions, "
      "workloads and traces, models, graphs, measurements, and configurations of training frameworks",
      name};
}

}  // namespace p2::views
