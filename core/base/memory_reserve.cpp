// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory_reserve.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>

namespace p2::inline base {
namespace {

// nlohmann::json moves all values of a tree into one list to destroy it: 16 bytes each, of 2^24 at most, and more while
// the list grows. Of few addresses (ulimit -v) only a part is taken.
constexpr std::size_t kMostReserve = std::size_t{512} << 20;
constexpr std::size_t kPart = 8;

std::size_t reserveSize() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMostReserve;
  return std::min<std::size_t>(kMostReserve, limit.rlim_cur / kPart);
}

std::atomic<void*>& reserve() {
  static std::atomic<void*> held{nullptr};
  return held;
}

// munmap() wants the size again, and a limit may have changed.
std::size_t sizeOfReserve() {
  static const std::size_t kSize = reserveSize();
  return kSize;
}

[[noreturn]] void giveBack() {
  if (void* const held = reserve().exchange(nullptr)) ::munmap(held, sizeOfReserve());
  throw std::bad_alloc();
}

}  // namespace

void keepMemoryReserve() {
  std::set_new_handler(giveBack);
  if (reserve().load() != nullptr) return;
  // Nothing is lost where there is no room for it.
  const std::size_t size = sizeOfReserve();
  void* const made = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* none = nullptr;
  if (made != MAP_FAILED && !reserve().compare_exchange_strong(none, made)) ::munmap(made, size);
}

}  // namespace p2::inline base
