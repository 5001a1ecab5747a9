"""A process that has everything loaded and calls the command in forks of itself: tests need not wait for imports.

It listens at the socket that it is given, until its input ends. Whoever calls sends arguments, folder and environment
as JSON together with the standard streams, and gets the exit code.
"""

import importlib
import json
import os
import pkgutil
import select
import socket
import subprocess
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path

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
CLIENT = f"""#!{sys.executable} -ISS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
    server.connect({{address!r}})
    request = {{{{"arguments": sys.argv[1:], "folder": os.getcwd(), "environment": dict(os.environ)}}}}
    socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
    sys.exit(int(server.recv(9)))
"""


@contextmanager
def started(folder, environment=None):
    """A server at a socket in a folder, where a `cranfield` that asks it is put, too; gives the socket."""
    address = folder / "socket"
    client = folder / "cranfield"
    client.write_text(CLIENT.format(address=str(address)))
    client.chmod(0o755)
    command = [sys.executable, __file__, address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as running:
        assert running.stdout.readline() == b"ready\n"
        yield address
        running.stdin.close()


def called(address, arguments, streams):
    """The exit code of the command, called here and now."""
    request = {"arguments": arguments, "folder": str(Path.cwd()), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.connect(str(address))
        socket.send_fds(server, [json.dumps(request).encode()], [stream.fileno() for stream in streams])
        return int(server.recv(9))


def main(address):
    import cranfield

    own = [module.name for module in pkgutil.walk_packages(cranfield.__path__, "cranfield.")]
    for name in (*own, *LIBRARIES):
        importlib.import_module(name)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        answering = set()
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            answering = {child for child in answering if not os.waitpid(child, os.WNOHANG)[0]}
            if not (child := os.fork()):
                answer(connection)
            answering.add(child)
            connection.close()


def answer(connection):
    """Call the command and tell its exit code; never returns."""
    request, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    child = os.fork()
    if not child:
        call(**json.loads(request), streams=streams)
    for stream in streams:
        os.close(stream)
    _, status = os.waitpid(child, 0)
    connection.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def call(arguments, folder, environment, streams):
    """Be the command; never returns."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
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
    main(sys.argv[1])
