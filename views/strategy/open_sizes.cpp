// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/open_sizes.h"

#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr int kMostSize = 1 << 24;

QString fieldName(const std::string& dimension) { return QStringLiteral("strategySize_") + qs(dimension); }

}  // namespace

OpenSizes::OpenSizes(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_layout(new QFormLayout(this)),
      m_open(session.jobs(), [](const std::string& path, std::stop_token stop, const Progress&) {
        return openDimensions(path, stop);
      }) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(Theme::kGrid);
  setObjectName(QStringLiteral("strategyOpenSizes"));
  setToolTip(tr("Sizes that the model leaves open"));
  setAccessibleName(tr("Sizes that the model leaves open"));
  connect(&m_open, &DerivedBase::changed, this, &OpenSizes::refresh);
  connect(&session, &Session::workspaceChanged, this, &OpenSizes::refresh);
  refresh();
}

void OpenSizes::refresh() {
  const std::string& graph = m_session.workspace()->strategy.graph;
  const bool onnx = graph.ends_with(".onnx");
  if (onnx) m_open.ask(tr("Reading the sizes that a model leaves open"), graph);
  const auto answer = onnx ? m_open.current() : nullptr;
  const std::vector<OpenDimension> open = answer ? *answer : std::vector<OpenDimension>();
  if (open != m_shown) {
    m_shown = open;
    showFields();
  }
  const StrategyChoice& choice = m_session.workspace()->strategy;
  const OnnxSizes given{choice.batch > 0 ? std::optional(choice.batch) : std::nullopt, choice.dimensions};
  const OnnxSizes sizes = withSuggestions(given, m_shown);
  for (const OpenDimension& each : m_shown) {
    auto* field = findChild<QSpinBox*>(fieldName(each.name));
    const QSignalBlocker blocker(field);
    field->setValue(int(std::min<std::int64_t>(sizes.dimensions.at(each.name), kMostSize)));
  }
}

void OpenSizes::showFields() {
  while (m_layout->rowCount() > 0) m_layout->removeRow(0);
  for (const OpenDimension& each : m_shown) addField(each, each.suggestion);
  setVisible(!m_shown.empty());
}

void OpenSizes::addField(const OpenDimension& dimension, std::int64_t size) {
  auto* field = new QSpinBox;
  field->setObjectName(fieldName(dimension.name));
  field->setRange(1, kMostSize);
  field->setValue(int(size));
  field->setKeyboardTracking(false);
  const QString name = qs(dimension.name);
  field->setAccessibleName(name);
  field->setToolTip(tr("Size of dimension %1 of the input “%2”, which the model leaves open")
                        .arg(dimension.axis)
                        .arg(qs(dimension.input).toHtmlEscaped()));
  connect(field, &QSpinBox::valueChanged, this, [this, key = dimension.name](int value) { setSize(key, value); });
  m_layout->addRow(QString(name).replace('&', QStringLiteral("&&")), field);
}

void OpenSizes::setSize(const std::string& name, int size) {
  Workspace next = *m_session.workspace();
  next.strategy.dimensions[name] = size;
  m_session.edit(tr("Set %1 to %2").arg(qs(name)).arg(size), std::move(next),
                 QStringLiteral("strategy-size-") + qs(name));
}

}  // namespace p2::views
