// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into every program of tests: while it runs it has a home of its own, and so have the programs that it starts.
// What is remembered there is neither the user's nor another test's, also where two suites run at once. Its windows
// have one font and one style, whatever this desktop has: layouts that are looked at depend on both. P2_TEST_FONTS
// names a file of fontconfig in place of that font, to try another.
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
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
    const char* const others = std::getenv("P2_TEST_FONTS");
    ::setenv("FONTCONFIG_FILE", others != nullptr ? others : fonts().c_str(), 1);
    ::setenv("QT_STYLE_OVERRIDE", "Fusion", 1);
    ::unsetenv("QT_QPA_PLATFORMTHEME");
  }
  OwnHome(const OwnHome&) = delete;
  OwnHome& operator=(const OwnHome&) = delete;
  ~OwnHome() {
    std::error_code ignored;
    fs::remove_all(m_home, ignored);
  }

 private:
  /// DejaVu alone, of which every system has the same.
  [[nodiscard]] std::string fonts() const {
    const fs::path path = m_home / "fonts.conf";
    std::ofstream file(path);
    file << "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM "
            "\"fonts.dtd\">\n<fontconfig>\n<dir>" P2_TEST_FONT_FOLDER
            "</dir>\n<cachedir>/var/cache/fontconfig</cachedir>\n<cachedir>"
         << (m_home / ".cache/fontconfig").string() << "</cachedir>\n";
    for (const auto& [generic, family] : {std::pair("sans-serif", "DejaVu Sans"),
                                          {"Sans Serif", "DejaVu Sans"},
                                          {"serif", "DejaVu Serif"},
                                          {"monospace", "DejaVu Sans Mono"}}) {
      file << "<alias binding=\"strong\"><family>" << generic << "</family><prefer><family>" << family
           << "</family></prefer></alias>\n";
    }
    // As desktops do by default; widths depend on it.
    for (const auto& [key, value] :
         {std::pair("hintstyle", "<const>hintslight</const>"), {"antialias", "<bool>true</bool>"}}) {
      file << "<match target=\"pattern\"><edit name=\"" << key << "\" mode=\"append\">" << value << "</edit></match>\n";
    }
    file << "</fontconfig>\n";
    return path.string();
  }

  fs::path m_home;
};

const OwnHome g_home;

}  // namespace
}  // namespace p2::test
