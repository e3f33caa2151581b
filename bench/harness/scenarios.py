"""The jobs to compare the peers at."""

from dataclasses import dataclass, field

GIGABYTE = 1_000_000_000


@dataclass
class Entry:
    """One row of a scenario's table: a client at a job, fired at a server.

    A guest runs in the first rounds only: it costs so much more that a few tell enough."""

    label: str
    peer: str
    server: str = "serve"
    guest: bool = False
    fresh: bool = False     # on an address that no run used lately
    tls: bool = False
    big: bool = False       # the 1 MiB body instead of the small one
    job: dict = field(default_factory=dict)


@dataclass
class Scenario:
    name: str
    title: str
    entries: list
    subject: str = "client"     # whose cost is told: the client's or the server's
    per: str = "request"        # or GB
    base: str = "carronade"     # the label that the ratios are taken to
    note: str = ""


def _entries(names, guests=(), floor=None, **same):
    job = same.pop("job", {})
    rows = [Entry(name, name, job=dict(job), **same) for name in names]
    if floor:
        rows.insert(1, Entry(floor, "epoll_floor", job=dict(job), **same))
    return rows + [Entry(name, name, guest=True, job=dict(job), **same) for name in guests]


def _small(connections, guests):
    return _entries(["carronade", "uring_floor", "wrk", "h2load"], guests, floor="epoll_floor",
                    job={"connections": connections})


def _large():
    rows = _entries(["carronade", "wrk", "h2load"], ["hey", "autocannon"], server="nginx",
                    big=True, job={"connections": 8})
    for drain in ("discard", "copy"):
        rows.insert(1, Entry(f"epoll_floor --drain {drain}", "epoll_floor", "nginx", big=True,
                             job={"connections": 8, "drain": drain}))
    return rows


def _threads():
    return [Entry(f"carronade -w {n}", "carronade", job={"connections": 400, "threads": n})
            for n in (1, 2, 4)]


def _servers(connections, depth):
    job = {"connections": connections, "depth": depth}
    return [Entry("carronade serve", "epoll_floor", "serve", job=dict(job)),
            Entry("nginx", "epoll_floor", "nginx", job=dict(job))]


ALL = [
    Scenario("small-50", "Small answers, 50 connections kept open, bundled server",
             _small(50, ["ab", "hey", "siege", "autocannon", "loadtest"]),
             note="answers of 78 bytes; ab speaks HTTP/1.0 with keep-alive"),
    Scenario("small-400", "Small answers, 400 connections kept open, bundled server",
             _small(400, ["autocannon"])),
    Scenario("small-nginx", "Small answers, 50 connections kept open, nginx",
             _entries(["carronade", "wrk"], floor="epoll_floor", server="nginx"),
             note="nginx sends five header fields where the bundled server sends two"),
    Scenario("pipelined", "Pipelined 100 deep, 50 connections, bundled server",
             _entries(["carronade", "uring_floor", "wrk", "h2load"], ["autocannon"],
                      floor="epoll_floor", job={"depth": 100}),
             note="wrk sends its batch by a Lua script, and times the batch, not each answer"),
    Scenario("large", "Answers of 1 MiB, 8 connections, nginx", _large(), per="GB",
             note="the floor reads 256 KiB at a time, into memory or dropped by the kernel"),
    Scenario("tls-small", "TLS 1.3, small answers, 50 connections kept open, nginx",
             _entries(["carronade", "wrk", "h2load"], ["autocannon"], server="nginx", tls=True)),
    Scenario("tls-handshake", "TLS 1.3, a full handshake for each request, 50 at once, nginx",
             _entries(["carronade", "wrk", "h2load"], server="nginx", tls=True, fresh=True,
                      job={"close": True}),
             note="the server neither caches sessions nor gives tickets: nobody can resume"),
    Scenario("connect", "A new connection for each request, 50 at once, nginx",
             _entries(["carronade", "wrk", "h2load"], ["ab"], server="nginx", fresh=True,
                      job={"close": True}),
             note="each request asks for `Connection: close`, so the server closes first"),
    Scenario("threads", "Threads of carronade on one core, 400 connections, bundled server",
             _threads(), base="carronade -w 1", note="two cores here: scaling shows in cost only"),
    Scenario("server-400", "Servers on one core, 400 connections kept open, fired at by the floor",
             _servers(400, 1), subject="server", base="carronade serve",
             note="13-byte bodies from both"),
    Scenario("server-pipelined", "Servers on one core, pipelined 100 deep, 50 connections",
             _servers(50, 100), subject="server", base="carronade serve",
             note="fired at by the floor"),
]


@dataclass
class Goal:
    """A line of issue 3's table: `subject` / `reference` of a measure, paired within a round, or
    the measure itself when there is no reference."""

    scenario: str
    subject: str
    reference: str
    measure: str        # "cpu" for CPU per unit, "rate" for units a second
    limit: float
    at_most: bool = True

    @property
    def text(self):
        what = "CPU per unit" if self.measure == "cpu" else "rate"
        sign = "≤" if self.at_most else "≥"
        if not self.reference:
            return f"{what} {sign} {self.limit:,.0f}"
        return f"{what} {sign} {self.limit:g} × {self.reference}"


GOALS = [
    *[Goal(name, "carronade", "wrk", "cpu", 0.75) for name in ("small-50", "small-400")],
    *[Goal(name, "carronade", "epoll_floor", "cpu", 1.10) for name in ("small-50", "small-400")],
    Goal("small-400", "carronade", "wrk", "rate", 1.25, at_most=False),
    Goal("pipelined", "carronade", "epoll_floor", "cpu", 2.0),
    Goal("pipelined", "carronade", "autocannon", "cpu", 0.02),
    Goal("large", "carronade", "wrk", "cpu", 0.6),
    Goal("tls-small", "carronade", "wrk", "cpu", 0.9),
    Goal("tls-handshake", "carronade", "h2load", "cpu", 1.0),
    Goal("connect", "carronade", "wrk", "cpu", 1.0),
    Goal("threads", "carronade -w 2", "carronade -w 1", "cpu", 1.05),
    Goal("threads", "carronade -w 4", "carronade -w 1", "cpu", 1.05),
    Goal("server-400", "carronade serve", "nginx", "rate", 1.2, at_most=False),
    Goal("server-pipelined", "carronade serve", "", "rate", 3_000_000, at_most=False),
]


def choose(names):
    """The scenarios of these names, in the order of ALL; all when none is given."""
    known = {scenario.name for scenario in ALL}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"no scenario is called {unknown[0]}; there are "
                         + ", ".join(s.name for s in ALL))
    return [s for s in ALL if not names or s.name in names]
