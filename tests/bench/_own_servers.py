"""A PostgreSQL and a Redis server for a benchmark, with ports and folders of their own, so that they can be killed."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import redis

from tests.support.processes import free_port

PATIENCE = 60.0


class OwnServer:
    """A server that can be killed and started again. Its processes form one process group."""

    def __init__(self, command: list[str], user: str | None = None) -> None:
        self._command, self._user = command, user
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        assert wait_for(self._is_up, PATIENCE), f"it does not start: {' '.join(self._command)}"

    def kill(self) -> None:
        """Send SIGKILL to all its processes."""
        assert self._process
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def answers(self) -> bool:
        raise NotImplementedError

    def _is_up(self) -> bool:
        """Start the process if it does not run; PostgreSQL may fail until the killed one's shared memory is freed."""
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                self._command,
                user=self._user,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        return self.answers()


class OwnPostgres(OwnServer):
    def __init__(self, folder: Path) -> None:
        port, user = free_port(), "postgres" if os.geteuid() == 0 else None
        data, programs = folder / "data", postgres_programs()
        assert programs
        initdb = [str(programs / "initdb"), "-D", str(data), "-U", "hule", "--auth=trust", "-E", "UTF8"]
        folder.chmod(0o755)
        if user:
            shutil.chown(folder, user)
        subprocess.run(initdb, user=user, check=True, capture_output=True, cwd=folder)
        self.url = f"postgres://hule@127.0.0.1:{port}/postgres"
        options = ["-D", str(data), "-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1"]
        super().__init__([str(programs / "postgres"), *options], user)

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


class OwnRedis(OwnServer):
    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        super().__init__(["redis-server", *options])

    def answers(self) -> bool:
        with redis.Redis.from_url(self.url) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False


def postgres_programs() -> Path | None:
    """Return the folder of initdb and postgres, or None."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if versions:
        return versions[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def are_installed() -> bool:
    return postgres_programs() is not None and shutil.which("redis-server") is not None


@contextmanager
def own_servers() -> Iterator[tuple[OwnPostgres, OwnRedis]]:
    with (
        TemporaryDirectory(prefix="hule-pg-") as postgres_folder,
        TemporaryDirectory(prefix="hule-redis-") as redis_folder,
    ):
        postgres = OwnPostgres(Path(postgres_folder))
        try:
            own_redis = OwnRedis(Path(redis_folder))
            try:
                yield postgres, own_redis
            finally:
                own_redis.kill()
        finally:
            postgres.kill()


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait until the condition holds; return False if it does not within so many seconds."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
