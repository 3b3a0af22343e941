// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "views/model/model_choices.h"
#include "views/shell/pages.h"
#include "views/shell/perspective.h"
#include "workspace/training_choice.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace p2::views {

class FrameworkList;
class InlineMessage;
class PartsTable;
class Session;

/// Which model is trained, and with which batch? The document's training settings, edited in place, with what follows
/// from them.
class ModelPerspective : public Perspective {
  Q_OBJECT
 public:
  explicit ModelPerspective(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] static PerspectiveFace face() { return {kModelPage, tr("Model"), QStringLiteral("model")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 20, .key = "Ctrl+2"}; }
  [[nodiscard]] QWidget* mainList() override;
  /// Takes the model of a config.json or p2-model file into the document.
  void openFile(const QString& path) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeForm();
  [[nodiscard]] QWidget* makeFacts();
  void addLine(QFormLayout& form, std::string_view key);
  void commit(std::string_view key);
  void chooseModel(int index);
  void askForFile();
  /// Takes the typed name of an own model, or what its config.json calls it if nothing is typed.
  void rename();
  /// Names the fields whose text was not taken over; without any, shows the problem of the settings together.
  void showProblem(const QString& ofSettings);
  void edit(const QString& text, TrainingChoice training, const QString& mergeKey = {});
  void refresh();
  /// Shows the parts of a model where the page has room below the form.
  void showParts();
  void showModels(const TrainingChoice& training);

  Session& m_session;
  QLabel* m_finding;
  QLabel* m_details;
  InlineMessage* m_problem;
  PartsTable* m_parts;
  QComboBox* m_model;
  QLineEdit* m_name;                  ///< name of an own model
  std::vector<ModelChoice> m_listed;  ///< rows of m_model: the bundled models and the last own one
  QComboBox* m_precision;
  FrameworkList* m_framework;
  std::map<std::string_view, QLineEdit*> m_lines;  ///< by key of trainingFields()
  std::map<std::string_view, QString> m_wrong;     ///< problems of fields whose text was not taken over, by key
  QPushButton* m_next;
  std::int64_t m_shortened = 0;  ///< tokens of a sequence after the chosen model shortened it; 0 if it did not
  std::int64_t m_wanted = 0;     ///< tokens of a sequence before that
};

}  // namespace p2::views
