// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/memory_inspector.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <algorithm>
#include <array>

#include "base/units.h"
#include "graphs/strategy_source.h"
#include "views/common/inline_message.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

struct ElementType {
  const char* name;
  double bytes;
};
constexpr std::array kElementTypes{ElementType{"fp32", 4}, ElementType{"bf16", 2}, ElementType{"fp8", 1}};

QString elementName(Bytes bytes) {
  for (const ElementType& type : kElementTypes) {
    if (bytes == Bytes(type.bytes)) return QLatin1String(type.name);
  }
  return QObject::tr("%1 bytes").arg(bytes.value());
}

/// The text as typed; empty for the system's memory.
QString limitText(const std::optional<Bytes>& limit) {
  if (!limit) return {};
  return *limit == Bytes(0) ? QObject::tr("any") : editableBytes(*limit);
}

}  // namespace

MemoryInspector::MemoryInspector(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_layout(new QFormLayout(this)), m_form(session, *m_layout) {
  m_layout->setSpacing(Theme::kGrid);
  makeFields();
  connectFields();
  connect(&session, &Session::workspaceChanged, this, &MemoryInspector::refresh);
  refresh();
}

void MemoryInspector::makeFields() {
  m_elements = new QComboBox;
  m_elements->addItem(QString());
  for (const ElementType& type : kElementTypes) m_elements->addItem(QLatin1String(type.name));
  m_form.add(*m_elements, "strategyElements", "word_bytes");
  m_form.number("strategyPasses", "passes", tr("Set microbatches to %1"));
  m_form.words("strategyOptimizer", "optimizer", tr("Choose optimizer %1"));
  m_zero = new QComboBox;
  m_zero->addItems({tr("0: off"), tr("1: optimizer states"), tr("2: + gradients"), tr("3: + parameters")});
  m_form.add(*m_zero, "strategyZero", "zero");
  m_form.words("strategyRecomputation", "recomputation", tr("Choose recomputation %1"));
  m_limit = new QLineEdit;
  m_form.add(*m_limit, "strategyLimit", tr("At mos&t"),
             tr("Largest memory that a strategy may use on each device, such as 80GB, or any; empty for the memory of "
                "the system's devices"));
  m_problem = new InlineMessage;
  m_problem->setObjectName(QStringLiteral("strategyLimitProblem"));
  m_problem->floatBelow(*m_limit);
}

void MemoryInspector::connectFields() {
  connect(m_elements, &QComboBox::activated, this, [this](int index) {
    const Bytes bytes(index == 0 ? 0 : kElementTypes[std::size_t(index - 1)].bytes);
    edit(tr("Choose data type %1").arg(m_elements->itemText(index)),
         [=](GraphCostOptions& options) { options.bytesPerElement = bytes; });
  });
  connect(m_zero, &QComboBox::activated, this, [this](int index) {
    edit(tr("Choose stage %1 of ZeRO").arg(index), [=](GraphCostOptions& options) { options.memory.zero = index; });
  });
  // Enter confirms a questioned value; leaving the field does not.
  connect(m_limit, &QLineEdit::returnPressed, this, [this] {
    if (m_limit->isModified() && m_limit->text() == m_doubted) applyLimit(true);
  });
  connect(m_limit, &QLineEdit::editingFinished, this, [this] {
    if (m_limit->isModified()) applyLimit(false);
  });
}

void MemoryInspector::applyLimit(bool confirmed) {
  const auto& before = m_session.workspace()->strategy.options.deviceMemory;
  const QString typed = m_limit->text().trimmed();
  std::optional<Bytes> limit;
  if (typed == tr("any")) {
    limit = Bytes(0);
  } else if (!typed.isEmpty()) {
    const auto bytes = typedBytes(typed, before.value_or(Bytes(0)));
    if (!bytes.ok()) return m_problem->showProblem(qs(bytes.error().text()));
    const QString doubt = confirmed || !before ? QString() : doubtOfBytes(*before, *bytes);
    m_doubted = doubt.isEmpty() ? QString() : m_limit->text();
    if (!doubt.isEmpty()) {
      return m_problem->say(InlineMessage::Kind::Note, tr("%1 Press Enter again to keep it.").arg(doubt));
    }
    limit = *bytes;
  }
  m_limit->setModified(false);
  edit(tr("Set the memory of a device"), [&](GraphCostOptions& options) { options.deviceMemory = limit; });
  refresh();
}

void MemoryInspector::edit(const QString& what, const std::function<void(GraphCostOptions&)>& change) {
  Workspace next = *m_session.workspace();
  change(next.strategy.options);
  m_session.edit(what, std::move(next));
}

void MemoryInspector::refresh() {
  const Workspace& workspace = *m_session.workspace();
  const GraphCostOptions& options = workspace.strategy.options;
  GraphCostOptions open = options;
  open.bytesPerElement = Bytes(0);
  open.deviceMemory.reset();
  const GraphCostOptions standard = filledIn(open, workspace.system);
  const bool odd = options.bytesPerElement != Bytes(0) && elementName(options.bytesPerElement).contains(' ');
  m_elements->setItemText(
      0, odd ? elementName(options.bytesPerElement) : tr("default: %1").arg(elementName(standard.bytesPerElement)));
  const auto type = std::find_if(kElementTypes.begin(), kElementTypes.end(),
                                 [&](const ElementType& each) { return options.bytesPerElement == Bytes(each.bytes); });
  // A size that no type has, as files may say, takes the first place.
  m_elements->setCurrentIndex(type == kElementTypes.end() ? 0 : 1 + int(type - kElementTypes.begin()));
  m_form.show(workspace.strategy);
  m_zero->setCurrentIndex(options.memory.zero);
  m_limit->setPlaceholderText(
      *standard.deviceMemory > Bytes(0) ? bytesText(*standard.deviceMemory) + tr(", as the system's") : tr("any"));
  if (m_limit->hasFocus() && m_limit->isModified()) return;
  m_limit->setText(limitText(options.deviceMemory));
  m_problem->showProblem({});
}

}  // namespace p2::views
