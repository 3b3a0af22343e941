// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QVBoxLayout>

#include "support/warnings.h"
#include "views/common/rows_model.h"
#include "views/common/table.h"
#include "views/common/theme.h"

using namespace p2::views;

namespace {

/// Numbers in two columns, which counts how often it is asked for them.
class Numbers : public QAbstractTableModel {
 public:
  explicit Numbers(int rows) : m_rows(rows) {}
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows; }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
    if (role != Qt::DisplayRole) return {};
    ++asked;
    return index.row();
  }
  mutable int asked = 0;

 private:
  int m_rows;
};

/// One letter in a cell and above it, in the alignment of the column: left, then right.
class Letters : public QAbstractTableModel {
 public:
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
    return letter(index.column(), role);
  }
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation /*orientation*/, int role) const override {
    return letter(section, role);
  }

 private:
  static QVariant letter(int column, int role) {
    if (role == Qt::DisplayRole) return "H";
    if (role == Qt::TextAlignmentRole) return int((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
  }
};

/// Rows of one black picture.
class Pictures : public RowsModel {
 protected:
  [[nodiscard]] int count() const override { return 2; }
  [[nodiscard]] std::vector<TableColumn> columns() const override { return {{"Picture"}}; }
  [[nodiscard]] QString text(int /*row*/, int /*column*/) const override { return {}; }
  [[nodiscard]] QVariant special(int /*row*/, int /*column*/, int role) const override {
    if (role != Qt::DecorationRole) return {};
    QPixmap picture(16, 16);
    picture.fill(Qt::black);
    return picture;
  }
};

/// The first and the last column of pixels of `image` in which something dark is drawn, between two others. The upper
/// half may have the mark of sorting.
std::pair<int, int> inkBetween(const QImage& image, int left, int right) {
  constexpr int kDark = 160;
  int first = right;
  int last = left;
  for (int y = image.height() / 2; y < image.height() - 2; ++y) {
    for (int x = left; x < right; ++x) {
      if (qGray(image.pixel(x, y)) >= kDark) continue;
      first = std::min(first, x);
      last = std::max(last, x);
    }
  }
  return {first, last};
}

}  // namespace

