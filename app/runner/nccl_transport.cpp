// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "app/runner/nccl_backend.h"
#include "app/runner/nccl_calls.h"

namespace p2::runner {
namespace {

std::string ncclLibrary() {
  int version = 0;
  ncclGetVersion(&version);
  return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// The number of GPUs, or why there is none to be used.
Result<int> countDevices() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) {
    return Error{"this machine has no GPU that CUDA can use (" + std::string(cudaGetErrorString(code)) +
                     "); use mpi, or a target with GPUs",
                 {},
                 ErrorKind::Failed};
  }
  if (code != cudaSuccess) return cudaError(code);
  return count;
}

/// The calls for a communicator, one after the other.
struct Lane {
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;  // its own where there are several pieces
};

struct Piece {
  DeviceMemory data;
  DeviceMemory spare;
  cudaEvent_t done = nullptr;  // its last call
};

class NcclTransport : public Transport {
 public:
  static Result<std::unique_ptr<Transport>> make(MPI_Comm world) {
    auto transport = std::make_unique<NcclTransport>();
    P2_TRY(transport->initialize(world));
    return std::unique_ptr<Transport>(std::move(transport));
  }

  ~NcclTransport() override {
    for (const Lane& lane : m_lanes) {
      ncclCommDestroy(lane.comm);
      if (lane.stream != nullptr) cudaStreamDestroy(lane.stream);
    }
    if (m_world != nullptr) ncclCommDestroy(m_world);
    for (const cudaEvent_t event : m_marks) cudaEventDestroy(event);
    forgetPieces();
    if (m_stream != nullptr) cudaStreamDestroy(m_stream);
  }

  [[nodiscard]] std::string library() const override { return ncclLibrary(); }
  [[nodiscard]] GatherOrder gatherOrder() const override { return GatherOrder::Chunks; }
  [[nodiscard]] Calls calls() const override { return Calls::Queue; }

  [[nodiscard]] Result<void> reserve(Element element, int pieces, std::size_t count) override {
    m_element = element;
    forgetPieces();
    m_pieces = std::vector<Piece>(std::size_t(pieces));
    for (Piece& piece : m_pieces) {
      P2_TRY(piece.data.allocate(count * sizeOf(element)));
      P2_TRY(piece.spare.allocate(count * sizeOf(element)));
      if (overlaps()) P2_TRY(checked(cudaEventCreateWithFlags(&piece.done, cudaEventDisableTiming)));
    }
    for (Lane& lane : m_lanes) {
      if (overlaps() && lane.stream == nullptr) P2_TRY(checked(cudaStreamCreate(&lane.stream)));
    }
    return {};
  }

  [[nodiscard]] Result<Communicator> join(int colour, int key) override {
    ncclComm_t group = nullptr;
    const ncclResult_t code = ncclCommSplit(m_world, colour < 0 ? NCCL_SPLIT_NOCOLOR : colour, key, &group, nullptr);
    P2_TRY(checked(code, m_world));
    if (group == nullptr) return Communicator{};
    Communicator result{int(m_lanes.size()), 1, 0};
    m_lanes.push_back({group});
    P2_TRY(checked(ncclCommCount(group, &result.members), group));
    return result;
  }

  [[nodiscard]] Result<void> load(int piece, const void* elements, std::size_t count) override {
    if (count == 0) return {};
    return checked(cudaMemcpy(at(piece).data.data(), elements, count * sizeOf(m_element), cudaMemcpyHostToDevice));
  }

  [[nodiscard]] Result<void> store(int piece, void* elements, std::size_t count) override {
    if (count == 0) return {};
    return checked(cudaMemcpy(elements, at(piece).data.data(), count * sizeOf(m_element), cudaMemcpyDeviceToHost));
  }

  [[nodiscard]] Result<void> allReduce(const Communicator& group, int piece, std::size_t count) override {
    return inPlace(group, piece, [&](char* data, ncclComm_t comm, cudaStream_t stream) {
      return ncclAllReduce(data, data, count, type(), ncclSum, comm, stream);
    });
  }

