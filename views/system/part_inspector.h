// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/system/part_fields.h"

class QLabel;
class QVBoxLayout;

namespace p2::views {

class InlineMessage;

/// The selection of the drawing, as a form. Rejected values stay in their field with the reason below it.
class PartInspector : public QWidget {
  Q_OBJECT
 public:
  explicit PartInspector(QWidget* parent = nullptr);
  /// Shows the common properties of the parts, or the system when there are none; a field is written to all of them.
  /// Drafts are kept while the same parts are shown.
  void inspect(const System& system, const std::vector<SystemPart>& parts);
  /// Moves the cursor to the first field.
  void focusName();
  /// Moves the cursor to the field of a property (PartField::key); false if the form has none.
  bool focusProperty(const QString& key);

 signals:
  void edited(const QString& what, const p2::System& system);
  /// A field of it is about to get the focus.
  void neededNow();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Row {
    PartField field;
    QWidget* editor = nullptr;
    InlineMessage* problem = nullptr;
    bool draft = false;
    QString doubted = {};  // the text that was questioned
  };
  void rebuild(const std::vector<PartField>& fields);
  void chooseLetters();
  QWidget* makeEditor(const PartField& field);
  void fill(Row& row, const PartField& field);
  void apply(const QString& key, const QString& text, bool confirmed = false);
  [[nodiscard]] Row* rowOf(const QString& key);
  [[nodiscard]] QString heading() const;
  [[nodiscard]] Result<System> written(const QString& key, const QString& text) const;
  [[nodiscard]] QString doubtAbout(const System& next) const;

  System m_system;
  std::vector<SystemPart> m_parts;  // one of each level, network or interconnect that is selected
  std::vector<Row> m_rows;
  QLabel* m_title = nullptr;
  QLabel* m_instance = nullptr;
  QWidget* m_form = nullptr;
  QVBoxLayout* m_layout = nullptr;
};

}  // namespace p2::views
