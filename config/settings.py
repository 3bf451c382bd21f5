"""All settings, read from the environment.

The default needs nothing but Python: SQLite in WAL mode and Celery over a folder. `DATABASE_URL` and `REDIS_URL`
switch to PostgreSQL and Redis with the same code. docs/administrators/settings.md lists the variables.
"""

import re
import secrets
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from tzlocal import get_localzone_name

from config.private_files import private_folder, read_or_create

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# --- data folder ---
DATA_DIR = Path(env("HULE_DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
private_folder(DATA_DIR)

SECRET_KEY = env("SECRET_KEY", default="") or read_or_create(
    DATA_DIR / "secret-key", lambda: secrets.token_urlsafe(50)
)
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=False)
"""Set behind a TLS proxy: cookies become secure and X-Forwarded-Proto is trusted."""
SITE_ADDRESS = env("SITE_ADDRESS", default="").rstrip("/")
"""How links in letters, on invitations and on paper begin, e.g. https://hule.example.org. Left empty: behind a TLS
proxy the first of ALLOWED_HOSTS; else where `serve` listens. Read it with `base.requests.site_address`."""
if not SITE_ADDRESS and HTTPS and ALLOWED_HOSTS and "*" not in ALLOWED_HOSTS:
    SITE_ADDRESS = f"https://{ALLOWED_HOSTS[0].lstrip('.')}"
if SITE_ADDRESS and not re.fullmatch(r"https?://[^/?#@\s]+", SITE_ADDRESS):
    raise ImproperlyConfigured(f"SITE_ADDRESS: {SITE_ADDRESS} is no address as https://hule.example.org is.")
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=["127.0.0.0/8", "::1"] if HTTPS else [])
"""Addresses and networks of proxies whose X-Forwarded-For is trusted."""

# --- apps and middleware ---
INSTALLED_APPS = [
    "tournament",
    "penalties",
    "scoring",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
    "axes",
    "csp",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "config.front.addresses.ClientAddress",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.front.delivery.CompressText",
    "config.front.delivery.FirstVisit",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.front.errors.RequestTooLarge",
    "config.front.queueing.SignedInFirst",
    "config.front.errors.DatabaseUnavailable",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournament.base.zones.TimeZoneMiddleware",
    "tournament.accounts.visits.VisitMiddleware",
    "tournament.web.api.rates.add_rate_limit_headers",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {
                "hule": "tournament.web.tags",
                "hule_book": "tournament.book.tags",
                "hule_event": "tournament.events.tags",
                "hule_hall": "tournament.screens.tags",
                "hule_documents": "tournament.documents.tags.hule_documents",
                "hule_ema": "tournament.ema.tags",
                "hule_site": "tournament.site.tags",
                "hule_lists": "tournament.exchange.tags",
                "hule_mail": "tournament.messages.mail.tags",
                "hule_money": "tournament.dues.tags",
                "hule_paper": "tournament.documents.tags.hule_paper",
                "hule_people": "tournament.people.tags",
                "hule_ranking": "tournament.ranking.tags",
                "hule_verdict": "tournament.play.tags",
                "hule_webhooks": "tournament.messages.webhooks.tags",
            },
            "builtins": ["django.templatetags.i18n", "django.templatetags.static"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- database: SQLite with immediate transactions, so that two writers wait instead of failing ---
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'hule.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "config.sqlite"
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
    }
else:
    # Under ASGI every request has a thread of its own, so Django's persistent connections are never reused.
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": env.int("DATABASE_CONNECTIONS", default=10),
    }
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# --- Redis when there is one ---
REDIS_URL = env("REDIS_URL", default="")
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "config.redis_caches.PagesCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"},
    # Apart from the pages, so that many cached pages cannot evict a limit.
    "limits": {
        "BACKEND": "config.redis_caches.LimitsCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "limit",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "limits",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
}

