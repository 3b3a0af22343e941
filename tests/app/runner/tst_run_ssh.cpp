// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>

#include "tests/app/runner/runner_desk.h"

using namespace p2;
using namespace p2::test;

namespace {

constexpr int kSoonOverSsh = 20'000;  // milliseconds

/// An ssh server on the loopback with keys and settings of its own, and a client's settings to reach it as "testhost".
class LoopbackSsh {
 public:
  explicit LoopbackSsh(const RunnerDesk& desk) : m_desk(desk) {
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost);
    m_port = probe.serverPort();
    probe.close();
    for (const char* key : {"host", "user", "stranger"}) makeKey(key);
    write("authorized_keys", read("user.pub"));
    write("known_hosts", QString("[127.0.0.1]:%1 %2").arg(m_port).arg(QString(read("host.pub"))).toUtf8());
    write("sshd_config", QString("Port %1\nListenAddress 127.0.0.1\nHostKey %2\nAuthorizedKeysFile %3\nPidFile none\n"
                                 "UsePAM no\nStrictModes no\nPasswordAuthentication no\n"
                                 "KbdInteractiveAuthentication no\n")
                             .arg(m_port)
                             .arg(desk.path("host"), desk.path("authorized_keys"))
                             .toUtf8());
    writeClient("user", "known_hosts", m_port);
  }
  ~LoopbackSsh() { stop(); }

  bool start() {
    m_server.start(program(), {"-D", "-e", "-f", m_desk.path("sshd_config")});
    if (!m_server.waitForStarted()) return false;
    m_server.setReadChannel(QProcess::StandardError);
    QByteArray stated;
    while (!stated.contains("Server listening") && m_server.waitForReadyRead(5000)) stated += m_server.readAll();
    return stated.contains("Server listening");
  }
  void stop() {
    m_server.terminate();
    m_server.waitForFinished();
  }
  [[nodiscard]] static QString program() {
    return QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin", "/sbin"});
  }

