// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/accuracy/model_quality.h"
#include "views/shell/derived.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QStackedWidget;
class QTableWidget;
class QTextBrowser;

namespace p2::views {

class InlineMessage;
class QualityPlot;

/// "How good is this model here?": predicted against measured on machines like a system, the error in every band of
/// sizes here and on all machines, the sources of the measurements, and the model's unmodelled effects.
class QualityDialog : public QDialog {
  Q_OBJECT
 public:
  /// `model` is the one by which the document is priced.
  QualityDialog(JobQueue& jobs, const System& system, const std::string& model, QWidget* parent = nullptr);

 private:
  struct Question {
    System system;
    bool onlyAllReduce = true;
    friend bool operator==(const Question&, const Question&) = default;
  };
  [[nodiscard]] QWidget* makeSide(const std::string& model);
  void makeTable();
  void ask();
  void follow();
  void present(const ModelQuality& quality);
  /// Shows the finding above the chart and announces it to screen readers.
  void tell(const QString& finding);

  System m_system;
  QLabel* m_finding;
  InlineMessage* m_message;
  QStackedWidget* m_pages;
  QualityPlot* m_plot;
  QLabel* m_detail;
  QTableWidget* m_bands;
  QTextBrowser* m_sources;
  QCheckBox* m_onlyAllReduce;
  QProgressBar* m_progress;
  Derived<Question, ModelQuality> m_quality;
};

}  // namespace p2::views