  [[nodiscard]] Result<void> reduceScatter(const Communicator& group, int piece, std::size_t count) override {
    return across(group, piece, [&](const char* from, char* to, ncclComm_t comm, cudaStream_t stream) {
      return ncclReduceScatter(from, to, count, type(), ncclSum, comm, stream);
    });
  }

  [[nodiscard]] Result<void> allGather(const Communicator& group, int piece, std::size_t count) override {
    return across(group, piece, [&](const char* from, char* to, ncclComm_t comm, cudaStream_t stream) {
      return ncclAllGather(from, to, count, type(), comm, stream);
    });
  }

  [[nodiscard]] Result<void> reduce(const Communicator& group, int piece, std::size_t count) override {
    return inPlace(group, piece, [&](char* data, ncclComm_t comm, cudaStream_t stream) {
      return ncclReduce(data, data, count, type(), ncclSum, group.root, comm, stream);
    });
  }

  [[nodiscard]] Result<void> broadcast(const Communicator& group, int piece, std::size_t count) override {
    return inPlace(group, piece, [&](char* data, ncclComm_t comm, cudaStream_t stream) {
      return ncclBroadcast(data, data, count, type(), group.root, comm, stream);
    });
  }

  [[nodiscard]] Result<void> allToAll(const Communicator& group, int piece, std::size_t count) override {
    const std::size_t block = count * sizeOf(m_element);
    return across(group, piece, [&](const char* from, char* to, ncclComm_t comm, cudaStream_t stream) {
      return withEveryPeer(group, [&](int peer) -> ncclResult_t {
        const std::size_t place = std::size_t(peer) * block;
        const ncclResult_t code = ncclSend(from + place, count, type(), peer, comm, stream);
        return code != ncclSuccess ? code : ncclRecv(to + place, count, type(), peer, comm, stream);
      });
    });
  }

  [[nodiscard]] Result<void> scatter(const Communicator& group, int piece, std::size_t count) override {
    const std::size_t block = count * sizeOf(m_element);
    int rank = 0;
    const ncclComm_t own = laneOf(group).comm;
    P2_TRY(checked(ncclCommUserRank(own, &rank), own));
    return across(group, piece, [&](const char* from, char* to, ncclComm_t comm, cudaStream_t stream) {
      return withEveryPeer(group, [&](int peer) -> ncclResult_t {
        ncclResult_t code = ncclSuccess;
        if (rank == group.root) code = ncclSend(from + std::size_t(peer) * block, count, type(), peer, comm, stream);
        if (code != ncclSuccess || peer != group.root) return code;
        return ncclRecv(to, count, type(), peer, comm, stream);
      });
    });
  }

  [[nodiscard]] Result<void> rearrange(const Communicator& group, int piece, std::span<const std::int64_t> places,
                                       std::size_t count) override {
    const std::size_t block = count * sizeOf(m_element);
    Piece& moved = at(piece);
    const cudaStream_t stream = streamOf(group);
    for (std::size_t i = 0; i < places.size(); ++i) {
      P2_TRY(checked(cudaMemcpyAsync(moved.spare.data() + std::size_t(places[i]) * block, moved.data.data() + i * block,
                                     block, cudaMemcpyDeviceToDevice, stream)));
    }
    moved.data.swap(moved.spare);
    return overlaps() ? checked(cudaEventRecord(moved.done, stream)) : Result<void>();
  }

  [[nodiscard]] Result<void> mark() override {
    if (overlaps()) {
      for (const Piece& piece : m_pieces) P2_TRY(checked(cudaStreamWaitEvent(m_stream, piece.done, 0)));
    }
    cudaEvent_t event = nullptr;
    P2_TRY(checked(cudaEventCreate(&event)));
    m_marks.push_back(event);
    P2_TRY(checked(cudaEventRecord(event, m_stream)));
    if (overlaps()) {
      for (const Piece& piece : m_pieces) P2_TRY(checked(cudaEventRecord(piece.done, m_stream)));
    }
    return {};
  }

  [[nodiscard]] Result<std::vector<double>> takeMarks() override {
    P2_TRY(checked(cudaStreamSynchronize(m_stream)));
    std::vector<double> seconds;
    for (std::size_t i = 1; i < m_marks.size(); ++i) {
      float milliseconds = 0;
      P2_TRY(checked(cudaEventElapsedTime(&milliseconds, m_marks[i - 1], m_marks[i])));
      seconds.push_back(double(milliseconds) / 1000);
    }
    for (const cudaEvent_t event : m_marks) cudaEventDestroy(event);
    m_marks.clear();
    return seconds;
  }

