"""The one settings file. What differs between machines comes from the environment:

SECRET_KEY, SECRET_KEY_FALLBACKS, DEBUG, TRIAL, SITE_URL, ALLOWED_HOSTS, TRUSTED_PROXIES, DATABASE_URL,
REDIS_URL, EMAIL_*, DEFAULT_FROM_EMAIL, and VAR_DIR, the only directory that is written to. With PRODUCTION
set, missing or unsafe settings end the start.
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from accounts.scopes import APP_SCOPES

from . import production_checks
from .environment import (
    env_bool,
    env_int,
    env_networks,
    is_vapid_key,
    load_or_create_secret,
    parse_database_url,
    sqlite_settings,
)
from .openapi_settings import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("VAR_DIR") or BASE_DIR / "var").resolve()
OPEN_DATA_DIR = Path(os.environ.get("OPEN_DATA_DIR") or VAR_DIR / "open-data").resolve()
OPEN_DATA_LICENCE = os.environ.get("OPEN_DATA_LICENCE") or ""  # as /data/ names it; empty: not chosen
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # private: games, keys and mails

PRODUCTION = env_bool("PRODUCTION")
# Machines that serve one site must share a key: there it comes from the environment.
SECRET_KEY_IS_SET = bool(os.environ.get("SECRET_KEY"))
SECRET_KEY = os.environ.get("SECRET_KEY") or (
    "" if PRODUCTION else load_or_create_secret(VAR_DIR / "secret_key")
)
# Former keys: their signatures stay valid, and nothing new is signed with them.
SECRET_KEY_FALLBACKS = [key for key in os.environ.get("SECRET_KEY_FALLBACKS", "").split(",") if key]
# Django's debug pages, which show code and values to anybody who hits an error.
DEBUG = env_bool("DEBUG")
# A trial on one's own machine, as `make run` serves it: plain HTTP, with the mailbox page.
TRIAL = env_bool("TRIAL", DEBUG)
# A public site to try programs on: pages say so, and `manage.py reset_sandbox` may empty it every night.
SANDBOX = env_bool("SANDBOX")

# The public URL, for links in mails.
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = (
    os.environ.get("ALLOWED_HOSTS")
    or (urlsplit(SITE_URL).hostname or "" if PRODUCTION else "localhost,127.0.0.1,[::1]")
).split(",")
if PRODUCTION:
    # The proxy terminates HTTPS, sets this header, and strips it from clients.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # called inside the network, without HTTPS
    SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    CSRF_TRUSTED_ORIGINS = [SITE_URL]

# Off only for a trial, which uses plain HTTP.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not TRIAL
# Our scripts read no cookies: forms carry the CSRF token.
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
# Pages with a secret URL set no-referrer themselves.
SECURE_REFERRER_POLICY = SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "otto_site.error_pages.show_csrf_failure"

PROJECT_APPS = ["common", "accounts", "notifications", "games", "tournaments"]  # lowest room first
INSTALLED_APPS = [
    "otto_site.admin_site.ProjectAdminConfig",
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
    *PROJECT_APPS,
]

MIDDLEWARE = [
    "otto_site.logs.RequestLogMiddleware",
    "otto_site.api_slashes.ApiSlashMiddleware",
    "otto_site.security_headers.SecurityHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "otto_site.health.HealthEndpoints",
    "corsheaders.middleware.CorsMiddleware",
    "otto_site.storage.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.web.locale.PlayerLocaleMiddleware",
    "notifications.inbound.provider_limits.MailProviderLimitsMiddleware",
    "accounts.web.page_limits.PageLimitsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.web.guests.GuestMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "otto_site.error_pages.BadInputMiddleware",
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
                "accounts.web.display_settings.display_context",
                "games.web.turn_count.turn_count_context",
                "notifications.web.mailbox.mailbox_context",
                "common.sandbox.sandbox_context",
            ],
        },
    },
]

DATABASE_URL = os.environ.get("DATABASE_URL")
DEFAULT_DATABASE = sqlite_settings(VAR_DIR / "otto.sqlite3")
try:
    DATABASES = {"default": parse_database_url(DATABASE_URL) if DATABASE_URL else DEFAULT_DATABASE}
except ValueError:
    raise SystemExit(
        "OTTO online does not start: DATABASE_URL cannot be read. It is postgres://user:password@host:port/name,"
        " where / # ? and % in a password are %2F %23 %3F and %25, unless it is in PGPASSWORD; or sqlite:///path."
    ) from None
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Without Redis there is no broker: `serve` starts workers that run the schedule themselves, and the web
# server wakes them through named pipes. So a trial needs no other software.
REDIS_URL = os.environ.get("REDIS_URL")
WAKE_UPS_DIR = VAR_DIR / "wakeups"
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    # Without these timeouts a publisher, and the page it serves, would hang on a silent Redis.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }
    CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for Redis without limit
else:
    CELERY_BROKER_URL = "memory://"  # unused: see otto_site.wakeups
# Rate limits are counted in the cache: in Redis for all processes, else in the single web process.
REDIS_CACHE = {
    "BACKEND": "otto_site.cache.FallbackRedisCache",
    "LOCATION": REDIS_URL,
    "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
}
LOCAL_CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
# Pictures have their own cache, so that they do not evict rate limit counters.
CACHES = (
    {"default": REDIS_CACHE, "pictures": REDIS_CACHE | {"KEY_PREFIX": "pictures"}}
    if REDIS_URL
    else {
        "default": LOCAL_CACHE,
        "pictures": LOCAL_CACHE | {"LOCATION": "pictures", "OPTIONS": {"MAX_ENTRIES": 200}},
    }
)
SWEEP_EVERY = float(os.environ.get("SWEEP_EVERY") or "5")  # seconds between two sweeps
# A demo league and cups with bots, for a trial on the embedded database.
DEMO = env_bool("DEMO", TRIAL and not DATABASE_URL)
CELERY_TASK_IGNORE_RESULT = True  # results are in the database

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
    "staticfiles": {"BACKEND": "otto_site.storage.LenientManifestStorage"},
}
WHITENOISE_USE_FINDERS = True  # serve static files before collectstatic has run, too

AUTH_USER_MODEL = "accounts.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Accounts. Players log in with their email address; other players see their name.
# The second backend only serves existing sessions: passwords are checked by the first alone.
AUTHENTICATION_BACKENDS = [
    "accounts.web.password_backend.PasswordBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.web.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.web.auth_forms.PlayerLoginForm",
    "signup": "accounts.web.auth_forms.PlayerSignupForm",
    "request_login_code": "accounts.web.auth_forms.PlayerLoginCodeForm",
    "reset_password": "accounts.web.auth_forms.PlayerResetPasswordForm",
    "reset_password_from_key": "accounts.web.auth_forms.PlayerResetPasswordKeyForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser that signed up
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_CHANGE_EMAIL = True  # one address each; the old one stays until the new one is verified
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "OTTO online: "
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
# Besides allauth's own: guests per IP address, games per guest, links mailed for join requests of leagues.
ACCOUNT_RATE_LIMITS = {
    "guest": "20/m/ip,100/h/ip",
    "guest-game": "10/m/user,40/h/user",
    "league-link": "10/m/ip,60/h/ip,2/m/key,6/h/key",
    # Anybody can trigger these mails to any address, so they have a daily limit.
    "reset_password": "20/m/ip,5/m/key,10/d/key",
    "request_login_code": "20/m/ip,3/m/key,20/d/key",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "OTTO online"
MFA_TOTP_TOLERANCE = 1  # steps of 30 seconds that a clock may be off

# For rate limits by IP address: how many proxies in front of us set X-Forwarded-For truthfully.
ALLAUTH_TRUSTED_PROXY_COUNT = env_int("TRUSTED_PROXIES", 0)

# Personal tokens have one scope more than third-party apps: see accounts/scopes.py.
OAUTH2_PROVIDER = {
    "SCOPES": APP_SCOPES,
    "DEFAULT_SCOPES": ["read"],
    "PKCE_REQUIRED": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http"],
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 60 * 60 * 24 * 90,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,  # a reused token was stolen: revoke its whole family
    # RFC 9700: no implicit or password grant, no plain challenge, tokens only in headers, stored as digests.
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    # What /.well-known/oauth-authorization-server says; "none" is for apps that cannot keep a secret.
    "OIDC_ISS_ENDPOINT": SITE_URL,
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none", "client_secret_basic", "client_secret_post"],
}
# Plain HTTP redirect URIs are allowed for localhost only: see accounts.services.oauth_apps.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008"]

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "otto_site.errors.handle_api_error",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.auth.TokenAuthentication",
        "accounts.api.auth.OAuthAuthentication",
        "accounts.api.auth.SessionAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": ["common.api.parsers.SafeJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "DEFAULT_SCHEMA_CLASS": "common.api.operation_schema.OperationSchema",
    "URL_FORMAT_OVERRIDE": None,  # `?format=` filters tournaments by format
}
API_RATE = env_int("API_RATE", 600)  # requests a minute per player
API_RATE_ANONYMOUS = env_int("API_RATE_ANONYMOUS", 120)  # per IP address
INBOUND_RATE = env_int("INBOUND_RATE", 1200)  # mails a minute per sending host, or calls per mail provider
INBOUND_RATE_ADDRESS = env_int("INBOUND_RATE_ADDRESS", 60)  # per sender and host, and per recipient
# Our own mail servers: their mails are limited per recipient only.
INBOUND_RELAYS = env_networks("INBOUND_RELAYS")
PAGE_RATE = env_int("PAGE_RATE", 300)  # pages and feeds a minute per player
PAGE_RATE_ANONYMOUS = env_int("PAGE_RATE_ANONYMOUS", 300)  # per IP address, guests included
API_MILLISECONDS = env_int("API_MILLISECONDS", 50)  # processor time that counts as another request; 0: off
PAGE_MILLISECONDS = env_int("PAGE_MILLISECONDS", 20)  # processor time that counts as another page; 0: off
SUBREQUEST_SUFFIXES = ("/board.svg", "/version/", "/live/")  # what pages request themselves: no burst
STREAM_KEEP_ALIVE = float(os.environ.get("STREAM_KEEP_ALIVE") or "15")  # seconds between two signs of life
STREAM_POLL = float(os.environ.get("STREAM_POLL") or "1")  # seconds between two polls, without Redis
STREAM_RECHECK = float(os.environ.get("STREAM_RECHECK") or "5")  # seconds between two checks of credentials
STREAMS_PER_PLAYER = env_int("STREAMS_PER_PLAYER", 20)  # open at once
STREAMS_PER_ADDRESS = env_int("STREAMS_PER_ADDRESS", 200)  # open at once, signed in or not
# Scripts on other sites may use the API with a token, which apps without a server get and give back by OAuth;
# they get no cookies.
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/(api/|data/|oauth/(token|revoke)/?$|\.well-known/oauth-authorization-server$)"
CORS_EXPOSE_HEADERS = [
    "ETag",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Location",
    "Otto-Seq",
    *("Deprecation", "Sunset", "Link"),
]
CORS_ALLOW_HEADERS = [
    *(
        "authorization",
        "content-type",
        "if-none-match",
        "idempotency-key",
        "accept-language",
        "last-event-id",
    ),
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # far above any form or request of ours
FILE_UPLOAD_HANDLERS = [
    "otto_site.uploads.MaxUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Retention in days of data no longer needed; see docs/operating.md. Games are kept for ever.
RETENTION_DAYS = {
    name: env_int(f"KEEP_{name.upper()}", days)
    for name, days in {
        "deliveries": 90,  # mails and webhook calls, from creation; evidence is kept longer
        "received": 90,  # inbound mails: sender, time, outcome
        "tokens": 30,  # after they were revoked or expired
        "keys": 1,  # idempotent responses: most of what a move stores
        "invitations": 30,  # email addresses invited to games that no longer wait for players
        "unconfirmed": 7,  # accounts without a confirmed address
    }.items()
}

# Path of a file that exists once this web server was asked to stop: see docker/web.py.
STOPPING_FILE = os.environ.get("STOPPING", "")

# Bearer token for /metrics; if empty, /metrics is open to requests that came past no proxy.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")

# Webhooks go to public addresses over HTTPS; in a trial also to private addresses and over HTTP.
WEBHOOKS_TO_PRIVATE = env_bool("WEBHOOKS_TO_PRIVATE", TRIAL)

# Push messages to browsers: the private key is 32 bytes in base64url (`manage.py vapid_keys` prints one), the
# subject is a URL or mailto: address for the operators of push services. Without a key, push is off.
VAPID_PRIVATE_KEY = os.environ.get("VAPID_PRIVATE_KEY") or (
    load_or_create_secret(VAR_DIR / "vapid_private_key", size=32) if TRIAL else ""
)
if VAPID_PRIVATE_KEY and not is_vapid_key(VAPID_PRIVATE_KEY):
    raise SystemExit("OTTO online does not start: VAPID_PRIVATE_KEY is not a key of `manage.py vapid_keys`")
VAPID_SUBJECT = os.environ.get("VAPID_SUBJECT") or SITE_URL

# Without a mail server, mails are files in var/mail; in a trial /mailbox/ shows them.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = env_int("EMAIL_PORT", 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env_bool("EMAIL_USE_TLS")
EMAIL_TIMEOUT = env_int("EMAIL_TIMEOUT", 20)  # seconds for each SMTP response
EMAIL_FILE_PATH = VAR_DIR / "mail"
# Key of the trial mailbox: all users of a machine can reach a port on loopback.
MAILBOX_KEY = os.environ.get("MAILBOX_KEY") or (
    load_or_create_secret(VAR_DIR / "mailbox_key", size=16) if TRIAL else ""
)
EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND") or (
    "django.core.mail.backends.smtp.EmailBackend"
    if EMAIL_HOST
    else "notifications.channels.email.mailbox.EmailBackend"
)
# Lease in seconds: a delivery claimed by a worker and not finished by then is retried by another.
MAIL_LEASE = env_int("MAIL_LEASE", 180)
# Domain for replies to our mails (see `manage.py inbound_mail`); empty: no play by reply.
REPLY_DOMAIN = os.environ.get("REPLY_DOMAIN", "otto.localhost" if TRIAL else "")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "OTTO online <otto@localhost>"
# Mail providers through django-anymail: ANYMAIL_WEBHOOK_SECRET (name:password) enables their webhooks under
# /anymail/; the other variables are anymail's settings, such as ANYMAIL_MAILGUN_API_KEY.
ANYMAIL = {
    name.removeprefix("ANYMAIL_"): value
    for name, value in os.environ.items()
    if name.startswith("ANYMAIL_") and value
}
if "WEBHOOK_SECRET" in ANYMAIL:
    MIDDLEWARE.append("notifications.inbound.anymail.LargeInboundBody")

if PRODUCTION:
    CELERY_WORKER_HIJACK_ROOT_LOGGER = False
    LOGGING = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "otto_site.logs.JsonFormatter"}},
        "filters": {"outages": {"()": "otto_site.outages.OutageFilter"}},
        "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["outages"]}},
        "root": {"handlers": ["out"], "level": (os.environ.get("LOG_LEVEL") or "INFO").upper()},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            "httpx": {"level": "WARNING"},  # logs webhook URLs, which are secrets
        },
    }
    production_checks.check_settings(globals())
elif TRIAL:
    # On one's own machine: warnings only; requests too with VERBOSE.
    VERBOSE = env_bool("VERBOSE")
    CELERY_WORKER_HIJACK_ROOT_LOGGER = False
    LOGGING = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"console": {"()": "otto_site.logs.ConsoleFormatter"}},
        "filters": {"outages": {"()": "otto_site.outages.OutageFilter"}},
        "handlers": {
            "out": {"class": "logging.StreamHandler", "formatter": "console", "filters": ["outages"]}
        },
        "root": {"handlers": ["out"], "level": "INFO" if VERBOSE else "WARNING"},
        "loggers": {
            "django": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.request": {"level": "WARNING" if VERBOSE else "ERROR"},  # otherwise one line per 404
            "httpx": {"level": "WARNING"},  # logs webhook URLs, which are secrets
        },
    }
