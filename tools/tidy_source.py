"""A C++ file as tidy.py sees it: text without comments and strings, includes, scopes.

Not a compiler: braces, brackets and a few keywords are enough for the questions that the rules
of the house ask (how long is this function, is this line inside one, is this variable global).
"""

import re

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>(?:u8|u|U|L)?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)")
      | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
      | (?P<number>\b\d(?:'?[\w.])*)
      | (?P<word>[A-Za-z_]\w*)""",
    re.VERBOSE | re.DOTALL,
)
_INCLUDE = re.compile(r'\s*#\s*include\s*(?:"(?P<quoted>[^"]+)"|<(?P<angled>[^>]+)>)')
_ACCESS = re.compile(r"^\s*(?:(?:public|private|protected)\s*:(?!:)\s*)+")
_PARENTHESES = re.compile(r"\([^()]*\)")
_BRACE_INITIALISER = re.compile(r"(?:,|(?<!:):(?!:))\s*[\w:<>\s]+$")


def _blank(text, keep=""):
    """Spaces of the same shape: line breaks stay, `keep` becomes the first and last character."""
    inner = re.sub(r"[^\n]", " ", text)
    return keep + inner[1:-1] + keep if keep else inner


def strip_comments_and_strings(text):
    def replace(match):
        if match["comment"] is not None:
            return _blank(match.group())
        if match["raw"] is not None or match["text"] is not None:
            return _blank(match.group(), '"')
        return match.group()

    return _TOKEN.sub(replace, text)


def strip_comments(text):
    return _TOKEN.sub(lambda m: _blank(m.group()) if m["comment"] is not None else m.group(), text)


def _blank_directives(code):
    out, continued = [], False
    for line in code.split("\n"):
        directive = continued or line.lstrip().startswith("#")
        continued = directive and line.rstrip().endswith("\\")
        out.append(_blank(line) if directive else line)
    return "\n".join(out)


def _without_parentheses(text):
    previous = None
    while previous != text:
        previous, text = text, _PARENTHESES.sub(" ", text)
    return text


def classify(head, outer):
    """What a `{` after `head` opens: namespace, type, function, block or init (a braced value)."""
    if outer in ("function", "block"):
        return "block"
    if outer == "init":
        return "init"
    head = _ACCESS.sub("", head.strip())
    if re.match(r'(inline\s+)?namespace\b|extern\s*"[^"]*"$', head):
        return "namespace"
    bare = _without_parentheses(head)
    if re.search(r"(?<![<,\w])\s*\b(class|struct|union|enum)\b", re.sub(r"<[^<>]*>", "", bare)):
        if "(" not in re.sub(r"\b(alignas|__attribute__|requires)\s*\([^)]*\)", "", head):
            return "type"
    if "(" not in head:
        return "init"
    if re.search(r"=", re.sub(r"operator\s*\S+?(?=\s*\(|\s)", "", bare.replace("==", ""))):
        return "init"
    in_initialisers = "->" not in head and re.search(r"\)\s*(noexcept\s*)?:(?!:)", head)
    if in_initialisers and not head.endswith(")") and _BRACE_INITIALISER.search(bare):
        return "init"
    return "function"


class Scope:
    def __init__(self, kind, head, head_start, parentheses):
        self.kind, self.head, self.head_start, self.parentheses = (
            kind, head, head_start, parentheses)


class Source:
    """One C++ file. Line numbers start at 1; `includes` holds (line, target, quoted);
    `functions` (name, first line, last line); `statements` (line, text, kind of scope) of what
    ends with `;` outside of functions."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self.code = strip_comments_and_strings(text)
        self.code_lines = self.code.split("\n")
        self.includes = self._read_includes()
        self.functions, self.statements = [], []
        self._scan(_blank_directives(self.code))

    def _read_includes(self):
        found = []
        for number, line in enumerate(strip_comments(self.text).split("\n"), 1):
            match = _INCLUDE.match(line)
            if match:
                found.append((number, match["quoted"] or match["angled"], bool(match["quoted"])))
        return found

    def function_lines(self):
        """The set of line numbers inside a function's braces."""
        return {n for _, first, last in self.functions for n in range(first, last + 1)}

    def _line(self, offset):
        return self.code.count("\n", 0, offset) + 1

    def _scan(self, code):
        stack = [Scope("namespace", "", 0, 0)]
        start = parentheses = 0
        for offset, char in enumerate(code):
            if char in "([":
                parentheses += 1
            elif char in ")]":
                parentheses = max(0, parentheses - 1)
            elif char == "{":
                outer = stack[-1].kind
                head = code[start:offset]
                inside = parentheses > 0 and outer not in ("function", "block")
                kind = "init" if inside else classify(head, outer)
                stack.append(Scope(kind, head, start, parentheses))
                parentheses = 0
                if kind != "init":
                    start = offset + 1
            elif char == "}" and len(stack) > 1:
                scope = stack.pop()
                parentheses = scope.parentheses
                if scope.kind == "function":
                    self._add_function(scope, offset)
                start = scope.head_start if scope.kind == "init" else offset + 1
            elif char == ";" and parentheses == 0:
                kind = stack[-1].kind
                if kind in ("namespace", "type"):
                    self._add_statement(code[start:offset], start, kind)
                if kind != "init":
                    start = offset + 1

    def _add_function(self, scope, end):
        head = scope.head
        first = self._line(scope.head_start + len(head) - len(head.lstrip()))
        match = re.search(r"([~\w:]+)\s*\(", _ACCESS.sub("", head))
        self.functions.append((match[1] if match else "function", first, self._line(end)))

    def _add_statement(self, text, start, kind):
        stripped = _ACCESS.sub("", text)
        lead = len(text) - len(stripped.lstrip())
        if stripped.strip():
            self.statements.append((self._line(start + lead), stripped.strip(), kind))
