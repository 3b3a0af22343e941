// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/part_inspector.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/panel.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr int kLeastCharacters = 6;  // of a choice; a longer one is cut short in a narrow form

QString objectNameOf(const QString& key) { return QStringLiteral("part") + key[0].toUpper() + key.mid(1); }

bool sameForm(const std::optional<SystemPart>& a, const std::optional<SystemPart>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return (a->kind == Kind::Network) == (b->kind == Kind::Network) && a->index == b->index;
}

}  // namespace

PartInspector::PartInspector(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("partInspector"));
  m_layout = panelLayout(this);
  m_title = panelTitle({});
  m_title->setObjectName(QStringLiteral("partTitle"));
  m_title->setTextFormat(Qt::PlainText);
  m_title->setWordWrap(true);
  m_instance = new QLabel;
  m_instance->setObjectName(QStringLiteral("partInstance"));
  m_instance->setTextFormat(Qt::PlainText);
  m_instance->setWordWrap(true);
  m_layout->addWidget(m_title);
  m_layout->addWidget(m_instance);
  m_layout->addStretch();
}

QString PartInspector::heading(int parts) const {
  QString text = tr("The system");
  if (m_part) {
    const QString name = partName(m_system, *m_part);
    text = m_part->kind == Kind::Network ? tr("Network %1").arg(name)
           : m_part->kind == Kind::Level
               ? tr("Level %1").arg(name)
               : tr("%1 of level %2").arg(name, partName(m_system, {Kind::Level, m_part->index}));
  }
  return parts > 1 ? tr("%1 (and %2 more selected)").arg(text).arg(parts - 1) : text;
}

void PartInspector::inspect(const System& system, const std::vector<SystemPart>& parts) {
  std::optional<SystemPart> part;
  if (!parts.empty() && isPartOf(system, parts.back())) part = parts.back();
  const std::vector<PartField> fields = fieldsOf(system, part);
  const bool same = sameForm(part, m_part) &&
                    std::equal(fields.begin(), fields.end(), m_rows.begin(), m_rows.end(),
                               [](const PartField& field, const Row& row) { return field.key == row.field.key; });
  m_system = system;
  m_part = std::move(part);
  m_title->setText(heading(int(parts.size())));
  QStringList names;
  if (m_part && (m_part->link || m_part->kind != Kind::Interconnect)) {
    for (const std::string& name : m_part->names) names += QString::fromStdString(name);
  }
  m_instance->setText(names.join('\n'));
  m_instance->setVisible(!names.isEmpty());
  if (!same) rebuild(fields);
  for (std::size_t i = 0; i < m_rows.size(); ++i) fill(m_rows[i], fields[i]);
}

