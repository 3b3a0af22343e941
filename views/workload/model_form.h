// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "views/workload/model_draft.h"

class QGridLayout;
class QToolButton;

namespace p2::views {

class InlineMessage;

/// The rows of a ModelDraft as fields, the model's above its training's, the rarer ones folded away. Errors
/// are below their fields. Its parts are named after the keys: modelField_tp, modelProblem_tp.
class ModelForm : public QWidget {
  Q_OBJECT
 public:
  explicit ModelForm(QWidget* parent = nullptr);

  /// Shows the texts of a draft; a field with input keeps it.
  void showTexts(const ModelDraft& draft);
  /// Shows errors, by row; an empty one hides the message. A folded field that is wrong is unfolded.
  void showProblem(std::size_t row, const QString& problem);

 signals:
  void typed(std::size_t row, const QString& text);

 private:
  [[nodiscard]] QWidget* makeSection(bool ofModel, bool standard);
  [[nodiscard]] QToolButton* makeFold(const QString& name, const QString& text, QWidget* folded);
  [[nodiscard]] QWidget* makeEditor(std::size_t row);

  struct Field {
    QWidget* editor = nullptr;
    InlineMessage* problem = nullptr;
    QToolButton* fold = nullptr;  // above it
  };
  std::vector<Field> m_fields;  // by row
};

}  // namespace p2::views