/// What all tables have in common, by mouse and keys.
class TestTable : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::apply(Theme::Scheme::Light); }
  void init() {
    test::failOnWarnings();
    m_window = std::make_unique<QWidget>();
    auto* layout = new QVBoxLayout(m_window.get());
    m_table = new QTableView;
    m_next = new QLineEdit;
    layout->addWidget(m_table);
    layout->addWidget(m_next);
    m_window->resize(400, 300);
  }

  void choosesWholeRowsOneAtATime() {
    show({.name = "numbers", .accessible = "Some numbers"});
    click(2, 1);
    QCOMPARE(m_table->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(m_table->currentIndex().row(), 2);
    click(4, 0, Qt::ControlModifier);
    QCOMPARE(m_table->selectionModel()->selectedRows().size(), 1);
    QTest::keyClick(m_table, Qt::Key_Down);
    QCOMPARE(m_table->currentIndex().row(), 5);
    QCOMPARE(m_table->objectName(), "numbers");
    QCOMPARE(m_table->accessibleName(), "Some numbers");
    QVERIFY(!m_table->verticalHeader()->isVisibleTo(m_table));
  }

  void choosesSeveralWhereThatIsOfUse() {
    TableSetup setup;
    setup.selection = QAbstractItemView::ExtendedSelection;
    show(setup);
    click(1, 0);
    click(3, 0, Qt::ShiftModifier);
    click(6, 1, Qt::ControlModifier);
    QCOMPARE(m_table->selectionModel()->selectedRows().size(), 4);
  }

  void tabGoesOnToTheNextWidget() {
    show({});
    m_table->setFocus();
    QTest::keyClick(m_table, Qt::Key_Tab);
    QVERIFY(m_next->hasFocus());
  }

  void sortsByItsHeadings() {
    TableSetup setup;
    setup.sortedBy = 0;
    setup.order = Qt::DescendingOrder;
    QStandardItemModel model;
    for (const char* text : {"b", "c", "a"}) model.appendRow(new QStandardItem(text));
    show(setup, &model);
    QCOMPARE(model.index(0, 0).data().toString(), "c");
    QHeaderView* header = m_table->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {header->sectionViewportPosition(0) + 8, 8});
    QCOMPARE(model.index(0, 0).data().toString(), "a");
  }

  // Columns as wide as what they hold do not read all of it.
  void thousandsCostNoMoreThanTheFirst() {
    TableSetup setup;
    setup.fitted = true;
    setup.linesPerRow = 1;
    Numbers few(100);
    show(setup, &few);
    const int forFew = few.asked;
    Numbers many(100'000);
    m_table->setModel(&many);
    QCoreApplication::processEvents();
    QVERIFY(many.asked > 0);
    QVERIFY2(many.asked <= forFew, qPrintable(QString("%1 of %2").arg(many.asked).arg(forFew)));
  }

  void headingsStandOverTheirCells_data() {
    QTest::addColumn<bool>("fitted");
    QTest::addColumn<int>("sortedBy");
    QTest::newRow("of any width") << false << TableSetup::kNone;
    QTest::newRow("fitted") << true << TableSetup::kNone;
    QTest::newRow("sorted by the left") << true << 0;
    QTest::newRow("sorted by the right") << true << 1;
  }
  void headingsStandOverTheirCells() {
    QFETCH(bool, fitted);
    QFETCH(int, sortedBy);
    TableSetup setup;
    setup.fitted = fitted;
    setup.sortedBy = sortedBy;
    Letters letters;
    show(setup, &letters);
    QHeaderView& header = *m_table->horizontalHeader();
    const QImage above = header.viewport()->grab().toImage();
    const QImage below = m_table->viewport()
                             ->grab(m_table->visualRect(letters.index(0, 0)) | m_table->visualRect(letters.index(0, 1)))
                             .toImage();
    for (int column = 0; column < 2; ++column) {
      const int left = header.sectionViewportPosition(column) + 1;
      const int right = left + header.sectionSize(column) - 2;
      const auto [headFirst, headLast] = inkBetween(above, left, right);
      const auto [cellFirst, cellLast] = inkBetween(below, left, right);
      QVERIFY(headFirst < headLast && cellFirst < cellLast);
      const int apart = column == 0 ? headFirst - cellFirst : cellLast - headLast;
      QVERIFY2(std::abs(apart) <= 1, qPrintable(QString("column %1 is %2 off").arg(column).arg(apart)));
    }
  }

  void picturesAreNotTinted() {
    Pictures pictures;
    show({}, &pictures);
    click(0, 0);
    const QImage image = m_table->viewport()->grab().toImage();
    for (int row = 0; row < pictures.rowCount(); ++row) {
      const QRect cell = m_table->visualRect(pictures.index(row, 0));
      QCOMPARE(image.pixelColor(cell.left() + 10, cell.center().y()), QColor(Qt::black));
    }
  }

  void cellsAreTypedInto() {
    TableSetup setup;
    setup.cells = true;
    QStandardItemModel model;
    model.appendRow({new QStandardItem("a"), new QStandardItem("b")});
    show(setup, &model);
    click(0, 1);
    QCOMPARE(m_table->selectionModel()->selectedIndexes().size(), 1);
    QTest::keyClick(m_table, Qt::Key_F2);
    auto* editor = m_table->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor, "new");
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(model.index(0, 1).data().toString(), "new");
  }

 private:
  void show(const TableSetup& setup, QAbstractItemModel* model = nullptr) {
    m_table->setModel(model != nullptr ? model : &m_numbers);
    setUpTable(*m_table, setup);
    m_window->show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
  }
  void click(int row, int column, Qt::KeyboardModifiers modifiers = {}) {
    const QModelIndex index = m_table->model()->index(row, column);
    QTest::mouseClick(m_table->viewport(), Qt::LeftButton, modifiers, m_table->visualRect(index).center());
  }

  Numbers m_numbers{10};
  std::unique_ptr<QWidget> m_window;
  QTableView* m_table = nullptr;
  QLineEdit* m_next = nullptr;
};

QTEST_MAIN(TestTable)
#include "tst_table.moc"
