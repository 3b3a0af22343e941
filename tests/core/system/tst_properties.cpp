// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "support/fixtures.h"
#include "system/properties.h"

using namespace p2;

namespace {

/// A value that is none of the property's defaults.
PropertyValue anotherValue(const PropertyInfo& info) {
  switch (info.kind) {
    case PropertyKind::Text:
      return std::string("another");
    case PropertyKind::Choice:
      return std::string(info.choices[1]);
    case PropertyKind::Flag:
      return true;
    case PropertyKind::Count:
    case PropertyKind::Whole:
    case PropertyKind::Colour:
      return std::int64_t{3};
    case PropertyKind::Bandwidth:
      return 12.5e9;
    case PropertyKind::Number:
      return 0.5;
    case PropertyKind::Seconds:
      return 0.1e-6;
    case PropertyKind::Amount:
      return 80e9;
    case PropertyKind::Speed:
      return 989e12;
    case PropertyKind::Members:
      break;
  }
  return std::vector<Member>{{"gpu", 1, 2}};
}

template <class Part>
void checkTable(std::span<const Property<Part>> properties) {
  std::set<std::string_view> keys;
  for (const Property<Part>& property : properties) {
    const PropertyInfo& info = property.info;
    const std::string key(info.key);
    QVERIFY2(keys.insert(info.key).second, key.c_str());
    QVERIFY2(!info.label.empty() && !info.tip.empty(), key.c_str());
    QVERIFY2(!info.need.empty(), std::string(info.key).c_str());
    const bool on = info.kind == PropertyKind::Flag && property.get(Part{}) == PropertyValue(true);
    QVERIFY2(info.whenOff.empty() != on, key.c_str());
    QCOMPARE(propertyOf(properties, info.key), &property);
    Part part{};
    PropertyValue value = anotherValue(info);
    if (value == property.get(part)) value = false;
    property.set(part, value);
    QVERIFY2(property.get(part) == value, key.c_str());
    for (const Property<Part>& other : properties) {
      if (&other != &property) QVERIFY2(other.get(part) == other.get(Part{}), key.c_str());
    }
    if (info.kind == PropertyKind::Members) continue;
    const std::string text = propertyText(info, value);
    QVERIFY2(test::valueOf(propertyFromText(info, text)) == value, text.c_str());
    if (info.none)
      QVERIFY(test::valueOf(propertyFromText(info, propertyText(info, *info.none))) == PropertyValue(*info.none));
  }
}

}  // namespace

class TestProperties : public QObject {
  Q_OBJECT
 private slots:
  void everyRowIsCompleteAndItsOwn() {
    checkTable(interconnectProperties());
    checkTable(levelProperties());
    checkTable(networkProperties());
    checkTable(libraryProperties());
    checkTable(acceleratorProperties());
  }

  // Whatever the tables hold, files keep.
  void filesKeepEveryProperty() {
    System system = test::valueOf(parseSystem("node:2 gpu:4"));
    system.networks = {test::networkOf(InterconnectKind::Bus, 8e9, "NIC", "", 1, "gpu")};
    for (Interconnect* link : {&system.levels[1].interconnect, &system.networks[0].interconnect}) {
      for (const Property<Interconnect>& property : interconnectProperties()) {
        PropertyValue value = anotherValue(property.info);
        if (value == property.get(*link)) value = false;
        property.set(*link, value);
      }
    }
    system.networks[0].interconnect.name = "NIC";
    system.networks[0].within = "node";
    system.networks[0].assignment = Network::Assignment::InTurn;
    system.networks[0].instances = 2;
    system.networks[0].gateway = true;
    for (const Property<Library>& property : libraryProperties()) {
      const bool isVersion = property.info.key == "version";
      property.set(system.library, isVersion ? PropertyValue(std::string("2.18.3")) : anotherValue(property.info));
    }
    for (const Property<Accelerator>& property : acceleratorProperties()) {
      property.set(system.accelerator, anotherValue(property.info));
    }
    system.node = "node";
    QCOMPARE(test::valueOf(systemFromJson(systemToJson(system))), system);
  }

