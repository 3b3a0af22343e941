// SPDX-License-Identifier: GPL-3.0-or-later
// p2-hwloc-reader synthetic | this-machine: hwloc's XML on standard output, of the notation on standard input or of the
// machine this runs on. For a notation only the parts that importers read: the sets of large machines would take
// gigabytes.
#include <hwloc.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <new>
#include <string>

#include "base/helper_program.h"
#include "base/sanitizers.h"

#ifdef P2_SANITIZED
// Plugins of libhwloc keep some of their memory, and are unloaded by the time of the leak check. Their
// callers are found only when stacks are walked in full.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhwloc\n"; }
extern "C" const char* __asan_default_options() { return "fast_unwind_on_malloc=0"; }
#endif

namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

int refuse(const char* sentence, int status) {
  std::cerr << p2::kHelperMark << sentence << '\n';
  return status;
}

void write(hwloc_obj_t object) {
  std::cout << "<object type=\"" << hwloc_obj_type_string(object->type) << '"';
  if (hwloc_bitmap_weight(object->nodeset) == 1) {
    char* set = nullptr;
    if (hwloc_bitmap_asprintf(&set, object->nodeset) >= 0) std::cout << " nodeset=\"" << set << '"';
    std::free(set);
  }
  std::cout << ">\n";
  for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) write(child);
  std::cout << "</object>\n";
}

int writeSynthetic(hwloc_topology_t topology) {
  const std::string notation{std::istreambuf_iterator<char>(std::cin), {}};
  if (hwloc_topology_set_synthetic(topology, notation.c_str()) != 0 || hwloc_topology_load(topology) != 0) {
    return refuse("is not a machine in hwloc's notation", p2::kHelperRefused);
  }
  std::cout << "<topology version=\"2.0\">\n";
  write(hwloc_get_root_obj(topology));
  std::cout << "</topology>\n" << std::flush;
  return std::cout.good() ? p2::kHelperDone : p2::kHelperFailed;
}

int writeThisMachine(hwloc_topology_t topology) {
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  char* text = nullptr;
  int length = 0;
  if (hwloc_topology_load(topology) != 0 || hwloc_topology_export_xmlbuffer(topology, &text, &length, 0) != 0) {
    return refuse("hwloc cannot look at this machine", p2::kHelperFailed);
  }
  std::cout << text << std::flush;
  hwloc_free_xmlbuffer(topology, text);
  return std::cout.good() ? p2::kHelperDone : p2::kHelperFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    hwloc_topology_t made = nullptr;
    if (hwloc_topology_init(&made) != 0) return p2::kHelperNoMemory;
    const Topology topology(made);
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "synthetic") return writeSynthetic(topology.get());
    if (what == "this-machine") return writeThisMachine(topology.get());
    return refuse("p2-hwloc-reader is run by p2 and p2-explorer", p2::kHelperRefused);
  } catch (const std::bad_alloc&) {
    return p2::kHelperNoMemory;
  }
}