 private:
  [[nodiscard]] ncclDataType_t type() const { return m_element == Element::Float32 ? ncclFloat32 : ncclInt64; }
  [[nodiscard]] bool overlaps() const { return m_pieces.size() > 1; }
  [[nodiscard]] Piece& at(int piece) { return m_pieces[std::size_t(piece)]; }
  [[nodiscard]] const Lane& laneOf(const Communicator& group) const { return m_lanes[std::size_t(group.index)]; }
  [[nodiscard]] cudaStream_t streamOf(const Communicator& group) const {
    return overlaps() ? laneOf(group).stream : m_stream;
  }

  Result<void> initialize(MPI_Comm world) {
    P2_TRY_ASSIGN(const auto devices, countDevices());
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    int rankOnHost = 0;
    MPI_Comm_rank(host, &rankOnHost);
    MPI_Comm_free(&host);
    P2_TRY(checked(cudaSetDevice(rankOnHost % devices)));
    P2_TRY(checked(cudaStreamCreate(&m_stream)));
    ncclUniqueId id{};
    if (rank == 0) {
      P2_TRY(checked(ncclGetUniqueId(&id), nullptr));
    }
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, world);
    return checked(ncclCommInitRank(&m_world, ranks, id, rank), nullptr);
  }

  /// `call(data, comm, stream)` on a piece, after its earlier calls.
  template <class Call>
  Result<void> inPlace(const Communicator& group, int piece, const Call& call) {
    const Lane& lane = laneOf(group);
    const cudaStream_t stream = streamOf(group);
    Piece& worked = at(piece);
    if (overlaps()) {
      P2_TRY(checked(cudaStreamWaitEvent(stream, worked.done, 0)));
    }
    P2_TRY(checked(call(worked.data.data(), lane.comm, stream), lane.comm));
    return overlaps() ? checked(cudaEventRecord(worked.done, stream)) : Result<void>();
  }

  /// `call(from, to, comm, stream)` from a piece's working vector into its spare one, which becomes the working one.
  template <class Call>
  Result<void> across(const Communicator& group, int piece, const Call& call) {
    char* const to = at(piece).spare.data();
    P2_TRY(inPlace(group, piece, [&](const char* from, ncclComm_t comm, cudaStream_t stream) {
      return call(from, to, comm, stream);
    }));
    at(piece).data.swap(at(piece).spare);
    return {};
  }

  /// Sends and receives that are under way all at once, `withPeer(rank)` for every member, itself included.
  template <class WithPeer>
  static ncclResult_t withEveryPeer(const Communicator& group, const WithPeer& withPeer) {
    if (const ncclResult_t begun = ncclGroupStart(); begun != ncclSuccess) return begun;
    ncclResult_t code = ncclSuccess;
    for (int peer = 0; peer < group.members && code == ncclSuccess; ++peer) code = withPeer(peer);
    const ncclResult_t ended = ncclGroupEnd();
    return code == ncclSuccess ? ended : code;
  }

  void forgetPieces() {
    for (const Piece& piece : m_pieces) {
      if (piece.done != nullptr) cudaEventDestroy(piece.done);
    }
    m_pieces.clear();
  }

  Element m_element = Element::Float32;
  cudaStream_t m_stream = nullptr;  // marks; with one piece all else, too
  ncclComm_t m_world = nullptr;
  std::vector<Lane> m_lanes;
  std::vector<cudaEvent_t> m_marks;
  std::vector<Piece> m_pieces;
};

}  // namespace

NcclState ncclState() {
  NcclState state;
  const auto count = countDevices();
  if (!count.ok()) {
    state.why = count.error().message;
    return state;
  }
  state.library = ncclLibrary();
  for (int device = 0; device < *count; ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) state.devices.emplace_back(properties.name);
  }
  return state;
}

Result<std::unique_ptr<Transport>> makeNcclTransport(MPI_Comm world) { return NcclTransport::make(world); }

}  // namespace p2::runner
