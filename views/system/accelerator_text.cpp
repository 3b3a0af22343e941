// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/accelerator_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "system/properties.h"
#include "training/data_sheets.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString textTr(const char* text) { return QCoreApplication::translate("AcceleratorText", text); }

/// "memory 141 GB, FP8 1979 TFLOP/s".
QString figuresOf(const Accelerator& accelerator, const std::vector<std::string>& keys) {
  QStringList figures;
  for (const std::string& key : keys) {
    const Property<Accelerator>& property = *propertyOf(acceleratorProperties(), key);
    const auto value = property.get(accelerator);
    const bool known = value != PropertyValue(*property.info.none);
    figures += QStringLiteral("%1 %2").arg(qs(labelWord(property.info)),
                                           known ? qs(propertyText(property.info, value)) : textTr("unknown"));
  }
  return figures.join(QStringLiteral(", "));
}

}  // namespace

QString acceleratorText(const System& before, const System& after) {
  const QString name = qs(after.accelerator.type);
  if (before.accelerator.type == after.accelerator.type || name.isEmpty()) return {};
  if (!dataSheetOf(after.accelerator.type)) {
    return textTr("%1 is not known: memory, bandwidth and peaks stay as they are.").arg(name);
  }
  const OtherAccelerator other = withDataSheetOf(before, after.accelerator.type);
  QStringList sentences;
  if (!other.taken.empty())
    sentences += textTr("%1 from its data sheet: %2.").arg(name, figuresOf(after.accelerator, other.taken));
  if (!other.kept.empty()) sentences += textTr("Kept as you set it: %1.").arg(figuresOf(after.accelerator, other.kept));
  sentences += other.link > 0 ? textTr("Links inside nodes: %1.").arg(bandwidthText(other.link))
                              : textTr("Links stay as drawn.");
  return sentences.join(QLatin1Char(' '));
}

}  // namespace p2::views
