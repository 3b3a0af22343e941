// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "views/plan/mine_answer.h"
#include "views/shell/derived.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace p2::views {

class ScrolledText;
class Session;

/// The user's own configuration next to all others, always in sight: typed choices, pasted flags or a file. Names the
/// changes that gain most; each is one click from being chosen.
class MinePanel : public QFrame {
  Q_OBJECT
 public:
  explicit MinePanel(Session& session, QWidget* parent = nullptr);

  /// Takes the text of a file as the own configuration.
  void openFile(const QString& path);
  /// The evaluated configuration; null without one.
  [[nodiscard]] const PlannedConfiguration* mine() const;
  /// Limits the answer to two lines, which scroll.
  void setLow(bool low);

 signals:
  void changed();  ///< mine() is another one

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void setText(const QString& text);
  void askForFile();
  void refresh();
  void takeAnswer();
  void showAnswer();
  /// With its rank as soon as that is counted; null without one.
  [[nodiscard]] std::shared_ptr<const MineAnswer> answer() const;
  [[nodiscard]] std::optional<TrainingChoice> settingsOfMine() const;
  [[nodiscard]] QString otherModel() const;
  [[nodiscard]] QString inTable(const MineAnswer& answer) const;
  void follow(const QString& link);

  Session& m_session;
  QLineEdit* m_edit;
  QLabel* m_result;
  ScrolledText* m_shown = nullptr;  ///< of m_result
  QString m_text;                   ///< the text as it was when its model was noted
  std::string m_model;              ///< model of the document when the text became the user's
  QToolButton* m_clear;
  Derived<MineQuestion, MineAnswer> m_answer;  ///< without its rank, which takes longer
  Derived<MineQuestion, MineAnswer> m_ranked;
};

}  // namespace p2::views
