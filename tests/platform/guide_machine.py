"""A machine on which a guide for root is followed line by line, in a folder: the system's own tools are stood in for.

Paths of the system lead into the folder. `systemctl` starts the `ExecStart` of installed units with their environment;
`runuser` does what it is told as whoever runs the test; `certbot` makes a certificate of its own; NOTHING is done
where that would change the machine. `bin/wheel` gives a wheel that was built before, and `pip` finds the requirements
installed; everything else, `hule` and `nginx` among it, is the real thing. A `Visitor` comes to its site behind TLS.
"""

import getpass
import grp
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPResponse
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.platform.conftest import use_packages
from tests.support.processes import PATIENCE, ROOT

PLACES = ("/etc/", "/opt/", "/usr/local/bin/", "/var/lib/", "/var/www/", "/run/")
FOLDERS = (
    *(
        "bin",
        "checkout/bin",
        "opt",
        "run",
        "usr/local/bin",
        "var/lib/hule",
        "var/www/html",
        "etc/systemd/system",
    ),
    *("etc/nginx/modules-enabled", "etc/nginx/sites-available", "etc/nginx/sites-enabled"),
)
CHECKOUT = (
    *(
        "config",
        "deploy",
        "hule",
        "locale",
        "penalties",
        "scoring",
        "static",
        "templates",
        "tournament",
    ),
    *("LICENSE", "README.md", "pyproject.toml", "requirements.in", "requirements.txt"),
)
NOTHING = ("adduser", "apt-get", "chown", "createdb", "psql")
RUNUSER = """#!/bin/sh
shift 3
exec "$@"
"""
CERTBOT = """#!/bin/sh
folder="$MACHINE/etc/letsencrypt/live/hule.example.org"
mkdir -p "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=hule.example.org \\
    -addext subjectAltName=DNS:hule.example.org -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
"""
INSTALL = """#!/bin/sh
# Without the owner's group, and with the folder in the place of the system in what is installed.
for target; do :; done
[ "$1" = -d ] && exec mkdir -p "$target"
/usr/bin/install "$@" && find "$target" -type f -exec sed -i -f "$MACHINE/paths.sed" {} +
"""


