"""What `bench/truth` measured, as tables: plain text for a terminal, Markdown for
docs/measuring.md."""

import os
from statistics import median

from laws import PERCENTILES
from rate_peers import Carronade
from tables import markdown_table, significant, text_table
from truth_sections import CLEAN, HOG, PACES

SHARE_ALLOWED = 0.02
FEW_CORES = 2
FIGURES = ("mean", *PERCENTILES)
LIMITS_OF_A1_S = {"spin": 20e-6, "sleep": 100e-6}
# Above it the kernel's own hiccups move more than one arrival over the border of a second.
EVEN_TO_RATE = 1000


def allowed_s():
    """Whichever of this and 2 % is more may lie between a report and the truth. Where client and
    server share two cores, what the kernel does for one delays the other."""
    return 50e-6 if os.cpu_count() <= FEW_CORES else 20e-6


def time_text(seconds):
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if abs(seconds) * scale >= 1:
            return f"{significant(seconds * scale, 4)} {unit}"
    return "0" if seconds == 0 else f"{seconds * 1e6:.2f} µs"


def figure_name(figure):
    return figure if figure == "mean" else f"p{figure:g}"


def said_figure(said, figure):
    return said.mean_s if figure == "mean" else said.quantiles.get(figure)


def law_figure(law, figure):
    return law.mean() if figure == "mean" else law.quantile(figure)


def is_right(said_s, truth_s):
    return abs(said_s - truth_s) <= max(SHARE_ALLOWED * truth_s, allowed_s())


def error_text(said_s, truth_s):
    """+13 µs, +0.7 %, ok"""
    if said_s is None or truth_s is None:
        return "–"
    difference = said_s - truth_s
    sign = "+" if difference >= 0 else "−"
    share = f", {sign}{significant(100 * abs(difference) / truth_s, 2)} %" if truth_s else ""
    return (f"{sign}{time_text(abs(difference))}{share}, "
            + ("ok" if is_right(said_s, truth_s) else "off"))


def _truth_of(case, sample, figure):
    """Of what this run sent, as far as it is known, so that the luck of the draw is no error."""
    return sample.recorded[figure] if case.recorded else law_figure(case.truth, figure)


def law_rows(case, samples):
    header = ["tool", "requests"]
    law = ["the law", "–"]
    for figure in FIGURES:
        header += [figure_name(figure), "error"]
        law += [time_text(law_figure(case.truth, figure)), ""]
        if case.arrivals == "poisson":
            header.append("÷ law")
            law.append("1")
    rows = [header, law]
    for sample in samples:
        row = [sample.task.peer.name, f"{sample.received:,}"]
        for figure in FIGURES:
            said = said_figure(sample.said, figure)
            row += [time_text(said), error_text(said, _truth_of(case, sample, figure))]
            if case.arrivals == "poisson":
                row.append("–" if said is None else
                           significant(said / law_figure(case.truth, figure), 2))
        rows.append(row)
    return rows


def _law_note(case, samples):
    load = f"{case.rate:g} requests a second, {case.arrivals}, for {case.seconds} s"
    if case.arrivals == "poisson":
        load += " (the peers: even, they know no other)"
    parts = [f"`carronade serve {_shell(case.serve())}`; {load}"]
    closed = [s.task.peer.name for s in samples if not s.task.peer.has_rate]
    if closed:
        parts.append(f"{', '.join(closed)}: a closed loop on {case.closed_connections} "
                     "connection" + "s" * (case.closed_connections > 1))
    parts.append("error: against " + ("what the server meant to do in that very run"
                                      if case.recorded else "the law and the plan of arrivals"))
    for sample in samples:
        if isinstance(sample.task.peer, Carronade):
            parts.append(f"carronade calls its run {sample.verdict['state']}"
                         + _codes(sample.verdict))
            if sample.server_late_s is not None:
                parts.append("the server's own lateness in that run has a p99 of "
                             + time_text(sample.server_late_s))
    return "; ".join(parts) + "."


def _codes(verdict):
    codes = [reason["code"] for reason in verdict["reasons"]]
    return f" ({', '.join(codes)})" if codes else ""


def _shell(words):
    return " ".join(f'"{word}"' if " " in word else word for word in words)


def rate_rows(samples):
    rows = [["planned /s", "tool", "seconds", "planned", "received", "error", "busiest second",
             "quietest second", "difference"]]
    for sample in samples:
        if sample.task.name == "poisson":
            continue
        most, least = max(sample.per_second), min(sample.per_second)
        rows.append([f"{sample.task.rate:,}", sample.task.peer.name,
                     str(sample.task.seconds_of_client()), f"{sample.planned:,}",
                     f"{sample.received:,}", f"{100 * _off_plan(sample):+.2f} %", f"{most:,}",
                     f"{least:,}", f"{most - least:,}"])
    return rows


def _off_plan(sample):
    return sample.received / sample.planned - 1


def lateness_rows(samples):
    rows = [["waiting", "requests", "p50", "p99", "p99.9", "max", "verdict"]]
    for sample in samples:
        late = sample.document["lateness"]["generator"]
        rows.append([sample.task.name, f"{late['count']:,}",
                     *(time_text(late[key] / 1e9) for key in ("p50", "p99", "p99_9", "max")),
                     sample.verdict["state"] + _codes(sample.verdict)])
    return rows


