"""The mailbox of a trial: mails that were written as files, read and answered as in a mail program.

Only in a trial whose mails are such files; elsewhere there is no such page. It shows everybody's mail, so it
opens with a key, which `make run` prints as part of the address: a machine may have several users.
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

from games import links
from games.mail import inbound, mailbox
from games.selectors.replies import answer_to

LISTED = 50
SEEN_AS = ("html", "text", "headers")
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
HEAD = re.compile(r"<head[^>]*>", re.IGNORECASE)
CID = re.compile(r"""(["'(])cid:([^"')]+)""", re.IGNORECASE)
# What a mail says is shown, never run, and it fetches nothing from elsewhere. Its frame takes over the
# policy of the page around it, and mails have their styles inline: no other page of ours allows that.
POLICY = (
    "default-src 'none'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
COOKIE = "mailbox"
View = Callable[..., HttpResponse]


def here() -> bool:
    """Whether this is a trial whose mails are files."""
    return settings.TRIAL and settings.EMAIL_BACKEND == mailbox.BACKEND


def is_key(text: str) -> bool:
    """Whether a text is the key that opens the mailbox."""
    return bool(settings.MAILBOX_KEY) and constant_time_compare(text, settings.MAILBOX_KEY)


def seal(name: str) -> str:
    """What opens the parts of one mail from inside its own frame."""
    return Signer(salt="mailbox").signature(name)


def is_sealed(request: HttpRequest, name: str = "", number: int | None = None) -> bool:
    """Whether a request is for a part of a mail and has the seal of that mail."""
    return number is not None and constant_time_compare(request.GET.get("seal", ""), seal(name))


def open_with_key(request: HttpRequest) -> HttpResponse:
    """Keep the key of the address in a cookie and show the same page without it."""
    rest = request.GET.copy()
    key = rest.pop("key")[-1]
    answer = redirect(f"{request.path}?{rest.urlencode()}" if rest else request.path)
    age = settings.LANGUAGE_COOKIE_AGE
    answer.set_cookie(COOKIE, key, max_age=age, httponly=True, samesite="Lax", secure=not settings.TRIAL)
    return answer


def in_nav(request: HttpRequest) -> dict[str, bool]:
    """For every template: whether the site has a mailbox to lead to."""
    return {"mailbox_here": here()}


def only_here(view: View) -> View:
    """There is no such page where mails really go out."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not here():
            raise Http404
        if request.method == "GET" and is_key(request.GET.get("key", "")):
            return open_with_key(request)
        if not is_key(request.COOKIES.get(COOKIE, "")) and not is_sealed(request, **kwargs):
            return render(request, "games/mailbox_locked.html", status=403)
        return view(request, *args, **kwargs)

    return never_cache(shown)


def found(name: str) -> mailbox.EmailMessage:
    """A mail by its name. Raises Http404."""
    mail = mailbox.letter(name)
    if mail is None:
        raise Http404(_("There is no such mail."))
    return mail


@require_safe
@only_here
def box(request: HttpRequest) -> HttpResponse:
    """All mails, newest first, or those to one address."""
    everything = list(mailbox.lines())
    to, before = request.GET.get("to", "").strip().lower(), request.GET.get("before", "")
    shown = [line for line in everything if (not to or to in line.to) and (not before or line.name < before)]
    facts = {
        "lines": shown[:LISTED],
        "older": shown[LISTED - 1].name if len(shown) > LISTED else "",
        "to": to,
        "people": sorted({address for line in everything for address in line.to}),
        "folder": settings.EMAIL_FILE_PATH,
    }
    return render(request, "games/mailbox.html", facts)


@require_safe
@only_here
def mail(request: HttpRequest, name: str) -> HttpResponse:
    """One mail: as it is meant to look, as plain text, or with its headers."""
    message = found(name)
    html, text = mailbox.body(message, "html"), mailbox.body(message, "plain")
    shown = request.GET.get("as", "")
    if shown not in SEEN_AS or (shown == "html" and not html):
        shown = "html" if html else "text"
    to = mailbox.addresses(message, "Reply-To")
    facts = {
        "name": name,
        "shown": shown,
        "ways": [way for way in SEEN_AS if way != "html" or html],
        "subject": mailbox.header(message, "Subject"),
        "sender": mailbox.header(message, "From"),
        "to": mailbox.addresses(message, "Delivered-To", "To"),
        "at": mailbox.at(name),
        "html": framed(html, name, mailbox.parts(message)) if shown == "html" else "",
        "text": text,
        "headers": mailbox.headers(message),
        "files": [part for part in mailbox.parts(message) if not part.cid],
        "reply_to": to[0] if to and links.read_address(to[0]) else "",
    }
    answer = render(request, "games/mail.html", facts)
    if shown == "html":
        answer["Content-Security-Policy"] = POLICY
    return answer


def framed(html: str, name: str, parts: list[mailbox.Part]) -> str:
    """A mail's HTML for its frame: its own pictures are served here, its links open beside the mailbox."""
    numbers = {part.cid: part.number for part in parts if part.cid}

    def served(match: re.Match[str]) -> str:
        number = numbers.get(match[2])
        if number is None:
            return match[0]
        # The frame is of no site, so browsers send no cookie from there: the address has a seal instead.
        return f"{match[1]}{reverse('mail-part', args=[name, number])}?seal={seal(name)}"

    html = CID.sub(served, html)
    base = '<base target="_blank">'
    return HEAD.sub(lambda head: head[0] + base, html, count=1) if HEAD.search(html) else base + html


@require_safe
@only_here
def part(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """A picture or a file of a mail; only pictures are opened, all else is saved."""
    one = next((part for part in mailbox.parts(found(name)) if part.number == number), None)
    if one is None:
        raise Http404(_("There is no such mail."))
    picture = one.kind in PICTURES
    answer = HttpResponse(one.content, content_type=one.kind if picture else "application/octet-stream")
    answer["Content-Disposition"] = "inline" if picture else "attachment"
    answer["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return answer


@require_POST
@only_here
def reply(request: HttpRequest, name: str) -> HttpResponse:
    """What was typed goes the way of a mail that came in."""
    now, message = timezone.now(), found(name)
    try:
        answer = mailbox.reply(message, request.POST.get("text", ""), now=now)
    except ValueError:
        raise Http404(_("Nobody reads answers to this mail.")) from None
    taken = inbound.receive(
        answer.as_bytes(), recipient=str(answer["To"]), sender=str(answer["From"]), now=now
    )
    if taken.outcome == "played":
        messages.success(request, _("Your reply was played: %(actions)s.") % {"actions": taken.why})
    else:
        messages.error(request, answer_to(taken) or unanswered(taken.outcome))
    return redirect("mail", name=name)


def unanswered(outcome: str) -> str:
    """What became of a reply that is not answered by mail."""
    if outcome == "ignored":
        return _("Nothing was played: a program seems to have written this, and those are not answered.")
    if outcome == "unknown":
        return _("Nothing was played: this address belongs to no turn of yours any more.")
    return _("Your reply came in, but nothing was played.")


urlpatterns = [
    path("", box, name="mailbox"),
    path("<slug:name>/", mail, name="mail"),
    path("<slug:name>/part/<int:number>/", part, name="mail-part"),
    path("<slug:name>/reply/", reply, name="mail-reply"),
]
