"""`carronade wrk -s`: what scripts like those of wrk put on the wire, and what they hear."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import carronade  # noqa: E402
from support.scripted_peer import Peer, answer, serve  # noqa: E402

SCRIPTS = Path(__file__).resolve().parents[1] / "data" / "wrk"


class WrkScriptsTest(unittest.TestCase):
    def wrk(self, peer, *args, script=None, code=0, path="/", after=(), **options):
        """One run of a second against the peer, which is stopped then."""
        script = ["-s", str(script)] if script else []
        words = ["-t1", "-c1", "-d1", *script, *args, peer.url(path), *after]
        outcome = carronade.run(["wrk", *words], **options)
        peer.stop()
        self.assertEqual([], peer.faults, outcome)
        self.assertEqual(code, outcome.code, outcome)
        return outcome

    def own(self, text):
        """A script of the test's own."""
        file = tempfile.NamedTemporaryFile("w", suffix=".lua", prefix="carronade-")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name

    def shoot(self, script, *args, reply=None, **options):
        with Peer([serve(reply or answer())]) as peer:
            return self.wrk(peer, *args, script=script, **options), peer

    def test_auth_takes_the_token(self):
        token = answer(headers=[("X-Token", "tok1")])
        outcome, peer = self.shoot(SCRIPTS / "auth.lua", reply=token)
        self.assertEqual("/authenticate", peer.requests[0].target, outcome)
        self.assertIsNone(peer.requests[0].header("X-Token"), outcome)
        self.assertGreater(len(peer.requests), 2, outcome)
        for request in peer.requests[1:]:
            self.assertEqual(("/resource", "tok1"), (request.target, request.header("X-Token")))

    def test_names_of_response_headers_keep_their_case(self):
        token = answer(headers=[("x-token", "tok1")])
        outcome, peer = self.shoot(SCRIPTS / "auth.lua", reply=token)
        self.assertEqual("/resource", peer.requests[1].target, outcome)
        self.assertIsNone(peer.requests[1].header("X-Token"), outcome)

    def test_counter_begins_behind_the_trial(self):
        outcome, peer = self.shoot(SCRIPTS / "counter.lua")
        for number, request in enumerate(peer.requests, 1):
            self.assertEqual(f"/{number}", request.target, outcome)
            self.assertEqual([str(number)], request.values("X-Counter"), outcome)

    def test_counter_of_the_second_thread_begins_at_the_beginning(self):
        _, peer = self.shoot(SCRIPTS / "counter.lua", "-t2", "-c2")
        firsts = {}
        for request in peer.requests:
            firsts.setdefault(request.connection, request.target)
        self.assertEqual(["/0", "/1"], sorted(firsts.values()))

    def test_delay_comes_before_each_request(self):
        outcome, peer = self.shoot(SCRIPTS / "delay.lua")
        # 10 to 50 ms each: at most 100, and some even on a machine that is slow.
        self.assertLessEqual(peer.request_count, 101, outcome)
        self.assertGreater(peer.request_count, 3, outcome)
        average, unit = re.search(r"Latency +([\d.]+)(us|ms|s)", outcome.stdout).groups()
        self.assertLess(float(average) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit], 1000, outcome)

    def test_pipeline_leaves_in_one_packet(self):
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk(peer, script=SCRIPTS / "pipeline.lua")
        targets = [request.target for request in peer.requests]
        self.assertEqual(["/?foo", "/?bar", "/?baz"], targets[:3], outcome)
        for i, target in enumerate(targets):
            self.assertEqual(["/?foo", "/?bar", "/?baz"][i % 3], target)
        self.assertTrue(all(request.header("Host") for request in peer.requests))

    def test_pipeline_has_as_many_in_flight(self):
        outcome, peer = self.shoot(SCRIPTS / "pipeline.lua", reply=lambda _request: b"")
        self.assertEqual(3, peer.request_count, outcome)

    def test_post(self):
        outcome, peer = self.shoot(SCRIPTS / "post.lua", path="/p")
        for request in peer.requests[:50]:
            self.assertEqual(("POST", "/p"), (request.method, request.target), outcome)
            self.assertEqual(b"foo=bar&baz=quux", request.body)
            self.assertEqual({"Host", "Content-Type", "Content-Length"},
                             {name for name, _ in request.headers})

    def test_report_prints_behind_the_report(self):
        outcome, _ = self.shoot(SCRIPTS / "report.lua")
        tail = outcome.stdout[outcome.stdout.index("Transfer/sec"):].splitlines()[1:]
        self.assertEqual("-" * 30, tail[0], outcome)
        names = [line.split(",")[0] for line in tail[1:]]
        self.assertEqual(["50%", "90%", "99%", "99.999%"], names, outcome)
        values = [int(line.split(",")[1]) for line in tail[1:]]
        self.assertEqual(sorted(values), values, outcome)

    def test_setup_and_get(self):
        outcome, peer = self.shoot(SCRIPTS / "setup.lua", "-t2", "-c2")
        lines = outcome.stdout.splitlines()
        self.assertEqual(["thread 1 created", "thread 2 created"], lines[:2], outcome)
        self.assertTrue(lines[2].startswith("Running 1s test @ "), outcome)
        counts = re.findall(r"thread (\d) made (\d+) requests and got (\d+) responses",
                            outcome.stdout)
        self.assertEqual(["1", "2"], [count[0] for count in counts], outcome)
        self.assertGreaterEqual(int(counts[0][1]), int(counts[0][2]) + 1, outcome)
        answered = int(re.search(r"(\d+) requests in", outcome.stdout)[1])
        self.assertEqual(answered, sum(int(count[2]) for count in counts), outcome)
        self.assertGreaterEqual(peer.request_count, answered, outcome)

    def test_stop_ends_the_run(self):
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk(peer, "-d20", script=SCRIPTS / "stop.lua")
        self.assertEqual(100, peer.request_count, outcome)
        self.assertIn("  100 requests in ", outcome.stdout, outcome)
        self.assertLess(outcome.seconds, 15, outcome)
        self.assertNotIn("nan", outcome.stdout, outcome)

    def test_stop_with_quirks_lasts_as_long_as_told(self):
        outcome, peer = self.shoot(SCRIPTS / "stop.lua", "--quirks")
        self.assertEqual(100, peer.request_count, outcome)
        self.assertIn("  100 requests in 1.00s", outcome.stdout, outcome)
        self.assertGreaterEqual(outcome.seconds, 1, outcome)

    def test_stop_of_one_thread_lets_the_other_go_on(self):
        script = self.own("local n = 0\n"
                          "function setup(t) n = n + 1; t:set('stops', n == 1) end\n"
                          "function response() if stops then wrk.thread:stop() end end\n")
        outcome, peer = self.shoot(script, "-t2", "-c2")
        per_connection = sorted(c.request_count for c in peer.connections)
        self.assertEqual([0, 1], per_connection[:2], outcome)  # the probe, and the one that stopped
        self.assertGreater(per_connection[2], 5, outcome)
        self.assertGreaterEqual(outcome.seconds, 1, outcome)

    def test_addr(self):
        with Peer([serve(answer())]) as peer:
            outcome = carronade.run(["wrk", "-t2", "-c2", "-d1", "-s", str(SCRIPTS / "addr.lua"),
                                     f"http://localhost:{peer.port}/"])
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        lines = outcome.stdout.splitlines()
        self.assertEqual([f"thread addr: 127.0.0.1:{peer.port}"] * 2, lines[:2], outcome)
        self.assertEqual(f"localhost:{peer.port}", peer.requests[0].header("Host"), outcome)

    def test_threads_at_two_servers(self):
        with Peer([serve(answer())]) as peer, Peer([serve(answer())]) as other:
            script = self.own(
                "local n = 0\n"
                "function setup(thread)\n"
                "  n = n + 1\n"
                f"  if n == 2 then thread.addr = wrk.lookup('127.0.0.1', '{other.port}')[1] end\n"
                "end\n")
            outcome = self.wrk(peer, "-t2", "-c4", script=script)
            other.stop()
        self.assertEqual(3, peer.connection_count, outcome)  # one of them the probe
        self.assertEqual(2, other.connection_count, outcome)
        self.assertGreater(other.request_count, 0, outcome)
        self.assertEqual(f"127.0.0.1:{peer.port}", other.requests[0].header("Host"), outcome)

    def test_pipelining_threads_at_two_servers(self):
        with Peer([serve(answer())]) as peer, Peer([serve(answer())]) as other:
            script = self.own(
                "local n = 0\n"
                "function setup(thread)\n"
                "  n = n + 1\n"
                f"  if n == 1 then thread.addr = wrk.lookup('127.0.0.1', '{other.port}')[1] end\n"
                "end\n"
                "function request() return wrk.format() .. wrk.format('GET', '/second') end\n")
            outcome = self.wrk(peer, "-t2", "-c3", script=script)
            other.stop()
        self.assertEqual(2, peer.connection_count, outcome)
        self.assertEqual(2, other.connection_count, outcome)
        self.assertEqual(["/", "/second"], [r.target for r in other.requests
                                            if r.connection == 0][:2], outcome)

    def test_arguments(self):
        script = self.own("function init(args) print(args[0], args[1], args[2], #args) end")
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk(peer, script=script, path="/q", after=["--", "one", "-d5"])
        self.assertEqual(f"{peer.url('/q')}\tone\t-d5\t2", outcome.stdout.splitlines()[0], outcome)

    def test_format_completes_the_headers_it_gets(self):
        script = self.own("wrk.method, wrk.path = 'PUT', '/over'\n"
                          "wrk.headers.Host = 'h.example'\n"
                          "function request() return wrk.format(nil, nil, {A = 'b'}, 'zz') end")
        outcome, peer = self.shoot(script)
        request = peer.requests[0]
        self.assertEqual(("PUT", "/over", b"zz"), (request.method, request.target, request.body))
        self.assertEqual({("A", "b"), ("Host", "h.example"), ("Content-Length", "2")},
                         set(request.headers), outcome)

    def test_response_hears_the_last_of_a_name(self):
        script = self.own("function response(status, headers, body)\n"
                          "  print(math.type and 1 or type(status), status, headers['X-A'], body)\n"
                          "  wrk.thread:stop()\n"
                          "end")
        reply = answer(b"hello", headers=["X-A: 1", "X-A: 2"])
        outcome, _ = self.shoot(script, reply=reply)
        self.assertIn("number\t200\t2\thello\n", outcome.stdout, outcome)

    def test_objects_of_done(self):
        script = self.own(
            "function done(s, l, r)\n"
            "  print('S', s.duration, s.requests, s.bytes, s.errors.connect, s.errors.read,\n"
            "        s.errors.write, s.errors.status, s.errors.timeout)\n"
            "  local n = 0\n"
            "  for i = 1, #l do local v, c = l(i); n = n + c end\n"
            "  print('L', l.min <= l.mean, l.mean <= l.max, l.stdev >= 0, n == s.requests,\n"
            "        l:percentile(100) == l.max, l:percentile(0) == l.min, r.max >= r.mean)\n"
            "end")
        reply = answer(b"gone", status="404 Not Found")
        outcome, peer = self.shoot(script, reply=reply)
        fields = re.search(r"^S\t(.*)$", outcome.stdout, re.M)[1].split("\t")
        answered = int(fields[1])
        self.assertGreaterEqual(int(fields[0]), 1_000_000, outcome)
        self.assertGreaterEqual(peer.request_count, answered, outcome)
        self.assertEqual(answered * len(reply), int(fields[2]), outcome)
        self.assertEqual(["0", "0", "0", str(answered), "0"], fields[3:], outcome)
        self.assertIn("L\t" + "\t".join(["true"] * 7), outcome.stdout, outcome)
        self.assertIn(f"  Non-2xx or 3xx responses: {answered}\n", outcome.stdout, outcome)

    def test_script_that_does_not_load(self):
        script = self.own("x = = 1")
        outcome, peer = self.shoot(script, code=1)
        self.assertEqual(f"{script}: {script}:1: unexpected symbol near '='\n", outcome.stderr)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertEqual(0, peer.connection_count, outcome)
        outcome, _ = self.shoot("/no/such.lua", code=1)
        self.assertIn("/no/such.lua: cannot open /no/such.lua", outcome.stderr)

    def test_messages_of_lua_keep_their_lines(self):
        outcome, _ = self.shoot(self.own("require 'no.such.module'"), code=1)
        lines = outcome.stderr.splitlines()
        self.assertTrue(lines[0].endswith("module 'no.such.module' not found:"), outcome)
        self.assertGreater(len(lines), 3, outcome)
        for line in lines[1:]:
            self.assertTrue(line.startswith("\tno "), outcome)
        hook = self.own("function response() error('one\\n\\ttwo\\27[31m') end")
        outcome, _ = self.shoot(hook, code=1)
        self.assertIn(f"wrk: response(): {hook}:1: one\n\ttwo\\x1b[31m\n", outcome.stderr, outcome)

    def test_modules_in_c_and_cpp_find_what_they_need_in_the_program(self):
        compilers = ("g++", "c++", "g++-12", "clang++-14")
        compiler = next(filter(None, map(shutil.which, compilers)), None)
        self.assertTrue(compiler, "no C++ compiler: tools/bootstrap.sh test")
        folder = tempfile.TemporaryDirectory(prefix="carronade-")
        self.addCleanup(folder.cleanup)
        # luaL_gsub is called by nothing in the program: it must be there all the same.
        (Path(folder.name) / "probe.cc").write_text("""
            #include <luajit-2.1/lua.hpp>
            #include <stdexcept>
            static int path(lua_State* lua) {
              luaL_Buffer text;
              luaL_buffinit(lua, &text);
              luaL_addstring(&text, "/from-c/");
              luaL_addstring(&text, luaL_gsub(lua, luaL_checkstring(lua, 1), "a", "b"));
              luaL_pushresult(&text);
              return 1;
            }
            // Both unwind through this module, with the library of it and of the program.
            struct Guard { ~Guard() { ++ended; } static int ended; };
            int Guard::ended = 0;
            static int refuse(lua_State* lua) {
              Guard guard;
              if (lua_toboolean(lua, 1)) throw std::runtime_error("thrown");
              return luaL_error(lua, "refused");
            }
            static int ended(lua_State* lua) {
              lua_pushinteger(lua, Guard::ended);
              return 1;
            }
            extern "C" int luaopen_probe(lua_State* lua) {
              lua_pushcfunction(lua, path);
              lua_setglobal(lua, "path");
              lua_pushcfunction(lua, refuse);
              lua_setglobal(lua, "refuse");
              lua_pushcfunction(lua, ended);
              lua_setglobal(lua, "ended");
              return 0;
            }""")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", "probe.so", "probe.cc"],
                       cwd=folder.name, check=True, timeout=60)
        script = self.own(f"""
            package.cpath = "{folder.name}/?.so"
            require("probe")
            local before = ended()
            local refused, said = pcall(refuse, false)
            local threw = pcall(refuse, true)
            wrk.path = table.concat({{path("banana"), tostring(refused), said, tostring(threw),
                                     ended() - before}}, ",")""")
        outcome, peer = self.shoot(script)
        self.assertEqual("/from-c/bbnbnb,false,refused,false,2", peer.requests[0].target, outcome)

    def test_script_that_does_not_load_with_quirks(self):
        script = self.own("x = = 1")
        outcome, peer = self.shoot(script, "--quirks")
        self.assertEqual(2, outcome.stderr.count("unexpected symbol"), outcome)
        self.assertGreater(peer.request_count, 0, outcome)

    def test_request_that_is_none(self):
        script = self.own("function request() return 'GET / HTTP/1.1\\r\\n' end")
        outcome, peer = self.shoot(script, code=1)
        self.assertEqual("incomplete request at 2:1\n", outcome.stderr, outcome)
        self.assertEqual("", outcome.stdout, outcome)
        self.assertEqual(0, peer.request_count, outcome)

    def test_error_in_a_hook_still_gives_a_report(self):
        script = self.own("local n = 0\nfunction response()\n  n = n + 1\n"
                          "  if n == 50 then error('boom') end\nend")
        with Peer([serve(answer())]) as peer:
            outcome = self.wrk(peer, "-d20", script=script, code=1)
        self.assertIn(f"wrk: response(): {script}:4: boom\n", outcome.stderr, outcome)
        self.assertIn("  50 requests in ", outcome.stdout, outcome)
        self.assertLess(outcome.seconds, 15, outcome)

    def test_errors_before_and_after_the_run(self):
        for text, hook in (("function setup(t) t:set('f', print) end", "setup()"),
                           ("function init() error('x') end", "init()")):
            outcome, peer = self.shoot(self.own(text), code=1)
            self.assertIn(f"{hook}: ", outcome.stderr, outcome)
            self.assertEqual("", outcome.stdout, outcome)
            self.assertEqual(0, peer.request_count, outcome)
        outcome, _ = self.shoot(self.own("function done() error('x') end"), code=1)
        self.assertIn("wrk: done(): ", outcome.stderr, outcome)
        self.assertIn("Requests/sec:", outcome.stdout, outcome)

    def test_wrk2_paces_a_script(self):
        with Peer([serve(answer())]) as peer:
            outcome = carronade.run(["wrk2", "-t2", "-c4", "-d1", "-R50", "-s",
                                     str(SCRIPTS / "counter.lua"), peer.url()])
            peer.stop()
        self.assertEqual(0, outcome.code, outcome)
        # What was due at the very end may not have been sent or answered when the time was over.
        answered = int(re.search(r"  (\d+) requests in 1\.\d\ds", outcome.stdout)[1])
        self.assertIn(peer.request_count, range(47, 51), outcome)
        self.assertIn(peer.request_count - answered, range(5), outcome)


if __name__ == "__main__":
    carronade.main()
