

# A compute kernel that runs at the same time: what communication and computation cost each other.


class Kernel:
    """Matrix products that take about as long as the communication."""

    def __init__(self, world, seconds):
        torch = world.torch
        self.world = world
        size = 4096 if world.on_gpu else 384
        dtype = torch.bfloat16 if world.on_gpu else torch.float32
        self.left, self.right, self.out = (torch.full((size, size), 0.5, dtype=dtype, device=world.device) for _ in range(3))
        self.stream = torch.cuda.Stream() if world.on_gpu else None
        self.count = 1
        self.alone()
        once = max(min(self.alone() for _ in range(3)), 1e-7)
        self.count = int(world.largest([max(1, min(100000, round(seconds / once)))])[0])

    def products(self):
        for _ in range(self.count):
            self.world.torch.mm(self.left, self.right, out=self.out)

    def alone(self):
        """Seconds of the products by themselves."""
        clock = Clock(self.world)
        clock.mark()
        self.products()
        clock.mark()
        return clock.take()[0]

    def beside(self, communicate):
        """Seconds from the common start to the end of the communication, of the products, and of both."""
        if self.stream is None:
            return self.beside_in_thread(communicate)
        cuda = self.world.torch.cuda
        begin, communicated, computed = (cuda.Event(enable_timing=True) for _ in range(3))
        begin.record()
        self.stream.wait_event(begin)
        with cuda.stream(self.stream):
            self.products()
            computed.record()
        communicate()
        communicated.record()
        cuda.synchronize()
        ends = [begin.elapsed_time(end) / 1000 for end in (communicated, computed)]
        return ends + [max(ends)]

    def beside_in_thread(self, communicate):
        ends = [0.0, 0.0]
        begin = time.perf_counter()

        def compute():
            self.products()
            ends[1] = time.perf_counter() - begin

        thread = threading.Thread(target=compute)
        thread.start()
        communicate()
        ends[0] = time.perf_counter() - begin
        thread.join()
        return ends + [max(ends)]


def beside_compute(world, runner, load, arguments, communication):
    """What a compute kernel and the communication cost each other; `communication` is the median alone, in seconds."""
    kernel = Kernel(world, communication)
    alone, together = [], []
    for repetition in range(-arguments.warmup, arguments.repeat):
        world.barrier()
        seconds = kernel.alone()
        load()
        world.barrier()
        ends = kernel.beside(runner.run)
        if repetition >= 0:
            alone.append(seconds)
            together.append(ends)
    alone = world.largest(alone)
    columns = list(zip(*[world.largest(row) for row in together]))
    communicated, computed, both = (spread_of(column) for column in columns)
    compute = spread_of(alone)
    hidden = (communication + compute["median"] - both["median"]) / min(communication, compute["median"])
    return {
        "products": kernel.count, "compute_seconds": compute, "seconds_beside": communicated,
        "compute_seconds_beside": computed, "together_seconds": both,
        "overlapped_share": max(0.0, min(1.0, hidden)),
        "slowdown": communicated["median"] / communication,
        "compute_slowdown": computed["median"] / compute["median"],
    }
