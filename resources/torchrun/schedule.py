

# One rank's part of the plan. A rank keeps its blocks side by side: chunks in ascending order, and where an AllToAll keeps
# contributions apart, those of one chunk in the order of their sources.


class Part:
    """One rank's part in one step, in blocks of one chunk."""

    def __init__(self, collective, group, ranks):
        self.collective = collective
        self.ranks = ranks       # of the process group: torch sorts them
        self.root = group.devices[0]
        self.members = len(ranks)
        self.send_order = None   # of a scattering step: the part of the plan's i-th member goes to the rank that it is
        self.place_order = None  # of a gathering step: which arriving block comes first, second, …
        self.before = self.after = 0
        self.order = group.devices


def order_or_none(order):
    return None if list(order) == sorted(order) else list(order)


class Schedule:
    def __init__(self, plan, rank):
        self.plan, self.rank = plan, rank
        self.group = next(group for group in plan.reduction_groups if rank in group)
        self.place = self.group.index(rank)
        self.first = plan.first_chunks(self.place)
        self.apart = plan.rules["apart"]
        self.sources = {device: [place] for group in plan.reduction_groups for place, device in enumerate(group)}
        self.last = self.first
        self.parts = [self.part_of(collective, groups) for collective, groups in plan.steps]
        if plan.rules["last"]["holders"] == "root or more" and self.place != 0:
            self.last = ()

    def part_of(self, collective, groups):
        part = None
        for group in groups:
            if self.rank in group.devices:
                part = self.part_in(collective, group)
        if collective == "AllToAll":
            for group in groups:
                union = sorted(source for device in group.devices for source in self.sources[device])
                self.sources.update(dict.fromkeys(group.devices, union))
        return part

    def labels(self, group, member, chunks):
        """Names of a member's blocks of some chunks, in the order in which it keeps them."""
        if not self.apart:
            return list(chunks)
        return [(chunk, source) for chunk in chunks for source in self.sources[group.devices[member]]]

    def part_in(self, collective, group):
        ranks = tuple(sorted(group.devices))
        members = [group.devices.index(rank) for rank in ranks]  # the plan's member of every rank of the process group
        own = group.devices.index(self.rank)
        part = Part(collective, group, ranks)
        part.before = len(self.labels(group, own, group.before[own]))
        self.last = group.after[own]
        part.after = part.before if self.apart else len(self.last)
        if collective in ("ReduceScatter", "AllToAll", "Scatter"):
            part.send_order = order_or_none(members)
        arriving = []
        if collective == "AllGather":
            arriving = [chunk for member in members for chunk in group.before[member]]
        elif collective == "AllToAll":
            arriving = [label for member in members for label in self.labels(group, member, self.last)]
        part.place_order = order_or_none(sorted(range(len(arriving)), key=arriving.__getitem__))
        return part
