// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace p2::views {

class Session;

/// The line at the bottom of the window: the document's question and the answer to it.
class SummaryLine : public QLabel {
  Q_OBJECT
 public:
  enum class About {
    Nothing,    ///< an empty line
    Training,   ///< the training step: trainingSummary()
    Reduction,  ///< the reduction and its placements: summaryOf()
  };
  explicit SummaryLine(Session& session, QWidget* parent = nullptr);
  void setAbout(About about);
  void refresh();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void say(const QString& html, const QString& plain);
  void sayReduction();

  Session& m_session;
  About m_about = About::Reduction;
};

}  // namespace p2::views
