// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/part_inspector.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "views/common/inline_message.h"
#include "views/common/mnemonic.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/shell/field_escape.h"
#include "views/shell/perspective.h"
#include "views/system/system_perspective.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr qsizetype kMostNames = 6;  // of instances and links that are listed
constexpr int kLeastCharacters = 4;  // visible part of a choice; a longer one is elided in a narrow form

QString objectNameOf(const QString& key) { return QStringLiteral("part") + key[0].toUpper() + key.mid(1); }

bool sameForm(const SystemPart& a, const SystemPart& b) {
  return (a.kind == Kind::Network) == (b.kind == Kind::Network) && a.index == b.index;
}

/// The last of each level or network; other places are left out.
std::vector<SystemPart> distinct(const System& system, const std::vector<SystemPart>& parts) {
  std::vector<SystemPart> kept;
  for (const SystemPart& part : parts) {
    if (!isPartOf(system, part)) continue;
    std::erase_if(kept, [&](const SystemPart& other) { return sameForm(other, part); });
    kept.push_back(part);
  }
  return kept;
}

/// A list of completions of the typed text. Esc closes it first.
QCompleter* suggest(QLineEdit& line, const QStringList& words) {
  auto* completer = new QCompleter(words, &line);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setFilterMode(Qt::MatchContains);
  line.setCompleter(completer);
  line.setProperty(FieldEscape::kSuggestions, QVariant::fromValue<QWidget*>(completer->popup()));
  return completer;
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

QString PartInspector::heading() const {
  const auto called = [this](const SystemPart& part) {
    const QString name = partName(m_system, part);
    if (part.kind == Kind::Network) return tr("Network %1").arg(name);
    if (part.kind == Kind::Level) return tr("Level %1").arg(name);
    return tr("%1 of level %2").arg(name, partName(m_system, {Kind::Level, part.index}));
  };
  if (m_parts.empty()) return tr("The system");
  QStringList names;
  for (const SystemPart& part : m_parts) names += called(part);
  return names.join(QStringLiteral(" · "));
}

void PartInspector::inspect(const System& system, const std::vector<SystemPart>& parts) {
  std::vector<SystemPart> shown = distinct(system, parts);
  const std::vector<PartField> fields = shown.empty() ? fieldsOf(system, std::nullopt) : commonFields(system, shown);
  const bool same = std::equal(shown.begin(), shown.end(), m_parts.begin(), m_parts.end(), sameForm) &&
                    std::equal(fields.begin(), fields.end(), m_rows.begin(), m_rows.end(),
                               [](const PartField& field, const Row& row) { return field.key == row.field.key; });
  m_system = system;
  m_parts = std::move(shown);
  m_title->setText(heading());
  QStringList names;
  for (const SystemPart& part : parts) {
    if (!part.link && part.kind == Kind::Interconnect) continue;
    for (const std::string& name : part.names) names += qs(name);
  }
  if (names.size() > kMostNames) names = names.mid(0, kMostNames) + QStringList{tr("… %1 in all").arg(names.size())};
  m_instance->setText(names.join('\n'));
  m_instance->setVisible(!names.isEmpty());
  if (!same) rebuild(fields);
  for (std::size_t i = 0; i < m_rows.size(); ++i) fill(m_rows[i], fields[i]);
}

void PartInspector::rebuild(const std::vector<PartField>& fields) {
  QString focused;
  for (Row& row : m_rows) {
    if (row.editor->hasFocus()) focused = row.editor->objectName();
    // On its way out a field with the focus would write to the part shown next.
    row.editor->blockSignals(true);
  }
  m_rows.clear();
  if (m_form != nullptr) {
    m_form->setParent(nullptr);
    m_form->deleteLater();
  }
  m_form = new QWidget;
  auto* form = bareLayout<QFormLayout>(m_form, Theme::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  // Where text is large a label stands above its field, so that the form is never wider than its place.
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  for (const PartField& field : fields) {
    Row row{field, makeEditor(field), new InlineMessage};
    row.problem->setObjectName(row.editor->objectName() + QStringLiteral("Problem"));
    // Its letter comes when the form is seen: hidden, it takes none from others.
    auto* label = new QLabel(QString(field.label).remove('&'));
    label->setBuddy(row.editor);
    row.editor->setAccessibleName(label->text());
    form->addRow(label, row.editor);
    form->addRow(row.problem);
    m_rows.push_back(row);
  }
  m_layout->insertWidget(2, m_form);
  if (isVisible()) chooseLetters();
  for (const Row& row : m_rows) {
    if (row.editor->objectName() == focused) row.editor->setFocus();
  }
}

void PartInspector::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  chooseLetters();
}

/// Forms of parts differ, and the fields around them have their letters first.
void PartInspector::chooseLetters() {
  const QWidget* page = this;
  while (page->parentWidget() != nullptr && qobject_cast<const Perspective*>(page) == nullptr)
    page = page->parentWidget();
  makeMnemonicsDistinct(*m_form, *page, SystemPerspective::face().title);
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
    if (!field.choices.isEmpty()) {
      // A text taken from the list does not count as typed.
      connect(suggest(*line, field.choices), qOverload<const QString&>(&QCompleter::activated), this,
              [this, key](const QString& text) { apply(key, text); });
    }
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
    box->setTristate(field.mixed);
    box->setCheckState(field.mixed                            ? Qt::PartiallyChecked
                       : field.value == QStringLiteral("yes") ? Qt::Checked
                                                              : Qt::Unchecked);
  } else if (auto* choice = qobject_cast<QComboBox*>(row.editor)) {
    choice->clear();
    choice->addItems(field.choices);
    if (!field.mixed && !field.choices.contains(field.value)) choice->addItem(field.value);
    choice->setPlaceholderText(tr("several"));
    choice->setCurrentIndex(field.mixed ? -1 : choice->findText(field.value));
    for (int i = 0; field.key == QStringLiteral("colour") && i + 1 < field.choices.size(); ++i) {
      QPixmap swatch(12, 12);
      swatch.fill(Theme::category(i));
      choice->setItemIcon(i + 1, swatch);
    }
  } else if (auto* line = qobject_cast<QLineEdit*>(row.editor)) {
    const QString value = field.mixed ? QString() : field.value;
    line->setPlaceholderText(field.mixed ? tr("several") : field.placeholder);
    if (line->text() != value) line->setText(value);
    line->setModified(false);
  }
}

