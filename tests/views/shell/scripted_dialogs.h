// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "views/shell/document_dialogs.h"

namespace p2::test {

/// Answers as the test says, and counts the questions.
class Answers : public views::DocumentDialogs {
 public:
  QString openPath, savePath;
  std::optional<ExportTarget> exportTarget;
  Unsaved unsaved = Unsaved::Cancel;
  int unsavedAsked = 0;
  std::optional<views::DocumentKind> saveKind;  // the suggested one if there is none
  Changed changed = Changed::Cancel;
  int changedAsked = 0;
  bool endWhile = false;
  QStringList endWhileAsked;

  QString askOpenPath(const QString&) override { return openPath; }
  std::optional<SaveTarget> askSaveTarget(const SaveTarget& suggestion) override {
    if (savePath.isEmpty()) return std::nullopt;
    return SaveTarget{savePath, saveKind.value_or(suggestion.kind)};
  }
  std::optional<ExportTarget> askExportTarget(const QString&, const ExportSource&) override { return exportTarget; }
  bool askDiscard(const QString& documentName) override {
    discardQuestions << documentName;
    return discards;
  }
  bool discards = true;
  QStringList discardQuestions;
  Unsaved askUnsaved(const QString&) override {
    ++unsavedAsked;
    return unsaved;
  }
  Changed askChanged(const QString&) override {
    ++changedAsked;
    return changed;
  }
  bool askEndWhile(const QString& what) override {
    endWhileAsked << what;
    return endWhile;
  }
};

}  // namespace p2::test