# --- Celery: a job is a row (base/models/tournament.py), so no result backend is needed ---
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever: otherwise beat would stop unnoticed
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
else:
    _QUEUE = DATA_DIR / "queue"
    for _folder in ("messages", "control"):
        private_folder(_QUEUE / _folder)
    CELERY_BROKER_URL = "filesystem://localhost"
    CELERY_BROKER_TRANSPORT = "config.celery:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_QUEUE / "messages"),
        "data_folder_out": str(_QUEUE / "messages"),
        "control_folder": str(_QUEUE / "control"),
        "polling_interval": 0.2,
    }

BEAT = env.bool("BEAT", default=False)
"""Beat runs as a process of its own (`hule beat`); otherwise each worker runs it."""
# No schedule is stored: daily tasks also run at every start.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"

# --- backups ---
BACKUP_MINUTES = env.float("BACKUP_MINUTES", default=10.0)
"""Minutes between checks whether there are changes to back up; 0: never."""
BACKUP_UPLOAD_MB = env.int("BACKUP_UPLOAD_MB", default=2048)
"""Largest backup that can be uploaded."""

# --- e-mail: any SMTP server; without one messages can be copied by hand ---
EMAIL_URL = env("EMAIL_URL", default="")
"""smtp+tls://user:password@host (STARTTLS), smtp+ssl:// or smtp://, instead of the six variables below."""
_MAIL: dict[str, Any] = environ.Env.email_url_config(EMAIL_URL) if EMAIL_URL else {}
EMAIL_HOST = _MAIL.get("EMAIL_HOST") or env("EMAIL_HOST", default="")
EMAIL_HOST_USER = _MAIL.get("EMAIL_HOST_USER") or env("EMAIL_HOST_USER", default="")
EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_PASSWORD") or env("EMAIL_HOST_PASSWORD", default="")
EMAIL_USE_TLS = _MAIL.get("EMAIL_USE_TLS") or env.bool("EMAIL_USE_TLS", default=False)
EMAIL_USE_SSL = _MAIL.get("EMAIL_USE_SSL") or env.bool("EMAIL_USE_SSL", default=False)
EMAIL_PORT = (
    _MAIL.get("EMAIL_PORT")
    or env.int("EMAIL_PORT", default=0)
    or (465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25)
)
EMAIL_TIMEOUT = env.float("EMAIL_TIMEOUT", default=20.0)
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="")

# --- limits for one address or account in a web process ---
CONNECTIONS_PER_ADDRESS = env.int("CONNECTIONS_PER_ADDRESS", default=5000)
STREAMS_PER_ADDRESS = env.int("STREAMS_PER_ADDRESS", default=3000)
"""Of visitors who are not signed in; 0: no limit. A hall behind one router is one address."""
CONNECTIONS_PER_ACCOUNT = env.int("CONNECTIONS_PER_ACCOUNT", default=200)
"""Of one signed-in user or card; half of them may be live streams; 0: no limit."""

# --- monitoring ---
METRICS_FROM = env.list("METRICS_FROM", default=[])
METRICS_TOKEN = env("METRICS_TOKEN", default="")
"""Addresses and networks, and a bearer token: either opens `/metrics`; with neither it is 404."""
if METRICS_FROM or METRICS_TOKEN:
    MIDDLEWARE.insert(0, "config.front.metrics.RecordRoute")

# --- web push ---
PUSH_KEY = env("PUSH_KEY", default="")
PUSH_HOSTS = env.list("PUSH_HOSTS", default=[])
"""Push services in the local network, `host:port`; all others need https and a public address."""

# --- webhooks ---
WEBHOOK_NETWORKS = [ip_network(network) for network in env.list("WEBHOOK_NETWORKS", default=[])]
"""Local networks that webhooks may call by http and at any port, such as 192.168.1.0/24; all other targets need https
and a public address."""

