

# Execution with torch.distributed. Sums and transfers are the library's; nothing of a collective is written by hand, except
# that Gloo and MPI, which have no ReduceScatter in torch, get it as an AllToAll and a local sum.


class World:
    """The process group of all ranks, and one for each group that a plan names, created once."""

    def __init__(self, torch, arguments, place):
        self.torch, self.dist = torch, torch.distributed
        self.rank, self.size, self.local_rank = place
        gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
        self.backend = arguments.backend
        if self.backend == "auto":
            self.backend = "nccl" if gpus and self.dist.is_nccl_available() else "gloo"
        self.on_gpu = self.backend == "nccl"
        if self.on_gpu and not gpus:
            raise Refused("torch finds no GPU here; use --backend gloo")
        if self.on_gpu and arguments.share_gpu:
            os.environ["NCCL_HOSTID"] = "p2-%d" % self.rank  # NCCL refuses two ranks on one GPU of one host
        self.device = torch.device("cuda", self.local_rank % gpus) if self.on_gpu else torch.device("cpu")
        if self.on_gpu:
            torch.cuda.set_device(self.device)
        timeout = datetime.timedelta(seconds=arguments.timeout)
        if self.backend == "mpi":
            self.dist.init_process_group("mpi")
        else:
            self.dist.init_process_group(self.backend, rank=self.rank, world_size=self.size, timeout=timeout)
        self.timeout = timeout
        self.groups = {}

    def join(self, plan, apart):
        """Creates the groups of a plan; `apart` gives every step groups of its own, which overlapping steps need."""
        for number, (_, groups) in enumerate(plan.steps):
            for group in groups:
                key = (number if apart else 0, tuple(sorted(group.devices)))
                if key not in self.groups:
                    self.groups[key] = self.dist.new_group(list(key[1]), timeout=self.timeout)

    def group_of(self, number, ranks, apart):
        return self.groups[(number if apart else 0, ranks)]

    def barrier(self):
        self.dist.barrier()
        if self.on_gpu:
            self.torch.cuda.synchronize()

    def largest(self, values):
        """Element by element, the largest over all ranks."""
        tensor = self.torch.tensor(values, dtype=self.torch.float64, device=self.device)
        self.dist.all_reduce(tensor, op=self.dist.ReduceOp.MAX)
        return tensor.tolist()

    def total(self, value):
        tensor = self.torch.tensor([value], dtype=self.torch.int64, device=self.device)
        self.dist.all_reduce(tensor)
        return int(tensor.item())

    @functools.lru_cache(maxsize=None)
    def hosts(self):
        """Host name of every rank."""
        name = socket.gethostname().encode()[:64].ljust(64, b"\0")
        own = self.torch.tensor(list(name), dtype=self.torch.uint8, device=self.device)
        rows = [self.torch.zeros_like(own) for _ in range(self.size)]
        self.dist.all_gather(rows, own)
        return [bytes(row.tolist()).rstrip(b"\0").decode(errors="replace") for row in rows]

    def library(self):
        text = "torch %s %s" % (self.torch.__version__, self.backend)
        if self.on_gpu:
            text += " " + ".".join(map(str, self.torch.cuda.nccl.version()))
        return text


class Piece:
    """One piece of the vector: the working buffer and a spare one of the same size."""

    def __init__(self, world, elements, dtype):
        self.buffers = [world.torch.zeros(elements, dtype=dtype, device=world.device) for _ in range(2)]
        self.side = 0

    def data(self, elements):
        return self.buffers[self.side][:elements]

    def spare(self, elements):
        return self.buffers[1 - self.side][:elements]

    def swap(self):
        self.side = 1 - self.side


