// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "views/model/model_choices.h"
#include "views/model/model_perspective.h"
#include "views/shell/session_questions.h"
#include "views/view_desk.h"
#include "workspace/presets.h"

using namespace p2;
using namespace p2::views;

class TestModelPerspective : public QObject, private test::ViewDesk<ModelPerspective> {
  Q_OBJECT

 public:
  TestModelPerspective() : ViewDesk({1180, 700}) {}

 private slots:
  void initTestCase() { prepare(); }
  void init() {
    setUp();
    Workspace workspace = test::withoutChoice("teaching-2x4");
    m_session->reset(withSystem(workspace, presetSystem("dgx-h100", 16).value()));
  }
  void cleanup() { clearAway(); }

  void aModelIsChosenByKey() {
    QVERIFY(finding().startsWith("Which model"));
    QVERIFY(!find<QPushButton>("modelNext")->isEnabled());
    choose("llama3-70b");
    QCOMPARE(training().model, std::string("llama3-70b"));
    QVERIFY2(
        finding().startsWith("llama3-70b has 70.6 billion parameters; a step of 1024 × 4096 tokens is 4.19 million"),
        qPrintable(finding()));
    QSignalSpy wanted(m_view.get(), &Perspective::perspectiveWanted);
    QTest::mouseClick(find<QPushButton>("modelNext"), Qt::LeftButton);
    QCOMPARE(wanted.at(0).at(0).toString(), QString("plan"));
    m_session->undoStack().undo();
    QVERIFY(training().model.empty());
    QCOMPARE(find<QComboBox>("modelChoice")->currentIndex(), -1);
  }

  // The room below the form shows what the model consists of, on a page that has any.
  void partsOfTheModelFillThePage() {
    auto* parts = find<QTableView>("modelParts");
    QVERIFY(!parts->isVisible());
    choose("llama3-70b");
    QVERIFY(parts->isVisible());
    const auto cell = [&](int row, int column) { return parts->model()->index(row, column).data().toString(); };
    const int last = parts->model()->rowCount() - 1;
    QCOMPARE(last, 6);
    QCOMPARE(cell(1, 0), QString("Attention"));
    QCOMPARE(cell(1, 1), QString("80"));
    QCOMPARE(cell(last, 0), QString("Model"));
    QCOMPARE(cell(last, 2), QString("70.6 billion"));
    QVERIFY(find<QLabel>("modelDetails")->text().contains(cell(last, 4)));
    QVERIFY(parts->y() >= find<QPushButton>("modelNext")->geometry().bottom());
    QVERIFY(parts->viewport()->height() >= 5 * parts->rowHeight(0));
    m_view->resize(1180, 400);
    QVERIFY(!parts->isVisible());
    m_view->resize(1180, 700);
    QVERIFY(parts->isVisible());
  }

  // Every field stands next to its label, however narrow the form is.
  void fieldsStandInOneColumn() {
    for (const int width : {1180, 700}) {
      m_view->resize(width, 560);
      for (int round = 0; round < 3; ++round) QCoreApplication::sendPostedEvents();
      const int left = find<QComboBox>("modelChoice")->x();
      QVERIFY(left > 0);
      for (const char* field : {"modelField_batch", "modelField_fixed", "modelPrecision", "modelFramework"})
        QVERIFY2(find<QWidget>(field)->x() == left, qPrintable(QString("%1 at %2").arg(field).arg(width)));
    }
  }

  // By hand: 6 · 70.55e9 · 8.389e6 / (128 · 989e12) = 28.05 s, and 12 · s · a · d_h / 2 of attention per token and
  // layer.
  void theLeastTimeIsTheFlopOverThePeak() {
    choose("llama3-70b");
    type("sequence", "8192");
    QVERIFY2(finding().contains("8.39 million tokens and takes at least 29.8 s on 128 devices"), qPrintable(finding()));
  }

