// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "import_fixtures.h"

using namespace p2;
using namespace p2::test;

namespace {

const std::string kAicbHeader =
    "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,busbw,count\n";

/// Rows of an AICB file, all alike.
std::string aicbRows(int times, const std::string& type, const std::string& group, int size, std::int64_t bytes,
                     const std::string& stage) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    text += "CommType." + type + ",CommGroup." + group + "," + std::to_string(size) + "," + std::to_string(bytes) +
            "," + stage + ",None,None,,None,None,None,1\n";
  }
  return text;
}

const std::string kEpochEnd = "CommType.epoch_end,None,None,0,,None,None,,None,None,None,1\n";

/// 13B, tensor 8, data 16, as AICB's G13B-M1-C01 and -C02 have it.
std::string aicb13B(bool sequence) {
  constexpr std::int64_t kA = 20'971'520;
  std::string text = "[rank0 ~ rank127]\n" + kAicbHeader +
                     aicbRows(4, "all_reduce", "dp_group", 16, 8, "init.model_setup") + kEpochEnd;
  if (sequence) {
    text += aicbRows(80, "all_gather", "tp_group", 8, kA, "forward.MegatronColumnLinear");
    text += aicbRows(80, "reduce_scatter", "tp_group", 8, kA, "forward.MegatronRowLinear");
    text += aicbRows(80, "all_gather", "tp_group", 8, kA, "backward.MegatronColumnLinear");
    text += aicbRows(80, "reduce_scatter", "tp_group", 8, kA, "backward.MegatronColumnLinear");
    text += aicbRows(80, "all_gather", "tp_group", 8, kA, "backward.MegatronRowLinear");
  } else {
    text += aicbRows(80, "all_reduce", "tp_group", 8, kA, "forward.MegatronRowLinear");
    text += aicbRows(80, "all_reduce", "tp_group", 8, kA, "backward.MegatronColumnLinear");
  }
  text += aicbRows(3, "all_reduce", "tp_group", 8, 8192, "forward_step._VocabParallelCrossEntropy");
  text += aicbRows(1, "all_reduce", "tp_group", 8, kA, "backward.MegatronEmbedding");
  text += aicbRows(1, "reduce_scatter", "dp_group", 16, 6'422'958'080, "step");
  text += aicbRows(1, "all_gather", "dp_group", 16, 3'211'479'040, "step");
  return text + kEpochEnd;
}

std::string simAiRow(const std::string& name, const std::string& forward, const std::string& input,
                     const std::string& weight) {
  return name + "\t-1\t1\t" + forward + "\t1\t" + input + "\t1\t" + weight + "\t100\n";
}

}  // namespace

/// AICB, SimAI and Calculon.
class TestWorkloadLists : public QObject {
  Q_OBJECT
 private slots:
  void aicb13BIsTensorParallel() {
    const auto source = sourceOf(importOf(aicb13B(false)));
    const Workload& workload = source.workload;
    QCOMPARE(axesText(workload), QString("data=16 tensor=8"));
    QCOMPARE(countOf(workload, "forward.MegatronRowLinear", CommunicationKind::AllReduce, 20'971'520), 80);
    QCOMPARE(countOf(workload, "backward.MegatronColumnLinear", CommunicationKind::AllReduce, 20'971'520), 80);
    QCOMPARE(countOf(workload, "forward_step._VocabParallelCrossEntropy", CommunicationKind::AllReduce, 8192), 3);
    QCOMPARE(countOf(workload, "step", CommunicationKind::ReduceScatter, 6'422'958'080), 1);
    QCOMPARE(countOf(workload, "step", CommunicationKind::AllGather, 3'211'479'040), 1);
    QVERIFY(mentions(source.ignored, "4 rows of the set-up"));
    QVERIFY(mentions(source.assumed, "the gradient of the LM head"));
  }

  void aicb13BWithSequenceParallelism() {
    const Workload workload = sourceOf(importOf(aicb13B(true))).workload;
    std::int64_t gathers[2] = {};
    std::int64_t scatters[2] = {};
    for (const WorkloadEntry& entry : workload.collectives) {
      if (entry.bytes != 20'971'520) continue;
      const int pass = entry.name.rfind("backward", 0) == 0 ? 1 : 0;
      if (entry.kind == CommunicationKind::AllGather) gathers[pass] += entry.count;
      if (entry.kind == CommunicationKind::ReduceScatter) scatters[pass] += entry.count;
    }
    QCOMPARE(gathers[0], 80);
    QCOMPARE(scatters[0], 80);
    QCOMPARE(gathers[1], 160);
    QCOMPARE(scatters[1], 80);
  }

  void aicb7BZero3() {
    std::string text = "[rank0 ~ rank127]\n" + kAicbHeader;
    for (const std::string pass : {"init._allgather_params", "forward.allgather_fn", "backward.allgather_fn"}) {
      text += aicbRows(128, "all_gather", "dp_group", 128, 33'554'432, pass);
      text += aicbRows(96, "all_gather", "dp_group", 128, 90'177'536, pass);
      text += aicbRows(65, "all_gather", "dp_group", 128, 8192, pass);
      text += aicbRows(2, "all_gather", "dp_group", 128, 262'144'000, pass);
    }
    const Workload workload = sourceOf(importOf(text + kEpochEnd)).workload;
    QCOMPARE(axesText(workload), QString("data=128"));
    QCOMPARE(listed(workload), QString("128 AllGather 33554432 data\n96 AllGather 90177536 data\n65 AllGather 8192 "
                                       "data\n2 AllGather 262144000 data\n"
                                       "128 AllGather 33554432 data\n96 AllGather 90177536 data\n65 AllGather 8192 "
                                       "data\n2 AllGather 262144000 data"));
  }

  // Whose ranks are given from outside.
  void microTests() {
    const auto read = [](const std::string& text, const std::string& devices) {
      const WorkloadReading reading{
          devices.empty() ? std::vector<PlanChange>{} : std::vector<PlanChange>{{"devices", devices}}, {}};
      return workloadFromText(text, "micro", reading);
    };
    const std::string head = "comm_type,comm_group,msg_size,stage,dst,src,additional,_elapsed_time,algbw,busbw,count\n";
    const auto aicbRow = [](const char* stage, const char* bytes) {
      return std::string("CommType.all_gather,CommGroup.dp_group,") + bytes + "," + stage +
             ",None,None,,None,None,None,1\n";
    };
    const std::string aicb = head + aicbRow("warmup", "4096") +
                             "CommType.epoch_end,None,0,,None,None,,None,None,None,1\n" + aicbRow("test_step", "4096") +
                             aicbRow("test_step", "8192") + aicbRow("test_step", "8192") +
                             "CommType.epoch_end,None,0,,None,None,,None,None,None,1\n";
    const auto sixteen = sourceOf(read(aicb, "16"));
    QCOMPARE(axesText(sixteen.workload), QString("data=16"));
    QCOMPARE(listed(sixteen.workload), QString("1 AllGather 4096 data\n2 AllGather 8192 data"));
    QVERIFY(mentions(sixteen.ignored, "1 row of the warm-up"));
    const std::string simAi =
        "MICRO\n2\nmicro_test\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLTOALL\t4096\t1\n"
        "micro_test\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLTOALL\t8192\t1\n";
    const auto eight = sourceOf(read(simAi, "8"));
    QCOMPARE(axesText(eight.workload), QString("data=8"));
    QCOMPARE(listed(eight.workload), QString("1 AllToAll 4096 data compute\n1 AllToAll 8192 data compute"));
    for (const std::string& text : {aicb, simAi}) {
      const auto silent = read(text, "");
      QVERIFY(!silent.ok());
      QVERIFY2(silent.error().text().find("give their number, as in --devices 8") != std::string::npos,
               silent.error().text().c_str());
      QVERIFY(!read(text, "none").ok());
    }
    // What has the number refuses another.
    QVERIFY(!read(aicb13B(false), "16").ok());
  }

  void stepsAreCountedOnce() {
    std::string text = "[rank0 ~ rank1]\n" + kAicbHeader;
    for (int step = 0; step < 10; ++step) text += aicbRows(7, "all_reduce", "dp_group", 2, 100, "backward") + kEpochEnd;
    QCOMPARE(listed(sourceOf(importOf(text)).workload), QString("7 AllReduce 100 data"));
    text += aicbRows(1, "all_reduce", "dp_group", 2, 8, "odd");
    const auto uneven = sourceOf(importOf(text));
    QCOMPARE(listed(uneven.workload), QString("7 AllReduce 100 data\n1 AllReduce 8 data"));
    QVERIFY(mentions(uneven.assumed, "differ from step to step"));
  }

  // As a spreadsheet saves it.
  void byteOrderMarksAreNoText() {
    const std::string text = fixtureText("aicb_stages.csv");
    QVERIFY(sourceOf(importOf("\xEF\xBB\xBF" + text)).workload == sourceOf(importOf(text)).workload);
    std::string wide = "\xFF\xFE";
    for (const char c : text) wide += {c, '\0'};
    QVERIFY(sourceOf(importOf(wide)).workload == sourceOf(importOf(text)).workload);
  }

  void aicbStagesThatAllHaveTheEmbeddingAreSaid() {
    const auto source = sourceOf(importOf(fixtureText("aicb_stages.csv")));
    QCOMPARE(axesText(source.workload), QString("pipeline=2 data=2 tensor=2"));
    QVERIFY(mentions(source.assumed, "stage 0 of 2, which moves the most, stands for all of them"));
    QVERIFY(mentions(source.assumed, "2 pipeline stages have the embedding"));
    QCOMPARE(countOf(source.workload, "forward_step", CommunicationKind::Shift, 4096), 1);
  }

  void wrongAicbIsRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("sentence");
    const std::string head = "[rank0 ~ rank127]\n" + kAicbHeader;
    const auto row = [&](const char* name, const std::string& text, const char* sentence) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(sentence);
    };
    row("degrees",
        head + aicbRows(1, "all_reduce", "tp_group", 8, 4, "x") + aicbRows(1, "all_reduce", "dp_group", 8, 4, "x"),
        "tensor 8 × data 8 × pipeline 1 = 64 is not the 128 devices; data 16 would be");
    row("no divisor", head + aicbRows(1, "all_reduce", "tp_group", 3, 4, "x"),
        "tensor 3 × pipeline 1 does not divide the 128");
    row("size", head + "CommType.all_reduce,CommGroup.ep_group,None,4,x,,,,,,,1\n",
        "line 3: no row says the size of ep_group");
    row("bytes", head + "CommType.all_reduce,CommGroup.tp_group,8,4.5,x,,,,,,,1\n",
        "line 3: \"4.5\" is not a msg_size");
    row("cells", head + "CommType.all_reduce,CommGroup.tp_group,8\n", "line 3: 3 cells where the header has 12");
    row("columns", "comm_type,msg_size\n", "line 1: the header lacks a column");
    row("nothing", head, "no collective of a training step");
  }
  void wrongAicbIsRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, sentence);
    const auto result = importOf(text.toStdString());
    QVERIFY(!result.ok());
    QVERIFY2(mentions(result.error(), sentence.toStdString()), result.error().text().c_str());
  }

  void simAiSumsItsRows() {
    std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 16 pp: 12 vpp: 8 ga: 24 all_gpus: 9216 "
        "checkpoints: 0 checkpoint_initiates: 0 pp_comm 50331648\n577\n";
    text += simAiRow("moe_grad_norm1", "NONE\t0", "NONE\t0", "ALLGATHER_DP_EP\t19327352832");
    for (int i = 0; i < 192; ++i)
      text += simAiRow("attention_column", "ALLGATHER\t50331648", "REDUCESCATTER\t0", "NONE\t0");
    for (int i = 0; i < 384; ++i)
      text += simAiRow("mlp_moelayer", "ALLTOALL_EP\t100663296", "ALLTOALL_EP\t100663296", "NONE\t0");
    const auto source = sourceOf(importOf(text));
    QCOMPARE(axesText(source.workload), QString("pipeline=12 expert-data=24 expert=16 tensor=2"));
    QCOMPARE(listed(source.workload), QString("1 AllGather 19327352832 expert-data compute\n192 AllGather 50331648 "
                                              "tensor\n384 AllToAll 100663296 expert\n"
                                              "384 AllToAll 100663296 expert\n384 Shift 50331648 pipeline"));
    QVERIFY(mentions(source.ignored, "192 collectives of no bytes"));
  }

  void simAiDataAxisIsMadeOfExperts() {
    const Workload workload = sourceOf(importOf(fixtureText("simai_moe.txt"))).workload;
    QCOMPARE(axesText(workload), QString("pipeline=2 expert-data=2 expert=4 tensor=2"));
    QCOMPARE(listed(workload).section('\n', 0, 0), QString("1 AllGather 1048576 expert-data expert compute"));
    QVERIFY(workload.computeSeconds.has_value());
    QVERIFY(qAbs(*workload.computeSeconds - 7.012e-6) < 1e-12);
  }

  void wrongSimAiIsRefused_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("sentence");
    const auto row = [](const char* name, const char* from, const char* to, const char* sentence) {
      QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(sentence);
    };
    row("devices", "all_gpus: 32 ", "", "line 1: the header does not say how many devices there are");
    row("product", "all_gpus: 32", "all_gpus: 30", "tensor 2 × pipeline 2 does not divide the 30 devices");
    row("experts", "ep: 4", "ep: 3", "expert parallelism 3 does not divide the 8 data ranks");
    row("kind", "ALLTOALL_EP", "SHUFFLE_EP", "line 7: \"SHUFFLE_EP\" is not a collective");
    row("bytes", "16384", "-1", "line 5: \"-1\" is not a size");
    row("words", "\t100\n", "\n", "line 3: 11 words");
    row("policy", "HYBRID_TRANSFORMER_FWD_IN_BCKWD", "MICRO", "a list of the kind MICRO");
    row("layers", "\n6\n", "\n60\n", "it ends after 6 layers of 60");
  }
  void wrongSimAiIsRefused() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, sentence);
    QByteArray text = QByteArray::fromStdString(fixtureText("simai_moe.txt"));
    QVERIFY(text.contains(from));
    text.replace(text.indexOf(from), from.size(), to);
    const auto result = importOf(text.toStdString());
    QVERIFY(!result.ok());
    QVERIFY2(mentions(result.error(), sentence.toStdString()), result.error().text().c_str());
  }

  void calculonAgreesWithItself() {
    // Per block and microbatch Calculon itself says 805,306,368 B forward, backward and again, 50,331,648 B between
    // stages, and 906,067,968 B of weights.
    const auto source = sourceOf(importOf(fixtureText("calculon_execution.json"), fixtureText("calculon_model.json")));
    QCOMPARE(axesText(source.workload), QString("pipeline=64 data=12 tensor=4"));
    QCOMPARE(
        listed(source.workload),
        QString(
            "256 AllGather 201326592 tensor\n256 ReduceScatter 201326592 tensor\n256 AllGather 201326592 tensor\n"
            "256 ReduceScatter 201326592 tensor\n256 AllGather 201326592 tensor\n256 ReduceScatter 201326592 tensor\n"
            "64 Shift 50331648 pipeline\n64 Shift 50331648 pipeline\n2 ReduceScatter 906067968 data\n2 AllGather "
            "906067968 data"));
    QCOMPARE(std::int64_t(4) * 201'326'592, std::int64_t(805'306'368));
  }

  void wrongCalculonIsRefused() {
    const std::string model = fixtureText("calculon_model.json");
    const std::string execution = fixtureText("calculon_execution.json");
    QVERIFY(mentions(importOf(model).error(), "Calculon needs two files"));
    QVERIFY(mentions(importOf(model, model).error(), "Calculon needs two files"));
    const auto changed = [&](const QString& from, const QString& to) {
      return importOf(model, QString::fromStdString(execution).replace(from, to).toStdString()).error();
    };
    QVERIFY(mentions(changed("\"data_par\": 12", "\"data_par\": 6"), "data 12 would be"));
    QVERIFY(mentions(changed("\"batch_size\": 3072", "\"batch_size\": 3000"), "whole microbatches"));
    QVERIFY(mentions(changed("rs_ag", "ring"), "ar, p2p_rs_ag and rs_ag are known"));
    QVERIFY(mentions(changed("float16", "int3"), "is not a datatype"));
    QVERIFY(mentions(changed("\"tensor_par\": 4", "\"tensor_par\": 0"), "/tensor_par"));
  }
};

QTEST_APPLESS_MAIN(TestWorkloadLists)
#include "tst_workload_lists.moc"
