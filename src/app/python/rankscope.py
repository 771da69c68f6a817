"""Drives rankscope from Python: a job, its commands, and their answers as objects.

    import rankscope

    with rankscope.run("mpirun", "-n", "4", "./app") as job:
        job("break exchange")
        job("go")
        job("wait")
        for ranks, value in job.values("residual"):
            print(ranks, value)

Commands are those of rankscope's scripts (docs/COMMANDS.md); answers are the objects of `--json`, as dictionaries. Needs
Python 3.6 and the program `rankscope` in PATH, or its path in the variable RANKSCOPE. Written by `rankscope python`.
"""

import json
import os
import queue
import subprocess
import threading

__all__ = ["Answer", "Error", "Session", "attach", "core", "ranks_of", "resume", "run"]

# What happens by itself, and may come with the answer of any command.
EVENTS = ("stopped", "running", "exited", "killed", "detached", "failed", "lost", "output", "message")


class Error(Exception):
    """A command failed. `answer` has all that it said; `ranks` are those on which it failed, as text, or None."""

    def __init__(self, words, answer=None):
        super().__init__(words)
        self.answer = answer
        self.ranks = answer.errors[0].get("ranks") if answer is not None and answer.errors else None


class Answer(list):
    """The objects with which rankscope answered a command, in their order."""

    def of(self, kind):
        """Returns the objects of a type: answer.of("value")."""
        return [one for one in self if one.get("type") == kind]

    @property
    def errors(self):
        return self.of("error")

    @property
    def missing(self):
        """The objects that say which ranks did not answer, and why."""
        return self.of("missing")


class Session:
    """A job under rankscope. Ends with the `with` block, or with `end()`: what it started is killed, what it attached
    to is detached."""

    def __init__(self, subcommand, arguments, options=(), program=None):
        """Starts `rankscope SUBCOMMAND OPTIONS ARGUMENTS`."""
        line = [program or os.environ.get("RANKSCOPE", "rankscope"), subcommand]
        line += ["--json", "--keep-going", "--batch", "-"] + list(options) + ["--"] + list(arguments)
        self.events = []
        self.info = {}
        self._marks = 0
        self._told = queue.Queue()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, universal_newlines=True)
        self._errors = []
        for work in (self._read, self._read_errors):
            threading.Thread(target=work, daemon=True).start()
        # The first answer comes when the ranks are there.
        try:
            for told in self("echo"):
                if told.get("type") == "session":
                    self.info = told
        except BaseException:
            self.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def __call__(self, line, timeout=None, check=True):
        """Executes a command, or a whole block of lines (`commands` to `end`), and returns its Answer.

        Raises Error if it fails on a rank, unless `check` is False, and TimeoutError after `timeout` seconds; the answer
        of the command then comes with that of the next one. Ranks that could not be asked are in `answer.missing`.
        """
        if self._process.stdin.closed:
            raise Error("the session has ended")
        self._marks += 1
        mark = "echo --mark-%d--" % self._marks
        try:
            self._process.stdin.write(line.rstrip("\n") + "\n" + mark + "\\n\n")
            self._process.stdin.flush()
        except OSError:
            raise Error("rankscope has ended: " + self._last_words([])) from None
        answer = Answer()
        while True:
            try:
                told = self._told.get(timeout=timeout)
            except queue.Empty:
                raise TimeoutError("no answer to %r within %s s" % (line, timeout)) from None
            if told is None:
                self._told.put(None)
                raise Error("rankscope has ended: " + self._last_words(answer), answer)
            command = told.get("command", "")
            if told.get("type") == "done" and command.startswith("echo --mark-"):
                # That of an earlier command that took too long says that its answer is complete.
                if command.startswith(mark):
                    break
                continue
            if told.get("type") == "text" and str(told.get("text", "")).startswith("--mark-"):
                continue
            answer.append(told)
            if told.get("type") in EVENTS:
                self.events.append(told)
        if check and answer.errors:
            first = answer.errors[0]
            ranks = "[%s] " % first["ranks"] if "ranks" in first else ""
            raise Error("%s%s: %s" % (ranks, line, first.get("message", "")), answer)
        return answer

    def values(self, expression, ranks=None):
        """Returns the values of an expression: pairs of a set of ranks, as text, and the value, as gdb prints it."""
        answer = self(_for(ranks, "print " + expression))
        return [(one["ranks"], one["value"]) for one in answer.of("value")]

    def status(self):
        """Returns the ranks by their state: objects with "ranks", "state", and what belongs to it."""
        return self("status").of("status")[-1]["groups"]

    def where(self, ranks=None):
        """Returns the stacks: objects with "ranks" and "frames", the innermost frame first."""
        return self(_for(ranks, "where")).of("stack")

    def why(self):
        """Returns what the ranks wait for: an object with "verdict", "guilty" and "text"."""
        return self("why").of("why")[-1]

    def wait(self, what="", timeout=None, check=True):
        """Waits until the focus has stopped, or as the command `wait` says: wait("any"), wait("exited for 60")."""
        return self(("wait " + what).strip(), timeout, check)

    def end(self):
        """Ends the session and waits for the end of rankscope. May be called again."""
        if self._process.poll() is None:
            try:
                self._process.stdin.close()
            except OSError:
                pass
            self._process.wait()

    def _read(self):
        with self._process.stdout as stream:
            for line in stream:
                try:
                    told = json.loads(line)
                except ValueError:
                    continue
                if isinstance(told, dict):
                    self._told.put(told)
        self._told.put(None)

    def _read_errors(self):
        with self._process.stderr as stream:
            for line in stream:
                self._errors = self._errors[-9:] + [line.rstrip("\n")]

    def _last_words(self, answer):
        for told in answer:
            if told.get("type") in ("error", "failed"):
                return str(told.get("message"))
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        return " ".join(self._errors) or "exit status %s" % self._process.returncode


def run(*arguments, ranks=None, options=(), program=None):
    """Starts a program, or a launcher with its job, in `main`: run("./app", "input", ranks=4)."""
    return Session("run", arguments, (["-n", str(ranks)] if ranks else []) + list(options), program)


def attach(*pids, options=(), program=None):
    """Attaches to processes; with options=["--job", ID] to a job."""
    return Session("attach", [str(pid) for pid in pids], options, program)


def core(*files, options=(), program=None):
    """Opens a job made of core files: core("./app", "core.0", "core.1")."""
    return Session("core", files, options, program)


def resume(session, options=(), program=None):
    """Takes up a session that goes on without a front end. It goes on after this one, too."""
    return Session("resume", [session], options, program)


def ranks_of(text):
    """Returns the ranks of a set: ranks_of("0-3,8-12:2") is [0, 1, 2, 3, 8, 10, 12]."""
    ranks = []
    for part in filter(None, text.split(",")):
        bounds, _, stride = part.partition(":")
        first, _, last = bounds.partition("-")
        ranks += range(int(first), int(last or first) + 1, int(stride or 1))
    return ranks


def _for(ranks, line):
    return line if ranks is None else "[%s] %s" % (ranks, line)
