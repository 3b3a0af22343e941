// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QIODevice>
#include <QString>

namespace p2::views {

/// Writes a ZIP archive (PKWARE APPNOTE 6.3) of stored files: pictures and PDF are packed already. Files of up to 4 GiB
/// together. All functions return success; after a failure nothing more is written.
class ZipWriter {
 public:
  /// `file` must be open for writing and outlive it.
  explicit ZipWriter(QIODevice& file) : m_file(file) {}

  /// A file; slashes in `name` are folders.
  bool add(const QString& name, const QByteArray& contents);
  /// Writes the directory; nothing may be added afterwards.
  bool finish();

 private:
  bool write(const QByteArray& bytes);

  QIODevice& m_file;
  QByteArray m_directory;
  quint32 m_at = 0;
  quint16 m_count = 0;
  bool m_fine = true;
};

}  // namespace p2::views