class Executor:
    """Runs one rank's schedule on pieces of `block` elements per chunk."""

    def __init__(self, world, schedule, block, pieces, dtype):
        self.world, self.schedule, self.block = world, schedule, block
        self.apart = pieces > 1
        world.join(schedule.plan, self.apart)
        self.pieces = [Piece(world, schedule.plan.chunks * block, dtype) for _ in range(pieces)]
        self.streams = []
        if self.apart and world.on_gpu:
            self.streams = [world.torch.cuda.Stream() for _ in schedule.parts]

    def run_step(self, number, piece):
        """Issues one step on a piece; nothing for a rank that takes no part."""
        part = self.schedule.parts[number]
        if part is not None:
            group = self.world.group_of(number, part.ranks, self.apart)
            getattr(self, "do_" + part.collective.lower())(part, self.pieces[piece], group)

    def do_allreduce(self, part, piece, group):
        self.world.dist.all_reduce(piece.data(part.before * self.block), group=group)

    def do_reduce(self, part, piece, group):
        self.world.dist.reduce(piece.data(part.before * self.block), dst=part.root, group=group)

    def do_broadcast(self, part, piece, group):
        self.world.dist.broadcast(piece.data(part.after * self.block), src=part.root, group=group)

    def do_scatter(self, part, piece, group):
        received = piece.spare(part.after * self.block)
        parts = None
        if self.world.rank == part.root:
            self.order_parts(part, piece)
            received = piece.spare(part.after * self.block)
            parts = list(piece.data(part.before * self.block).chunk(part.members))
        self.world.dist.scatter(received, parts, src=part.root, group=group)
        piece.swap()

    def do_reducescatter(self, part, piece, group):
        self.order_parts(part, piece)
        data, result = piece.data(part.before * self.block), piece.spare(part.after * self.block)
        dist = self.world.dist
        if self.world.on_gpu:
            scatter = getattr(dist, "reduce_scatter_tensor", None) or dist._reduce_scatter_base
            scatter(result, data, group=group)
        else:
            parts = piece.spare(part.before * self.block)
            dist.all_to_all_single(parts, data, group=group)
            result = piece.data(part.after * self.block)
            self.world.torch.sum(parts.view(part.members, -1), dim=0, out=result)
            return
        piece.swap()

    def do_allgather(self, part, piece, group):
        data, whole = piece.data(part.before * self.block), piece.spare(part.after * self.block)
        dist = self.world.dist
        if self.world.on_gpu:
            gather = getattr(dist, "all_gather_into_tensor", None) or dist._all_gather_base
            gather(whole, data, group=group)
        else:
            dist.all_gather(list(whole.chunk(part.members)), data, group=group)
        piece.swap()
        self.place_blocks(part, piece)

    def do_alltoall(self, part, piece, group):
        self.order_parts(part, piece)
        self.world.dist.all_to_all_single(piece.spare(part.after * self.block), piece.data(part.before * self.block), group=group)
        piece.swap()
        self.place_blocks(part, piece)

    def do_shift(self, part, piece, group):
        self.shift(part, piece, group, True)

    def do_openshift(self, part, piece, group):
        self.shift(part, piece, group, False)

    def shift(self, part, piece, group, closed):
        """Sends the vector to the next of the group; where the ring is open, the first keeps its own."""
        dist, place = self.world.dist, part.order.index(self.world.rank)
        last = not closed and place == part.members - 1
        first = not closed and place == 0
        calls = []
        if not last:
            following = part.order[(place + 1) % part.members]
            calls.append(dist.P2POp(dist.isend, piece.data(part.before * self.block), following, group))
        if not first:
            calls.append(dist.P2POp(dist.irecv, piece.spare(part.after * self.block), part.order[place - 1], group))
        for work in dist.batch_isend_irecv(calls):
            work.wait()
        if not first:
            piece.swap()

    def order_parts(self, part, piece):
        """Puts the parts of the plan's members into the order of the process group's ranks."""
        if part.send_order is not None:
            self.reorder(piece, part.before * self.block, part.members, part.send_order)

    def place_blocks(self, part, piece):
        if part.place_order is not None:
            self.reorder(piece, part.after * self.block, len(part.place_order), part.place_order)

    def reorder(self, piece, elements, rows, order):
        source, target = piece.data(elements).view(rows, -1), piece.spare(elements).view(rows, -1)
        for row, chosen in enumerate(order):
            target[row].copy_(source[chosen])
        piece.swap()

    def run_pieces(self):
        """Takes all pieces through all steps; each step takes them in order and begins when the step before is done."""
        steps, pieces = len(self.schedule.parts), len(self.pieces)
        if not self.streams:
            return self.run_threads(steps, pieces)
        cuda = self.world.torch.cuda
        current = cuda.current_stream()
        for stream in self.streams:
            stream.wait_stream(current)
        done = [[cuda.Event() for _ in range(pieces)] for _ in range(steps)]
        for turn in range(steps + pieces - 1):  # the same order of calls on every rank
            for step in range(max(0, turn - pieces + 1), min(steps, turn + 1)):
                piece, stream = turn - step, self.streams[step]
                if step > 0:
                    stream.wait_event(done[step - 1][piece])
                with cuda.stream(stream):
                    self.run_step(step, piece)
                    done[step][piece].record(stream)
        for stream in self.streams:
            current.wait_stream(stream)

    def run_threads(self, steps, pieces):
        done, problems = [threading.Semaphore(0) for _ in range(steps)], []

        def work(step):
            try:
                for piece in range(pieces):
                    if step > 0:
                        done[step - 1].acquire()
                    self.run_step(step, piece)
                    done[step].release()
            except Exception as problem:  # the other threads wait for this one
                problems.append(problem)
                for _ in range(pieces):
                    done[step].release()

        threads = [threading.Thread(target=work, args=(step,)) for step in range(steps)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if problems:
            raise problems[0]
