"""What `carronade -j` prints, and the golden reports, against docs/result.schema.json."""

import copy
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import jsonschema  # noqa: E402

from support import carronade  # noqa: E402
from support.servers import free_port  # noqa: E402

SCHEMA = json.loads((carronade.SOURCE / "docs" / "result.schema.json").read_text("utf-8"))
GOLDEN = carronade.SOURCE / "test" / "golden"


def check(document):
    jsonschema.Draft7Validator(SCHEMA).validate(document)


def golden(name):
    document = json.loads((GOLDEN / name).read_text("utf-8"))
    if "carronade" in document:
        document["carronade"]["version"] = "0.0.0"  # the files say VERSION
    return document


class Schema(unittest.TestCase):
    def test_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)

    def test_takes_every_golden_report(self):
        names = sorted(path.name for path in GOLDEN.glob("*.json"))
        self.assertGreaterEqual(len(names), 12)
        for name in names:
            with self.subTest(name):
                check(golden(name))

    def test_refuses_what_must_not_be(self):
        def unknown_key(document):
            document["carronade"]["surprise"] = 1

        def sentinel(document):
            document["carronade"]["latency"]["p50"] = -1

        def missing_count(document):
            del document["carronade"]["requests"]["inFlight"]

        def null_in_autocannons_keys(document):
            document["latency"]["p50"] = None

        def no_time(document):
            document["start"] = "yesterday"

        for spoil in (unknown_key, sentinel, missing_count, null_in_autocannons_keys, no_time):
            with self.subTest(spoil.__name__):
                document = copy.deepcopy(golden("normal.json"))
                spoil(document)
                with self.assertRaises(jsonschema.ValidationError):
                    check(document)

    def test_names_every_key_that_the_page_explains(self):
        page = (carronade.SOURCE / "docs" / "result.md").read_text("utf-8")
        for key in SCHEMA["definitions"]["carronade"]["properties"]:
            self.assertIn(f"`{key}", page)
        for key in SCHEMA["definitions"]["result"]["properties"]:
            self.assertIn(f"`{key}", page)


class BundledServer:
    """`carronade serve` on a port of its own choice."""

    def __init__(self, *args):
        self.process = subprocess.Popen(
            [carronade.BINARY, "serve", "--port", "0", *args], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        match = re.search(r"(https?)://\S+:(\d+)", line)
        if not match:
            self.stop()
            raise AssertionError(f"carronade serve said {line!r}")
        self.url = f"{match[1]}://127.0.0.1:{match[2]}"

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=10)


class Output(unittest.TestCase):
    def serve(self, *args):
        server = BundledServer(*args)
        self.addCleanup(server.stop)
        return server.url

    def test_of_a_refused_connection(self):
        url = f"http://127.0.0.1:{free_port()}/"
        outcome = carronade.run_json(["-c", "2", "-d", "1", url])
        check(outcome.report)
        self.assertEqual(outcome.code, 2, outcome)
        self.assertEqual(outcome.report["latency"]["p99"], 0)
        self.assertIsNone(outcome.own["latency"]["p99"])
        self.assertGreater(outcome.error_count("connect_refused"), 0)

    def test_of_a_server_that_never_answers(self):
        url = self.serve("--delay", "30s")
        outcome = carronade.run_json(["-c", "2", "-d", "2", "-t", "1", url + "/"])
        check(outcome.report)
        self.assertEqual(outcome.code, 2, outcome)
        self.assertEqual(outcome.answered, 0)
        self.assertIsNone(outcome.own["latency"]["mean"])

    def test_of_a_run_by_duration(self):
        outcome = carronade.run_json(["-c", "2", "-d", "1", self.serve() + "/"])
        check(outcome.report)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIsNone(outcome.requests["planned"])
        self.assertGreater(outcome.own["latency"]["count"], 0)
        self.assertEqual(outcome.own["stoppedBy"], "duration")

    def test_of_a_run_by_amount_with_mixed_answers(self):
        url = self.serve()
        outcome = carronade.run_json(
            ["-a", "40", "-c", "4", "-p", "2", url + "/", url + "/status/503"])
        check(outcome.report)
        self.assertEqual(outcome.requests["planned"], 40)
        self.assertEqual(outcome.requests["answered"], 40)
        self.assertEqual(outcome.report["5xx"], 20)
        self.assertEqual(len(outcome.report["url"]), 2)

    def test_over_tls(self):
        outcome = carronade.run_json(["-a", "10", "-c", "2", self.serve("--tls") + "/"])
        check(outcome.report)
        self.assertEqual(outcome.own["tlsHandshake"]["count"], outcome.own["connections"]["opened"])

    def test_of_the_strict_form(self):
        outcome = carronade.run(["autocannon", "-j", "-a", "10", "-c", "2", self.serve() + "/"])
        document = json.loads(outcome.stdout_bytes)
        check(document)
        self.assertNotIn("carronade", document)


if __name__ == "__main__":
    carronade.main()
