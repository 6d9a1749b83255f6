"""The one settings file. What differs between machines comes from the environment:

SECRET_KEY, SECRET_KEY_FALLBACKS, DEBUG, TRIAL, SITE_URL, ALLOWED_HOSTS, TRUSTED_PROXIES, DATABASE_URL,
REDIS_URL, EMAIL_*, DEFAULT_FROM_EMAIL, and VAR_DIR, the one folder that is written to. PRODUCTION says that
people play here: then whatever is missing or unsafe ends the start.
"""

import os
import secrets
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from games.scopes import APP_SCOPES

from . import production

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("VAR_DIR") or BASE_DIR / "var").resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # games, keys and mails: nobody else's to read


def kept_secret(path: Path, size: int = 50) -> str:
    """A random key of so many bytes, made once and kept; processes that start at once get the same one."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(size))
        try:
            os.link(draft, path)  # whole or not at all, and never over another process's key
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


def switched_on(name: str, default: bool = False) -> bool:
    """Whether the environment says yes."""
    return os.environ.get(name, str(default)).lower() in {"1", "true", "yes", "on"}


def number(name: str, default: int) -> int:
    """What the environment says, or the default where it says nothing. Raises SystemExit, with one line."""
    said = os.environ.get(name) or str(default)
    try:
        return int(said)
    except ValueError:
        raise SystemExit(f"OTTO online does not start: {name} is not a whole number: {said}") from None


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Addresses and networks that the environment names, with commas. Raises SystemExit, with one line."""
    try:
        words = os.environ.get(name, "").replace(",", " ").split()
        return [ip_network(word, strict=False) for word in words]
    except ValueError as error:
        raise SystemExit(f"OTTO online does not start: {name}: {error}") from None


PRODUCTION = switched_on("PRODUCTION")
# Several machines that serve one site must share a key: there it comes from the environment.
SECRET_KEY_GIVEN = bool(os.environ.get("SECRET_KEY"))
SECRET_KEY = os.environ.get("SECRET_KEY") or ("" if PRODUCTION else kept_secret(VAR_DIR / "secret_key"))
# Keys that were in use until now: what they signed stays good, and nothing new is signed with them.
SECRET_KEY_FALLBACKS = [key for key in os.environ.get("SECRET_KEY_FALLBACKS", "").split(",") if key]
# Django's pages for developers, which show code and values to whoever meets an error.
DEBUG = switched_on("DEBUG")
# Somebody tries the site on their own machine, as `make run` serves it: over plain http, with a mailbox.
TRIAL = switched_on("TRIAL", DEBUG)

# How the world reaches the site: for links in mails.
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = (
    os.environ.get("ALLOWED_HOSTS")
    or (urlsplit(SITE_URL).hostname or "" if PRODUCTION else "localhost,127.0.0.1,[::1]")
).split(",")
if PRODUCTION:
    # A proxy in front of us speaks https, says so, and lets nobody else say it.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked from inside, where there is no https
    SECURE_HSTS_SECONDS = number("HSTS_SECONDS", 365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    CSRF_TRUSTED_ORIGINS = [SITE_URL]

# Off only for a trial, which is served over plain HTTP.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not TRIAL
# No script of ours reads a cookie: forms carry the CSRF token themselves.
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
# Pages whose address is a secret say no-referrer themselves; the others tell it to nobody but us.
SECURE_REFERRER_POLICY = SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "otto_site.error_pages.not_a_form_of_ours"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "oauth2_provider",
    "rest_framework",
    "drf_spectacular",
    "corsheaders",
    "anymail",
    "games",
    "tournaments",
]

MIDDLEWARE = [
    "otto_site.logs.Requests",
    "otto_site.api_slashes.ApiSlashes",
    "otto_site.headers.Headers",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "otto_site.health.Watched",
    "corsheaders.middleware.CorsMiddleware",
    "otto_site.storage.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.web.locale.PlayerLocale",
    "otto_site.page_limits.PageLimits",
    "django.contrib.messages.middleware.MessageMiddleware",
    "games.web.guests.Guests",
    "allauth.account.middleware.AccountMiddleware",
    "otto_site.error_pages.BadInput",
]

