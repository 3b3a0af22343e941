// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/model_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QToolButton>

#include "views/common/inline_message.h"
#include "views/common/panel.h"

namespace p2::views {
namespace {

constexpr int kFieldsPerLine = 2;
constexpr int kEditorWidth = 96;

}  // namespace

ModelForm::ModelForm(QWidget* parent) : QWidget(parent), m_fields(ModelDraft::rows().size()) {
  QVBoxLayout* layout = panelLayout(this);
  for (const bool ofModel : {true, false}) {
    layout->addWidget(panelTitle(ofModel ? tr("Model") : tr("Training")));
    layout->addWidget(makeSection(ofModel, true));
    QWidget* rest = makeSection(ofModel, false);
    layout->addWidget(makeFold(ofModel ? QStringLiteral("modelMore") : QStringLiteral("planMore"),
                               ofModel ? tr("More of the model") : tr("More of the training"), rest));
    layout->addWidget(rest);
  }
  layout->addStretch();
}

QWidget* ModelForm::makeSection(bool ofModel, bool standard) {
  auto* section = new QWidget;
  auto* grid = bareLayout<QGridLayout>(section);
  grid->setHorizontalSpacing(Theme::kGrid);
  grid->setVerticalSpacing(Theme::kGrid / 2);
  int at = 0;
  for (std::size_t row = 0; row < m_fields.size(); ++row) {
    const ModelDraft::Row& field = ModelDraft::rows()[row];
    if (field.ofModel != ofModel || field.isCommon != standard) continue;
    const int line = at / kFieldsPerLine;
    const int column = at % kFieldsPerLine * 2;
    m_fields[row].editor = makeEditor(row);
    auto* label = new QLabel(field.label);
    label->setBuddy(m_fields[row].editor);
    label->setToolTip(field.help);
    grid->addWidget(label, line, column);
    grid->addWidget(m_fields[row].editor, line, column + 1);
    m_fields[row].problem = new InlineMessage;
    m_fields[row].problem->setObjectName("modelProblem_" + field.key);
    m_fields[row].problem->floatBelow(*m_fields[row].editor);
    ++at;
  }
  for (int column = 0; column < 2 * kFieldsPerLine; column += 2) grid->setColumnStretch(column, 1);
  return section;
}

QToolButton* ModelForm::makeFold(const QString& name, const QString& text, QWidget* folded) {
  auto* fold = new QToolButton;
  fold->setObjectName(name);
  fold->setText(text);
  fold->setToolTip(tr("Show or hide fields that are seldom changed"));
  fold->setCheckable(true);
  fold->setAutoRaise(true);
  fold->setArrowType(Qt::RightArrow);
  fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  connect(fold, &QToolButton::toggled, folded, [fold, folded](bool open) {
    fold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    folded->setVisible(open);
  });
  folded->hide();
  for (Field& field : m_fields) {
    if (field.editor != nullptr && field.editor->parentWidget() == folded) field.fold = fold;
  }
  return fold;
}

QWidget* ModelForm::makeEditor(std::size_t row) {
  const ModelDraft::Row& field = ModelDraft::rows()[row];
  QWidget* editor = nullptr;
  if (field.choices.isEmpty()) {
    auto* line = new QLineEdit;
    connect(line, &QLineEdit::textEdited, this, [this, row](const QString& text) { emit typed(row, text); });
    editor = line;
  } else {
    auto* choice = new QComboBox;
    choice->addItems(field.choices);
    connect(choice, &QComboBox::textActivated, this, [this, row](const QString& text) { emit typed(row, text); });
    editor = choice;
  }
  editor->setObjectName("modelField_" + field.key);
  editor->setAccessibleName(field.label);
  editor->setToolTip(field.help);
  editor->setFixedWidth(kEditorWidth);
  return editor;
}

void ModelForm::showTexts(const ModelDraft& draft) {
  for (std::size_t row = 0; row < m_fields.size(); ++row) {
    const QString text = draft.text(row);
    if (auto* choice = qobject_cast<QComboBox*>(m_fields[row].editor)) {
      choice->setCurrentText(text);
    } else if (auto* line = qobject_cast<QLineEdit*>(m_fields[row].editor); line && line->text() != text) {
      line->setText(text);
      line->setCursorPosition(0);
    }
  }
}

void ModelForm::showProblem(std::size_t row, const QString& problem) {
  const Field& field = m_fields[row];
  if (!problem.isEmpty() && field.fold != nullptr) field.fold->setChecked(true);
  field.problem->showProblem(problem);
}

}  // namespace p2::views
