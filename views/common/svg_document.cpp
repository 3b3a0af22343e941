// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/svg_document.h"

#include <QBuffer>
#include <QRegularExpression>

namespace p2::views {

bool writeSvgDocument(QIODevice& file, const std::function<bool(QSvgGenerator&)>& paint) {
  QBuffer drawn;
  QSvgGenerator generator;
  generator.setOutputDevice(&drawn);
  if (!paint(generator)) return false;
  static const QRegularExpression family(QStringLiteral("font-family=\"([^\",]+)\""));
  QString text = QString::fromUtf8(drawn.data());
  text.replace(family, QStringLiteral("font-family=\"\\1, sans-serif\""));
  const QByteArray bytes = text.toUtf8();
  return file.write(bytes) == bytes.size();
}

}  // namespace p2::views