  void linesSayWhatMatters_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("again");
    const auto row = [](const char* text, const char* again) {
      QTest::newRow(text) << QString(text) << QString(again);
    };
    row("270GB/s", "270GB/s");
    row("ring,2us,270GB/s", "270GB/s,2µs,ring");
    row("100Gbit/s,halfDuplex=yes", "12.5GB/s,halfDuplex=yes");
    row("8e9,mesh,forwards=no", "8GB/s,mesh,forwards=no");
    row("8GB/s,core=1TB/s,latency=1us", "8GB/s,1µs,core=1TB/s");
    row("8GB/s,core=0", "8GB/s");
    row("8GB/s,kind=bus", "8GB/s,bus");
    row("450GB/s,reduces=yes", "450GB/s,reduces=yes");
  }
  void linesSayWhatMatters() {
    QFETCH(QString, text);
    QFETCH(QString, again);
    const System system = test::valueOf(parseSystem("gpu:4@" + text.toStdString()));
    QCOMPARE(QString::fromStdString(attributesOf(system.levels[0].interconnect)), again);
    const System read = test::valueOf(parseSystem("gpu:4@" + again.toStdString()));
    QCOMPARE(read.levels, system.levels);
  }

  void librariesAreChecked_data() {
    QTest::addColumn<QString>("generation");
    QTest::addColumn<QString>("version");
    QTest::addColumn<double>("launch");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing known") << ""
                                   << "" << 0.0 << "";
    QTest::newRow("all known") << "hopper"
                               << "2.18.3" << 18e-6 << "";
    QTest::newRow("no generation") << "pascal"
                                   << "" << 0.0
                                   << "/generation \"pascal\" is not a generation of GPUs; use volta, turing, ampere, "
                                      "ada, hopper, blackwell, cdna2, cdna3 or cdna4";
    QTest::newRow("no version")
        << ""
        << "2.x" << 0.0 << "/version \"2.x\" is not a version; write numbers with dots between them, as in 2.18";
    QTest::newRow("no dot") << ""
                            << "2" << 0.0 << "/version \"2\" is not a version; write numbers with dots between them";
    QTest::newRow("two dots") << ""
                              << "2..18" << 0.0 << "/version";
    QTest::newRow("dot at the end") << ""
                                    << "2." << 0.0 << "/version";
    QTest::newRow("early") << ""
                           << "" << -1e-6 << "/launch the launch is -1e-06 s; use 0 s to 1e6 s";
  }
  void librariesAreChecked() {
    QFETCH(QString, generation);
    QFETCH(QString, version);
    QFETCH(double, launch);
    QFETCH(QString, says);
    const auto checked = checkProperties(Library{generation.toStdString(), version.toStdString(), launch});
    const QString stated =
        checked.ok() ? QString() : QString::fromStdString(checked.error().where.part + " " + checked.error().message);
    QVERIFY2(says.isEmpty() ? stated.isEmpty() : stated.startsWith(says), qPrintable(stated));
  }

  void badAttributesGetOneSentence_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* text, const char* says) { QTest::newRow(text) << QString(text) << QString(says); };
    row("fast", "\"fast\" is not a bandwidth, latency or kind of interconnect");
    row("speed=8GB/s", "\"speed=8GB/s\" is not a bandwidth, latency or kind of interconnect");
    row("halfDuplex=maybe", "\"maybe\" is neither yes nor no");
    row("reduces=1", "\"1\" is neither yes nor no");
    row("core=0.5B/s", "\"0.5B/s\" is out of range; use 1 B/s to 1e18 B/s, or 0 for none");
    row("core=50", "\"50\" has no unit; write 50GB/s");
    row("latency=-1us", "\"-1us\" is not a time");
    row("kind=star", "use switch, ring, mesh, bus or none");
    row("2", "\"2\" has no unit; write, for example, 2GB/s for a bandwidth or 2us for a latency");
    row("2us,3us", "\"3us\" gives the latency a second time");
    row("100GB/s", "\"100GB/s\" gives the bandwidth a second time");
    row("name=x", "is not a bandwidth");
    row("", "\"\" is not a bandwidth");
    row(",2us", "\"\" is not a bandwidth");
  }
  void badAttributesGetOneSentence() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto system = parseSystem("gpu:4@8GB/s," + text.toStdString());
    QVERIFY(!system.ok());
    const QString sentence = QString::fromStdString(system.error().text());
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
  }
};

QTEST_APPLESS_MAIN(TestProperties)
#include "tst_properties.moc"
