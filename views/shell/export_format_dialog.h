// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "exporters/exporters.h"
#include "views/shell/derived.h"
#include "workspace/workspace.h"

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace p2::views {

/// The formats of a plan with their descriptions, and a preview of the file, which can be copied. The last chosen
/// format is remembered.
class ExportFormatDialog : public QDialog {
  Q_OBJECT
 public:
  ExportFormatDialog(JobQueue& jobs, Workspace workspace, QWidget* parent = nullptr);
  [[nodiscard]] const ExportFormat& chosen() const;

 private:
  using Made = std::shared_ptr<const Plan>;
  struct Question {
    Made plan;
    std::string format;
    friend bool operator==(const Question&, const Question&) = default;
  };
  void preview();
  void follow();
  void copy();

  std::vector<ExportFormat> m_formats;
  Workspace m_workspace;
  QListWidget* m_list;
  QPlainTextEdit* m_preview;
  QLabel* m_message;
  QPushButton* m_copy = nullptr;
  Derived<Workspace, Plan> m_plan;
  Derived<Question, std::string> m_text;
};

}  // namespace p2::views
