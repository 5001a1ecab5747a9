"""A process that has everything loaded and calls the command in forks of itself: tests need not wait for imports.

Each line of its input asks for one call, as JSON: arguments, folder, and the files that are its standard streams. The
answer is the exit code.
"""

import importlib
import json
import os
import pkgutil
import sys
import traceback

# As the console script does, before NumPy is loaded; and a process with threads must not fork.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

LIBRARIES = (
    "scipy.special",
    "rich.console",
    "rich.table",
    "jinja2",
    "matplotlib.figure",
    "matplotlib.backends.backend_svg",
)


def main():
    import cranfield

    own = [module.name for module in pkgutil.walk_packages(cranfield.__path__, "cranfield.")]
    for name in (*own, *LIBRARIES):
        importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            call(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def call(arguments, folder, environment, streams):
    """Be the command; never returns."""
    code = 1
    try:
        for number, (path, flags) in enumerate(zip(streams, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
            os.dup2(os.open(path, flags), number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["cranfield", *arguments]
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # without what the other had read
        from cranfield.cli import main as command

        command()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
