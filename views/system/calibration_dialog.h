// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>

#include "remote/measured_files.h"
#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "views/system/calibration_model.h"
#include "views/system/text_rows_model.h"

class QFormLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTabWidget;
class QTableView;
class QTextBrowser;

namespace p2::views {

class FileField;
class InlineMessage;
class Session;

/// A fit and the measurements it was made of.
struct FittedFiles {
  Calibration calibration;
  MeasuredFiles files;
};

/// Fits the system to measured times under the cost model that is chosen, lists the used rows of the files,
/// the determined parameters, and the gain and ranges of predictions. Fitting is a job; applying it is one
/// undoable edit.
class CalibrationDialog : public QDialog {
  Q_OBJECT
 public:
  explicit CalibrationDialog(Session& session, QWidget* parent = nullptr);

  /// Begins with these files.
  void readFiles(const QStringList& paths);

 private:
  struct Question {
    System system;
    std::string model;
    std::vector<std::string> paths;
    friend bool operator==(const Question&, const Question&) = default;
  };
  void makeTable();
  void makeTabs();
  void addTab(TextRowsModel& rows, const QString& name, const QString& title, const QString& toolTip);
  void makeRows();
  [[nodiscard]] QWidget* makeProgress();
  [[nodiscard]] QFormLayout* makeErrors();
  [[nodiscard]] QWidget* makeButtons();
  /// Removes the fit; nothing can be applied until the next one.
  void forget();
  void fit();
  void follow();
  void present(const FittedFiles& fitted);
  void apply();

  Session& m_session;
  CalibrationModel m_model;
  TextRowsModel m_parameters;
  TextRowsModel m_bands;
  TextRowsModel m_ranges;
  FileField* m_file = nullptr;
  InlineMessage* m_message = nullptr;
  QWidget* m_running = nullptr;
  QProgressBar* m_progress = nullptr;
  QTableView* m_table = nullptr;
  QTabWidget* m_tabs = nullptr;
  QLabel* m_before = nullptr;
  QLabel* m_after = nullptr;
  QLabel* m_heldOut = nullptr;
  QPushButton* m_apply = nullptr;
  QTextBrowser* m_rows = nullptr;
  Derived<Question, FittedFiles> m_calibration;
  HiddenFirst m_hidden{*this};
};

}  // namespace p2::views
