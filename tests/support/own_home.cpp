// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into every program of tests: while it runs it has a home of its own, and so have the programs that it starts.
// What is remembered there is neither the user's nor another test's, also where two suites run at once.
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace p2::test {
namespace {

namespace fs = std::filesystem;

class OwnHome {
 public:
  OwnHome() {
    std::string name = (fs::temp_directory_path() / "p2-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      std::perror(name.c_str());
      std::abort();
    }
    m_home = name;
    ::setenv("HOME", m_home.c_str(), 1);
    for (const auto& [variable, folder] : {std::pair("XDG_CONFIG_HOME", ".config"),
                                           {"XDG_DATA_HOME", ".local/share"},
                                           {"XDG_STATE_HOME", ".local/state"},
                                           {"XDG_CACHE_HOME", ".cache"},
                                           {"XDG_RUNTIME_DIR", ".runtime"}}) {
      const fs::path path = m_home / folder;
      fs::create_directories(path);
      // Qt warns of a runtime directory that others may look into.
      fs::permissions(path, fs::perms::owner_all);
      ::setenv(variable, path.c_str(), 1);
    }
  }
  OwnHome(const OwnHome&) = delete;
  OwnHome& operator=(const OwnHome&) = delete;
  ~OwnHome() {
    std::error_code ignored;
    fs::remove_all(m_home, ignored);
  }

 private:
  fs::path m_home;
};

const OwnHome g_home;

}  // namespace
}  // namespace p2::test