# --- people ---
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "tournament.staff.passes.PassBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"tournament.accounts.forms.{name}"}
    for name in ("LengthValidator", "NameSimilarityValidator", "CommonPasswordValidator")
]
AXES_FAILURE_LIMIT = 40
"""From one address without a pause of 15 minutes; devices that have signed in before are not counted."""
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = ["ip_address"]
AXES_CLIENT_IP_CALLABLE = "config.front.addresses.rate_limit_key"
AXES_HANDLER = "axes.handlers.cache.AxesCacheHandler"
AXES_CACHE = "limits"
AXES_RESET_ON_SUCCESS = False  # otherwise an account's owner could guess at others without end
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "tournament.accounts.sign_in.lockout_response"
AXES_WHITELIST_CALLABLE = "tournament.accounts.sign_in.is_known_device"
OTP_TOTP_ISSUER = "Hule"
# Wrong codes are counted with wrong passwords (tournament.accounts.sign_in): django-otp's own throttling would
# let whoever guesses lock out the account's owner.
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
SESSION_ENGINE = "tournament.accounts.visits"
LOGIN_URL = "login"
LOGOUT_REDIRECT_URL = "home"

# --- languages ---
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文"), ("zh-hant", "繁體中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = env("TIME_ZONE", default=get_localzone_name() or "UTC")

# --- files ---
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("help", BASE_DIR / "docs" / "pictures")]
STATIC_ROOT = Path(env("STATIC_ROOT", default=str(DATA_DIR / "static")))
MEDIA_ROOT = DATA_DIR / "files"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.storage.StaticStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_IMMUTABLE_FILE_TEST = r"[.-][0-9a-f]{12}\.\w+$|/vendor/pyodide/"
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
"""A form of two thousand players has several fields for each."""

# --- safety ---
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # subdomains may belong to somebody else,
    "security.W021",  # and so cannot be preloaded
    "axes.W001",  # one process counts in memory; several count in Redis
]

# --- API ---
API_RATE_TOKEN = env.int("API_RATE_TOKEN", default=1200)
API_RATE_ADDRESS = env.int("API_RATE_ADDRESS", default=6000)
"""Requests a minute by one token, and without one by one address; 0: no limit."""
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournament.accounts.sign_in.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["scoring.refusals.FlatJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "tournament.web.api.schema.ApiSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "tournament.web.api.rates.TokenThrottle",
        "tournament.web.api.rates.AddressThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "token": f"{API_RATE_TOKEN}/min" if API_RATE_TOKEN else None,
        "address": f"{API_RATE_ADDRESS}/min" if API_RATE_ADDRESS else None,
    },
    "EXCEPTION_HANDLER": "tournament.web.api.base.exception_handler",
}
KNOX_TOKEN_MODEL = "tournament.ApiToken"
REST_KNOX = {"SECURE_HASH_ALGORITHM": "hashlib.sha256"}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": _("Hule API"),
    "DESCRIPTION": _("Everything the web pages can do, as an API."),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "tournament.web.api.schema.allow_overlapping_types",
        "tournament.web.api.schema.add_examples",
    ],
    "ENUM_NAME_OVERRIDES": {
        "PrizeKind": "tournament.prizes.models.Prize.Kind",
        "PlayerField": "tournament.web.exports.headings.FIELDS",
        "CeremonyKind": "tournament.screens.api.KINDS",
        "ScreenKind": "tournament.screens.api.SCREEN_KINDS",
        "RegistrationState": "tournament.base.models.registration.Registration.State",
        "WebhookFormat": "tournament.messages.webhooks.models.Webhook.FORMATS",
        "Language": LANGUAGES,
    },
}

# --- logging: errors are printed with their traceback ---
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.log_lines.LineFormatter",
            "format": "{asctime} {levelname} {name}:{request} {message}",
            "style": "{",
        },
        "json": {"()": "config.log_lines.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": env("LOG_FORMAT", default="line")}
    },
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="WARNING")},
}
