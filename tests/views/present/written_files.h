// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QImage>
#include <QProcess>

namespace p2::test {

inline QByteArray contentsOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(path));
  return file.readAll();
}

/// Number of pixels in which two pictures of one size differ.
inline int differing(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  }
  return count;
}

/// The text of a PDF file as pdftotext reads it.
inline QString pdfText(const QString& path) {
  QProcess reader;
  reader.start("pdftotext", {"-layout", path, "-"});
  if (!reader.waitForFinished(60000)) return {};
  return QString::fromUtf8(reader.readAllStandardOutput());
}

}  // namespace p2::test
