"""What was measured, as tables: plain text for a terminal, Markdown for docs/performance.md."""

from statistics import median

MIB = 1024 * 1024
HEADER = ["tool", "rate /s", "CPU", "user", "system", "RSS MiB", "CPU ÷ ", "rate ÷ ",
          "client", "server", "errors"]


def significant(value, digits=3):
    """Three significant digits, never an exponent."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text or abs(value) >= 10 ** digits:
        return f"{value:,.0f}"
    return text


def spread(values):
    """min–median–max."""
    if not values:
        return "–"
    return "–".join(significant(v) for v in (min(values), median(values), max(values)))


def by_label(samples, scenario):
    found = {}
    for sample in samples:
        if sample.scenario == scenario:
            found.setdefault(sample.label, []).append(sample)
    return found


def paired_ratios(subject, reference, measure):
    """subject / reference of those rounds that have both; `subject` itself without a reference."""
    key = {"cpu": lambda s: s.cpu_per_unit_s, "rate": lambda s: s.rate}[measure]
    if reference is None:
        return [key(s) for s in subject]
    references = {s.round: key(s) for s in reference}
    return [key(s) / references[s.round] for s in subject if references.get(s.round)]


def scenario_rows(scenario, samples):
    """The header and one row per entry, as cells of text."""
    groups = by_label(samples, scenario.name)
    base = groups.get(scenario.base, [])
    scale, unit = (1e6, "µs") if scenario.per == "request" else (1.0, "s")
    header = list(HEADER)
    header[0] = "server" if scenario.subject == "server" else "tool"
    header[1] = "rate /s" if scenario.per == "request" else "GB/s"
    header[2] = f"CPU {unit}/{scenario.per}"
    header[6:8] = [f"{ratio}{scenario.base}" for ratio in header[6:8]]
    rows = [header]
    for entry in scenario.entries:
        group = groups.get(entry.label)
        if not group:
            continue
        rows.append([
            entry.label,
            significant(median(s.rate for s in group)),
            significant(scale * median(s.cpu_per_unit_s for s in group)),
            significant(scale * median(s.user_per_unit_s for s in group)),
            significant(scale * median(s.system_per_unit_s for s in group)),
            f"{max(s.rss_bytes for s in group) / MIB:.1f}",
            spread(paired_ratios(group, base, "cpu")),
            spread(paired_ratios(group, base, "rate")),
            f"{100 * median(s.client_busy for s in group):.0f} %",
            f"{100 * median(s.server_busy for s in group):.0f} %",
            str(sum(s.errors for s in group)),
        ])
    return rows


def goal_rows(goals, samples):
    rows = [["scenario", "goal of issue 3", "measured, min–median–max", "reached"]]
    for goal in goals:
        groups = by_label(samples, goal.scenario)
        reference = groups.get(goal.reference, []) if goal.reference else None
        ratios = paired_ratios(groups.get(goal.subject, []), reference, goal.measure)
        if not ratios:
            continue
        middle = median(ratios)
        reached = middle <= goal.limit if goal.at_most else middle >= goal.limit
        rows.append([goal.scenario, f"{goal.subject}: {goal.text}", spread(ratios),
                     "yes" if reached else "no"])
    return rows


def text_table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if i == 0 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(rows):
    def line(cells):
        return "| " + " | ".join(cells) + " |"

    rule = ["---"] + ["--:"] * (len(rows[0]) - 1)
    return "\n".join([line(rows[0]), line(rule)] + [line(row) for row in rows[1:]])


def render(scenarios, goals, samples, machine, markdown):
    """The whole report. `machine` is a list of (name, value)."""
    table = markdown_table if markdown else text_table
    heading = "## " if markdown else ""
    parts = []
    if markdown:
        parts.append("\n".join(f"- {name}: {value}" for name, value in machine))
    else:
        parts.append("\n".join(f"{name}: {value}" for name, value in machine))
    for scenario in scenarios:
        rows = scenario_rows(scenario, samples)
        if len(rows) == 1:
            continue
        note = f"\n{scenario.note[:1].upper()}{scenario.note[1:]}.\n" if scenario.note else ""
        parts.append(f"{heading}{scenario.title} (`{scenario.name}`)\n{note}\n{table(rows)}")
    rows = goal_rows(goals, samples)
    if len(rows) > 1:
        parts.append(f"{heading}Goals\n\n{table(rows)}")
    return "\n\n".join(parts) + "\n"