class Machine:
    """`changes`: what stands in the guide → what takes its place, ports and servers for instance."""

    def __init__(self, folder: Path, dist: Path, packages: Path, changes: Mapping[str, str]) -> None:
        self.folder = folder
        self._dist = dist
        self._changes = dict(changes) | {place: f"{folder}{place}" for place in PLACES}
        for place in FOLDERS:
            (folder / place).mkdir(parents=True)
        for part in CHECKOUT:
            (folder / "checkout" / part).symlink_to(ROOT / part)
        use_packages(packages, folder / "opt/hule")
        self._write_stand_ins()
        self._write_nginx()

    def follow(self, lines: str) -> str:
        """Run the guide's lines; what they print."""
        done = subprocess.run(
            ["bash", "-euc", self._replace(lines)],
            cwd=self.folder / "checkout",
            env=self._environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def stop(self) -> None:
        """Everything that was started."""
        for file in (self.folder / "run").glob("*.pid"):
            try:
                os.kill(int(file.read_text()), signal.SIGTERM)
            except ProcessLookupError:
                continue

    @property
    def _environment(self) -> dict[str, str]:
        environment = {
            name: os.environ[name] for name in ("HOME", "LANG", "PIP_INDEX_URL") if name in os.environ
        }
        paths = (self.folder / "bin", self.folder / "usr/local/bin", "/usr/sbin", os.environ["PATH"])
        return environment | {"MACHINE": str(self.folder), "PATH": ":".join(map(str, paths))}

    def _replace(self, text: str) -> str:
        for old, new in self._changes.items():
            text = text.replace(old, new)
        return text

    def _write_stand_ins(self) -> None:
        nginx = f'#!/bin/sh\nexec /usr/sbin/nginx -p "{self.folder}" -c "{self.folder}/etc/nginx/nginx.conf" "$@"\n'
        systemctl = f'#!/bin/sh\nexec {sys.executable} {ROOT}/tests/platform/guide_systemctl.py "$@"\n'
        programs = {"runuser": RUNUSER, "certbot": CERTBOT, "install": INSTALL} | dict.fromkeys(
            NOTHING, "#!/bin/sh\n"
        )
        wheel = f'#!/bin/sh\nmkdir -p dist && cp "{self._dist}"/* dist/\n'
        programs |= {"nginx": nginx, "systemctl": systemctl, "../checkout/bin/wheel": wheel}
        for name, text in programs.items():
            program = self.folder / "bin" / name
            program.write_text(text)
            program.chmod(0o755)
        sed = (f"s|{old}|{new}|g" for old, new in self._changes.items())
        # IPv6 is not everywhere.
        (self.folder / "paths.sed").write_text("\n".join(["/listen \\[::\\]/d", *sed]) + "\n")

    def _write_nginx(self) -> None:
        """As Debian's package leaves it, where it matters."""
        at = f"{self.folder}/etc/nginx"
        (self.folder / "etc/nginx/nginx.conf").write_text(
            f"user {getpass.getuser()} {grp.getgrgid(os.getgid()).gr_name};\n"
            f"pid {self.folder}/run/nginx.pid;\nerror_log {self.folder}/run/nginx.log;\n"
            f"include {at}/modules-enabled/*.conf;\nevents {{ worker_connections 768; }}\n"
            f"http {{ include /etc/nginx/mime.types; access_log off; client_body_temp_path {self.folder}/run/body;\n"
            f"proxy_temp_path {self.folder}/run/proxy; include {at}/sites-enabled/*; }}\n"
        )


# --- a browser of sorts behind TLS: one visitor with an address, cookies and a form's token ---------------
NAME = "hule.example.org"


class Visitor:
    """Comes from `address` to the port of a proxy whose certificate is in `certificate`."""

    def __init__(self, port: int, certificate: Path, address: str = "127.0.0.1") -> None:
        self._port, self._address = port, address
        self._trust = ssl.create_default_context(cafile=str(certificate))
        self.cookies = SimpleCookie()

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> HTTPResponse:
        """The answer, its head read and its body not."""
        plain = socket.create_connection(("127.0.0.1", self._port), PATIENCE, (self._address, 0))
        connection = HTTPConnection(NAME)
        connection.sock = self._trust.wrap_socket(plain, server_hostname=NAME)
        all_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        all_headers |= {
            "Connection": "close",
            "Cookie": "; ".join(f"{cookie.key}={cookie.value}" for cookie in self.cookies.values()),
        }
        connection.request(method, path, body, all_headers)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies.load(line)
        return answer

    def get(self, path: str) -> str:
        with self.ask("GET", path) as answer:
            assert answer.status == 200, (answer.status, path)
            return answer.read().decode()

    def post(self, path: str, fields: dict[str, str], page: str = "") -> int:
        """A form of the page at `page`; the status."""
        body = urlencode(fields | {"csrfmiddlewaretoken": self.token(page or path)}).encode()
        with self.ask("POST", path, body, **self._from_here("application/x-www-form-urlencoded")) as answer:
            answer.read()
            return answer.status

    def upload(self, path: str, page: str, field: str, content: bytes) -> int:
        mark = b"--an-edge-between-parts"
        token = self.token(page).encode()
        body = b"\r\n".join(
            [
                *(mark, b'Content-Disposition: form-data; name="csrfmiddlewaretoken"', b"", token),
                mark,
                b'Content-Disposition: form-data; name="%s"; filename="a.hule"' % field.encode(),
                *(b"Content-Type: application/octet-stream", b"", content, mark + b"--", b""),
            ]
        )
        kind = f"multipart/form-data; boundary={mark[2:].decode()}"
        with self.ask("POST", path, body, **self._from_here(kind)) as answer:
            answer.read()
            return answer.status

    def program(self, path: str, body: dict[str, Any] | None, token: str = "") -> Any:
        headers = {"Content_Type": "application/json"} | (
            {"Authorization": f"Token {token}"} if token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        with self.ask("POST" if body is not None else "GET", path, data, **headers) as answer:
            body_text = answer.read()
            assert answer.status < 300, body_text
            return json.loads(body_text)

    def token(self, page: str) -> str:
        match = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(page))
        assert match
        return match[1]

    @staticmethod
    def _from_here(kind: str) -> dict[str, str]:
        return {"Content_Type": kind, "Origin": f"https://{NAME}", "Referer": f"https://{NAME}/"}
