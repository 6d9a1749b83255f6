"""Every address of tournaments and leagues in the API."""

from django.urls import path

from . import deeds, events, leagues, organise, ratings

event = "tournaments/<slug:code>/"
league = "leagues/<slug:code>/"
table = f"{event}tables/<int:table>/"

urlpatterns = [
    path("ratings/", ratings.Best.as_view()),
    path("players/<str:name>/ratings/", ratings.OfPlayer.as_view()),
    path("tournaments/", events.Events.as_view()),
    path(event, events.OneEvent.as_view()),
    path(f"{event}entrants/", events.Entrants.as_view()),
    path(f"{event}rounds/", events.Rounds.as_view()),
    path(f"{event}tables/", events.Tables.as_view()),
    path(table, events.OneTable.as_view()),
    path(f"{event}standings/", events.Standings.as_view()),
    path(f"{event}bracket/", events.Bracket.as_view()),
    path(f"{event}fairness/", events.Fairness.as_view()),
    path(f"{event}enter/", deeds.Enter.as_view()),
    path(f"{event}client-seed/", deeds.OwnClientSeed.as_view()),
    path(f"{event}leave/", deeds.Leave.as_view()),
    path(f"{event}confirm/", deeds.Confirm.as_view()),
    path(f"{event}withdraw/", deeds.Withdraw.as_view()),
    path(f"{event}sit-out/", deeds.SitOut.as_view()),
    path(f"{table}evidence/", deeds.Evidence.as_view()),
    path(f"{table}appeal/", deeds.AppealTable.as_view()),
    path(f"{event}appeals/", deeds.Appeals.as_view()),
    path(f"{event}appeals/<int:appeal>/answer/", organise.Answer.as_view()),
    path(f"{event}publish/", organise.Publish.as_view()),
    path(f"{event}start/", organise.Start.as_view()),
    path(f"{event}cancel/", organise.Cancel.as_view()),
    path(f"{event}seeds/", organise.Seeds.as_view()),
    path(f"{event}invites/", organise.Invites.as_view()),
    path(f"{event}invites/<str:name>/", organise.OneInvite.as_view()),
    path(f"{event}helpers/", organise.Helpers.as_view()),
    path(f"{event}helpers/<str:name>/", organise.OneHelper.as_view()),
    path(f"{event}preview/", organise.NextRound.as_view()),
    path(f"{event}proceed/", organise.Proceed.as_view()),
    path(f"{event}extend/", organise.Extend.as_view()),
    path(f"{event}correct/", organise.Correct.as_view()),
    path(f"{event}disqualify/", organise.Disqualify.as_view()),
    path(f"{event}replace/", organise.Replace.as_view()),
    path(f"{event}decisions/", organise.Decisions.as_view()),
    path(f"{event}decisions/<int:decision>/undo/", organise.Undo.as_view()),
    path("leagues/", leagues.Leagues.as_view()),
    path(league, leagues.OneLeague.as_view()),
    path(f"{league}members/", leagues.Members.as_view()),
    path(f"{league}join/", leagues.Join.as_view()),
    path(f"{league}client-seed/", leagues.OwnClientSeed.as_view()),
    path(f"{league}leave/", leagues.LeaveLeague.as_view()),
    path(f"{league}substitute/", leagues.StandBy.as_view()),
    path(f"{league}seasons/", leagues.Seasons.as_view()),
    path(f"{league}seasons/<int:number>/", leagues.OneSeason.as_view()),
    path(f"{league}start/", leagues.Start.as_view()),
    path(f"{league}close/", leagues.Close.as_view()),
    path(f"{league}replace/", leagues.Replace.as_view()),
    path(f"{league}helpers/", leagues.Helpers.as_view()),
    path(f"{league}helpers/<str:name>/", leagues.OneHelper.as_view()),
]
