// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/warnings.h"
#include "training_files/detail/setting.h"

using namespace p2;

class TestShellSettings : public QObject {
  Q_OBJECT
 private slots:
  void init() { test::failOnWarnings(); }

  void optionsOfAScript_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain") << "--a 1\n--b\n--c=x"
                           << "a=1 b=true c=x";
    QTest::newRow("continued") << "train \\\n  --a 1 \\\n  --b 2"
                               << "a=1 b=2";
    QTest::newRow("variable") << "N=4\ntrain --a $N --b ${N}x"
                              << "a=4 b=4x";
    QTest::newRow("default") << "A=${1:-7}\ntrain --a $A --b ${MISSING:-${A}}"
                             << "a=7 b=7";
    QTest::newRow("arithmetic") << "A=4\ntrain --a $((A * (2 + 1))) --b $(( $A / 3 ))"
                                << "a=12 b=1";
    QTest::newRow("array") << "X=(\n --a 1 # one\n --b \"two words\"\n)\ntrain ${X[@]}"
                           << "a=1 b=two";
    QTest::newRow("appended") << "X=\"--a 1\"\nX+=\" --b 2\"\nY=()\nY+=(--c 3)\ntrain $X \"${Y[@]}\""
                              << "a=1 b=2 c=3";
    QTest::newRow("if") << "A=2\nif [ $A -eq 2 ]; then B=yes; else B=no; fi\ntrain --b $B"
                        << "b=yes";
    QTest::newRow("elif") << "A=x\nif [[ $A == y ]]\nthen\n B=1\nelif [[ $A != y && -n $A ]]; then\n B=2\nelse\n "
                             "B=3\nfi\ntrain --b $B"
                          << "b=2";
    QTest::newRow("case")
        << "M=7b\ncase $M in\n 13b) T=2 ;;\n 7b|8b)\n  T=1\n  P=4;;\n *) T=9 ;;\nesac\ntrain --t $T --p $P"
        << "t=1 p=4";
    QTest::newRow("conjunction") << "[ -z \"$X\" ] && A=1\n[ 1 = 2 ] && A=3\ntrain --a $A"
                                 << "a=1";
    QTest::newRow("quotes") << "train --a 'x y' --b \"$((1+1))\" --c '$A'"
                            << "a=x y b=2 c=$A";
    QTest::newRow("numbers") << "train --sizes 2 4 --lr 1e-4 --flag"
                             << "sizes=2,4 lr=1e-4 flag=true";
    QTest::newRow("override") << "python x.py base.yml a.b=3 ++c=4"
                              << "a.b=3 c=4";
    QTest::newRow("request") << "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --ntasks-per-node 8"
                             << "nodes=4 ntasks_per_node=8";
    QTest::newRow("document") << "N=3\ncat <<EOF > f\n{\"a\": {\"b\": $N}}\nEOF\ntrain --x 1"
                              << "x=1 a.b=3";
    QTest::newRow("submitted") << "A=5\nsbatch <<EOF\nsrun train --a $A\nEOF"
                               << "a=5";
    QTest::newRow("redirected") << "train --a 1 2>&1 | tee log --b 2"
                                << "a=1";
    QTest::newRow("evaluated") << "C=\"train --a 1 --b &>> log\"\neval $C"
                               << "a=1 b=true";
    QTest::newRow("only defined") << "export ARGS=\"--a 1 --b 2\""
                                  << "a=1 b=2";
    QTest::newRow("function") << "run() {\n train --a 1\n}\nrun"
                              << "a=1";
    QTest::newRow("unfinished") << "X=(--a 1\ntrain ${X[@"
                                << "a=1";
  }
  void optionsOfAScript() {
    QFETCH(QString, script);
    QFETCH(QString, expected);
    const auto settings = shellSettings(script.toStdString());
    QVERIFY(settings.ok());
    QString found;
    for (const Setting& each : settings->all) {
      found += (found.isEmpty() ? "" : " ") + QString::fromStdString(each.key + "=" + each.value);
    }
    QCOMPARE(found, expected);
  }

  void valuesOfTheEnvironmentAreOpen() {
    const auto settings = shellSettings("train --a $A --b ${B:-2} --c $(hostname)");
    QVERIFY(settings.ok());
    QCOMPARE(settings->all.size(), std::size_t{1});
    QCOMPARE(settings->open.size(), std::size_t{2});
    QCOMPARE(settings->open[0].reason, std::string("--a depends on A, which the script does not set"));
  }

  void scriptsThatGrowAreBounded() {
    std::string script = "A=x\n";
    for (int i = 0; i < 200; ++i) script += "A=$A$A\nB+=(${B[@]} $A)\n";
    QVERIFY(shellSettings(script + "train --a $A").ok());
    std::string nested;
    for (int i = 0; i < 100000; ++i) nested += "${A:-";
    QVERIFY(shellSettings("train --a " + nested).ok());
    QVERIFY(shellSettings("train --a $((" + std::string(100000, '(')).ok());
  }

  void pythonIsScanned_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("attribute") << "cfg.model.a = 4  # four\ncfg.b = None\n"
                               << "cfg.model.a=4 cfg.b=None";
    QTest::newRow("keyword") << "x = Call(a=2 * 8, b=\"t\", c=[1, 2], d=f(1))\n"
                             << "x.a=2 * 8 x.b=t x.c=1,2";
    QTest::newRow("call in a call") << "x = Call(y=Part.Config(a=2), z=f([3], b=4), c=5)\n"
                                    << "x.y=Part.Config x.y.a=2 x.z.b=4 x.c=5";
    QTest::newRow("object by name") << "o = Part(a=2)\nx = Call(y=o, z=\"o\")\n"
                                    << "o.a=2 x.y=o x.y.a=2 x.z=o";
    QTest::newRow("constant") << "N: int = 16\ncfg.n = N\n"
                              << "N=16 cfg.n=16";
    QTest::newRow("dictionary") << "d = {\"a.b\": 3, 'c': True}\n"
                                << "a.b=3 c=True";
    QTest::newRow("comparison") << "if a == 3 and b >= 4:\n  pass\n"
                                << "";
    QTest::newRow("text") << "\"\"\"a = 3\"\"\"\n# b = 4\n"
                          << "";
  }
  void pythonIsScanned() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto settings = pythonSettings(text.toStdString());
    QVERIFY(settings.ok());
    QString found;
    for (const Setting& each : settings->all) {
      found += (found.isEmpty() ? "" : " ") + QString::fromStdString(each.key + "=" + each.value);
    }
    QCOMPARE(found, expected);
  }
};

QTEST_APPLESS_MAIN(TestShellSettings)
#include "tst_shell_settings.moc"
