

# Values, checks and times.

PERIOD = 65521  # a prime, so that a misplaced chunk is found


class Values:
    """What ranks begin with: whole numbers that depend on rank and element and whose sums are exact in their format."""

    def __init__(self, torch, ranks, dtype):
        self.torch, self.dtype = torch, dtype
        self.most = max(2, ((1 << 24) - 1) // ranks)

    def of(self, rank):
        x = self.torch.arange(PERIOD, dtype=self.torch.int64) * 2654435761 + (rank + 1) * 40503 * PERIOD
        x = x & 0xFFFFFFFF
        x = (x ^ x >> 15) * 73244475 & 0xFFFFFFFF
        x = (x ^ x >> 13) * 73244475 & 0xFFFFFFFF
        x = x ^ x >> 16
        return x * self.most >> 32 if self.dtype.is_floating_point else x << 8

    def sums(self, ranks):
        return sum((self.of(rank) for rank in ranks), self.torch.zeros(PERIOD, dtype=self.torch.int64))

    def spread(self, values, chunk, piece, executor):
        """The values of one chunk's piece."""
        begin = (chunk * len(executor.pieces) + piece) * executor.block
        places = self.torch.arange(begin, begin + executor.block, dtype=self.torch.int64, device=values.device) % PERIOD
        return values[places].to(self.dtype)


class Probe:
    """Fills the buffers of an executor and counts the wrong elements of its results on this rank."""

    def __init__(self, executor, dtype):
        self.executor, self.world = executor, executor.world
        self.values = Values(self.world.torch, self.world.size, dtype)
        schedule = executor.schedule
        own = schedule.plan.rules["first"]["contributions"] == "own"
        start = self.values.of(schedule.rank) if own else self.values.sums(schedule.group)
        start = start.to(self.world.device)
        self.start = []
        for piece in range(len(executor.pieces)):
            parts = [self.values.spread(start, chunk, piece, executor) for chunk in schedule.first]
            self.start.append(self.world.torch.cat(parts) if parts else None)

    def load(self):
        for piece, start in zip(self.executor.pieces, self.start):
            piece.side = 0
            if start is not None:
                piece.buffers[0][:len(start)].copy_(start)

    def wrong_elements(self):
        schedule, block = self.executor.schedule, self.executor.block
        expected = [self.values.sums(schedule.group)]
        if "shift" in schedule.plan.rules:
            expected = [self.values.of(schedule.group[schedule.plan.source_of(schedule.place)])]
        elif schedule.apart:
            expected = [self.values.of(rank) for rank in schedule.group]
        expected = [each.to(self.world.device) for each in expected]
        wrong = 0
        for number, piece in enumerate(self.executor.pieces):
            place = 0
            for chunk in schedule.last:
                for values in expected:
                    found = piece.buffers[piece.side][place * block:(place + 1) * block]
                    wrong += int((found != self.values.spread(values, chunk, number, self.executor)).sum())
                    place += 1
        return wrong


class Clock:
    """Marks on the GPU's stream, or on the host where collectives block."""

    def __init__(self, world):
        self.world, self.marks = world, []

    def mark(self):
        if not self.world.on_gpu:
            self.marks.append(time.perf_counter())
            return
        event = self.world.torch.cuda.Event(enable_timing=True)
        event.record()
        self.marks.append(event)

    def take(self):
        """Seconds between consecutive marks."""
        marks, self.marks = self.marks, []
        if not self.world.on_gpu:
            return [b - a for a, b in zip(marks, marks[1:])]
        self.world.torch.cuda.synchronize()
        return [a.elapsed_time(b) / 1000 for a, b in zip(marks, marks[1:])]


class Runner:
    """Runs the program of an executor: step by step, in overlapping pieces, or as captured CUDA graphs."""

    def __init__(self, executor):
        self.executor = executor
        self.steps = range(len(executor.schedule.parts))
        self.works = [functools.partial(executor.run_step, step, 0) for step in self.steps]
        if executor.apart:
            self.works = [executor.run_pieces]
        self.sides = None  # after a replay

    def capture(self, load):
        """Replaces the calls by graphs of them. NCCL connects at its first call, which cannot be captured."""
        cuda = self.executor.world.torch.cuda
        load()
        self.run()
        cuda.synchronize()
        load()
        graphs = []
        for work in self.works:
            graph = cuda.CUDAGraph()
            with cuda.graph(graph):
                work()
            graphs.append(graph)
        self.sides = [piece.side for piece in self.executor.pieces]
        self.works = [graph.replay for graph in graphs]

    def run(self, mark=lambda: None):
        for work in self.works:
            work()
            mark()
        for piece, side in zip(self.executor.pieces, self.sides or []):
            piece.side = side


def spread_of(values):
    values, middle = sorted(values), len(values) // 2
    median = values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
    return {"min": values[0], "median": median, "max": values[-1]}


def times_of(world, runner, load, arguments):
    """Seconds of the slowest rank, by repetition: of the whole program, then of every call."""
    clock, rows = Clock(world), []
    for repetition in range(-arguments.warmup, arguments.repeat):
        load()
        world.barrier()
        clock.mark()
        runner.run(clock.mark)
        seconds = clock.take()
        if repetition >= 0:
            rows.append([sum(seconds)] + seconds)
    largest = world.largest([value for row in rows for value in row])
    width = len(rows[0])
    return [largest[i:i + width] for i in range(0, len(largest), width)]