def starved_rows(samples):
    states = ("valid", "suspect", "invalid")
    rows = [["run", "runs", *states, "lateness p99, median", "reasons"]]
    for name in (HOG, CLEAN):
        group = [s for s in samples if s.task.name == name]
        if not group:
            continue
        codes = {}
        for sample in group:
            for reason in sample.verdict["reasons"]:
                codes[reason["code"]] = codes.get(reason["code"], 0) + 1
        late = median(s.document["lateness"]["generator"]["p99"] for s in group) / 1e9
        rows.append([name, str(len(group)),
                     *(str(sum(s.verdict["state"] == state for s in group)) for state in states),
                     time_text(late),
                     ", ".join(f"{code} {count}" for code, count in sorted(codes.items())) or "–"])
    return rows


def _yes(reached):
    return "yes" if reached else "no"


def _rate_claims(own):
    rows = []
    even = [s for s in own if s.task.section == "rates" and s.task.name != "poisson"]
    if even:
        worst = max(abs(_off_plan(s)) for s in even)
        few = [s for s in even if s.task.rate <= EVEN_TO_RATE] or even
        uneven = max(max(s.per_second) - min(s.per_second) for s in few)
        rows += [["A2", "the server's count is within 0.1 % of the plan", f"{100 * worst:.3f} %",
                  _yes(worst <= 0.001)],
                 ["A2", "no second has more than one arrival more than another, up to "
                  f"{EVEN_TO_RATE:,}/s", f"{uneven}",
                  _yes(uneven <= 1)]]
    for sample in own:
        if sample.task.name == "poisson" and sample.ks:
            distance, most = sample.ks
            rows.append(["A2", "Poisson: gaps at the server pass a Kolmogorov–Smirnov test at 1 % "
                         f"(distance ≤ {most:.4f})", f"{distance:.4f}", _yes(distance <= most)])
    return rows


def _law_claims(cases, own):
    known = {case.name: case for case in cases}
    counts = {}     # by the name of the mode
    for sample in own:
        if sample.task.section != "laws":
            continue
        count = counts.setdefault(sample.task.peer.name, [0, 0])
        for percent in PERCENTILES:
            said = said_figure(sample.said, percent)
            truth = _truth_of(known[sample.task.name], sample, percent)
            count[0] += said is not None and is_right(said, truth)
            count[1] += 1
    return [["A3", f"{name}: p50, p99, p99.9 within 2 % or {allowed_s() * 1e6:g} µs of the truth",
             f"{right} of {total}", _yes(right == total)]
            for name, (right, total) in counts.items()]


def claim_rows(cases, samples):
    """The lines of the proof table that this can show, for carronade."""
    own = [s for s in samples if isinstance(s.task.peer, Carronade)]
    rows = [["claim", "what", "measured", "reached"]]
    for sample in own:
        if sample.task.section == "lateness" and sample.task.name in LIMITS_OF_A1_S:
            late, most = (sample.document["lateness"]["generator"]["p99"] / 1e9,
                          LIMITS_OF_A1_S[sample.task.name])
            rows.append(["A1", f"lateness p99 ≤ {most * 1e6:g} µs, --pace {sample.task.name}",
                         time_text(late), _yes(late <= most)])
    rows += _rate_claims(own) + _law_claims(cases, own)
    for name, what, wanted in ((HOG, "runs beside a hog are not called valid", False),
                               (CLEAN, "clean runs are called valid", True)):
        group = [s for s in own if s.task.section == "starved" and s.task.name == name]
        if group:
            good = sum((s.verdict["state"] == "valid") == wanted for s in group)
            rows.append(["A5", what, f"{good} of {len(group)}",
                         _yes(good >= (0.99 if wanted else 0.95) * len(group))])
    return rows


def render(cases, samples, facts, markdown):
    """The whole report. `facts`: a list of (name, value)."""
    table = markdown_table if markdown else text_table
    bullet, heading = ("- ", "## ") if markdown else ("", "")
    parts = ["\n".join(f"{bullet}{name}: {value}" for name, value in facts)]

    def add(title, note, rows, least=1):
        if len(rows) > least:
            parts.append(f"{heading}{title}" + (f"\n\n{note}" if note else "")
                         + f"\n\n{table(rows)}")

    by_section = {}
    for sample in samples:
        by_section.setdefault(sample.task.section, []).append(sample)
    for case in cases:
        group = [s for s in by_section.get("laws", []) if s.task.name == case.name]
        add(f"Law: {case.name}", _law_note(case, group), law_rows(case, group), least=2)
    add("Rates, counted by the server", "Seconds begin half a gap before the first arrival.",
        rate_rows(by_section.get("rates", [])))
    lateness = sorted(by_section.get("lateness", []), key=lambda s: PACES.index(s.task.name))
    add("Lateness of carronade by itself", f"Sent − due, generator's part, --pace, "
        f"{lateness[0].task.rate:,}/s." if lateness else "", lateness_rows(lateness))
    add("A starved client", "carronade's verdict on its own runs.",
        starved_rows(by_section.get("starved", [])))
    add("Claims of carronade", "", claim_rows(cases, samples))
    return "\n\n".join(parts) + "\n"
