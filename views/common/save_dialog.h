// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>

class QFileDialog;
class QWidget;

namespace p2::views {

/// Target of a save dialog.
struct SaveWish {
  QString objectName;   ///< the dialog's, for tests
  QString title;        ///< the dialog's
  QStringList filters;  ///< "PNG image (*.png)": the kinds of files, the first unless another is chosen
  QString base;         ///< the name that is offered as plainFileName(), without its ending
};

/// "png" of "PNG image (*.png)": the first ending of a filter. Empty of "All files (*)".
[[nodiscard]] QString endingOf(const QString& filter);

/// The name with letters, digits, "-", "." and "_" of ASCII only, which every shell and TeX take: "RS-AG" of "RS·AG".
[[nodiscard]] QString plainFileName(const QString& name);

/// Asks where to save, and calls `chosen` with the path, whose ending follows the kind of file. The dialog is modal to
/// the window of `parent`, which must outlive it, and deletes itself.
QFileDialog* askWhereToSave(QWidget* parent, const SaveWish& wish, std::function<void(const QString&)> chosen);

}  // namespace p2::views
