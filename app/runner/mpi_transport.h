// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include "app/runner/transport.h"

namespace p2::runner {

/// The collectives of MPI on host memory. Several pieces need MPI_THREAD_MULTIPLE.
class MpiTransport : public Transport {
 public:
  /// `world` must outlive the transport; its errors are returned, not fatal.
  explicit MpiTransport(MPI_Comm world);
  ~MpiTransport() override;
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] std::string library() const override;
  [[nodiscard]] GatherOrder gatherOrder() const override { return GatherOrder::Devices; }
  /// Blocking calls: Open MPI's non-blocking collectives use other algorithms and take up to 3.5 times as long for
  /// large vectors.
  [[nodiscard]] Calls calls() const override { return Calls::Block; }
  [[nodiscard]] Result<void> reserve(Element element, int pieces, std::size_t count) override;
  [[nodiscard]] Result<Communicator> join(int colour, int key) override;
  [[nodiscard]] Result<void> load(int piece, const void* elements, std::size_t count) override;
  [[nodiscard]] Result<void> store(int piece, void* elements, std::size_t count) override;
  [[nodiscard]] Result<void> allReduce(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> reduceScatter(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> allGather(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> reduce(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> broadcast(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> allToAll(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> scatter(const Communicator& group, int piece, std::size_t count) override;
  [[nodiscard]] Result<void> rearrange(const Communicator& group, int piece, std::span<const std::int64_t> places,
                                       std::size_t count) override;
  [[nodiscard]] Result<void> mark() override;
  [[nodiscard]] Result<std::vector<double>> takeMarks() override;

 private:
  struct Piece {
    std::vector<std::byte> data;
    std::vector<std::byte> spare;
  };
  [[nodiscard]] Piece& at(int piece) { return m_pieces[std::size_t(piece)]; }
  [[nodiscard]] MPI_Datatype type() const { return m_element == Element::Float32 ? MPI_FLOAT : MPI_INT64_T; }
  [[nodiscard]] MPI_Comm comm(const Communicator& group) const { return m_groups[std::size_t(group.index)]; }

  MPI_Comm m_world;
  Element m_element = Element::Float32;
  std::vector<Piece> m_pieces;
  std::vector<MPI_Comm> m_groups;
  std::vector<double> m_marks;
};

/// "Open MPI 4.1.4".
[[nodiscard]] std::string mpiLibrary();

}  // namespace p2::runner
