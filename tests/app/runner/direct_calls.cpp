// SPDX-License-Identifier: GPL-3.0-or-later
// Run under mpirun: the transport's calls that send straight from rank to rank.
#include <mpi.h>

#include <iostream>
#include <numeric>

#include "app/runner/mpi_transport.h"

using namespace p2;
using namespace p2::runner;

namespace {

constexpr std::size_t kBlock = 3;  // elements

/// Element e of the block from one rank to another.
std::int64_t valueOf(int from, int to, std::size_t element) { return 10'000 * from + 100 * to + int(element); }

bool done(const Result<void>& result) {
  if (!result.ok()) std::cerr << result.error().text() << std::endl;
  return result.ok();
}

/// What a rank holds after `call` on a communicator in which ranks are joined backwards.
template <class Call>
std::vector<std::int64_t> after(const std::vector<std::int64_t>& before, int rank, int ranks, const Call& call) {
  MpiTransport transport(MPI_COMM_WORLD);
  std::vector<std::int64_t> elements = before;
  const auto group = transport.join(0, ranks - rank);
  const bool ok = group.ok() && done(transport.reserve(Element::Int64, 1, elements.size())) &&
                  done(transport.load(0, elements.data(), elements.size())) && done(call(transport, *group)) &&
                  done(transport.store(0, elements.data(), elements.size()));
  return ok ? elements : std::vector<std::int64_t>();
}

bool exchanges(int rank, int ranks) {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> wanted;
  for (int place = 0; place < ranks; ++place) {
    const int other = ranks - 1 - place;
    for (std::size_t element = 0; element < kBlock; ++element) {
      before.push_back(valueOf(rank, other, element));
      wanted.push_back(valueOf(other, rank, element));
    }
  }
  return wanted == after(before, rank, ranks, [](Transport& transport, const Communicator& group) {
           return transport.allToAll(group, 0, kBlock);
         });
}

bool scatters(int rank, int ranks) {
  const int root = ranks - 1;  // the first in the communicator
  std::vector<std::int64_t> before(std::size_t(ranks) * kBlock, -1);
  if (rank == root) std::iota(before.begin(), before.end(), 0);
  const auto held = after(before, rank, ranks, [](Transport& transport, const Communicator& group) {
    return transport.scatter(group, 0, kBlock);
  });
  if (held.empty()) return false;
  for (std::size_t element = 0; element < kBlock; ++element) {
    if (held[element] != std::int64_t(std::size_t(root - rank) * kBlock + element)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int wrong = (exchanges(rank, ranks) ? 0 : 1) + (scatters(rank, ranks) ? 0 : 1);
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::cout << (all == 0 ? "every block right" : "wrong blocks") << std::endl;
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
