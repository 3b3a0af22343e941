// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGroupBox>
#include <functional>

#include "workspace/workspace.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace p2::views {

class InlineMessage;
class Session;

/// Options of synthesis and prices: bytes, repeats, model, algorithm, overlap, rule set and size limit.
class OptionsBox : public QGroupBox {
  Q_OBJECT
 public:
  explicit OptionsBox(Session& session, QWidget* parent = nullptr);

 private:
  QSpinBox* makeSpin(const QString& name, std::string_view key);
  QComboBox* makeChoice(const QString& name, std::string_view key, const QString& more);
  /// A field with the label and the tip of its row in exploreFields(); `more` follows the tip.
  void addField(QWidget* field, const QString& name, std::string_view key, const QString& more = {});
  void makeBytes();
  void makeModel();
  void makeOverlap();
  void showAlgorithms(const CostOptions& cost);
  void connectFields();
  void applyBytes(bool confirmed);
  void edit(const QString& what, const std::function<void(ExploreOptions&)>& change, const QString& mergeKey = {});
  void refresh();

  Session& m_session;
  QFormLayout* m_layout = nullptr;
  QLineEdit* m_bytes = nullptr;
  InlineMessage* m_problem = nullptr;
  QSpinBox* m_repeat = nullptr;
  QComboBox* m_model = nullptr;
  QComboBox* m_algorithm = nullptr;
  QCheckBox* m_overlap = nullptr;
  QComboBox* m_rules = nullptr;
  QSpinBox* m_limit = nullptr;
  QString m_doubted;  // the text that was questioned
  Bytes m_shownBytes;
};

}  // namespace p2::views
