// SPDX-License-Identifier: GPL-3.0-or-later
// NCCL's calls on the memory of device_stand_in.cpp, carried out by MPI, and strict: members of a communicator must
// agree about what they do, buffers must lie where they may.
#include <mpi.h>
#include <nccl.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "tests/app/runner/stand_in/device_stand_in.h"

using namespace p2::test;

struct StandInComm {
  MPI_Comm members = MPI_COMM_NULL;
  int rank = 0;
  int count = 1;
};

namespace {

struct Transfer {
  void* data;
  std::size_t bytes;
  int peer;
  bool sends;
  ncclComm_t comm;
};

struct Group {
  int depth = 0;
  std::vector<Transfer> transfers;
  cudaStream_t stream = nullptr;
};

Group& group() {
  static Group theGroup;
  return theGroup;
}

std::size_t sizeOf(ncclDataType_t type) { return type == ncclFloat32 ? 4 : 8; }
MPI_Datatype mpiType(ncclDataType_t type) { return type == ncclFloat32 ? MPI_FLOAT : MPI_INT64_T; }

ncclComm_t newComm(MPI_Comm members) {
  auto* comm = new StandInComm{members};
  MPI_Comm_rank(members, &comm->rank);
  MPI_Comm_size(members, &comm->count);
  return comm;
}

/// NCCL hangs, or mixes up what does not belong together, where members ask for different things.
void needAgreement(ncclComm_t comm, std::array<std::int64_t, 4> asked) {
  std::vector<std::int64_t> all(asked.size() * std::size_t(comm->count));
  MPI_Allgather(asked.data(), int(asked.size()), MPI_INT64_T, all.data(), int(asked.size()), MPI_INT64_T,
                comm->members);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != asked[i % asked.size()]) refuse("the members of a communicator do not agree about a collective");
  }
}

/// One buffer where the vector stays as long as it is, else two that are apart.
void needBuffers(const void* from, std::size_t sent, const void* to, std::size_t received) {
  needDevice(from, sent, "what is sent");
  needDevice(to, received, "what is received");
  const auto* a = static_cast<const char*>(from);
  const auto* b = static_cast<const char*>(to);
  const bool same = a == b && sent == received;
  if (!same && a < b + received && b < a + sent) refuse("what is sent and what is received overlap");
}

enum Kind : std::int64_t { kAllReduce = 1, kReduceScatter, kAllGather, kReduce, kBroadcast };

template <class Call>
ncclResult_t later(Kind kind, std::size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream,
                   std::vector<DeviceBytes> touched, Call call) {
  if (group().depth > 0) refuse("collectives in a group are not stood in for");
  ask(stream, std::move(touched), [=] {
    needAgreement(comm, {kind, std::int64_t(count), type, root});
    call(int(count), mpiType(type));
  });
  return ncclSuccess;
}

void carryOut(const std::vector<Transfer>& transfers) {
  std::vector<MPI_Request> requests;
  for (const Transfer& each : transfers) {
    requests.emplace_back();
    const int bytes = int(each.bytes);
    each.sends ? MPI_Isend(each.data, bytes, MPI_BYTE, each.peer, 0, each.comm->members, &requests.back())
               : MPI_Irecv(each.data, bytes, MPI_BYTE, each.peer, 0, each.comm->members, &requests.back());
  }
  std::vector<MPI_Status> ended(requests.size());
  MPI_Waitall(int(requests.size()), requests.data(), ended.data());
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    int came = 0;
    if (transfers[i].sends) continue;
    MPI_Get_count(&ended[i], MPI_BYTE, &came);
    if (std::size_t(came) != transfers[i].bytes) refuse("less has come than was to be received");
  }
}

ncclResult_t transfer(const Transfer& asked, cudaStream_t stream) {
  if (group().depth == 0) refuse("sending outside of a group waits for the other side, which waits for this one");
  needDevice(asked.data, asked.bytes, "what is exchanged");
  group().transfers.push_back(asked);
  group().stream = stream;
  return ncclSuccess;
}

}  // namespace

