#!/usr/bin/env python3
"""Each rule of tidy.py shown to fail on a small bad tree, and to be silent on a good one."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tidy import check_tree, is_mutable_variable  # noqa: E402
from tidy_source import Source, classify, strip_comments_and_strings  # noqa: E402

PAGE = """
| level | folder | may include | for |
|---|---|---|---|
| 0 | `include/carronade` | | public words |
| 1 | `src/base` | | |
| 2 | `src/net` `src/http` | `src/base` | |
| 3 | `src/load` | `src/base` `src/net` `src/http` | |
| 6 | `src/dialects` | `src/base` | |
| 7 | `apps` | `src/dialects` | |
| – | `test` `fuzz` | `everything` | |
"""
GOOD_HEADER = "#pragma once\nnamespace carronade::net {\nint f();\n}\n"


def findings(files, lists=True):
    """The set of (path, rule) that check_tree gives for a tree of these files. With `lists`, a
    CMakeLists.txt names each source."""
    with tempfile.TemporaryDirectory() as root:
        files = {"docs/architecture.md": PAGE, **files}
        if lists:
            sources = [Path(p) for p in files if p.endswith((".cc", "_test.py"))]
            for source in sources:
                old = files.get(f"{source.parent}/CMakeLists.txt", "")
                files[f"{source.parent}/CMakeLists.txt"] = f"{old}# {source.name}\n"
        for path, text in files.items():
            Path(root, path).parent.mkdir(parents=True, exist_ok=True)
            Path(root, path).write_text(text, encoding="utf-8")
        return {(f.path, f.rule) for f in check_tree(root)[0]}


def net(body, name="a.cc"):
    """The rules that a file of src/net with this body breaks."""
    path = f"src/net/{name}"
    text = f"namespace carronade::net {{\n{body}\n}}\n"
    if name.endswith(".h"):
        text = "#pragma once\n" + text
    return {rule for where, rule in findings({path: text}) if where == path} - {"dead-file"}


class GoodTree(unittest.TestCase):
    def test_a_good_tree_has_no_findings(self):
        files = {
            "include/carronade/url.h": "#pragma once\n#include <string>\nnamespace carronade {}\n",
            "src/net/b.h": GOOD_HEADER,
            "src/net/b.cc": '#include "net/b.h"\n#include <sys/epoll.h>\n'
            '#include "carronade/url.h"\nnamespace carronade::net {\nint f() { return 1; }\n}\n',
            "src/net/b_test.cc": '#include "net/b.h"\n#include <gtest/gtest.h>\n'
            "namespace carronade::net {\nTEST(B, One) { EXPECT_EQ(f(), 1); }\n}\n",
            "apps/x_main.cc": '#include <cstdio>\nint main() { std::puts("x"); }\n',
        }
        self.assertEqual(findings(files), set())


class Layers(unittest.TestCase):
    def include(self, path, target, **more):
        text = f'#include "{target}"\nnamespace carronade {{}}\n'
        others = {f"src/{t}": GOOD_HEADER for t in ("net/n.h", "http/m.h", "load/l.h", "base/b.h")}
        rules = findings({**others, path: text, **more})
        return {rule for where, rule in rules if where == path}

    def test_down_is_allowed(self):
        self.assertEqual(self.include("src/load/a.cc", "net/n.h"), set())
        self.assertEqual(self.include("src/net/a.cc", "base/b.h"), set())

    def test_up_and_sideways_fail(self):
        self.assertEqual(self.include("src/net/a.cc", "load/l.h"), {"layer"})
        self.assertEqual(self.include("src/net/a.cc", "http/m.h"), {"layer"})
        self.assertEqual(self.include("apps/a.cc", "net/n.h"), {"layer"})
        self.assertEqual(self.include("src/net/a_test.cc", "http/m.h"), {"layer"})

    def test_test_folder_may_include_everything(self):
        self.assertEqual(self.include("test/support/a.cc", "load/l.h"), set())

    def test_a_folder_outside_the_table_fails(self):
        self.assertIn("layer", self.include("src/strange/a.cc", "base/b.h"))

    def test_a_dialect_includes_no_other(self):
        header = {"src/dialects/wrk/w.h": "#pragma once\nnamespace carronade::dialects {}\n"}
        got = self.include("src/dialects/ab/a.cc", "dialects/wrk/w.h", **header)
        self.assertEqual(got, {"layer"})
        got = self.include("src/dialects/wrk/a.cc", "dialects/wrk/w.h", **header)
        self.assertEqual(got, set())

    def test_relative_and_unknown_includes_fail(self):
        self.assertEqual(self.include("src/net/a.cc", "n.h"), {"include-path"})
        self.assertEqual(self.include("src/net/a.cc", "../net/n.h"), {"include-path"})
        self.assertEqual(self.include("src/net/a.cc", "net/missing.h"), {"include-path"})

    def test_neighbours_and_test_helpers_go_by_their_bare_name(self):
        header = "#pragma once\nnamespace carronade {}\n"
        got = self.include("fuzz/a.cc", "input.h", **{"fuzz/input.h": header})
        self.assertEqual(got, set())
        got = self.include("src/net/a_test.cc", "peer.h", **{"test/support/peer.h": header})
        self.assertEqual(got, set())
        got = self.include("src/net/a.cc", "peer.h", **{"test/support/peer.h": header})
        self.assertEqual(got, {"include-path"})

    def test_a_commented_include_is_none(self):
        text = '// #include "load/l.h"\n/* #include "load/l.h" */\nnamespace carronade::net {}\n'
        self.assertEqual(findings({"src/net/a.cc": text}), set())

    def test_libraries_stay_in_their_rooms(self):
        def room(path, target):
            text = f"#include <{target}>\nnamespace carronade {{}}\n"
            return ("room" in {rule for _, rule in findings({path: text})})

        self.assertFalse(room("src/net/tls_context.cc", "openssl/ssl.h"))
        self.assertTrue(room("src/net/socket.cc", "openssl/ssl.h"))
        self.assertTrue(room("src/load/a.cc", "nlohmann/json.hpp"))
        self.assertTrue(room("src/http/a.cc", "http_parser.h"))
        self.assertFalse(room("fuzz/a.cc", "http_parser.h"))
        self.assertTrue(room("src/http/request_writer.cc", "idn2.h"))
        self.assertTrue(room("src/load/a.cc", "sys/epoll.h"))
        self.assertTrue(room("src/net/a.cc", "gtest/gtest.h"))
        self.assertTrue(room("src/net/a.cc", "boost/asio.hpp"))
        self.assertTrue(room("src/net/a.cc", "zlib.h"))
        self.assertFalse(room("src/net/a.cc", "netinet/tcp.h"))

    def test_the_link_line_repeats_the_table(self):
        def link(folder, dep):
            text = f"carronade_library(x\n  SOURCES a.cc\n  DEPS carronade_{dep} fmt::fmt)\n"
            path = f"src/{folder}/CMakeLists.txt"
            return ("src/" + folder + "/CMakeLists.txt", "link") in findings({path: text}, False)

        self.assertFalse(link("load", "net"))
        self.assertTrue(link("net", "load"))
        self.assertTrue(link("net", "http"))

    def test_no_table_is_an_error(self):
        with self.assertRaises(SystemExit):
            findings({"docs/architecture.md": "nothing"})


class Sizes(unittest.TestCase):
    def test_file(self):
        self.assertEqual(net("int f();\n" * 380), set())
        self.assertEqual(net("int f();\n" * 400), {"file-size"})
        self.assertEqual(net("int f();\n" * 400, "a_flags.cc"), set())

    def test_header(self):
        self.assertEqual(net("int f();\n" * 100, "a.h"), set())
        self.assertEqual(net("int f();\n" * 120, "a.h"), {"file-size"})

    def test_line(self):
        self.assertEqual(net("//" + " " * 98), set())
        self.assertEqual(net("//" + " " * 99), {"line-length"})

    def test_function(self):
        def lines(count):
            return net("int f(int a) {\n" + "  ++a;\n" * (count - 3) + "  return a;\n}")

        self.assertEqual(lines(70), set())
        self.assertEqual(lines(71), {"function-size"})

    def test_member_function_and_constructor(self):
        body = "  f();\n" * 70
        self.assertEqual(net(f"class A {{\n public:\n  void g() {{\n{body}}}\n}};"),
                         {"function-size"})
        self.assertEqual(net(f"A::A(int b) : b_(b), c_{{1}} {{\n{body}}}"), {"function-size"})

    def test_python_function(self):
        text = "def f():\n" + "    pass\n" * 70
        self.assertEqual(findings({"tools/x.py": text}), {("tools/x.py", "function-size")})


class Names(unittest.TestCase):
    def test_names_are_unique(self):
        text = "namespace carronade {}\n"
        got = findings({"src/net/a.cc": text, "src/http/a.cc": text})
        self.assertEqual({rule for _, rule in got}, {"unique-name"})

    def test_names_are_snake_case(self):
        self.assertEqual(net("", "BadName.cc"), {"file-name"})

    def test_namespace_of_the_folder(self):
        wrong = "#pragma once\nnamespace carronade::http {}\n"
        got = findings({"src/net/a.h": wrong})
        self.assertIn(("src/net/a.h", "namespace"), got)
        self.assertEqual(findings({"src/net/a.cc": "namespace carronade {}\n"}), set())
        self.assertIn(("src/net/a.cc", "namespace"), findings({"src/net/a.cc": "int x();\n"}))


class Calls(unittest.TestCase):
    def test_banned(self):
        for call in ("rand()", "strcpy(a, b)", "std::system(a)", "sprintf(a, b)", "atoi(a)",
                     "strtol(a, b, 10)", "localtime(a)", "strerror(a)", "t.detach()",
                     "std::cout2() << std::endl"):
            self.assertEqual(net(f"void f() {{ {call}; }}"), {"banned"}, call)
        self.assertEqual(net("using namespace std;"), {"banned"})

    def test_words_in_comments_strings_and_longer_names_are_fine(self):
        self.assertEqual(net('// rand() and exit()\nconst char* const kA = "system(x) stdout";'),
                         set())
        self.assertEqual(net("void f() { filesystem(a); x.system(b); brand(c); on_exit2(d); }"),
                         set())

    def test_only_apps_print_and_exit(self):
        for call in ("std::exit(1)", "_exit(1)", "std::abort()", "printf(a)", "std::puts(a)",
                     "std::cout << a", "fputs(a, stderr)", 'fmt::print("x")', "perror(a)"):
            self.assertEqual(net(f"void f() {{ {call}; }}"), {"prints"}, call)
            self.assertEqual(net(f"void f() {{ {call}; }}", "a_test.cc"), set(), call)
        self.assertEqual(net("void f() { fmt::print(out, a); }"), set())

    def test_shared_ptr(self):
        self.assertEqual(net("std::shared_ptr<int> f();"), {"shared-ptr"})

    def test_notes_for_later(self):
        for word in ("TO" + "DO", "FIX" + "ME"):
            self.assertEqual(net(f"// {word}: later"), {"no-notes"})

    def test_condition_in_a_body(self):
        self.assertEqual(net("void f() {\n#ifdef X\n  g();\n#endif\n}"), {"ifdef"})
        self.assertEqual(net("#ifdef X\nvoid f();\n#endif"), set())


class Hot(unittest.TestCase):
    def hot(self, line, bench='#include "net/a.h"\nnamespace carronade::net {}\n'):
        files = {
            "src/net/a.h": "// HOT. Says why.\n#pragma once\n"
            f"namespace carronade::net {{\n{line}\n}}\n",
            "src/net/b.cc": '#include "net/a.h"\nnamespace carronade::net {}\n',
        }
        if bench:
            files["src/net/x_bench.cc"] = bench
        return {rule for path, rule in findings(files)}

    def test_clean(self):
        self.assertEqual(self.hot("int f();"), set())

    def test_banned_in_hot_files(self):
        for line in ("std::function<void()> f_();", "inline void f() { throw 1; }",
                     "std::mutex& f();", "std::unordered_map<int, int> f();",
                     "std::deque<int> f();",
                     "inline void f() { snprintf(a, b, c); }", "std::ostringstream f();"):
            self.assertEqual(self.hot(line), {"hot"}, line)

    def test_needs_a_benchmark_that_names_it(self):
        self.assertEqual(self.hot("int f();", bench=None), {"hot-bench"})
        other = '#include "net/aa.h"\n'
        self.assertIn("hot-bench", self.hot("int f();", bench=other + "namespace carronade {}\n"))


class Globals(unittest.TestCase):
    def test_mutable_globals(self):
        for line in ("int counter;", "static int counter = 0;", "std::atomic<bool> stop{false};",
                     "namespace {\nstd::string name;\n}", "thread_local int x = f(1);",
                     "struct A {\n  static int count;\n};",
                     "void f() {\n  static int calls = 0;\n}"):
            self.assertEqual(net(line), {"global"}, line)

    def test_constants_functions_and_types_are_fine(self):
        for line in ("constexpr int kA = 1;", "const std::string kB{f(1)};", "int f(int a = 1);",
                     "using A = int;", "struct A {\n  int b = 0;\n  static int g();\n};",
                     "static constexpr int kC[] = {1, 2};", "extern int f();",
                     "void f() {\n  static const int kD = 1;\n}", "enum class E { kA };"):
            self.assertEqual(net(line), set(), line)

    def test_is_mutable_variable(self):
        self.assertTrue(is_mutable_variable("std::vector<int> v = f()", "namespace"))
        self.assertFalse(is_mutable_variable("std::vector<int> f()", "namespace"))


class Files(unittest.TestCase):
    def test_pragma_once(self):
        got = findings({"src/net/a.h": "namespace carronade::net {}\n"})
        self.assertIn(("src/net/a.h", "pragma-once"), got)

    def test_own_header_comes_first(self):
        late = '#include <string>\n#include "net/a.h"\nnamespace carronade::net {}\n'
        got = findings({"src/net/a.h": GOOD_HEADER, "src/net/a.cc": late})
        self.assertEqual(got, {("src/net/a.cc", "own-header")})

    def test_dead_source_and_test(self):
        text = "namespace carronade {}\n"
        lists = {"src/net/CMakeLists.txt": "# aa_test.cc\n"}
        got = findings({"src/net/a_test.cc": text, **lists}, False)
        self.assertEqual(got, {("src/net/a_test.cc", "dead-file")})

    def test_dead_header(self):
        self.assertEqual(findings({"src/net/a.h": GOOD_HEADER}), {("src/net/a.h", "dead-file")})


class Parsing(unittest.TestCase):
    def test_comments_strings_and_digit_separators(self):
        text = "int a = 1'000'000; // x\nchar b = '{'; /* { */ f(\"}\");"
        code = strip_comments_and_strings(text)
        self.assertNotIn("{", code)
        self.assertNotIn("}", code)
        self.assertIn("1'000'000;", code)
        self.assertEqual(strip_comments_and_strings('R"x( " } )x" + 1').count("}"), 0)

    def test_functions_are_found(self):
        text = (
            "namespace a {\nstruct B {\n  int c() const { return d_; }\n  int d_{1};\n};\n"
            "B::B(int x) : d_{x}, e_(2) {\n  if (x) { g([&] { h(); }); }\n}\n"
            "auto f(int a) -> std::pair<int, int> {\n  return {a, a};\n}\n"
            "bool operator==(const B& a, const B& b) {\n  return true;\n}\n"
            "constexpr int kTable[] = {1, 2};\n}\n"
        )
        got = [(name, first, last) for name, first, last in Source(text).functions]
        self.assertEqual(got, [("c", 3, 3), ("B::B", 6, 8), ("f", 9, 11), ("function", 12, 14)])

    def test_classify(self):
        self.assertEqual(classify("namespace x", "namespace"), "namespace")
        self.assertEqual(classify('extern "C"', "namespace"), "namespace")
        self.assertEqual(classify('extern "C" int f(int a)', "namespace"), "function")
        self.assertEqual(classify("template <class T> struct A : B", "namespace"), "type")
        self.assertEqual(classify("enum class E : uint8_t", "namespace"), "type")
        self.assertEqual(classify("template <class T> T f(T a) noexcept", "namespace"), "function")
        self.assertEqual(classify("constexpr int kA[] =", "namespace"), "init")
        self.assertEqual(classify("if (x)", "function"), "block")


if __name__ == "__main__":
    unittest.main()
