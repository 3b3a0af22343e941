// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "exporters/exporters.h"

class QListWidget;

namespace p2::views {

/// Asks for the format in which a plan is exported; each has its description. The format of the last time is offered
/// first.
class ExportFormatDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ExportFormatDialog(QWidget* parent = nullptr);

  [[nodiscard]] const ExportFormat& chosen() const;

 private:
  std::vector<ExportFormat> m_formats;
  QListWidget* m_list;
};

}  // namespace p2::views