ROOT_URLCONF = "otto_site.urls"
WSGI_APPLICATION = "otto_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.mailbox.in_nav",
            ],
        },
    },
]


def sqlite(path: str | Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            # Readers never wait for the writer, and a commit needs no fsync of its own.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            # A transaction takes the write lock at its start: one that reads first and writes later would
            # fail at once, whatever the timeout, if another had written in between.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,  # seconds to wait for the lock
        },
    }


# A network that falls silent says nothing, for hours if nobody asks. Here both sides notice it within half a
# minute, and what a process had locked that is gone for good is free again within one.
SILENCE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "options": "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    " -c tcp_user_timeout=25s -c idle_in_transaction_session_timeout=60s",
}


def database(url: str) -> dict[str, Any]:
    """sqlite:///relative, sqlite:////absolute, or postgres://user:password@host:port/name?option=value.

    Django itself asks SQLite for foreign keys. A socket's folder goes into ?host=. Without a password, libpq
    and PostgreSQL's programs take that of PGPASSWORD. Raises ValueError, which may quote the password.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return sqlite(unquote(parts.path[1:]))
    name, rest = parts.path[1:], parts.path[1:] + parts.query
    # A password with / # or ? in it ends too early, and what is left of it turns up behind the host.
    if (
        parts.scheme not in {"postgres", "postgresql"}
        or not name
        or "/" in name
        or "@" in rest
        or parts.fragment
    ):
        raise ValueError(url)
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "otto_site.postgres",
        "NAME": unquote(name),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": parts.port or "",
        # A statement that comes again is prepared: PostgreSQL plans it once for each connection.
        "OPTIONS": {"server_side_binding": True, "prepare_threshold": 2} | SILENCE | options,
        # Connecting costs more than most of our queries do; a connection that died is found and replaced.
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
    }


DATABASE_URL = os.environ.get("DATABASE_URL")
try:
    DATABASES = {"default": database(DATABASE_URL) if DATABASE_URL else sqlite(VAR_DIR / "otto.sqlite3")}
except ValueError:
    raise SystemExit(
        "OTTO online does not start: DATABASE_URL cannot be read. It is postgres://user:password@host:port/name,"
        " where / # ? and % in a password are %2F %23 %3F and %25, unless it is in PGPASSWORD; or sqlite:///path."
    ) from None
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Without Redis there is no broker: `serve` starts workers that keep the schedule themselves, and the web
# server wakes them through pipes in a folder. Nothing has to be installed to try the site.
REDIS_URL = os.environ.get("REDIS_URL")
WAKE_UPS_DIR = VAR_DIR / "wakeups"
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    # Without these a publisher waits for ever for a Redis that fell silent, and with it whoever asked a page.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }
    CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis for as long as it takes
else:
    CELERY_BROKER_URL = "memory://"  # which nobody uses: see otto_site.wakeups
# Rate limits are counted here: in Redis for all workers together, else in the one process that there is.
REDIS_CACHE = {
    "BACKEND": "otto_site.cache.Steady",
    "LOCATION": REDIS_URL,
    "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
}
LOCAL_CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
# Pictures have one of their own, lest they crowd out what the rate limits count.
CACHES = (
    {"default": REDIS_CACHE, "pictures": REDIS_CACHE | {"KEY_PREFIX": "pictures"}}
    if REDIS_URL
    else {
        "default": LOCAL_CACHE,
        "pictures": LOCAL_CACHE | {"LOCATION": "pictures", "OPTIONS": {"MAX_ENTRIES": 200}},
    }
)
SWEEP_EVERY = float(os.environ.get("SWEEP_EVERY") or "5")  # seconds between two looks at what is due
# A league and cups with bots, for whoever tries the site on the embedded database.
DEMO = switched_on("DEMO", TRIAL and not DATABASE_URL)
CELERY_TASK_IGNORE_RESULT = True  # what a task did is in the database

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("it", "Italiano"), ("nl", "Nederlands")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["otto_site.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or VAR_DIR / "static")
STATIC_ROOT.mkdir(exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "otto_site.storage.HashedOnceCollected"},
}
WHITENOISE_USE_FINDERS = True  # so that they are served before collectstatic has run, too

AUTH_USER_MODEL = "games.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Accounts. People log in with their email address; their name is what others see of them.
# The second one only knows sessions that began with it: passwords are judged by the first alone.
AUTHENTICATION_BACKENDS = [
    "games.web.password_backend.PasswordBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "games.web.accounts.Adapter"
ACCOUNT_FORMS = {
    "login": "games.web.account_forms.SignIn",
    "signup": "games.web.account_forms.SignUp",
    "request_login_code": "games.web.account_forms.RequestCode",
    "reset_password": "games.web.account_forms.RequestReset",
    "reset_password_from_key": "games.web.account_forms.ResetPassword",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser that signed up
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_CHANGE_EMAIL = True  # one address each; the old one holds until the new one is verified
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "OTTO online: "
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
# Beside allauth's own: guests made from one address, games begun by one guest, links mailed to join a league.
ACCOUNT_RATE_LIMITS = {
    "guest": "20/m/ip,100/h/ip",
    "guest-game": "10/m/user,40/h/user",
    "league-link": "10/m/ip,60/h/ip,2/m/key,6/h/key",
    # Anybody can have these mailed to anybody's address: not all day long.
    "reset_password": "20/m/ip,5/m/key,10/d/key",
    "request_login_code": "20/m/ip,3/m/key,20/d/key",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "OTTO online"
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute off

# Rate limits count by address: of the proxies in front of us, this many say truly who is behind them.
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXIES", 0)

# Personal tokens have one scope more than other people's apps: see games/scopes.py.
OAUTH2_PROVIDER = {
    "SCOPES": APP_SCOPES,
    "DEFAULT_SCOPES": ["read"],
    "PKCE_REQUIRED": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http"],
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 60 * 60 * 24 * 90,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,  # one that comes twice was stolen: all that came of it ends
    # RFC 9700: no implicit or password grant, no plain challenge, tokens only in headers, kept as digests.
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}
# Apps return over plain http to the player's own machine only: see games.services.apps.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008"]

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "otto_site.errors.handle",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.auth.TokenAuthentication",
        "games.api.auth.OAuthAuthentication",
        "games.api.auth.SessionAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": ["games.api.parsers.JSON"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "URL_FORMAT_OVERRIDE": None,  # `?format=` asks for a format of tournaments
}
API_RATE = number("API_RATE", 600)  # requests a minute for a player
API_RATE_ANONYMOUS = number("API_RATE_ANONYMOUS", 120)  # for an address
INBOUND_RATE = number("INBOUND_RATE", 1200)  # mails a minute from one host, or calls of a provider of mail
INBOUND_RATE_ADDRESS = number("INBOUND_RATE_ADDRESS", 60)  # from a sender at a host, to an address of ours
INBOUND_RELAYS = networks(
    "INBOUND_RELAYS"
)  # mail servers of our own: their mails count by address of ours alone
PAGE_RATE = number("PAGE_RATE", 300)  # pages and feeds a minute for a player
PAGE_RATE_ANONYMOUS = number("PAGE_RATE_ANONYMOUS", 300)  # for an address, guests included
API_MILLISECONDS = number("API_MILLISECONDS", 50)  # of processor time that count as one request more; 0: none
PAGE_MILLISECONDS = number(
    "PAGE_MILLISECONDS", 20
)  # of processor time that count as one page more; 0: none do
SPECTACULAR_SETTINGS = {
    "TITLE": "OTTO online",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": "Play OTTO slowly: every game and every move. Errors are problem+json (RFC 9457).",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    # Choices stand where they are used: as components of their own most would need an invented name.
    "POSTPROCESSING_HOOKS": [],
}
# Apps in other people's pages may read and play with a token; they get no cookies.
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/api/"
CORS_EXPOSE_HEADERS = ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "Location", "Otto-Seq"]
CORS_ALLOW_HEADERS = ["authorization", "content-type", "if-none-match", "idempotency-key", "accept-language"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # no form and no request of ours comes near
FILE_UPLOAD_HANDLERS = [
    "otto_site.uploads.Small",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# How many days things are kept that nobody needs any more; see docs/operating.md. Games are kept for ever.
KEPT_DAYS = {
    name: number(f"KEEP_{name.upper()}", days)
    for name, days in {
        "deliveries": 90,  # mails and calls of webhooks, from when they were made; evidence longer
        "received": 90,  # who wrote to us when, and what became of it
        "tokens": 30,  # from when they were revoked or ran out
        "keys": 1,  # Idempotency-Keys, with their answers: most of what a move stores
        "invitations": 30,  # addresses of people who were asked to a game that does not wait any more
        "unconfirmed": 7,  # accounts whose address nobody has confirmed
    }.items()
}

# A file that is there once this web server was asked to stop: see docker/web.py.
STOPPING = os.environ.get("STOPPING", "")

# Who brings it may read /metrics, and nobody else; without it, whoever asks this process past no proxy.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")

# Webhooks go to public addresses over https; while trying things out, also to this machine and over http.
WEBHOOKS_TO_PRIVATE = switched_on("WEBHOOKS_TO_PRIVATE", TRIAL)

# Without a mail server, mails are files in var/mail; in a trial, the page /mailbox/ shows them.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = number("EMAIL_PORT", 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = switched_on("EMAIL_USE_TLS")
EMAIL_TIMEOUT = number("EMAIL_TIMEOUT", 20)  # seconds for each answer of the mail server
EMAIL_FILE_PATH = VAR_DIR / "mail"
# Opens the mailbox of a trial: on a machine that others use too, a port on loopback is open to all of them.
MAILBOX_KEY = os.environ.get("MAILBOX_KEY") or (
    kept_secret(VAR_DIR / "mailbox_key", size=16) if TRIAL else ""
)
EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND") or (
    "django.core.mail.backends.smtp.EmailBackend" if EMAIL_HOST else "games.mail.mailbox.EmailBackend"
)
# Seconds after which a mail that a worker has taken and said nothing of is sent by another one.
MAIL_LEASE = number("MAIL_LEASE", 180)
# Where replies to our mails come in (see `manage.py inbound_mail`); empty: nobody can play by reply.
REPLY_DOMAIN = os.environ.get("REPLY_DOMAIN", "otto.localhost" if TRIAL else "")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "OTTO online <otto@localhost>"
# Providers of mail, through django-anymail: ANYMAIL_WEBHOOK_SECRET (name:password) opens /anymail/ for what
# they tell us, and the rest is what anymail's documentation asks for, such as ANYMAIL_MAILGUN_API_KEY.
ANYMAIL = {
    name.removeprefix("ANYMAIL_"): value
    for name, value in os.environ.items()
    if name.startswith("ANYMAIL_") and value
}
if "WEBHOOK_SECRET" in ANYMAIL:
    MIDDLEWARE.append("games.mail.anymail.Roomy")

if PRODUCTION:
    CELERY_WORKER_HIJACK_ROOT_LOGGER = False
    LOGGING = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "otto_site.logs.Lines"}},
        "filters": {"outages": {"()": "otto_site.outages.OutageFilter"}},
        "handlers": {
            "out": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["outages"]},
        },
        "root": {"handlers": ["out"], "level": (os.environ.get("LOG_LEVEL") or "INFO").upper()},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            "httpx": {"level": "WARNING"},  # names the addresses of webhooks, which are secrets
        },
    }
    production.check(globals())
elif TRIAL:
    # For whoever runs the site on their own machine: what went wrong, and requests only if asked for.
    VERBOSE = switched_on("VERBOSE")
    CELERY_WORKER_HIJACK_ROOT_LOGGER = False
    LOGGING = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"console": {"()": "otto_site.logs.ConsoleLines"}},
        "filters": {"outages": {"()": "otto_site.outages.OutageFilter"}},
        "handlers": {
            "out": {"class": "logging.StreamHandler", "formatter": "console", "filters": ["outages"]},
        },
        "root": {"handlers": ["out"], "level": "INFO" if VERBOSE else "WARNING"},
        "loggers": {
            "django": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.request": {"level": "WARNING" if VERBOSE else "ERROR"},  # else a line for each 404
            "httpx": {"level": "WARNING"},  # names the addresses of webhooks, which are secrets
        },
    }
