// Generated from the OpenAPI document by `make schema`: do not edit.

import type * as types from "./types.d.ts";
import type { CallOptions, Listing, StreamOptions } from "./client.d.ts";

export const API_VERSION: "1";
export const API_PATH: string;

/** An operation: what is sent, when a client seed is part of it, and how the answer is read. */
export interface Operation {
  method: string;
  path: string;
  takesKey: boolean;
  seed: "never" | "always" | "with commitment";
  answer: "json" | "page" | "events" | "lines" | "text" | "bytes" | "none";
}
export const OPERATIONS: Record<string, Operation>;

/** Every operation of the API, by resource. */
export interface Resources {
  events: {
    /** Everything that happened to you, in order, from a cursor on. */
    list(query?: { after?: number; limit?: number; wait?: number }, options?: CallOptions): Promise<types.Feed>;
    /** Everything that happens to you, as it happens: Server-Sent Events, or JSON lines. */
    stream(query?: { after?: number }, options?: StreamOptions): AsyncIterable<{
      event: "snapshot" | "entry";
      /** where to resume after this event */
      id?: string | null;
      data: { [key: string]: unknown };
    }>;
  };
  games: {
    /** Games you may see, newest first; `status=open` is the lobby, `mine=true` are yours. */
    list(query?: { clock?: string; edition?: "arcastudio-2.2" | "bannan-nl"; mine?: boolean; mode?: "singles" | "pairs" | "solo"; rated?: boolean | null; seats?: number; status?: "open" | "running" | "tiebreak" | "over" | "cancelled" }, options?: CallOptions): Listing<types.GameSummaryPage, types.GameSummary>;
    /** Create a game. Its commitment is public before anyone joins; join it yourself to take your seat. */
    create(body?: types.NewGame, options?: CallOptions): Promise<types.Game>;
    /** The game as you may see it, with an ETag. */
    view(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** Play an action. */
    play(code: string | number, body: types.PlayAction, options?: CallOptions): Promise<types.Game>;
    /** Your legal actions now, if you have a decision to make. The header Otto-Seq gives their seq. */
    legal(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<Array<string>>;
    /** The board as a PNG picture. */
    boardPng(code: string | number, query?: { width?: number }, options?: CallOptions): Promise<ArrayBuffer>;
    /** The board as an SVG picture. */
    boardSvg(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<string>;
    /** The board as text for a fixed-width font. */
    boardTxt(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<string>;
    /** Fill a seat of your game with a bot. */
    bots(code: string | number, body?: types.AddBot, options?: CallOptions): Promise<types.Game>;
    /** Cancel an open game of yours. */
    cancel(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** The chat of a game, the last hundred lines; for its players only. */
    chat(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<Array<types.ChatMessage>>;
    /** Send a chat message. */
    chatSay(code: string | number, body: types.NewMessage, options?: CallOptions): Promise<types.ChatMessage>;
    /** Report a chat message to the operator. */
    chatReport(code: string | number, message_id: string | number, body?: types.Reason, options?: CallOptions): Promise<void>;
    /** Decline an invitation. */
    decline(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Decide in advance how you answer an 8: use the card, keep it, or be asked. */
    eight(code: string | number, body: types.EightPolicy, options?: CallOptions): Promise<types.EightPolicy>;
    /** Keep a seat for a player, by name or by email. */
    invite(code: string | number, body?: types.Invite, options?: CallOptions): Promise<types.Invitation>;
    /** Take a seat; the last one to join starts the game. */
    join(code: string | number, body?: types.Join, options?: CallOptions): Promise<types.Game>;
    /** Leave before the start. */
    leave(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** The log of a game: every action with its events and its hash, which covers the action before. */
    log(code: string | number, query?: { after?: number; limit?: number }, options?: CallOptions): Listing<types.Log, types.LogLine>;
    /** Turn notices about this game off or on. */
    mute(code: string | number, body: types.Muted, options?: CallOptions): Promise<types.Muted>;
    /** Your own note on a game. */
    notes(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.GameNote>;
    /** Replace your note. */
    notesWrite(code: string | number, body: types.NewNote, options?: CallOptions): Promise<types.GameNote>;
    /** Give or end your standing orders in this game; only you can see them. */
    orders(code: string | number, body?: types.PatchedStandingOrders, options?: CallOptions): Promise<types.StandingOrders>;
    /** In pairs, before the start: say who sits opposite you in your game. The others are the other pair. */
    partner(code: string | number, body?: types.ChosenPartner, options?: CallOptions): Promise<types.Game>;
    /** Whether the clocks of a game are paused by agreement, and who proposes a pause. */
    pauseView(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Pause>;
    /** Propose a pause; it begins once every side has agreed. */
    pausePropose(code: string | number, body: types.NewPause, options?: CallOptions): Promise<types.Pause>;
    /** Agree to the proposed pause. */
    pauseAgree(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Pause>;
    /** Decline the proposed pause, or withdraw your own proposal. */
    pauseDecline(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Pause>;
    /** The game as an otto-record/1; with its seed and result once it is over. */
    record(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Record>;
    /** Create a new game for the same players; everyone who asks gets the same one. */
    rematch(code: string | number, body?: types.Rematch, options?: CallOptions): Promise<types.Game>;
    /** Resign; it cannot be taken back. */
    resign(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** One game as you may see it, as it is played: Server-Sent Events, or JSON lines. */
    stream(code: string | number, query?: { after?: string }, options?: StreamOptions): AsyncIterable<{
      event: "game" | "action" | "message" | "end";
      /** where to resume after this event */
      id?: string | null;
      data: { [key: string]: unknown };
    }>;
    /** See the hand of a seat that you took over. From then on it is yours to the end of the game. */
    take(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
  };
  leagues: {
    /** Leagues, newest first; all but the closed ones can be joined. */
    list(query?: { mine?: boolean; mode?: "singles" | "pairs"; status?: "open" | "running" | "closed"; table_size?: number }, options?: CallOptions): Listing<types.LeagueSummaryPage, types.LeagueSummary>;
    /** Create a league; players can join at once. */
    create(body: types.NewLeague, options?: CallOptions): Promise<types.League>;
    /** A league: settings, calendar, and what you may do (`you`), with an ETag. */
    view(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Change settings from the next season on; those that you do not name stay. */
    change(code: string | number, body?: types.PatchedNewLeague, options?: CallOptions): Promise<types.League>;
    /** Replace your client seed for coming seasons. */
    clientseed(code: string | number, body: types.ClientSeed, options?: CallOptions): Promise<types.League>;
    /** Close the league after the current season. */
    close(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Ask a player to become a co-organiser: they can do nothing until they accept the proposal. */
    help(code: string | number, body: types.PlayerName, options?: CallOptions): Promise<types.Proposal>;
    /** Remove a co-organiser, or withdraw the proposal to become one; also yourself. */
    unhelp(code: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Play from the next season on, season after season. */
    join(code: string | number, body?: types.LeagueEntry, options?: CallOptions): Promise<types.League>;
    /** Stop playing after the current season; it is played to its end. */
    leave(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Members and substitutes in the order in which they joined, in pages. */
    members(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.LeagueMemberPage, types.LeagueMember>;
    /** Removed members who were not readmitted, newest first, in pages. For organisers. */
    removals(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.RemovalPage, types.Removal>;
    /** Remove a member from the next season on; they are notified. */
    remove(code: string | number, body: types.RemoveLeagueMember, options?: CallOptions): Promise<types.League>;
    /** Let a removed player join again. */
    readmit(code: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Let a substitute take over a place during a season, with its running games and hands. */
    replace(code: string | number, body: types.SubstitutePlayer, options?: CallOptions): Promise<types.Decision>;
    /** The seasons of a league, newest first, in pages. */
    seasons(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.SeasonPage, types.Season>;
    /** A season: its divisions, or one of them, with the standings and the reason of each placement. */
    season(code: string | number, number: string | number, query?: { division?: number }, options?: CallOptions): Promise<types.SeasonDetail>;
    /** Start the first season; it begins within a minute. */
    start(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Become a substitute: you agree to take over for a player who drops out during a season. */
    substitute(code: string | number, body?: types.LeagueEntry, options?: CallOptions): Promise<types.League>;
  };
  me: {
    /** Your profile; your email address only with the scope `email`. */
    show(query?: Record<string, never>, options?: CallOptions): Promise<types.Profile>;
    /** Change language, time zone or notice settings; fields that are left out stay as they are. */
    change(body?: types.PatchedProfile, options?: CallOptions): Promise<types.Profile>;
    /** Your last 50 mails and webhook calls, newest first, with their status. */
    deliveries(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Delivery>>;
    /** Confirm that your address accepts mail again, after mails to it bounced. */
    deliveriesRevive(body?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Send yourself a test mail, one a minute at most. */
    deliveriesTest(body?: Record<string, never>, options?: CallOptions): Promise<types.Delivery>;
    /** Everything that is stored about you, as one JSON. */
    export(query?: Record<string, never>, options?: CallOptions): Promise<{ [key: string]: unknown }>;
    /** The private addresses of your feeds, which need no token. */
    feeds(query?: Record<string, never>, options?: CallOptions): Promise<types.FeedAddresses>;
    /** Create new addresses; the old ones stop working immediately. */
    feedsRenew(body?: Record<string, never>, options?: CallOptions): Promise<types.FeedAddresses>;
    /** Games that you are invited to. */
    invitations(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Invitation>>;
    /** Your clocks, your vacation, and the first game you lose on time if you stop playing now. */
    time(query?: Record<string, never>, options?: CallOptions): Promise<types.TimeOverview>;
    /** Your valid personal tokens, newest first. */
    tokensList(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Token>>;
    /** Create a personal token; `token` is shown this once. */
    tokensCreate(body: types.NewToken, options?: CallOptions): Promise<types.TokenWithSecret>;
    /** Revoke a token of yours and all that it created, immediately and permanently. */
    tokensRevoke(token_id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Your turns, most urgent first. */
    turns(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Turn>>;
    /** Go on vacation, now or later: your clocks stop in games that allow it. */
    vacationPlan(body: types.NewVacation, options?: CallOptions): Promise<types.TimeOverview>;
    /** Come back early, or cancel a planned vacation. */
    vacationEnd(query?: Record<string, never>, options?: CallOptions): Promise<types.TimeOverview>;
    /** Your webhooks; `disabled_reason` says why one was switched off. */
    webhooksList(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Webhook>>;
    /** Make a webhook, five at most: it receives the notices that your mails contain. */
    webhooksCreate(body: types.NewWebhook, options?: CallOptions): Promise<types.WebhookWithSecret>;
    /** Switch a webhook on or off. */
    webhooksSwitch(webhook_id: string | number, body?: types.PatchedSwitchWebhook, options?: CallOptions): Promise<types.Webhook>;
    /** Delete a webhook and its deliveries. */
    webhooksDelete(webhook_id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Give a webhook a new secret; the old one becomes invalid. */
    webhooksSecret(webhook_id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.WebhookWithSecret>;
    /** Call a webhook with a test notice, one a minute at most. */
    webhooksTest(webhook_id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Delivery>;
  };
  players: {
    /** What everybody may know of a player; the name is case-insensitive. */
    show(name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.PublicPlayer>;
    /** A player's ratings and their change by each game, newest first, in pages. */
    ratings(name: string | number, query?: { mode?: "singles" | "pairs" }, options?: CallOptions): Listing<types.RatingHistory, types.RatingChange>;
  };
  proposals: {
    /** Proposals made to you and by you, newest first. */
    list(query?: Record<string, never>, options?: CallOptions): Listing<types.ProposalPage, types.Proposal>;
    /** Accept a proposal; it takes effect at once. To become a co-organiser needs the scope `organise`. */
    accept(proposal: string | number, body?: types.AcceptProposal, options?: CallOptions): Promise<types.Proposal>;
    /** Decline a proposal. */
    decline(proposal: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Proposal>;
    /** Withdraw a proposal of yours before it is answered. */
    withdraw(proposal: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Proposal>;
  };
  ratings: {
    /** The best players of a mode. */
    best(query?: { limit?: number; mode?: "singles" | "pairs" }, options?: CallOptions): Promise<types.Ranking>;
  };
  tournaments: {
    /** Tournaments, newest first; `status=published` are those that you can enter. */
    list(query?: { format?: "knockout" | "double" | "round-robin" | "swiss"; mine?: boolean; mode?: "singles" | "pairs"; status?: "draft" | "published" | "running" | "finished" | "cancelled"; table_size?: number }, options?: CallOptions): Listing<types.TournamentSummaryPage, types.TournamentSummary>;
    /** Create a draft; its commitment is public before anyone can enter. Publish it next. */
    create(body: types.NewTournament, options?: CallOptions): Promise<types.Tournament>;
    /** A tournament: settings, state, and what you may do (`you`), with an ETag. */
    view(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Change settings; those that you do not name stay. */
    change(code: string | number, body?: types.PatchedNewTournament, options?: CallOptions): Promise<types.Tournament>;
    /** Delete a draft; a published tournament is cancelled instead. */
    delete(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Appeals, newest first: all of them if you organise the tournament, else your own. */
    appeals(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.AppealPage, types.Appeal>;
    /** Answer an appeal; a correction is a separate decision. */
    answer(code: string | number, appeal: string | number, body: types.AppealText, options?: CallOptions): Promise<types.Appeal>;
    /** Every match, future ones too: a seat without an entrant says where it is filled from. */
    bracket(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Bracket>;
    /** Cancel the tournament for good; running games no longer count. */
    cancel(code: string | number, body?: types.DecisionReason, options?: CallOptions): Promise<types.Tournament>;
    /** Replace your client seed: before the start or, if you enter later, before you are first paired. */
    clientseed(code: string | number, body: types.ClientSeed, options?: CallOptions): Promise<types.Tournament>;
    /** Ask a player to become a co-organiser: they can do nothing until they accept the proposal. */
    help(code: string | number, body: types.PlayerName, options?: CallOptions): Promise<types.Proposal>;
    /** Remove a co-organiser, or withdraw the proposal to become one; also yourself. */
    unhelp(code: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Confirm that you will play, where only confirmed entrants play. */
    confirm(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Correct the result of a table; everything that follows from it is computed again. */
    correct(code: string | number, body: types.CorrectResult, options?: CallOptions): Promise<types.Decision>;
    /** The organisers' decisions, newest first, in pages; with `reason` if you are one of them. */
    decisions(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.DecisionPage, types.Decision>;
    /** Undo a decision, if nothing has followed from it. */
    undo(code: string | number, decision: string | number, body?: types.UndoDecision, options?: CallOptions): Promise<types.Decision>;
    /** Disqualify an entrant; their games there are resigned. */
    disqualify(code: string | number, body: types.DisqualifyEntrant, options?: CallOptions): Promise<types.Decision>;
    /** Enter the tournament. If it is full, you join the waitlist; `you.status` says which of the two. */
    enter(code: string | number, body?: types.TournamentEntry, options?: CallOptions): Promise<types.Tournament>;
    /** Players or pairs in the order in which they entered, then the waitlist, in pages. */
    entrants(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.EntrantPage, types.Entrant>;
    /** A round ends later, or at all: then those who play in it are told. No end is moved forward. */
    extend(code: string | number, body: types.ExtendRound, options?: CallOptions): Promise<types.Decision>;
    /** Everything that the pairings follow from, so that you can compute them yourself. */
    fairness(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.FairnessProof>;
    /** Invited players: all of them if you organise the tournament, else only you, if invited. */
    invites(code: string | number, query?: Record<string, never>, options?: CallOptions): Listing<types.TournamentInvitePage, types.TournamentInvite>;
    /** Somebody may enter, and is told so: at once or, if it is a draft, when it is published. */
    invite(code: string | number, body: types.PlayerName, options?: CallOptions): Promise<types.TournamentInvite>;
    /** Withdraw the invite of a player who has not entered. */
    uninvite(code: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Leave before the start; the first of the waitlist moves up. An open proposal is withdrawn. */
    leave(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Who plays whom, with the reasons, in pages; of one round, or of one entrant. */
    pairings(code: string | number, query?: { bracket_round?: number; entrant?: number }, options?: CallOptions): Listing<types.PairingPage, types.Pairing>;
    /** One table: who plays, the reasons as codes and as text, and the result. */
    pairing(code: string | number, pairing: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.PairingDetail>;
    /** Ask the organisers to review a table of yours, once; also if you were replaced since. */
    appeal(code: string | number, pairing: string | number, body: types.AppealText, options?: CallOptions): Promise<types.Appeal>;
    /** Each timeout at a table: when the turn began, and what was sent about it. */
    evidence(code: string | number, pairing: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.TimeoutEvidence>;
    /** The next round as it would be paired now, with its warnings. For organisers. */
    preview(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.RoundPreview>;
    /** Approve the round that waits for you, with its warnings. */
    proceed(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Decision>;
    /** Let people enter, and tell those whom you have invited. */
    publish(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Remove an entrant before the start, or from the waitlist; they are notified. */
    remove(code: string | number, body: types.RemoveEntrant, options?: CallOptions): Promise<types.Decision>;
    /** Ask a player to take over for an entrant, in running games too, with the hands that are there. */
    replace(code: string | number, body: types.ReplacePlayer, options?: CallOptions): Promise<types.Proposal>;
    /** The published rounds in order; in a knock-out one may hold tables of several bracket rounds. */
    rounds(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.RoundList>;
    /** Set the seed order before the start; who set it, and when, is public. */
    seeds(code: string | number, body: types.SeedOrder, options?: CallOptions): Promise<types.Tournament>;
    /** Announce that you sit out a round of a Swiss tournament. */
    sitout(code: string | number, body: types.SitOutRound, options?: CallOptions): Promise<types.Tournament>;
    /** The standings: each tie-break with its value, and explained. Empty before the start. */
    standings(code: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Standings>;
    /** Start with the current entrants; it happens within a minute. */
    start(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Leave a running tournament for good: your games there are resigned. */
    withdraw(code: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
  };
}
