

# From the command line to the runs.

RING_ROUNDS = {"AllReduce": 2, "ReduceScatter": 1, "AllGather": 1, "AllToAll": 1}
KEPT = ("NCCL_", "TORCH_NCCL_", "GLOO_", "UCX_", "OMPI_", "FI_", "CUDA_", "SLURM_", "OMP_")
UNITS = {"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


def bytes_of(text):
    match = re.fullmatch(r"([0-9.]+(?:e[0-9]+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2].upper() not in UNITS or not 1 <= float(match[1]) * UNITS[match[2].upper()] <= 1e12:
        raise argparse.ArgumentTypeError("\"%s\" is not a number of bytes up to 1 TB; write 64MiB or 1e9" % text)
    return float(match[1]) * UNITS[match[2].upper()]


def whole(least, most):
    def read(text):
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError("\"%s\" is not a whole number from %d to %d" % (text, least, most))
        return int(text)
    return read


def arguments_of(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=["auto", "nccl", "gloo", "mpi"], default="auto",
                        help="nccl where there are GPUs, else gloo")
    parser.add_argument("--bytes", type=bytes_of, help="per device (the plan's own; without GPUs 16 MiB at most)")
    parser.add_argument("--repeat", type=whole(1, 100000), default=20, help="timed repetitions (20)")
    parser.add_argument("--warmup", type=whole(0, 100000), default=5, help="repetitions before them (5)")
    parser.add_argument("--overlap", type=whole(1, 4096), default=1, metavar="PIECES",
                        help="cut the vector into pieces that follow each other through the steps")
    parser.add_argument("--graphs", action="store_true", help="replay the steps as CUDA graphs")
    parser.add_argument("--compute", action="store_true", help="run again with matrix products at the same time")
    parser.add_argument("--timeout", type=whole(1, 86400), default=300, help="seconds after which a collective has failed (300)")
    parser.add_argument("--check-only", action="store_true", help="prove the plans on integers, run nothing")
    parser.add_argument("--share-gpu", action="store_true", help="several ranks on one GPU, over sockets: times mean nothing")
    parser.add_argument("--spawn", action="store_true", help="start the ranks of this machine, as torchrun does")
    parser.add_argument("--nnodes", type=whole(1, 100000), default=1, help="with --spawn: machines (1)")
    parser.add_argument("--node_rank", type=whole(0, 99999), default=0, help="with --spawn: number of this machine (0)")
    parser.add_argument("--master_addr", default="127.0.0.1", help="with --spawn: host name of machine 0")
    parser.add_argument("--master_port", type=whole(1, 65535), help="with --spawn: its port (29500; on one machine any free one)")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the runs go (standard output)")
    return parser.parse_args(argv)


def place_in_job():
    """Rank, ranks and rank on this host, as torchrun, srun or mpirun tells them."""
    names = [("RANK", "WORLD_SIZE", "LOCAL_RANK"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
             ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID")]
    for rank, size, local in names:
        if rank in os.environ and size in os.environ:
            find_master(rank == "SLURM_PROCID")
            return int(os.environ[rank]), int(os.environ[size]), int(os.environ.get(local, 0))
    raise Refused("no launcher has started this; use torchrun, srun or mpirun, or --spawn for this machine alone")


def find_master(in_slurm):
    """Where rank 0 is. The first host of a Slurm step is that of task 0."""
    first = re.match(r"([^,\[]+)(?:\[(\d+))?", os.environ.get("SLURM_STEP_NODELIST", ""))
    host = "".join(filter(None, first.groups())) if in_slurm and first else "127.0.0.1"
    os.environ.setdefault("MASTER_ADDR", host)
    os.environ.setdefault("MASTER_PORT", str(20000 + int(os.environ.get("SLURM_JOB_ID", "9500")) % 20000))


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def spawn(count, arguments):
    """Starts a process for every rank of this machine and returns the worst exit status; one that fails ends all."""
    if count % arguments.nnodes != 0 or arguments.node_rank >= arguments.nnodes:
        raise Refused("%d devices on %d machines, of which this is number %d; use a divisor, and count machines from 0"
                      % (count, arguments.nnodes, arguments.node_rank))
    port = arguments.master_port or (free_port() if arguments.nnodes == 1 else 29500)
    argv = [sys.executable, os.path.abspath(__file__)] + [each for each in sys.argv[1:] if each != "--spawn"]
    here = count // arguments.nnodes
    ranks = []
    for local in range(here):
        place = {"RANK": arguments.node_rank * here + local, "LOCAL_RANK": local, "LOCAL_WORLD_SIZE": here, "WORLD_SIZE": count,
                 "MASTER_ADDR": arguments.master_addr, "MASTER_PORT": port}
        environment = dict(os.environ, OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", "1"))
        environment.update({name: str(value) for name, value in place.items()})
        ranks.append(subprocess.Popen(argv, env=environment))
    patience = None
    try:
        while any(each.poll() is None for each in ranks):
            if patience is None and any(each.poll() for each in ranks):
                patience = time.monotonic() + 10  # the others may be about to end by themselves
            if patience is not None and time.monotonic() > patience:
                break
            time.sleep(0.02)
    finally:
        for each in ranks:
            if each.poll() is None:
                each.terminate()
    codes = [each.wait() for each in ranks]
    return max([code for code in codes if code > 0], default=1 if any(codes) else 0)


def step_runs(plan, rows, size, overlaps):
    runs = []
    for number, (collective, groups) in enumerate(plan.steps):
        group = groups[0]
        most = max(len(held) for held in group.before + group.after)
        blocks = plan.chunks if plan.rules["apart"] else most
        run = {"collective": collective, "members": len(group.devices), "bytes": size * blocks / plan.chunks}
        if not overlaps:
            run["seconds"] = spread_of([row[1 + number] for row in rows])
            median, members = run["seconds"]["median"], len(group.devices)
            run["algorithm_bandwidth"] = run["bytes"] / median if median > 0 else 0
            run["bus_bandwidth"] = run["algorithm_bandwidth"] * RING_ROUNDS.get(collective, members / (members - 1)) * (members - 1) / members
        runs.append(run)
    return runs


def memory_problem(world, needed):
    """Why buffers of this many bytes per rank do not fit; nothing where they do."""
    if world.on_gpu:
        free, ranks = world.torch.cuda.mem_get_info()[0], 1
    else:
        with contextlib.suppress(OSError), open("/proc/meminfo") as lines:
            free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
            ranks = int(os.environ.get("LOCAL_WORLD_SIZE", world.size))
            return None if needed * ranks < free else "needs %.3g bytes of memory, and there are %.3g" % (needed * ranks, free)
        return None
    return None if needed * ranks < free else "needs %.3g bytes of the GPU's memory, and %.3g are free" % (needed, free)


def run_job(world, job, arguments):
    """The record of one run."""
    torch, plan = world.torch, Plan(job)
    schedule = Schedule(plan, world.rank)
    asked = arguments.bytes or (plan.bytes if world.on_gpu else min(plan.bytes, 2**24))
    elements = max(1, -(-int(asked) // 4))
    chunk = -(-elements // plan.chunks)
    block = -(-chunk // arguments.overlap)
    size = 4.0 * block * arguments.overlap * plan.chunks
    problem = memory_problem(world, 6 * size)
    if world.total(1 if problem else 0):
        raise Refused("a vector of %.3g bytes does not fit: %s; use a smaller --bytes" % (size, problem or "another rank lacks memory"))
    executor = Executor(world, schedule, block, arguments.overlap, torch.float32)
    probe, runner = Probe(executor, torch.float32), Runner(executor)
    if arguments.graphs:
        runner.capture(probe.load)
    rows = times_of(world, runner, probe.load, arguments)
    seconds = spread_of([row[0] for row in rows])
    extra = {"entry": job["name"], "count": job["count"], "overlappable": job["overlappable"], "graphs": arguments.graphs}
    if arguments.compute:
        extra["beside_compute"] = beside_compute(world, runner, probe.load, arguments, seconds["median"])
    wrong = 0
    for dtype in (torch.float32, torch.int64):
        if dtype != torch.float32:
            executor = Executor(world, schedule, block, arguments.overlap, dtype)
            probe, runner = Probe(executor, dtype), Runner(executor)
        probe.load()
        world.barrier()
        runner.run()
        wrong += probe.wrong_elements()
    wrong = world.total(wrong)
    result = {"backend": "torch-" + world.backend, "library": world.library(), "version": VERSION, "plan_hash": job["hash"],
              "hosts": world.hosts(), "bytes": size, "repeat": arguments.repeat, "pieces": arguments.overlap,
              "wrong_elements": wrong, "seconds": seconds, "steps": step_runs(plan, rows, size, arguments.overlap > 1)}
    predicted = plan.predicted if abs(asked - plan.bytes) < 4 and arguments.overlap == 1 else None
    return record_of(plan, result, predicted, extra)


def record_of(plan, result, predicted, extra):
    now = datetime.datetime.now(datetime.timezone.utc)
    environment = {name: value for name, value in sorted(os.environ.items()) if name.startswith(KEPT)}
    setting = {"version": VERSION, "from": socket.gethostname(), "host": "", "launcher": "torchrun", "arguments": sys.argv[1:],
               "environment": environment}
    job = plan.job
    record = {"when": now.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (now.microsecond // 1000), "target": "torchrun",
              "system": job["system"], "axes": job["axes"], "matrix": job["matrix"], "program": plan.program,
              "predicted_seconds": predicted, "result": result, "problem": "", "setting": setting}
    if "shift" not in plan.rules:  # not a plan of collectives
        record.update(plan=plan.text, plan_hash=job["hash"])
    record.update(extra)
    return record


def describe(record):
    result = record["result"]
    text = "%s: %s, median %.4g s of %g bytes" % (record["entry"], record["program"], result["seconds"]["median"], result["bytes"])
    if record["predicted_seconds"]:
        text += ", predicted %.4g s" % record["predicted_seconds"]
    beside = record.get("beside_compute")
    if beside:
        text += ", %.2f times as long during computation (%.0f %% overlap)" % (beside["slowdown"], 100 * beside["overlapped_share"])
    wrong = result["wrong_elements"]
    return text + (", every element right" if wrong == 0 else "; %d ELEMENTS ARE WRONG: the run has failed" % wrong)


def step_of(records):
    """What the entries of a training step take in all, each as often as the step has it."""
    def total(seconds, chosen=lambda record: True):
        return sum(record["count"] * seconds(record) for record in records if chosen(record))

    def median(record):
        return record["result"]["seconds"]["median"]

    step = {"name": STEP, "seconds": total(median), "overlappable_seconds": total(median, lambda record: record["overlappable"])}
    step["exposed_seconds"] = step["seconds"] - step["overlappable_seconds"]
    predicted = [record["predicted_seconds"] for record in records]
    step["predicted_seconds"] = None if None in predicted else total(lambda record: record["predicted_seconds"])
    if all("beside_compute" in record for record in records):
        step["seconds_beside"] = total(lambda record: record["beside_compute"]["seconds_beside"]["median"])
        step["slowdown"] = step["seconds_beside"] / step["seconds"]
    return step


def describe_step(step, jobs, records):
    text = "%s: %.4g s of communication per step, %.4g s of it exposed" % (step["name"], step["seconds"], step["exposed_seconds"])
    shorter = sum(record["result"]["bytes"] < Plan(job).bytes - 4 for job, record in zip(jobs, records))
    if shorter:
        text += "; %d of %d entries ran with fewer bytes than the step has; the real step takes longer than this" % (shorter, len(jobs))
    return text


def run_jobs(jobs, arguments):
    place = place_in_job()
    devices = Plan(jobs[0]).devices
    if place[1] != devices:
        raise Refused("the plan is for %d devices, and %d processes were started" % (devices, place[1]))
    try:
        import torch
        import torch.distributed
    except ImportError as problem:
        raise Refused("torch cannot be imported (%s); install python3-torch" % problem) from None
    world = World(torch, arguments, place)
    records = []
    for job in jobs:
        records.append(run_job(world, job, arguments))
        if world.rank == 0:
            say(describe(records[-1]))
    if world.rank == 0:
        answer = {"format": "p2-runs", "version": 1, "runs": records}
        if STEP:
            answer["step"] = step_of(records)
            say(describe_step(answer["step"], jobs, records))
        text = json.dumps(answer, indent=1)
        with open(arguments.output, "w") if arguments.output else contextlib.nullcontext(sys.stdout) as out:
            print(text, file=out, flush=True)
    world.barrier()
    world.dist.destroy_process_group()
    return 1 if any(record["result"]["wrong_elements"] for record in records) else 0


def main():
    arguments = arguments_of(sys.argv[1:])
    try:
        if arguments.graphs and arguments.backend in ("gloo", "mpi"):
            raise Refused("--graphs needs --backend nccl")
        for job in JOBS:
            verify(Plan(job))
        if arguments.check_only:
            print("%d of %d plans are right on integers" % (len(JOBS), len(JOBS)))
            return 0
        return spawn(Plan(JOBS[0]).devices, arguments) if arguments.spawn else run_jobs(JOBS, arguments)
    except (Refused, OSError) as problem:
        say(str(problem))
        return 2
    except RuntimeError as problem:
        say("the run has failed: " + str(problem).splitlines()[0])
        return 1


if __name__ == "__main__":
    sys.exit(main())