void PartInspector::rebuild(const std::vector<PartField>& fields) {
  QString focused;
  for (Row& row : m_rows) {
    if (row.editor->hasFocus()) focused = row.editor->objectName();
    // On its way out a field with the focus would write to what is shown next.
    row.editor->blockSignals(true);
  }
  m_rows.clear();
  if (m_form != nullptr) {
    m_form->setParent(nullptr);
    m_form->deleteLater();
  }
  m_form = new QWidget;
  auto* form = new QFormLayout(m_form);
  form->setContentsMargins({});
  form->setSpacing(Theme::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  // Where text is large a label stands above its field, so that the form is never wider than its place.
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  for (const PartField& field : fields) {
    Row row{field, makeEditor(field), new InlineMessage};
    row.problem->setObjectName(row.editor->objectName() + QStringLiteral("Problem"));
    auto* label = new QLabel(field.label);
    label->setBuddy(row.editor);
    row.editor->setAccessibleName(label->text().remove('&'));
    form->addRow(label, row.editor);
    form->addRow(row.problem);
    m_rows.push_back(row);
  }
  m_layout->insertWidget(2, m_form);
  for (const Row& row : m_rows) {
    if (row.editor->objectName() == focused) row.editor->setFocus();
  }
}

QWidget* PartInspector::makeEditor(const PartField& field) {
  QWidget* editor = nullptr;
  const QString key = field.key;
  if (field.kind == PartField::Kind::Check) {
    auto* box = new QCheckBox;
    connect(box, &QCheckBox::clicked, this,
            [this, key](bool on) { apply(key, on ? QStringLiteral("yes") : QStringLiteral("no")); });
    editor = box;
  } else if (field.kind == PartField::Kind::Choice) {
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kLeastCharacters);
    connect(box, &QComboBox::textActivated, this, [this, key](const QString& text) { apply(key, text); });
    editor = box;
  } else {
    auto* line = new QLineEdit;
    connect(line, &QLineEdit::editingFinished, this, [this, key, line] {
      if (line->isModified()) apply(key, line->text());
    });
    connect(line, &QLineEdit::returnPressed, this, [this, key, line] {
      const Row* row = rowOf(key);
      if (line->isModified() && row != nullptr && row->doubted == line->text()) apply(key, line->text(), true);
    });
    editor = line;
  }
  editor->setObjectName(objectNameOf(key));
  editor->setToolTip(field.tip);
  editor->setFocusPolicy(Qt::StrongFocus);
  return editor;
}

void PartInspector::fill(Row& row, const PartField& field) {
  row.field = field;
  row.editor->setToolTip(field.tip);
  if (row.draft) return;
  const QSignalBlocker blocker(row.editor);
  if (auto* box = qobject_cast<QCheckBox*>(row.editor)) {
    box->setChecked(field.value == QStringLiteral("yes"));
  } else if (auto* choice = qobject_cast<QComboBox*>(row.editor)) {
    choice->clear();
    choice->addItems(field.choices);
    if (!field.choices.contains(field.value)) choice->addItem(field.value);
    choice->setCurrentText(field.value);
    for (int i = 0; field.key == QStringLiteral("colour") && i + 1 < field.choices.size(); ++i) {
      QPixmap swatch(12, 12);
      swatch.fill(Theme::category(i));
      choice->setItemIcon(i + 1, swatch);
    }
  } else if (auto* line = qobject_cast<QLineEdit*>(row.editor)) {
    if (line->text() != field.value) line->setText(field.value);
    line->setModified(false);
  }
}

PartInspector::Row* PartInspector::rowOf(const QString& key) {
  const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& r) { return r.field.key == key; });
  return row == m_rows.end() ? nullptr : &*row;
}

void PartInspector::apply(const QString& key, const QString& text, bool confirmed) {
  Row* row = rowOf(key);
  auto next = withField(m_system, m_part, key, text);
  const QString doubt = next.ok() && !confirmed ? doubtOf(m_system, *next, m_part) : QString();
  row->doubted = doubt.isEmpty() ? QString() : text;
  if (!doubt.isEmpty()) {
    row->draft = true;
    row->problem->say(InlineMessage::Kind::Note, tr("%1 Press Enter again if it is meant.").arg(doubt));
    return;
  }
  row->draft = !next.ok();
  row->problem->showProblem(next.ok() ? QString() : QString::fromStdString(next.error().text()));
  if (!next.ok()) return;
  const QString label = row->field.label;
  fill(*row, row->field);  // the spelling is tidied even when the value stays
  if (*next == m_system) return;
  emit edited(tr("Set %1 of %2").arg(QString(label).remove('&').toLower(), heading(1)), *next);
}

void PartInspector::focusName() {
  if (!m_rows.empty()) focusProperty(m_rows.front().field.key);
}

bool PartInspector::focusProperty(const QString& key) {
  Row* row = rowOf(key);
  if (row == nullptr) return false;
  row->editor->setFocus(Qt::ShortcutFocusReason);
  if (auto* line = qobject_cast<QLineEdit*>(row->editor)) line->selectAll();
  return true;
}

}  // namespace p2::views
