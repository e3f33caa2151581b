"""What the bundled server can be told to do, and the truth about it: every figure is computed here
from the formula of the law. Times are in seconds."""

import math
from dataclasses import dataclass
from statistics import NormalDist

PERCENTILES = (50, 99, 99.9)


def nearest_rank(ordered, percent):
    """The same rule that carronade uses: the sample of rank ⌈n·p⌉."""
    # n·p is rounded first: 0.999 · 1000 is a hair above 999 in binary.
    return ordered[max(math.ceil(round(len(ordered) * percent / 100, 6)), 1) - 1]


@dataclass(frozen=True)
class Fixed:
    time_s: float

    def mean(self):
        return self.time_s

    def quantile(self, _percent):
        return self.time_s


@dataclass(frozen=True)
class Exponential:
    mean_s: float

    def mean(self):
        return self.mean_s

    def quantile(self, percent):
        return -math.log(1 - percent / 100) * self.mean_s


@dataclass(frozen=True)
class Lognormal:
    median_s: float
    sigma: float

    def mean(self):
        return self.median_s * math.exp(self.sigma ** 2 / 2)

    def quantile(self, percent):
        return self.median_s * math.exp(self.sigma * NormalDist().inv_cdf(percent / 100))


@dataclass(frozen=True)
class Bimodal:
    percent: float      # of the requests take `first_s`
    first_s: float
    other_s: float

    def mean(self):
        return (self.percent * self.first_s + (100 - self.percent) * self.other_s) / 100

    def quantile(self, percent):
        return min(self.first_s, self.other_s) if percent <= self._share_of_faster() \
            else max(self.first_s, self.other_s)

    def _share_of_faster(self):
        return self.percent if self.first_s <= self.other_s else 100 - self.percent


def single_queue(service_rate, arrival_rate):
    """M/M/1: the time from arrival to departure is exponential with the rate µ − λ."""
    return Exponential(1 / (service_rate - arrival_rate))


class Stall:
    """An answer at once, but none during a stall: response time = end of the stall − due, for what
    is due in it. The stall begins anywhere between two arrivals: half a gap is taken."""

    def __init__(self, rate, run_s, stall_s):
        count, held = round(rate * run_s), round(rate * stall_s)
        waits = [stall_s - (number + 0.5) / rate for number in range(held)]
        self._ordered = sorted([0.0] * (count - held) + waits)

    def mean(self):
        return sum(self._ordered) / len(self._ordered)

    def quantile(self, percent):
        return nearest_rank(self._ordered, percent)


@dataclass(frozen=True)
class Case:
    """A server that behaves by a law, and the load to measure it with."""

    name: str
    service: tuple          # options of `carronade serve`
    truth: object           # of the response time
    rate: float             # requests a second
    seconds: int
    arrivals: str = "even"
    connections: int = 100  # more than ever are busy at once
    clients: int = 10       # at most, where each has a rate of its own: they come in bursts
    # Whether the server's record of what it meant to do is the truth about what was sent. Not when
    # it stalls: a client that waits sends less, and the record knows only what was sent.
    recorded: bool = True
    stall_s: int = 0        # the server stalls for so long,
    stall_every_s: int = 0  # each time that so long has passed

    def serve(self, unmeasured_s=0):
        """All options of the server. A client that forgets what it measured in the first
        `unmeasured_s` gets the stall so much later."""
        if not self.stall_s:
            return self.service
        return ("--stall", f"{self.stall_s}s every {self.stall_every_s + unmeasured_s}s")

    @property
    def closed_connections(self):
        """So many connections of a closed loop make about the same load (Little's law). A stall
        takes up as many as there are, so it says nothing here."""
        return max(1, round(self.rate * self.truth.mean())) if self.recorded else 1


def _milliseconds(seconds):
    return f"{seconds * 1000:g}ms"


def cases(seconds, stall_run_s, stall_s, stall_every_s, rate=1000):
    """All of them. The stall lies inside the run as long as the client begins within the first
    2·stall_every_s − stall_run_s seconds of the server's life."""
    fixed, exponential = Fixed(2e-3), Exponential(1e-3)
    lognormal, bimodal = Lognormal(1e-3, 0.5), Bimodal(95, 1e-3, 50e-3)
    found = [
        Case("fixed", ("--service", f"fixed {_milliseconds(fixed.time_s)}"), fixed, rate, seconds),
        Case("exp", ("--service", f"exp {_milliseconds(exponential.mean_s)}"), exponential, rate,
             seconds),
        Case("lognormal", ("--service", f"lognormal {_milliseconds(lognormal.median_s)} "
                           f"{lognormal.sigma:g}"), lognormal, rate, seconds),
        Case("bimodal", ("--service", f"bimodal {bimodal.percent:g}% "
                         f"{_milliseconds(bimodal.first_s)}, {100 - bimodal.percent:g}% "
                         f"{_milliseconds(bimodal.other_s)}"), bimodal, rate, seconds),
    ]
    service_rate = 1 / exponential.mean_s
    for load in (0.5, 0.8):
        arrival_rate = load * service_rate
        found.append(Case(f"mm1-{load:g}", ("--queue", "1", *found[1].service),
                          single_queue(service_rate, arrival_rate), arrival_rate, seconds,
                          arrivals="poisson"))
    found.append(Case("stall", (), Stall(100, stall_run_s, stall_s), 100, stall_run_s,
                      connections=300, clients=100, recorded=False, stall_s=stall_s,
                      stall_every_s=stall_every_s))
    return found
