// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/common/owned.h"
#include "views/shell/derived.h"
#include "views/workload/model_draft.h"
#include "views/workload/model_form_entries.h"
#include "workload/generate/hugging_face.h"
#include "workload/generate/training_recipe.h"

class QComboBox;

namespace p2::views {

class FileField;
class ModelForm;
class Session;
class WorkloadList;

/// Makes the workload from a model and its degrees of parallelism: a bundled one or a config.json to begin with, a form
/// to change it, and next to it the resulting list with its formulas. Degrees that do not multiply to the document's
/// devices are refused where they stand. Taking it over is one undoable edit of workload and axes.
class ModelFormDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ModelFormDialog(Session& session, QWidget* parent = nullptr);

  /// Begins with a file.
  void readConfig(const QString& path);

 private:
  /// The source of the list: a model, or a bundled list of a recorded one.
  struct Question {
    TrainedModel trained;
    std::string listed;  ///< the name of a bundled recipe without a model; empty for `trained`
    friend bool operator==(const Question&, const Question&) = default;
  };
  [[nodiscard]] static Result<WorkloadSource> generated(const Question& question);

  void makeSources();
  void chooseSource();
  void showRecipe(const TrainingRecipe& recipe, const std::string& name);
  void takeConfig();
  void type(std::size_t row, const QString& text);
  void ask();
  void present();
  void presentProblems();
  [[nodiscard]] QString tooLarge() const;
  void presentList(const WorkloadSource& source);
  void takeOver();

  Session& m_session;
  QComboBox* m_source = nullptr;
  FileField* m_config = nullptr;
  ModelForm* m_form = nullptr;
  WorkloadList* m_list = nullptr;
  ModelDraft m_draft;
  std::string m_listed;
  WorkloadNotes m_begin;  // notes about the source itself
  Derived<Question, WorkloadSource> m_generated;
  Derived<std::string, ConfiguredModel> m_configured;
  HiddenFirst m_hidden{*this};
};

}  // namespace p2::views
