// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/quantity_text.h"

#include <QObject>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr double kDoubtful = 1000;

QString inWords(double factor) {
  if (factor >= 1e12) return QObject::tr("over a trillion");
  if (factor >= 1e9) return QObject::tr("%1 billion").arg(factor / 1e9, 0, 'g', 3);
  if (factor >= 1e6) return QObject::tr("%1 million").arg(factor / 1e6, 0, 'g', 3);
  return QString::number(std::lround(factor));
}

QString doubt(double before, double after, std::string (*format)(double)) {
  if (!(before > 0) || !(after > 0)) return {};
  const double factor = std::max(after / before, before / after);
  if (factor <= kDoubtful) return {};
  return (after > before ? QObject::tr("%1 is %2 times as much as %3.") : QObject::tr("%1 is %2 times less than %3."))
      .arg(qs(format(after)), inWords(factor), qs(format(before)));
}

}  // namespace

std::string withShownUnit(const QString& typed, const QString& shown) {
  static const QRegularExpression kComma(QStringLiteral("^(\\s*\\d*),(\\d+(?!.*[.,]))"));
  static const QRegularExpression kNumber(QStringLiteral("^\\s*[\\d.]+(e[+-]?\\d+)?\\s*$"),
                                          QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression kUnit(QStringLiteral("[A-Za-zµμ/]+$"));
  QString text = typed;
  text.replace(kComma, QStringLiteral("\\1.\\2"));
  if (kNumber.match(text).hasMatch()) text = text.trimmed() + kUnit.match(shown).captured();
  return text.toStdString();
}

QString editableBandwidth(double bytesPerSecond) { return qs(p2::typedBandwidth(bytesPerSecond)); }

QString editableSeconds(double seconds) { return qs(p2::typedSeconds(seconds)); }

Result<double> typedBandwidth(const QString& typed, double before) {
  return parseBandwidth(withShownUnit(typed, before > 0 ? editableBandwidth(before) : QString()));
}

Result<double> typedSeconds(const QString& typed, double before) {
  return parseSeconds(withShownUnit(typed, before > 0 ? editableSeconds(before) : QString()));
}

Result<Bytes> typedBytes(const QString& typed, Bytes before) {
  return parseBytes(withShownUnit(typed, before > Bytes(0) ? editableBytes(before) : QString()));
}

QString doubtOfBandwidth(double before, double after) { return doubt(before, after, formatBandwidth); }
QString doubtOfSeconds(double before, double after) { return doubt(before, after, formatSeconds); }
QString doubtOfBytes(Bytes before, Bytes after) {
  return doubt(before.value(), after.value(), [](double bytes) { return formatBytes(Bytes(bytes)); });
}

QString shownBytes(Bytes bytes) {
  constexpr qsizetype kLongest = 8;
  QString text = editableBytes(bytes);
  static const QRegularExpression kUnitAt(QStringLiteral("(?<=\\d)(?=[A-Za-z])"));
  const auto unit = text.indexOf(kUnitAt);
  if (unit < 0 || text.size() > kLongest) return bytesText(bytes);
  return text.insert(unit + 0, QStringLiteral(" "));
}

QString editableBytes(Bytes bytes) { return qs(typedBytes(bytes)); }

}  // namespace p2::views
