// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include "support/fixtures.h"
#include "text/text_file.h"

using namespace p2;

namespace {

/// Someone without root's rights, for as long as it lives.
class AsNobody {
 public:
  AsNobody() {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) qFatal("cannot become nobody");
  }
  ~AsNobody() {
    if (::getuid() == 0 && ::seteuid(0) != 0) qFatal("cannot become root again");
  }
};

/// No file may become larger.
class LittleRoom {
 public:
  explicit LittleRoom(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit little{bytes, m_before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &little);
    m_handler = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~LittleRoom() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  rlimit m_before{};
  void (*m_handler)(int);
};

/// Saves in a process of its own that is killed when it enters or leaves its kernel for the `moment`th time. Whether it
/// was killed; nothing where processes cannot be traced.
std::optional<bool> isKilledWhileSaving(const std::string& path, const std::string& text, int moment) {
  const pid_t saving = ::fork();
  if (saving == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(2);
    ::raise(SIGSTOP);
    ::_exit(writeTextFile(path, text).ok() ? 0 : 1);
  }
  int status = 0;
  for (int passed = 0; ::waitpid(saving, &status, 0) == saving && WIFSTOPPED(status); ++passed) {
    if (passed == moment) {
      ::kill(saving, SIGKILL);
    } else if (::ptrace(PTRACE_SYSCALL, saving, nullptr, nullptr) != 0) {
      ::kill(saving, SIGKILL);
      ::waitpid(saving, &status, 0);
      return std::nullopt;
    }
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) return std::nullopt;
  return WIFSIGNALED(status);
}

}  // namespace

