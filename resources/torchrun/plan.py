

# The plan: what every device holds around every step, and the proof on integers that the steps reach the goal.

MASK = (1 << 64) - 1


def plan_hash(text):
    """FNV-1a of the plan's text, as p2 prints it."""
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 & MASK
    return "%016x" % value


@functools.lru_cache(maxsize=None)
def chunks_of(text):
    """(0, 1, 2, 3, 8) of "0-3,8"."""
    chunks = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        chunks.extend(range(int(first), int(last or first) + 1))
    return tuple(chunks)


class Group:
    """Devices of one collective in ring order, the root first, and the chunks that each holds before and after it."""

    def __init__(self, document):
        self.devices = tuple(document["devices"])
        held = [document["chunks_before"], document["chunks_after"]]
        held = [each if isinstance(each, list) else [each] * len(self.devices) for each in held]
        if any(len(each) != len(self.devices) for each in held):
            raise Refused("a group lists chunks of more or fewer devices than it has; export the plan again")
        self.before, self.after = ([chunks_of(text) for text in each] for each in held)


class Plan:
    def __init__(self, job):
        self.job, self.text = job, job["plan"]
        if plan_hash(self.text) != job["hash"]:
            raise Refused("the plan \"%s\" was changed after its export; export it again with p2 export" % job["name"])
        try:
            document = json.loads(self.text)
            self.bytes = float(document["options"]["bytes"])
            self.program = document["program"]
            self.chunks = int(document["vector"]["chunks"])
            self.predicted = float(document["predicted"]["seconds"])
            self.reduction_groups = [tuple(group) for group in document["reduction_groups"]]
            self.steps = [(step["collective"], [Group(group) for group in step["groups"]]) for step in document["lowered"]]
        except (KeyError, TypeError, ValueError) as problem:
            raise Refused("the plan \"%s\" is damaged (%s); export it again" % (job["name"], problem)) from None
        self.devices = sum(len(group) for group in self.reduction_groups)
        self.rules = job["goal"]

    def source_of(self, place):
        """Place of the member whose vector a member ends with, of a Shift."""
        return 0 if place == 0 and self.steps[0][0] == "OpenShift" else place - 1

    def first_chunks(self, place):
        """Chunks with which the member at a place of its reduction group begins."""
        return chunks_at(self.rules["first"], self.chunks, place)


def chunks_at(rule, chunks, place):
    if rule["holders"] != "all" and place != 0:
        return ()
    return (place,) if rule["chunks"] == "one" else tuple(range(chunks))


def number_of(device):
    """A random 64-bit number of a device (SplitMix64): a wrong sum goes unnoticed with a probability of 2^-64."""
    z = (device + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def summed(holdings):
    return {chunk: sum(held[chunk] for held in holdings) & MASK for chunk in holdings[0]}


def scattered(held, members):
    chunks = sorted(held)
    size = len(chunks) // members
    if size * members != len(chunks):
        raise Refused("its chunks cannot be scattered over the group")
    return [{chunk: held[chunk] for chunk in chunks[i * size:(i + 1) * size]} for i in range(members)]


def effect_of(collective, before):
    """Holdings ({chunk: sum of contributions}) of a group after a collective."""
    members = len(before)
    if collective in ("AllReduce", "Reduce", "ReduceScatter", "AllToAll"):
        if not before[0] or any(held.keys() != before[0].keys() for held in before):
            raise Refused("its members hold different chunks")
        total = summed(before)
        if collective == "AllReduce":
            return [total] * members
        return [total] + [{}] * (members - 1) if collective == "Reduce" else scattered(total, members)
    if collective == "AllGather":
        union = {chunk: value for held in before for chunk, value in held.items()}
        if any(len(held) != len(before[0]) for held in before) or len(union) != members * len(before[0]):
            raise Refused("its members hold the same chunk, or different numbers of chunks")
        return [union] * members
    if collective in ("Shift", "OpenShift"):
        return [before[-1] if collective == "Shift" else before[0]] + before[:-1]
    if collective not in ("Broadcast", "Scatter"):
        raise Refused("the collective \"%s\" is not known here" % collective)
    if not before[0] or any(held.keys() - before[0].keys() for held in before):
        raise Refused("its root lacks chunks")
    return [before[0]] * members if collective == "Broadcast" else scattered(before[0], members)


def begin_of(plan):
    held = {}
    own = plan.rules["first"]["contributions"] == "own"
    for group in plan.reduction_groups:
        total = sum(number_of(device) for device in group) & MASK
        for place, device in enumerate(group):
            held[device] = dict.fromkeys(plan.first_chunks(place), number_of(device) if own else total)
    if sorted(held) != list(range(plan.devices)):
        raise Refused("its reduction groups do not list every device once")
    return held


def verify(plan):
    """Executes the plan on integers. Raises Refused with the place where it goes wrong."""
    place = "/reduction_groups"
    try:
        held = begin_of(plan)
        for number, (collective, groups) in enumerate(plan.steps):
            taking_part = set()
            for index, group in enumerate(groups):
                place = "/lowered/%d/groups/%d" % (number, index)
                if len(group.devices) < 2 or taking_part & set(group.devices) or not held.keys() >= set(group.devices):
                    raise Refused("a device is unknown or takes part twice")
                taking_part |= set(group.devices)
                check_held(held, group, group.before)
                for device, after in zip(group.devices, effect_of(collective, [held[device] for device in group.devices])):
                    held[device] = after
                check_held(held, group, group.after)
        place = "/lowered"
        for group in plan.reduction_groups:
            check_end(plan, group, held)
    except Refused as problem:
        raise Refused("the plan \"%s\" is wrong at %s: %s; export it again" % (plan.job["name"], place, problem)) from None


def check_held(held, group, expected):
    for device, chunks in zip(group.devices, expected):
        if tuple(sorted(held[device])) != chunks:
            raise Refused("device %d holds other chunks than the plan says" % device)


def check_end(plan, group, held):
    last = plan.rules["last"]
    if "shift" in plan.rules:
        for place, device in enumerate(group):
            if held[device] != {0: number_of(group[plan.source_of(place)])}:
                raise Refused("device %d does not end with what the one before it had" % device)
        return
    total = sum(number_of(device) for device in group) & MASK
    union = set()
    for place, device in enumerate(group[:1] if last["holders"] == "root or more" else group):
        union |= held[device].keys()
        if last["chunks"] == "all" and tuple(sorted(held[device])) != chunks_at(last, plan.chunks, place):
            raise Refused("device %d does not end with what the goal asks for" % device)
        if any(value != total for value in held[device].values()):
            raise Refused("device %d ends with a wrong sum" % device)
    if len(union) != plan.chunks:
        raise Refused("chunks are missing at the end")
