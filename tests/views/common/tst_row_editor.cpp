// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>
#include <QTableView>
#include <QTest>

#include "support/warnings.h"
#include "views/common/draft_table_model.h"
#include "views/common/row_editor.h"
#include "views/common/theme.h"

using namespace p2::views;

namespace {

/// Two columns of words that can be replaced from outside.
class Words : public DraftTableModel {
 public:
  [[nodiscard]] int rowCount(const QModelIndex& parent) const override {
    return parent.isValid() ? 0 : int(m_rows.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : kColumns; }
  void replace(int rows) {
    beginResetModel();
    m_rows = QList<QStringList>(rows, standard());
    dropDrafts();
    endResetModel();
  }

 protected:
  [[nodiscard]] int mostRows() const override { return 100; }
  [[nodiscard]] QString noun() const override { return QStringLiteral("word"); }
  [[nodiscard]] QVariant value(const QModelIndex& index, int role) const override {
    return role == Qt::DisplayRole || role == Qt::EditRole ? m_rows[index.row()][index.column()] : QVariant();
  }
  std::optional<QString> take(const QModelIndex& index, const QString& text) override {
    m_rows[index.row()][index.column()] = text;
    return {};
  }
  void insertDefault(int row) override { m_rows.insert(row, standard()); }
  void erase(int row) override { m_rows.removeAt(row); }
  void exchange(int a, int b) override { m_rows.swapItemsAt(a, b); }

 private:
  static constexpr int kColumns = 2;
  static QStringList standard() { return {"one", "two"}; }
  QList<QStringList> m_rows{standard(), standard()};
};

}  // namespace

/// Rows to type into, by keys.
class TestRowEditor : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_words = std::make_unique<Words>();
    m_editor = std::make_unique<RowEditor>("words", "word", *m_words, 0);
    m_editor->resize(400, 300);
    m_editor->show();
    QVERIFY(QTest::qWaitForWindowActive(m_editor.get()));
  }
  void cleanup() {
    m_editor.reset();
    m_words.reset();
  }

  void tabTakesOverAndEditsTheNextCell() {
    edit(0, 0);
    QTest::keyClicks(cell(), "first");
    QTest::keyClick(cell(), Qt::Key_Tab);
    QCOMPARE(textAt(0, 0), QString("first"));
    QCOMPARE(table().currentIndex(), m_words->index(0, 1));
    QVERIFY(cell() != nullptr);
    QTest::keyClick(cell(), Qt::Key_Tab);
    QCOMPARE(table().currentIndex(), m_words->index(1, 0));
    QTest::keyClick(cell(), Qt::Key_Backtab);
    QCOMPARE(table().currentIndex(), m_words->index(0, 1));
    QTest::keyClicks(cell(), "second");
    QTest::keyClick(cell(), Qt::Key_Return);
    QTRY_COMPARE(textAt(0, 1), QString("second"));
    QTRY_COMPARE(cell(), nullptr);
  }

  /// Another part of the window may take over what was typed there when it hears that the current row is another.
  void theNextCellMayGoAsItIsReached() {
    edit(0, 1);
    connect(table().selectionModel(), &QItemSelectionModel::currentChanged, m_editor.get(),
            [this](const QModelIndex& now) {
              if (now.isValid()) m_words->replace(1);
            });
    QTest::keyClick(cell(), Qt::Key_Tab);
    QCOMPARE(m_words->rowCount({}), 1);
    QCOMPARE(cell(), nullptr);
  }

 private:
  [[nodiscard]] QTableView& table() const { return m_editor->table(); }
  [[nodiscard]] QString textAt(int row, int column) const { return m_words->index(row, column).data().toString(); }
  void edit(int row, int column) const {
    table().setFocus();
    table().setCurrentIndex(m_words->index(row, column));
    QTest::keyClick(&table(), Qt::Key_F2);
  }
  /// The editor that is open, if one is.
  [[nodiscard]] QLineEdit* cell() const {
    for (QLineEdit* editor : table().findChildren<QLineEdit*>("cellEditor")) {
      if (editor->isVisible()) return editor;
    }
    return nullptr;
  }

  std::unique_ptr<Words> m_words;
  std::unique_ptr<RowEditor> m_editor;
};

QTEST_MAIN(TestRowEditor)
#include "tst_row_editor.moc"
