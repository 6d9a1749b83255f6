"""The mailbox of a trial site: reads mails that were written as files, and sends replies to them.

It exists only where TRIAL is on and mails are files. It shows everybody's mail, so it needs a key, which
`make run` prints as part of the URL: the machine may have other users.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.signing import Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from notifications.channels.email import mailbox
from notifications.inbound import mail_processing
from notifications.inbound.addresses import read_address
from notifications.inbound.handlers import find_handler
from notifications.selectors.inbound_mail import answer_text_of

MAILS_PER_PAGE = 50
MAIL_FORMATS = ("html", "text", "headers")
INLINE_IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
HEAD_TAG_PATTERN = re.compile(r"<head[^>]*>", re.IGNORECASE)
CID_LINK_PATTERN = re.compile(r"""(["'(])cid:([^"')]+)""", re.IGNORECASE)
# A mail's content runs no script and loads nothing from elsewhere. Its iframe inherits the policy of this
# page, and mails have inline styles, which no other page of ours allows.
MAIL_PAGE_CSP = (
    "default-src 'none'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
MAILBOX_COOKIE = "mailbox"
ViewFunction = Callable[..., HttpResponse]


def is_mailbox_enabled() -> bool:
    """Return whether this is a trial site whose mails are files."""
    return settings.TRIAL and settings.EMAIL_BACKEND == mailbox.MAILBOX_BACKEND


def is_mailbox_key(text: str) -> bool:
    """Return whether a text is the mailbox key."""
    return bool(settings.MAILBOX_KEY) and constant_time_compare(text, settings.MAILBOX_KEY)


def sign_mail_name(name: str) -> str:
    """Return the signature that gives access to the parts of one mail."""
    return Signer(salt="mailbox").signature(name)


def has_part_signature(request: HttpRequest, name: str = "", number: int | None = None) -> bool:
    """Return whether a request is for a part of a mail and carries the signature of that mail."""
    return number is not None and constant_time_compare(request.GET.get("seal", ""), sign_mail_name(name))


def open_with_key(request: HttpRequest) -> HttpResponse:
    """Store the key from the URL in a cookie and redirect to the URL without it."""
    query = request.GET.copy()
    key = query.pop("key")[-1]
    response = redirect(f"{request.path}?{query.urlencode()}" if query else request.path)
    max_age_seconds = settings.LANGUAGE_COOKIE_AGE
    response.set_cookie(
        MAILBOX_COOKIE, key, max_age=max_age_seconds, httponly=True, samesite="Lax", secure=not settings.TRIAL
    )
    return response


def mailbox_context(request: HttpRequest) -> dict[str, bool]:
    """Context processor: whether the navigation links to the mailbox."""
    return {"mailbox_here": is_mailbox_enabled()}


def require_mailbox(view: ViewFunction) -> ViewFunction:
    """Decorator: 404 unless the mailbox is enabled, 403 without the key or a part signature."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_mailbox_enabled():
            raise Http404
        if request.method == "GET" and is_mailbox_key(request.GET.get("key", "")):
            return open_with_key(request)
        if not is_mailbox_key(request.COOKIES.get(MAILBOX_COOKIE, "")) and not has_part_signature(
            request, **kwargs
        ):
            return render(request, "notifications/mailbox_locked.html", status=403)
        return view(request, *args, **kwargs)

    return never_cache(wrapper)


def get_mail_or_404(name: str) -> mailbox.EmailMessage:
    """Return a mail by its name. Raises Http404."""
    message = mailbox.read_mail(name)
    if message is None:
        raise Http404(_("There is no such mail."))
    return message


@require_safe
@require_mailbox
def list_mails(request: HttpRequest) -> HttpResponse:
    """List all mails, newest first, or those to one address."""
    all_mails = list(mailbox.list_mails())
    to, before = request.GET.get("to", "").strip().lower(), request.GET.get("before", "")
    matching_mails = [
        mail_line
        for mail_line in all_mails
        if (not to or to in mail_line.to) and (not before or mail_line.name < before)
    ]
    context = {
        "lines": matching_mails[:MAILS_PER_PAGE],
        "next_cursor": matching_mails[MAILS_PER_PAGE - 1].name
        if len(matching_mails) > MAILS_PER_PAGE
        else "",
        "to": to,
        "addresses": sorted({address for mail_line in all_mails for address in mail_line.to}),
        "folder": settings.EMAIL_FILE_PATH,
    }
    return render(request, "notifications/mailbox.html", context)


@require_safe
@require_mailbox
def show_mail(request: HttpRequest, name: str) -> HttpResponse:
    """Show one mail as HTML, as plain text, or with its headers."""
    message = get_mail_or_404(name)
    html, text = mailbox.read_text_body(message, "html"), mailbox.read_text_body(message, "plain")
    shown_format = request.GET.get("as", "")
    if shown_format not in MAIL_FORMATS or (shown_format == "html" and not html):
        shown_format = "html" if html else "text"
    reply_addresses = mailbox.read_addresses(message, "Reply-To")
    context = {
        "name": name,
        "shown_format": shown_format,
        "mail_formats": [mail_format for mail_format in MAIL_FORMATS if mail_format != "html" or html],
        "subject": mailbox.read_header(message, "Subject"),
        "sender": mailbox.read_header(message, "From"),
        "to": mailbox.read_addresses(message, "Delivered-To", "To"),
        "at": mailbox.written_at(name),
        "html": build_frame_html(html, name, mailbox.list_attachments(message))
        if shown_format == "html"
        else "",
        "text": text,
        "headers": mailbox.read_headers(message),
        "files": [part for part in mailbox.list_attachments(message) if not part.cid],
        "reply_to": reply_addresses[0] if reply_addresses and read_address(reply_addresses[0]) else "",
    }
    response = render(request, "notifications/mail.html", context)
    if shown_format == "html":
        response["Content-Security-Policy"] = MAIL_PAGE_CSP
    return response


def build_frame_html(html: str, name: str, parts: list[mailbox.Attachment]) -> str:
    """Return a mail's HTML for its iframe: inline images point here, links open in a new tab."""
    part_numbers = {part.cid: part.part_no for part in parts if part.cid}

    def part_url(match: re.Match[str]) -> str:
        """Return a cid: link as a URL of this mailbox."""
        number = part_numbers.get(match[2])
        if number is None:
            return match[0]
        # A sandboxed iframe has an opaque origin and sends no cookies, so the URL carries a signature.
        return f"{match[1]}{reverse('mail-part', args=[name, number])}?seal={sign_mail_name(name)}"

    html = CID_LINK_PATTERN.sub(part_url, html)
    base = '<base target="_blank">'
    return (
        HEAD_TAG_PATTERN.sub(lambda head: head[0] + base, html, count=1)
        if HEAD_TAG_PATTERN.search(html)
        else base + html
    )


@require_safe
@require_mailbox
def show_mail_part(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Return an attachment or inline image of a mail; only images are shown inline."""
    mail_part = next(
        (part for part in mailbox.list_attachments(get_mail_or_404(name)) if part.part_no == number), None
    )
    if mail_part is None:
        raise Http404(_("There is no such mail."))
    is_image = mail_part.content_type in INLINE_IMAGE_TYPES
    response = HttpResponse(
        mail_part.content, content_type=mail_part.content_type if is_image else "application/octet-stream"
    )
    response["Content-Disposition"] = "inline" if is_image else "attachment"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


@require_POST
@require_mailbox
def send_reply(request: HttpRequest, name: str) -> HttpResponse:
    """Process a typed reply like an inbound mail and show what became of it."""
    now, message = timezone.now(), get_mail_or_404(name)
    try:
        reply_message = mailbox.build_reply(message, request.POST.get("text", ""), now=now)
    except ValueError:
        raise Http404(_("Nobody reads replies to this mail.")) from None
    recipient = str(reply_message["To"])
    purpose, _token = read_address(recipient) or ("", "")
    handler = find_handler(purpose)
    if handler is None:
        raise Http404(_("Nobody reads replies to this mail."))
    inbound_mail = mail_processing.receive_mail(
        reply_message.as_bytes(), recipient=recipient, sender=str(reply_message["From"]), now=now
    )
    outcome_text = handler.describe_outcome(inbound_mail)
    if inbound_mail.outcome == handler.success_outcome:
        messages.success(request, outcome_text)
    else:
        messages.error(request, answer_text_of(inbound_mail) or outcome_text)
    return redirect("mail", name=name)


urlpatterns = [
    path("", list_mails, name="mailbox"),
    path("<slug:name>/", show_mail, name="mail"),
    path("<slug:name>/part/<int:number>/", show_mail_part, name="mail-part"),
    path("<slug:name>/reply/", send_reply, name="mail-reply"),
]