  // Products of 8-bit numbers are part of a step; Why begins with what the others take too.
  void theLeastTimeSaysWhatItCounts() {
    choose("llama3-8b");
    const auto stated = [this] { return find<QLabel>("modelDetails")->text().contains("at the peak of fp8"); };
    QVERIFY(!stated());
    auto& precision = *find<QComboBox>("modelPrecision");
    precision.setFocus();
    QTest::keyClick(&precision, Qt::Key_Down);
    QCOMPARE(training().precision, std::string("fp8"));
    QVERIFY(stated());
    m_session->edit("Choose a cluster", withSystem(*m_session->workspace(), presetSystem("dgx-a100", 4).value()));
    QVERIFY(!stated());
  }

  void fieldsAreEditedInPlace() {
    choose("llama3-8b");
    type("batch", "512");
    QCOMPARE(training().batch, std::int64_t(512));
    type("reserve", "8 GB");
    QCOMPARE(training().reserve, 8e9);
    type("reserve", "");
    QCOMPARE(training().reserve, 0.0);
    type("fixed", "pp=4, tp=8");
    QCOMPARE(training().fixed, std::string("tp=8,pp=4"));
    QCOMPARE(field("fixed").text(), QString("tp=8,pp=4"));
  }

  void wrongTextsStayWithTheirReason() {
    choose("llama3-8b");
    const QRect place = field("fixed").geometry();
    type("batch", "none");
    QCOMPARE(training().batch, std::int64_t(1024));
    QCOMPARE(field("batch").text(), QString("none"));
    QVERIFY2(problem().contains("\"none\" is not a whole number; use 1 to 1073741824"), qPrintable(problem()));
    QCOMPARE(field("fixed").geometry(), place);
    type("batch", "2048");
    QVERIFY(problem().isEmpty());
    type("fixed", "speed=9");
    QVERIFY2(problem().contains("\"speed\" is not a choice that can be fixed"), qPrintable(problem()));
  }

  // Each wrong field is named, keeps its text while others are edited, and holds up the comparison.
  void everyWrongFieldIsNamed() {
    choose("llama3-8b");
    auto& next = *find<QPushButton>("modelNext");
    const QRect place = next.geometry();
    type("batch", "none");
    type("sequence", "0");
    QVERIFY2(problem().contains("global batch: \"none\"") && problem().contains("sequence: \"0\""),
             qPrintable(problem()));
    QVERIFY(!next.isEnabled());
    type("fixed", "tp=2");
    QCOMPARE(training().fixed, std::string("tp=2"));
    QCOMPARE(field("batch").text(), QString("none"));
    QCOMPARE(field("sequence").text(), QString("0"));
    type("sequence", "2048");
    QVERIFY2(problem().contains("global batch") && !problem().contains("sequence:"), qPrintable(problem()));
    type("batch", "64");
    QVERIFY(problem().isEmpty() && next.isEnabled());
    QCOMPARE(next.geometry(), place);
  }

  void anotherModelDropsTheChoiceOfTheLast() {
    choose("llama3-8b");
    TrainingChoice chosen = training();
    chosen.chosen = ChosenConfiguration{"megatron", "tp=4", ""};
    chosen.fixed = "tp=4";
    m_session->editTraining("Choose", chosen);
    choose("mixtral-8x22b");
    QVERIFY(!training().chosen && training().fixed.empty());
    QVERIFY2(finding().contains("141 billion parameters"), qPrintable(finding()));
    const QString shape = find<QLabel>("modelDetails")->text();
    QVERIFY2(shape.contains("48 heads of 128 with 8 of keys and values") && shape.contains("8 experts of 16384, 2 "),
             qPrintable(shape));
  }

