"""Joining a league without an account.

1. The visitor gives an address and a name (`request_join_link`); a mail with a link is sent.
2. The link opens a page with a button (`join_by_link`).
3. The button creates the account if needed, signs in and joins (`sign_in_and_join`).
"""

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

from accounts.email_addresses import canonical_address
from accounts.models import Player
from accounts.models.limits import MAX_EMAIL_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.addresses import find_owner_of_address
from accounts.selectors.contacts import is_refused_address
from accounts.web.guests import guest_of
from accounts.web.locale import active_language
from accounts.web.request_utils import viewer_of
from common import send_now
from common.service_errors import Conflict, NotFound, ServiceError
from common.site_urls import build_absolute_url
from games.web.seed_forms import read_client_seed
from notifications.channels.email.message import build_email_to_address
from notifications.channels.email.quoting import QuotedText
from notifications.outgoing_email import OutgoingEmail
from tournaments.leagues.services import join_requests, leagues
from tournaments.models import JoinRequest, League
from tournaments.selectors import seeds
from tournaments.text import rules

from .presenters import get_league_or_404

NAME_WIDGET = forms.TextInput({"autocomplete": "nickname"})


class JoinRequestForm(forms.Form):
    """Address and name of a visitor."""

    email = forms.EmailField(
        label=lazy("Email address"),
        max_length=MAX_EMAIL_LENGTH,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    name = forms.CharField(
        label=lazy("Name that others see"),
        required=False,
        max_length=MAX_NAME_LENGTH,
        widget=NAME_WIDGET,
        help_text=lazy("Leave empty if you have an account."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)  # type: ignore[arg-type]

    def clean_email(self) -> str:
        """Return the canonical form of the address."""
        return canonical_address(self.cleaned_data["email"])


@require_http_methods(["GET", "HEAD", "POST"])
def request_join_link(request: HttpRequest, code: str) -> HttpResponse:
    """Step 1: send the link. The response is the same whether or not the address has an account."""
    league = get_league_or_404(request, code)
    viewer = viewer_of(request)
    if viewer or league.is_closed:
        return redirect("league", code=code)
    form = JoinRequestForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        cleaned_data = form.cleaned_data
        if rate_limit_response := consume_or_429(request, action="league-link", key=cleaned_data["email"]):
            return rate_limit_response
        try:
            join_request = join_requests.create_join_request(
                code=code,
                email=cleaned_data["email"],
                name=cleaned_data["name"],
                language=active_language(),
                client_address=get_adapter().get_client_ip(request),
                guest=guest_of(request),
                now=timezone.now(),
            )
            if not is_refused_address(join_request.email):  # same response: the refusal stays private
                send_now.send_mail_now(build_join_email(join_request))
        except ServiceError as error:
            form.add_error(None, capfirst(str(error)))
        except send_now.MailNotSent as mail_error:
            form.add_error(None, str(mail_error))
        else:
            return redirect("league-asked", code=code)
    context = {"league": league, "form": form}
    return render(
        request, "tournaments/leagues/request_link.html", context, status=422 if form.errors else 200
    )


def build_join_email(join_request: JoinRequest) -> OutgoingEmail:
    """Build the mail with the link; the same whether or not the address has an account."""
    join_url = build_absolute_url(reverse("league-link", args=[join_requests.sign_join_token(join_request)]))
    with translation.override(join_request.language):
        # No league name in the subject: anybody can choose it and send it to this address.
        subject = _("Your link to join a league on OTTO online")
        lead_lines = [
            _("Somebody, probably you, asked to join an OTTO league with this address. The league’s name:"),
            QuotedText(join_request.league.name),
            _("No account yet? The link takes you to where you can create one."),
            " ".join([rules.describe_join_link(), _("If it was not you, ignore this mail.")]),
        ]
        context = {
            "headline": subject,
            "lead": lead_lines,
            "button": (_("Join league"), join_url),
            "preview": lead_lines[0],
        }
        return build_email_to_address(join_request.email, subject, context)


@require_safe
def show_link_sent(request: HttpRequest, code: str) -> HttpResponse:
    """Say that the mail is on its way."""
    return render(
        request,
        "tournaments/leagues/link_sent.html",
        {"league": get_league_or_404(request, code), "link_lifetime": rules.describe_join_link()},
    )


class AccountNameForm(forms.Form):
    """The name of a new account."""

    name = forms.CharField(label=lazy("Name that others see"), max_length=MAX_NAME_LENGTH, widget=NAME_WIDGET)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"label_suffix": ""} | kwargs)  # type: ignore[arg-type]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Step 2: show the button on GET, as mail scanners open links; join on POST."""
    now = timezone.now()
    try:
        join_request = join_requests.get_join_request(token=token, now=now)
    except NotFound as error:
        raise Http404(str(error)) from None
    except Conflict as error:
        return render(request, "tournaments/leagues/link_expired.html", {"reason": error}, status=410)
    has_account = find_owner_of_address(join_request.email) is not None
    claimant = None if has_account else join_requests.find_account(join_request.email)
    suggested_name = join_request.name or (claimant.name if claimant else "")
    form = AccountNameForm(
        request.POST if request.method == "POST" else None, initial={"name": suggested_name}
    )
    if request.method == "POST" and (has_account or form.is_valid()):
        try:
            name = "" if has_account else form.cleaned_data["name"]
            time_zone = request.POST.get("time_zone", "")
            join_request, player = join_requests.accept_join_request(
                token=token, name=name, time_zone=time_zone, now=now
            )
        except Conflict as error:  # accepted concurrently by another browser
            return render(request, "tournaments/leagues/link_expired.html", {"reason": error}, status=410)
        except ServiceError as error:
            form.add_error("name", capfirst(str(error)))
        else:
            return sign_in_and_join(request, join_request, player)
    context = {
        "join_request": join_request,
        "next_season": seeds.build_next_season(
            join_request.league,
            member_count=join_request.league.league_members.count(),
            last_season_no=join_request.league.seasons.count(),
        ),
        "league": join_request.league,
        "has_account": has_account,
        "form": form,
        "viewer": viewer_of(request),
    }
    is_rejected = request.method == "POST"
    return render(request, "tournaments/leagues/link.html", context, status=422 if is_rejected else 200)


def sign_in_and_join(request: HttpRequest, join_request: JoinRequest, player: Player) -> HttpResponse:
    """Step 3: sign in, with a second factor if the account has one (then they join afterwards), and join."""
    league, now = join_request.league, timezone.now()
    next_url = reverse("league", args=[league.code])
    response: HttpResponse = redirect(next_url)
    if viewer_of(request) != player:
        record_authentication(request, player, method="code", email=join_request.email)
        response = perform_login(request, player, redirect_url=next_url, email=join_request.email)
    if viewer_of(request) != player:
        return response
    if league.mode == League.Mode.PAIRS:
        messages.info(request, _("Welcome. Now enter your partner’s name."))
        return response
    try:
        client_seed = read_client_seed(request) or None
        leagues.set_member_status(player=player, code=league.code, now=now, client_seed=client_seed)
        messages.success(request, _("Welcome to the league."))
    except ServiceError as error:
        messages.error(request, str(error))
    return response