extern "C" {

const char* ncclGetErrorString(ncclResult_t code) { return code == ncclSuccess ? "no error" : "stand-in error"; }
const char* ncclGetLastError(ncclComm_t) { return ""; }

ncclResult_t ncclGetVersion(int* version) {
  *version = 22809;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::random_device random;
  for (char& c : id->internal) c = char(random());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  ncclUniqueId first = id;
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (std::memcmp(&first, &id, sizeof id) != 0) refuse("the ranks were given different ids");
  MPI_Comm members = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &members);
  *comm = newComm(members);
  if ((*comm)->rank != rank || (*comm)->count != ranks) refuse("two ranks are the same, or some are missing");
  return ncclSuccess;
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int colour, int key, ncclComm_t* part, ncclConfig_t*) {
  if (isBusy()) refuse("a communicator is split while something is under way");
  MPI_Comm members = MPI_COMM_NULL;
  MPI_Comm_split(comm->members, colour == NCCL_SPLIT_NOCOLOR ? MPI_UNDEFINED : colour, key, &members);
  *part = members == MPI_COMM_NULL ? nullptr : newComm(members);
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  finishAll();
  MPI_Comm_free(&comm->members);
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclCommCount(ncclComm_t comm, int* count) {
  *count = comm->count;
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  *rank = comm->rank;
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t,
                           ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * sizeOf(type);
  needBuffers(from, bytes, to, bytes);
  return later(kAllReduce, count, type, 0, comm, stream, {{from, bytes}, {to, bytes}},
               [=](int elements, MPI_Datatype mpi) {
                 MPI_Allreduce(from == to ? MPI_IN_PLACE : from, to, elements, mpi, MPI_SUM, comm->members);
               });
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t,
                               ncclComm_t comm, cudaStream_t stream) {
  const std::size_t part = count * sizeOf(type);
  needBuffers(from, part * std::size_t(comm->count), to, part);
  return later(kReduceScatter, count, type, 0, comm, stream, {{from, part * std::size_t(comm->count)}, {to, part}},
               [=](int elements, MPI_Datatype mpi) {
                 MPI_Reduce_scatter_block(from, to, elements, mpi, MPI_SUM, comm->members);
               });
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  const std::size_t part = count * sizeOf(type);
  needBuffers(from, part, to, part * std::size_t(comm->count));
  return later(
      kAllGather, count, type, 0, comm, stream, {{from, part}, {to, part * std::size_t(comm->count)}},
      [=](int elements, MPI_Datatype mpi) { MPI_Allgather(from, elements, mpi, to, elements, mpi, comm->members); });
}

ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t, int root,
                        ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * sizeOf(type);
  needBuffers(from, bytes, to, bytes);
  return later(kReduce, count, type, root, comm, stream, {{from, bytes}, {to, bytes}},
               [=](int elements, MPI_Datatype mpi) {
                 const bool inPlace = from == to && comm->rank == root;
                 MPI_Reduce(inPlace ? MPI_IN_PLACE : from, comm->rank == root ? to : nullptr, elements, mpi, MPI_SUM,
                            root, comm->members);
               });
}

ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * sizeOf(type);
  needBuffers(from, bytes, to, bytes);
  return later(kBroadcast, count, type, root, comm, stream, {{from, bytes}, {to, bytes}},
               [=](int elements, MPI_Datatype mpi) {
                 if (comm->rank == root && from != to) std::memcpy(to, from, bytes);
                 MPI_Bcast(to, elements, mpi, root, comm->members);
               });
}

ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return transfer({const_cast<void*>(from), count * sizeOf(type), peer, true, comm}, stream);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return transfer({to, count * sizeOf(type), peer, false, comm}, stream);
}

ncclResult_t ncclGroupStart() {
  ++group().depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (group().depth == 0) refuse("a group ends that never began");
  if (--group().depth > 0 || group().transfers.empty()) return ncclSuccess;
  std::vector<DeviceBytes> touched;
  for (const Transfer& each : group().transfers) touched.push_back({each.data, each.bytes});
  ask(group().stream, std::move(touched), [transfers = std::exchange(group().transfers, {})] { carryOut(transfers); });
  return ncclSuccess;
}
}
