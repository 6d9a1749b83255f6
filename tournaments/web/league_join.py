"""Joining a league without an account: an address and a name, a mail, a button behind its link."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from allauth.core.ratelimit import consume_or_429
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import links
from games.email_addresses import canonical_address
from games.mail import prompt
from games.mail.letter import Letter, letter_to_address
from games.mail.quoting import Quoted
from games.models import Player
from games.names import MAX_NAME_LENGTH
from games.selectors.addresses import owner_of_address
from games.selectors.contacts import is_refused
from games.services.errors import Conflict, NotFound, Refusal
from games.web.asking import client_seed_in, viewer_of
from games.web.guests import guest_of
from games.web.locale import spoken
from tournaments.models import Knock, League
from tournaments.services import knocks, leagues
from tournaments.words import rules

from .league_seen import league_of, sealed

NAME = forms.TextInput({"autocomplete": "nickname"})


class AskForm(forms.Form):
    """Who a stranger is."""

    email = forms.EmailField(
        label=lazy("Email address"), max_length=254, widget=forms.EmailInput({"autocomplete": "email"})
    )
    name = forms.CharField(
        label=lazy("Name, as others will see it"),
        required=False,
        max_length=MAX_NAME_LENGTH,
        widget=NAME,
        help_text=lazy("If you have an account already, leave it empty."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)  # type: ignore[arg-type]

    def clean_email(self) -> str:
        return canonical_address(self.cleaned_data["email"])


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, code: str) -> HttpResponse:
    """The first step; whether the address has an account makes no difference to what is answered."""
    league = league_of(request, code)
    viewer = viewer_of(request)
    if viewer or league.status == League.Status.CLOSED:
        return redirect("league", code=code)
    form = AskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        if too_often := consume_or_429(request, action="league-link", key=told["email"]):
            return too_often
        try:
            knock = knocks.ask(
                code=code,
                email=told["email"],
                name=told["name"],
                language=spoken(),
                client=get_adapter().get_client_ip(request),
                guest=guest_of(request),
                now=timezone.now(),
            )
            if not is_refused(knock.email):  # the page says the same: nobody learns who refused
                prompt.send(letter(knock))
        except Refusal as refusal:
            form.add_error(None, capfirst(str(refusal)))
        except prompt.NotSent as trouble:
            form.add_error(None, str(trouble))
        else:
            return redirect("league-asked", code=code)
    facts = {"league": league, "form": form}
    return render(request, "tournaments/leagues/ask.html", facts, status=422 if form.errors else 200)


def letter(knock: Knock) -> Letter:
    """The mail with the link: the same to whoever has an account and to whoever has none."""
    link = links.page(reverse("league-link", args=[knocks.token_of(knock)]))
    with translation.override(knock.language):
        # Ours alone: anybody can name a league, and anybody can type in this address.
        subject = _("Your link to join a league on OTTO online")
        lead = [
            _("Somebody, we hope you, gave this address to play OTTO in a league. Its organiser calls it:"),
            Quoted(knock.league.name),
            _("If you have no account yet, you make one on the way."),
            " ".join([rules.say_join_link(), _("If it was not you, do nothing.")]),
        ]
        facts = {
            "headline": subject,
            "lead": lead,
            "button": (_("Join the league"), link),
            "preview": lead[0],
        }
        return letter_to_address(knock.email, subject, facts)


@require_safe
def asked(request: HttpRequest, code: str) -> HttpResponse:
    """A mail is on its way, whoever asked."""
    return render(
        request,
        "tournaments/leagues/asked.html",
        {"league": league_of(request, code), "link_lasts": rules.say_join_link()},
    )


class NameForm(forms.Form):
    """What a new account is called."""

    name = forms.CharField(label=lazy("Name, as others will see it"), max_length=MAX_NAME_LENGTH, widget=NAME)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)  # type: ignore[arg-type]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, token: str) -> HttpResponse:
    """The second step. To look does nothing, as programs that read mail open links; the button does it."""
    now = timezone.now()
    try:
        knock = knocks.opened(token=token, now=now)
    except NotFound as refusal:
        raise Http404(str(refusal)) from None
    except Conflict as refusal:
        return render(request, "tournaments/leagues/link_over.html", {"why": refusal}, status=410)
    known = owner_of_address(knock.email) is not None
    claimant = None if known else knocks.account_of(knock.email)
    suggested = knock.name or (claimant.name if claimant else "")
    form = NameForm(request.POST if request.method == "POST" else None, initial={"name": suggested})
    if request.method == "POST" and (known or form.is_valid()):
        try:
            name = "" if known else form.cleaned_data["name"]
            zone = request.POST.get("time_zone", "")
            knock, player = knocks.accept(token=token, name=name, time_zone=zone, now=now)
        except Conflict as refusal:  # two browsers at once
            return render(request, "tournaments/leagues/link_over.html", {"why": refusal}, status=410)
        except Refusal as refusal:
            form.add_error("name", capfirst(str(refusal)))
        else:
            return let_in(request, knock, player)
    facts = {
        "knock": knock,
        "next_season": sealed(
            knock.league,
            members=knock.league.memberships.count(),
            last=knock.league.played.count(),
        ),
        "league": knock.league,
        "known": known,
        "form": form,
        "viewer": viewer_of(request),
    }
    wrong = request.method == "POST"
    return render(request, "tournaments/leagues/link.html", facts, status=422 if wrong else 200)


def let_in(request: HttpRequest, knock: Knock, player: Player) -> HttpResponse:
    """Sign in, by a second factor where there is one, and join; who is asked for one joins after it."""
    league, now = knock.league, timezone.now()
    onwards = reverse("league", args=[league.code])
    answer: HttpResponse = redirect(onwards)
    if viewer_of(request) != player:
        record_authentication(request, player, method="code", email=knock.email)
        answer = perform_login(request, player, redirect_url=onwards, email=knock.email)
    if viewer_of(request) != player:
        return answer
    if league.mode == League.Mode.PAIRS:
        messages.info(request, _("Welcome! Now say who plays with you."))
        return answer
    try:
        seed = client_seed_in(request) or None
        leagues.choose(player=player, code=league.code, now=now, client_seed=seed)
        messages.success(request, _("Welcome to the league!"))
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return answer
