// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/shell/document_dialogs.h"

namespace p2::test {

/// Answers as the test says, and counts the questions.
class Answers : public views::DocumentDialogs {
 public:
  QString openPath, savePath;
  std::optional<ExportTarget> exportTarget;
  Unsaved unsaved = Unsaved::Cancel;
  int unsavedAsked = 0;

  QString askOpenPath(const QString&) override { return openPath; }
  QString askSavePath(const QString&) override { return savePath; }
  std::optional<ExportTarget> askExportTarget(const QString&) override { return exportTarget; }
  Unsaved askUnsaved(const QString&) override {
    ++unsavedAsked;
    return unsaved;
  }
};

}  // namespace p2::test