  void writeClient(const QString& key, const QString& knownHosts, int port) {
    write("ssh_config", QString("Host testhost\n  HostName 127.0.0.1\n  Port %1\n  IdentityFile %2\n"
                                "  IdentitiesOnly yes\n  UserKnownHostsFile %3\n  GlobalKnownHostsFile /dev/null\n"
                                "  StrictHostKeyChecking yes\n")
                            .arg(port)
                            .arg(m_desk.path(key), m_desk.path(knownHosts))
                            .toUtf8());
  }
  [[nodiscard]] int port() const { return m_port; }
  [[nodiscard]] Target target() const {
    Target target = m_desk.target();
    target.name = target.host = "testhost";
    target.sshArguments = {"-F", m_desk.path("ssh_config").toStdString()};
    return target;
  }
  /// The server's processes for connections: its children and theirs.
  [[nodiscard]] QList<int> connections() const {
    QList<int> found{int(m_server.processId())};
    for (qsizetype i = 0; i < found.size(); ++i) {
      const QString task = QString("/proc/%1/task/%1/children").arg(found[i]);
      QFile file(task);
      if (!file.open(QIODevice::ReadOnly)) continue;
      for (const QByteArray& child : file.readAll().simplified().split(' ')) {
        if (child.isEmpty()) continue;
        QFile name("/proc/" + child + "/comm");
        if (name.open(QIODevice::ReadOnly) && name.readAll().startsWith("sshd")) found += child.toInt();
      }
    }
    found.removeFirst();
    return found;
  }
  void write(const QString& name, const QByteArray& text) const {
    QFile file(m_desk.path(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file.fileName()));
    file.write(text);
  }
  [[nodiscard]] QByteArray read(const QString& name) const {
    QFile file(m_desk.path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

 private:
  void makeKey(const QString& name) const {
    QProcess::execute("ssh-keygen", {"-q", "-t", "ed25519", "-N", "", "-f", m_desk.path(name)});
  }

  const RunnerDesk& m_desk;
  int m_port = 0;
  QProcess m_server;
};

}  // namespace

// Runs over a real ssh and a real sshd on the loopback.
class TestRunSsh : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (LoopbackSsh::program().isEmpty() || QStandardPaths::findExecutable("ssh").isEmpty()) {
      QSKIP("there is no ssh or sshd here; install openssh-client and openssh-server");
    }
    // Where sshd separates privileges it wants this folder, which only a running service makes.
    if (::geteuid() == 0) QDir().mkpath("/run/sshd");
  }
  void init() {
    m_desk = std::make_unique<RunnerDesk>();
    m_ssh = std::make_unique<LoopbackSsh>(*m_desk);
    if (!m_ssh->start()) QSKIP("sshd cannot be started here");
  }
  void cleanup() {
    if (!m_desk) return;
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->processes().isEmpty(), kSoonOverSsh);
    m_ssh.reset();
    m_desk.reset();
  }

  void runs() {
    auto session = valueOf(RunnerSession::open(m_ssh->target()));
    const RunResult result = valueOf(session.run(RunnerDesk::request("node:2 gpu:2")));
    QCOMPARE(result.wrongElements, 0);
    QCOMPARE(result.hosts.size(), 4u);
  }

  void saysWhyNot_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("wrong key") << "key"
                               << "ssh cannot reach testhost: it refuses your keys";
    QTest::newRow("host key changed") << "changed"
                                      << "ssh cannot reach testhost: its host key has changed";
    QTest::newRow("host key unknown") << "unknown"
                                      << "ssh cannot reach testhost: its host key is not known";
    QTest::newRow("command missing") << "command"
                                     << "there is no /nonexistent/p2-runner on testhost";
    QTest::newRow("nothing listens") << "port"
                                     << "ssh cannot reach testhost: nothing answers at its ssh port";
    QTest::newRow("another program") << "program"
                                     << "what answers on testhost is not a runner";
  }
  void saysWhyNot() {
    QFETCH(QString, what);
    QFETCH(QString, sentence);
    Target target = m_ssh->target();
    if (what == "key") m_ssh->writeClient("stranger", "known_hosts", m_ssh->port());
    if (what == "changed") {
      m_ssh->write("known_hosts",
                   QString("[127.0.0.1]:%1 %2").arg(m_ssh->port()).arg(QString(m_ssh->read("stranger.pub"))).toUtf8());
    }
    if (what == "unknown") m_ssh->write("known_hosts", {});
    if (what == "command") target.runner = "/nonexistent/p2-runner";
    if (what == "port") m_ssh->writeClient("user", "known_hosts", 1);
    if (what == "program") target.runner = "yes";
    P2_VERIFY_ERROR(RunnerSession::open(target), sentence);
  }

  void cancels() {
    auto session = valueOf(RunnerSession::open(m_ssh->target()));
    WatchedRun run(session, RunnerDesk::endlessRequest(), "running");
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoonOverSsh);
    QCOMPARE(run.result().error().kind, ErrorKind::Cancelled);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoonOverSsh);
    QCOMPARE(valueOf(session.run(RunnerDesk::request("node:2 gpu:2"))).wrongElements, 0);
  }

  void aCutConnectionEndsBothSides() {
    auto session = valueOf(RunnerSession::open(m_ssh->target()));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoonOverSsh);
    const QList<int> connections = m_ssh->connections();
    QVERIFY(!connections.isEmpty());
    for (const int id : connections) ::kill(id, SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoonOverSsh);
    P2_VERIFY_ERROR(run.result(), "testhost");
    QVERIFY(!session.isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoonOverSsh);
  }

  // A connection over which nothing moves any more, while neither end has closed it.
  void silenceEndsBothSides() {
    auto session = valueOf(RunnerSession::open(m_ssh->target(), {}, {20, 2, 2}));
    WatchedRun run(session, RunnerDesk::endlessRequest());
    QTRY_VERIFY_WITH_TIMEOUT(run.running(), kSoonOverSsh);
    const QList<int> connections = m_ssh->connections();
    for (const int id : connections) ::kill(id, SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(run.over(), kSoonOverSsh);
    P2_VERIFY_ERROR(run.result(), "nothing has come from testhost for 2 s");
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->workers().isEmpty(), kSoonOverSsh);
    for (const int id : connections) ::kill(id, SIGKILL);
  }

 private:
  std::unique_ptr<RunnerDesk> m_desk;
  std::unique_ptr<LoopbackSsh> m_ssh;
};

QTEST_GUILESS_MAIN(TestRunSsh)
#include "tst_run_ssh.moc"