  void aConfigKeepsItsContent() {
    QTemporaryDir folder;
    QFile file(folder.filePath("config.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
      "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256})");
    file.close();
    m_view->openFile(file.fileName());
    QVERIFY(finding().contains("8.03 billion"));
    QVERIFY(QFile::remove(file.fileName()));
    const auto reopened = workspaceFromJson(workspaceToJson(*m_session->workspace()));
    QVERIFY(reopened.ok());
    m_session->reset(*reopened);
    QVERIFY(finding().contains("8.03 billion"));
    m_view->openFile(folder.filePath("nowhere.json"));
    QVERIFY2(problem().contains("nowhere.json"), qPrintable(problem()));
  }

  /// An own model stays in the list when another one is chosen.
  void anOwnModelStaysInTheList() {
    QTemporaryDir folder;
    QFile file(folder.filePath("ours.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
      "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256})");
    file.close();
    m_view->openFile(file.fileName());
    const std::string config = training().config;
    choose("llama3-70b");
    QVERIFY(training().config != config);
    choose("ours");
    QCOMPARE(training().model, std::string("ours"));
    QCOMPARE(training().config, config);
  }

  // A folder of any name says nothing about the model in it.
  void anOwnModelHasItsOwnName() {
    QTemporaryDir folder;
    const auto write = [&folder](const QString& name) {
      QDir(folder.path()).mkpath(name);
      QFile file(folder.filePath(name + "/config.json"));
      if (!file.open(QIODevice::WriteOnly)) qFatal("no file");
      file.write(R"({"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "hidden_size": 4096,
        "intermediate_size": 12288, "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8,
        "head_dim": 128, "vocab_size": 151936, "tie_word_embeddings": false})");
      return file.fileName();
    };
    auto* name = find<QLineEdit>("modelName");
    QVERIFY(!name->isEnabled());
    m_view->openFile(write("newcomer"));
    QCOMPARE(training().model, std::string("Qwen3"));
    QVERIFY2(finding().startsWith("Qwen3 has 8.19 billion"), qPrintable(finding()));
    m_view->openFile(write("models--Qwen--Qwen3-8B/snapshots/b968826d9c46dd6066d109eabc6255188de91218"));
    QCOMPARE(training().model, std::string("Qwen3-8B"));
    QVERIFY(name->isEnabled());
    QCOMPARE(name->text(), QString("Qwen3-8B"));
    type("fixed", "tp=2");
    const auto rename = [&](const QString& text) {
      name->setFocus();
      name->selectAll();
      text.isEmpty() ? QTest::keyClick(name, Qt::Key_Delete) : QTest::keyClicks(name, text);
      QTest::keyClick(name, Qt::Key_Return);
    };
    rename("ours v2");
    QCOMPARE(training().model, std::string("ours v2"));
    QCOMPARE(training().fixed, std::string("tp=2"));
    QVERIFY(finding().startsWith("ours v2 has 8.19 billion"));
    QVERIFY(find<QComboBox>("modelChoice")->findText("ours v2") >= 0);
    QCOMPARE(find<QComboBox>("modelChoice")->findText("Qwen3-8B"), -1);
    rename("");
    QCOMPARE(training().model, std::string("Qwen3"));
    m_session->undoStack().undo();
    QCOMPARE(name->text(), QString("ours v2"));
    choose("llama3-8b");
    QVERIFY(!name->isEnabled() && name->text().isEmpty());
  }

  void frameworksThatRunOnTheClusterAreOfferedFirst() {
    auto& list = *find<QComboBox>("modelFramework");
    QCOMPARE(list.currentText(), QString("Megatron-Core"));
    const int all = list.findText("All frameworks");
    for (int i = 0; i < list.count(); ++i)
      QCOMPARE(bool(list.model()->flags(list.model()->index(i, 0)) & Qt::ItemIsEnabled), i <= all);
    m_session->edit("Choose a cluster", withSystem(*m_session->workspace(), presetSystem("tpu-v4", 4).value()));
    QCOMPARE(list.currentText(), QString("MaxText"));
    QCOMPARE(list.itemText(0), QString("MaxText"));
    QCOMPARE(list.itemText(1), QString("All frameworks"));
    const int megatron = list.findText("Megatron-Core: not on TPUs");
    QVERIFY(megatron > 1);
    QCOMPARE(list.itemData(megatron, Qt::ToolTipRole).toString(),
             QString("Megatron-Core does not run on TPUs; use maxtext"));
    QVERIFY(!(list.model()->flags(list.model()->index(megatron, 0)) & Qt::ItemIsEnabled));
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_End);
    QCOMPARE(training().framework, std::string("any"));
    QTest::keyClick(&list, Qt::Key_Home);
    QCOMPARE(training().framework, std::string("maxtext"));
  }

