// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/mpi_transport.h"

#include <array>
#include <cstring>

#include "base/sanitizers.h"

#ifdef P2_SANITIZED
// Open MPI and its plugins keep much of their memory until the process ends. Their frames are found only when
// stacks are walked in full.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libmpi\nleak:libopen-pal\nleak:libopen-rte\nleak:libpmix\nleak:libevent\nleak:libhwloc\nleak:mca_\n";
}
extern "C" const char* __asan_default_options() { return "fast_unwind_on_malloc=0"; }
// Its libraries are not compiled with the thread sanitizer, which sees their mutexes and memory, but not the atomic
// operations that order them: any of a rank's threads moves what another one waits for. For TCP it locks in one order
// when peers come and in another when they go, all on one thread.
extern "C" const char* __tsan_default_suppressions() {
  return "race:libmpi\nrace:libopen-pal\nrace:mca_\ndeadlock:libopen-pal\ndeadlock:mca_btl_tcp\n";
}
#endif

namespace p2::runner {
namespace {

Result<void> checked(int code) {
  if (code == MPI_SUCCESS) return {};
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return Error{"MPI: " + std::string(text.data(), std::size_t(length)), {}, ErrorKind::Failed};
}

}  // namespace

std::string mpiLibrary() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string name(text.data(), std::size_t(length));
  name = name.substr(0, name.find(','));
  // Open MPI writes "Open MPI v4.1.4".
  if (const std::size_t v = name.find(" v"); v != std::string::npos) name.erase(v + 1, 1);
  return name;
}

MpiTransport::MpiTransport(MPI_Comm world) : m_world(world) {}

MpiTransport::~MpiTransport() {
  for (MPI_Comm& group : m_groups) MPI_Comm_free(&group);
}

std::string MpiTransport::library() const { return mpiLibrary(); }

Result<void> MpiTransport::reserve(Element element, int pieces, std::size_t count) {
  m_element = element;
  m_pieces.resize(std::size_t(pieces));
  for (Piece& piece : m_pieces) {
    piece.data.assign(count * sizeOf(element), std::byte{});
    piece.spare.assign(count * sizeOf(element), std::byte{});
  }
  return {};
}

Result<Communicator> MpiTransport::join(int colour, int key) {
  MPI_Comm group = MPI_COMM_NULL;
  if (auto made = checked(MPI_Comm_split(m_world, colour < 0 ? MPI_UNDEFINED : colour, key, &group)); !made.ok()) {
    return made.error();
  }
  if (group == MPI_COMM_NULL) return Communicator{};
  Communicator result{static_cast<int>(m_groups.size()), 1, 0};
  MPI_Comm_size(group, &result.members);
  m_groups.push_back(group);
  return result;
}

Result<void> MpiTransport::load(int piece, const void* elements, std::size_t count) {
  if (count > 0) std::memcpy(at(piece).data.data(), elements, count * sizeOf(m_element));
  return {};
}

Result<void> MpiTransport::store(int piece, void* elements, std::size_t count) {
  if (count > 0) std::memcpy(elements, at(piece).data.data(), count * sizeOf(m_element));
  return {};
}

Result<void> MpiTransport::allReduce(const Communicator& group, int piece, std::size_t count) {
  return checked(MPI_Allreduce(MPI_IN_PLACE, at(piece).data.data(), int(count), type(), MPI_SUM, comm(group)));
}

Result<void> MpiTransport::reduceScatter(const Communicator& group, int piece, std::size_t count) {
  auto& [data, spare] = at(piece);
  // Not the _block form, for which Open MPI has no ring.
  const std::vector<int> counts(std::size_t(group.members), int(count));
  const int code = MPI_Reduce_scatter(data.data(), spare.data(), counts.data(), type(), MPI_SUM, comm(group));
  data.swap(spare);
  return checked(code);
}

Result<void> MpiTransport::allGather(const Communicator& group, int piece, std::size_t count) {
  auto& [data, spare] = at(piece);
  const int code = MPI_Allgather(data.data(), int(count), type(), spare.data(), int(count), type(), comm(group));
  data.swap(spare);
  return checked(code);
}

Result<void> MpiTransport::reduce(const Communicator& group, int piece, std::size_t count) {
  std::byte* const data = at(piece).data.data();
  int rank = 0;
  MPI_Comm_rank(comm(group), &rank);
  const void* source = rank == group.root ? MPI_IN_PLACE : data;
  return checked(MPI_Reduce(source, data, int(count), type(), MPI_SUM, group.root, comm(group)));
}

Result<void> MpiTransport::broadcast(const Communicator& group, int piece, std::size_t count) {
  return checked(MPI_Bcast(at(piece).data.data(), int(count), type(), group.root, comm(group)));
}

Result<void> MpiTransport::allToAll(const Communicator& group, int piece, std::size_t count) {
  auto& [data, spare] = at(piece);
  const int code = MPI_Alltoall(data.data(), int(count), type(), spare.data(), int(count), type(), comm(group));
  data.swap(spare);
  return checked(code);
}

Result<void> MpiTransport::scatter(const Communicator& group, int piece, std::size_t count) {
  auto& [data, spare] = at(piece);
  const int code =
      MPI_Scatter(data.data(), int(count), type(), spare.data(), int(count), type(), group.root, comm(group));
  data.swap(spare);
  return checked(code);
}

Result<void> MpiTransport::rearrange(const Communicator&, int piece, std::span<const std::int64_t> places,
                                     std::size_t count) {
  auto& [data, spare] = at(piece);
  const std::size_t block = count * sizeOf(m_element);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::memcpy(spare.data() + std::size_t(places[i]) * block, data.data() + i * block, block);
  }
  data.swap(spare);
  return {};
}

Result<void> MpiTransport::mark() {
  m_marks.push_back(MPI_Wtime());
  return {};
}

Result<std::vector<double>> MpiTransport::takeMarks() {
  std::vector<double> seconds;
  for (std::size_t i = 1; i < m_marks.size(); ++i) seconds.push_back(m_marks[i] - m_marks[i - 1]);
  m_marks.clear();
  return seconds;
}

}  // namespace p2::runner