PartInspector::Row* PartInspector::rowOf(const QString& key) {
  const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& r) { return r.field.key == key; });
  return row == m_rows.end() ? nullptr : &*row;
}

Result<System> PartInspector::written(const QString& key, const QString& text) const {
  if (m_parts.empty()) return withField(m_system, std::nullopt, key, text);
  System next = m_system;
  for (const SystemPart& part : m_parts) {
    P2_TRY_ASSIGN(next, withField(std::move(next), part, key, text));
  }
  return next;
}

QString PartInspector::doubtAbout(const System& next) const {
  for (const SystemPart& part : m_parts) {
    if (QString doubt = doubtOf(m_system, next, part); !doubt.isEmpty()) return doubt;
  }
  return {};
}

void PartInspector::apply(const QString& key, const QString& text, bool confirmed) {
  Row* row = rowOf(key);
  const auto next = written(key, text);
  const QString doubt = next.ok() && !confirmed ? doubtAbout(*next) : QString();
  row->doubted = doubt.isEmpty() ? QString() : text;
  if (!doubt.isEmpty()) {
    row->draft = true;
    row->problem->say(InlineMessage::Kind::Note, tr("%1 Press Enter again to keep it.").arg(doubt));
    return;
  }
  row->draft = !next.ok();
  row->problem->showProblem(next.ok() ? QString() : qs(next.error().text()));
  if (!next.ok()) return;
  const QString label = row->field.label;
  fill(*row, row->field);  // the spelling is tidied even when the value stays
  if (*next == m_system) return;
  emit edited(tr("Set %1 of %2").arg(QString(label).remove('&').toLower(), heading()), *next);
}

void PartInspector::focusName() {
  if (!m_rows.empty()) focusProperty(m_rows.front().field.key);
}

bool PartInspector::focusProperty(const QString& key) {
  Row* row = rowOf(key);
  if (row == nullptr) return false;
  emit neededNow();
  row->editor->setFocus(Qt::ShortcutFocusReason);
  if (auto* line = qobject_cast<QLineEdit*>(row->editor)) line->selectAll();
  return true;
}

}  // namespace p2::views