  // A chosen framework stays where it does not run: Plan says so.
  void aChosenFrameworkStays() {
    auto& list = *find<QComboBox>("modelFramework");
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Down);
    QCOMPARE(training().framework, std::string("torchtitan"));
    m_session->edit("Choose a cluster", withSystem(*m_session->workspace(), presetSystem("tpu-v4", 4).value()));
    QCOMPARE(list.currentText(), QString("TorchTitan: not on TPUs"));
    m_session->undoStack().undo();
    QCOMPARE(list.currentText(), QString("TorchTitan"));
  }

  // The default of the cluster's devices: 6 GB of 80 GB, a tenth of 32 GB.
  void memoryKeptFreeShowsTheDefaultOfTheCluster() {
    choose("llama3-8b");
    QCOMPARE(field("reserve").placeholderText(), QString("6 GB"));
    m_session->edit("Choose a cluster", withSystem(*m_session->workspace(), presetSystem("tpu-v4", 4).value()));
    QCOMPARE(field("reserve").placeholderText(), QString("3.2 GB"));
    type("reserve", "4");
    QCOMPARE(training().reserve, 4e9);
  }

  void modelsAreListedByFamilyAndSize() {
    std::vector<std::string> names;
    for (const ModelChoice& each : modelChoices()) names.push_back(each.name);
    const auto placeOf = [&](const char* name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
    QVERIFY(placeOf("llama2-13b") < placeOf("llama3-8b"));
    QVERIFY(placeOf("llama3-8b") < placeOf("llama3-70b"));
    QVERIFY(placeOf("llama3-70b") < placeOf("qwen3-30b-a3b"));
    QVERIFY(placeOf("qwen3-30b-a3b") < placeOf("qwen3-235b-a22b"));
    QVERIFY(placeOf("qwen3-235b-a22b") < std::ssize(names));
  }

  void everyOfferedModelCanBePlanned_data() {
    QTest::addColumn<QString>("name");
    for (const ModelChoice& each : modelChoices())
      QTest::newRow(each.name.c_str()) << QString::fromStdString(each.name);
  }
  void everyOfferedModelCanBePlanned() {
    QFETCH(QString, name);
    choose(name);
    QVERIFY2(finding().startsWith(name + " has "), qPrintable(finding()));
    QVERIFY2(problem().isEmpty(), qPrintable(problem()));
  }

 private:
  [[nodiscard]] const TrainingChoice& training() const { return m_session->workspace()->training; }
  QString finding() { return find<QLabel>("modelFinding")->text(); }
  QString problem() {
    const auto* label = find<QLabel>("modelProblem");
    return label->isVisible() ? label->text() : QString();
  }
  QLineEdit& field(const char* key) { return *find<QLineEdit>(qPrintable("modelField_" + QString(key))); }
  void type(const char* key, const QString& text) {
    QLineEdit& edit = field(key);
    edit.setFocus();
    edit.selectAll();
    text.isEmpty() ? QTest::keyClick(&edit, Qt::Key_Delete) : QTest::keyClicks(&edit, text);
    QTest::keyClick(&edit, Qt::Key_Return);
  }
  void choose(const QString& name) {
    auto* box = find<QComboBox>("modelChoice");
    const int index = box->findText(name);
    QVERIFY2(index >= 0, qPrintable(name));
    box->setFocus();
    for (int step = 0; box->currentIndex() != index && step <= box->count(); ++step) {
      QTest::keyClick(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    }
  }
};

QTEST_MAIN(TestModelPerspective)
#include "tst_model_perspective.moc"
