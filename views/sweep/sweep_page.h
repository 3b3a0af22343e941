// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "explore/sweep_map.h"
#include "views/common/inline_message.h"
#include "views/common/owned.h"
#include "views/shell/derived.h"

class QCheckBox;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace p2::views {

class BriefLabel;
class LinkSliders;
class MapPlot;
class MeasuredBar;
class PlotExportButton;
class RangeBar;
class Session;
class SweepPlot;

/// The best over sizes, nodes or a link's figures, as curves or as a map of placements, with sliders that try out other
/// figures of the links. The answers are found by jobs, one after another while a slider moves.
class SweepPage : public QWidget {
  Q_OBJECT
 public:
  explicit SweepPage(Session& session, QWidget* parent = nullptr);

  void showMap(bool map);
  void zoom(double factor);
  void showAll();
  /// A low page gives its lines of text to the plot.
  void setLow(bool low);
  /// Unmodelled effects in the shown answer; empty before there is one.
  [[nodiscard]] std::optional<QString> leftOut() const;

 signals:
  void programWanted();  ///< the chosen program is to be watched
  void answered();       ///< with others than before

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  static constexpr const char* kPartsSetting = "costs/parts";
  static constexpr const char* kLinksSetting = "costs/links";

  struct Question {
    Workspace workspace;
    SweepRange range;
    friend bool operator==(const Question&, const Question&) = default;
  };
  enum class Asking {
    AtOnce,
    InTurn,  ///< once the job before has answered: there will be more questions like this
  };
  QWidget* makeToolbar();
  QWidget* makeFooter();
  void makePlots();
  void connectPlots();
  void connectParts();
  void followDocument();
  void ask(Asking asking);
  [[nodiscard]] Question question() const;
  void askAgain();
  /// The job of the shown view.
  [[nodiscard]] DerivedBase& derived();
  [[nodiscard]] ParallelismMatrix chosenMatrix() const;
  void follow();
  void showState();
  void say(InlineMessage::Kind kind, const QString& sentence);
  void choose(const SweepChoice& choice);
  void applyLinks();
  void showParts(bool apart);
  void showLinks(bool visible);

  Session& m_session;
  RangeBar* m_range;
  QCheckBox* m_parts;
  QCheckBox* m_links;
  PlotExportButton* m_write = nullptr;
  InlineMessage* m_message;
  BriefLabel* m_finding;
  QStackedWidget* m_plots;
  SweepPlot* m_curves;
  MapPlot* m_map;
  LinkSliders* m_sliders;
  MeasuredBar* m_measured;
  BriefLabel* m_detail;
  QProgressBar* m_progress;
  QToolButton* m_stop;
  QTimer m_patience;
  QString m_rangeProblem;  // typed text that is not a range
  bool m_waits = false;    // a question is to be asked when the job before has answered
  Derived<Question, Sweep> m_sweep;
  Derived<Question, SweepMap> m_mapped;
  HiddenFirst m_hidden{*this};
};

}  // namespace p2::views
