// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <map>
#include <optional>

namespace p2::views {

/// An editable table whose rows are always valid. A rejected text stays in its cell as a draft, with an icon and the
/// reason, until it is corrected.
class DraftTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

  /// The reason of the first draft in reading order; empty when there is none.
  [[nodiscard]] QString firstProblem() const;
  [[nodiscard]] bool canAdd() const { return rowCount({}) < mostRows(); }
  [[nodiscard]] bool canRemove() const { return rowCount({}) > 1; }
  /// Inserts a row of sensible defaults below `row` (−1: at the top) and returns its number.
  int addBelow(int row);
  void removeAt(int row);
  /// Exchanges a row with the one above (by = −1) or below (+1).
  void shift(int row, int by);

 signals:
  /// The rows changed by the user's hand; `what` names the edit for the undo list.
  void edited(const QString& what);
  void draftsChanged();

 protected:
  [[nodiscard]] virtual int mostRows() const = 0;
  /// The noun for a row in the names of edits, such as "level".
  [[nodiscard]] virtual QString noun() const = 0;
  /// data() of a cell without a draft.
  [[nodiscard]] virtual QVariant value(const QModelIndex& index, int role) const = 0;
  /// A question about a valid but suspicious text, as one sentence; empty if there is none. Entering the text again
  /// accepts it.
  [[nodiscard]] virtual QString doubt(const QModelIndex&, const QString& /*text*/) const { return {}; }
  /// Takes typed text over into the rows, or says in one sentence why not.
  virtual std::optional<QString> take(const QModelIndex& index, const QString& text) = 0;
  virtual void insertDefault(int row) = 0;
  virtual void erase(int row) = 0;
  virtual void exchange(int a, int b) = 0;

  /// The rows were replaced from outside: between beginResetModel() and endResetModel().
  void dropDrafts();

 private:
  struct Draft {
    QString text;
    QString reason;
    bool doubted = false;  // waits to be entered once more
  };
  void keepDraft(const QModelIndex& index, Draft draft);
  using Cell = std::pair<int, int>;
  void retryDrafts();
  void renumber(const std::function<std::optional<int>(int)>& newRow);

  std::map<Cell, Draft> m_drafts;
};

}  // namespace p2::views