// What a file, its folder and its links are like before somebody saves, and what they must be like afterwards.
class TestFileWriting : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    // Nobody has to get in.
    QVERIFY(QFile::setPermissions(m_folder->path(), QFile::Permissions(0x7755)));
  }
  void cleanup() { m_folder.reset(); }

  void aLinkToNothingIsKept() {
    const std::string link = pathOf("link");
    QVERIFY(::symlink("behind", link.c_str()) == 0);
    QVERIFY(writeTextFile(link, "new").ok());
    QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
    QCOMPARE(contentOf("behind"), std::string("new"));
    QVERIFY(::symlink("nowhere/at/all", pathOf("lost").c_str()) == 0);
    QCOMPARE(writeTextFile(pathOf("lost"), "new").error().text(),
             pathOf("lost") + ": there is no such folder; create it first");
    QVERIFY(::symlink("circle", pathOf("circle").c_str()) == 0);
    QVERIFY(!writeTextFile(pathOf("circle"), "new").ok());
  }

  void aNameAsLongAsNamesCanBe() {
    const std::string longest = pathOf(std::string(255, 'n').c_str());
    QVERIFY(writeTextFile(longest, "old").ok());
    QVERIFY(writeTextFile(longest, "new").ok());
    QCOMPARE(readTextFile(longest).value(), std::string("new"));
    const auto longer = writeTextFile(longest + "n", "new");
    QCOMPARE(longer.error().message, std::string("its name is too long; use one of at most 255 bytes"));
  }

  void nothingThatIsThereIsTakenForATemporaryFile() {
    const std::string path = pathOf("plan.json");
    QVERIFY(writeTextFile(pathOf("precious"), "mine").ok());
    const std::string guessed = path + "." + std::to_string(::getpid()) + "~";
    QVERIFY(::symlink(pathOf("precious").c_str(), guessed.c_str()) == 0);
    QVERIFY(writeTextFile(path, "new").ok());
    QCOMPARE(contentOf("precious"), std::string("mine"));
    QVERIFY(QFileInfo(QString::fromStdString(guessed)).isSymLink());
  }

  void aPrivateFileIsPrivateAtEveryMoment() {
    const std::string path = pathOf("private.json");
    QVERIFY(writeTextFile(path, "old").ok());
    QVERIFY(::chmod(path.c_str(), 0600) == 0);
    std::atomic<bool> over = false;
    std::atomic<bool> open = false;
    std::thread watcher([&] {
      while (!over) {
        for (const QFileInfo& file : QDir(m_folder->path()).entryInfoList(QDir::Files | QDir::Hidden)) {
          if (file.permission(QFile::ReadGroup) || file.permission(QFile::ReadOther)) open = true;
        }
      }
    });
    const mode_t mask = ::umask(0);
    const auto written = writeTextFile(path, std::string(std::size_t{32} << 20, 'x'));
    ::umask(mask);
    over = true;
    watcher.join();
    QVERIFY(written.ok());
    QVERIFY(!open);
    QCOMPARE(QFileInfo(QString::fromStdString(path)).permissions() & QFile::Permissions(0x0077), QFile::Permissions());
  }

  void aFileInAFolderThatCannotBeWritten() {
    const std::string path = pathOf("shared.json");
    QVERIFY(writeTextFile(path, "something long").ok());
    QVERIFY(::chmod(path.c_str(), 0666) == 0);
    QVERIFY(::chmod(m_folder->path().toUtf8(), 0555) == 0);
    const auto written = [&] {
      const AsNobody noneChosen;
      return writeTextFile(path, "new");
    }();
    const auto crowded = [&] {
      const AsNobody noneChosen;
      const LittleRoom room(1000);
      return writeTextFile(path, std::string(100'000, 'x'));
    }();
    QVERIFY(::chmod(m_folder->path().toUtf8(), 0755) == 0);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
    QVERIFY(!crowded.ok());
    QCOMPARE(contentOf("shared.json"), std::string("new"));
  }

  void anothersFileStaysAnothers() {
    if (::geteuid() != 0) QSKIP("only root can give a file away");
    const std::string path = pathOf("theirs.json");
    QVERIFY(writeTextFile(path, "old").ok());
    QVERIFY(::chown(path.c_str(), 65534, 65534) == 0);
    QVERIFY(writeTextFile(path, "new").ok());
    struct stat found {};
    QVERIFY(::stat(path.c_str(), &found) == 0);
    QCOMPARE(found.st_uid, 65534u);
    QCOMPARE(found.st_gid, 65534u);
    QCOMPARE(contentOf("theirs.json"), std::string("new"));
  }

  void aFullDiskCostsNothing() {
    const std::string path = pathOf("plan.json");
    QVERIFY(writeTextFile(path, "old").ok());
    const auto written = [&] {
      const LittleRoom room(1000);
      return writeTextFile(path, std::string(100'000, 'x'));
    }();
    QVERIFY(!written.ok());
    QCOMPARE(contentOf("plan.json"), std::string("old"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList("plan.json"));
  }

  // Killed in the middle: by the signal that comes with a file that may not grow.
  void aKilledProgramLeavesNothing() {
    const std::string path = pathOf("plan.json");
    QVERIFY(writeTextFile(path, "old").ok());
    const pid_t child = ::fork();
    if (child == 0) {
      const LittleRoom room(1000);
      std::signal(SIGXFSZ, SIG_DFL);
      (void)writeTextFile(path, std::string(100'000, 'x'));
      ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGXFSZ);
    QCOMPARE(contentOf("plan.json"), std::string("old"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList("plan.json"));
  }

  // A process can only be killed between two of its system calls or within one, and the file changes by one of them.
  void aSaveKilledAtAnyMomentLosesNothing() {
    const std::string old(300'000, 'o');
    const std::string next(2'000'000, 'n');
    const std::string path = pathOf("document");
    int moment = 1;
    bool isNew = false;
    for (;; ++moment) {
      QVERIFY(writeTextFile(path, old).ok());
      const auto killed = isKilledWhileSaving(path, next, moment);
      if (!killed) QSKIP("processes cannot be traced here");
      const std::string found = contentOf("document");
      QVERIFY2(found == old || found == next, qPrintable(QString::number(moment)));
      // Once the new document is there, it stays, however much later the process is killed.
      QVERIFY2(!isNew || found == next, qPrintable(QString::number(moment)));
      isNew = found == next;
      // For a moment the new file has a name of its own; nothing else is ever left.
      const QStringList left = QDir(m_folder->path()).entryList({".p2-*~"}, QDir::Files | QDir::Hidden);
      QVERIFY(left.size() <= 1);
      for (const QString& name : left) {
        QCOMPARE(contentOf(qPrintable(name)), next);
        QVERIFY(QFile::remove(m_folder->filePath(name)));
      }
      if (!*killed) break;
    }
    QVERIFY(isNew);
    QVERIFY2(moment > 10, qPrintable(QString::number(moment)));
  }

  void aPipeIsWrittenToWhoReads() {
    const std::string pipe = pathOf("pipe");
    QVERIFY(::mkfifo(pipe.c_str(), 0600) == 0);
    std::string read;
    std::thread reader([&] {
      std::ifstream file(pipe);
      std::getline(file, read);
    });
    const auto written = writeTextFile(pipe, "through\n");
    reader.join();
    QVERIFY(written.ok());
    QCOMPARE(read, std::string("through"));
    struct stat found {};
    QVERIFY(::stat(pipe.c_str(), &found) == 0 && S_ISFIFO(found.st_mode));
  }

  void aPipeThatNobodyReadsIsNotWaitedFor() {
    const std::string pipe = pathOf("pipe");
    QVERIFY(::mkfifo(pipe.c_str(), 0600) == 0);
    QCOMPARE(writeTextFile(pipe, "lost").error().text(), pipe + ": this pipe has no reader; start it first");
  }

 private:
  [[nodiscard]] std::string pathOf(const char* name) const { return m_folder->filePath(name).toStdString(); }
  [[nodiscard]] std::string contentOf(const char* name) const { return test::valueOf(readTextFile(pathOf(name))); }

  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(TestFileWriting)
#include "tst_file_writing.moc"
