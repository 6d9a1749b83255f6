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
  bots: {
    /** List bots */
    list(query?: { after?: string }, options?: CallOptions): Promise<Array<types.Bot>>;
    /** Challenge a bot */
    challenge(name: string | number, body?: types.Challenge, options?: CallOptions): Promise<types.Game>;
  };
  editions: {
    /** List editions */
    list(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Edition>>;
    /** Get an edition */
    view(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Edition>;
  };
  events: {
    /** List events */
    list(query?: { after?: number | "latest"; limit?: number; wait?: number }, options?: CallOptions): Promise<types.Feed>;
    /** Stream events */
    stream(query?: { after?: number }, options?: StreamOptions): AsyncIterable<types.FeedStreamLine>;
  };
  games: {
    /** List games */
    list(query?: { clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live" | "custom"; edition?: "arcastudio-2.2" | "bannan-nl" | "pergioco-72"; mode?: "singles" | "pairs" | "solo"; own?: boolean; rated?: boolean | null; seats?: number; status?: "open" | "running" | "tiebreak" | "over" | "cancelled"; cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.GameSummaryPage, types.GameSummary>;
    /** Create a game */
    create(body?: types.NewGame, options?: CallOptions): Promise<types.Game>;
    /** Get a game */
    view(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** Play an action */
    play(id: string | number, body: types.PlayAction, options?: CallOptions): Promise<types.Game>;
    /** List legal actions */
    legal(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<Array<string>>;
    /** Get the board as PNG */
    boardPng(id: string | number, query?: { width?: number }, options?: CallOptions): Promise<ArrayBuffer>;
    /** Get the board as SVG */
    boardSvg(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<string>;
    /** Get the board as text */
    boardTxt(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<string>;
    /** Add a bot */
    bots(id: string | number, body?: types.AddBot, options?: CallOptions): Promise<types.Game>;
    /** Cancel a game */
    cancel(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** List chat messages */
    chat(id: string | number, query?: { before?: number }, options?: CallOptions): Promise<Array<types.ChatMessage>>;
    /** Send a chat message */
    chatSay(id: string | number, body: types.NewMessage, options?: CallOptions): Promise<types.ChatMessage>;
    /** Report a chat message */
    chatReport(id: string | number, message_id: string | number, body?: types.Reason, options?: CallOptions): Promise<void>;
    /** Decline an invitation */
    decline(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Set your answer to an 8 */
    eight(id: string | number, body: types.EightPolicy, options?: CallOptions): Promise<types.EightPolicy>;
    /** Invite a player */
    invite(id: string | number, body?: types.Invite, options?: CallOptions): Promise<types.Invitation>;
    /** Join a game */
    join(id: string | number, body?: types.Join, options?: CallOptions): Promise<types.Game>;
    /** Leave a game */
    leave(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** Get the log */
    log(id: string | number, query?: { after?: number; limit?: number }, options?: CallOptions): Listing<types.Log, types.LogLine>;
    /** Mute a game */
    mute(id: string | number, body: types.Muted, options?: CallOptions): Promise<types.Muted>;
    /** Get your note */
    notes(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.GameNote>;
    /** Write your note */
    notesWrite(id: string | number, body: types.NewNote, options?: CallOptions): Promise<types.GameNote>;
    /** Update standing orders */
    orders(id: string | number, body?: types.PatchedStandingOrders, options?: CallOptions): Promise<types.StandingOrders>;
    /** Choose a partner */
    partner(id: string | number, body?: types.ChosenPartner, options?: CallOptions): Promise<types.Game>;
    /** Get the pause */
    pauseView(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Pause>;
    /** Propose a pause */
    pausePropose(id: string | number, body: types.NewPause, options?: CallOptions): Promise<types.Pause>;
    /** Agree to a pause */
    pauseAgree(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Pause>;
    /** Decline a pause */
    pauseDecline(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Pause>;
    /** Get the record */
    record(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Record>;
    /** Request a rematch */
    rematch(id: string | number, body?: types.Rematch, options?: CallOptions): Promise<types.Game>;
    /** Resign */
    resign(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
    /** Stream a game */
    stream(id: string | number, query?: { after?: string }, options?: StreamOptions): AsyncIterable<types.GameStreamLine>;
    /** Take over a seat */
    take(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Game>;
  };
  leagues: {
    /** List leagues */
    list(query?: { mode?: "singles" | "pairs"; own?: boolean; status?: "open" | "running" | "closed"; table_size?: number; cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.LeagueSummaryPage, types.LeagueSummary>;
    /** Create a league */
    create(body: types.NewLeague, options?: CallOptions): Promise<types.League>;
    /** Get a league */
    view(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Update a league */
    change(id: string | number, body?: types.PatchedNewLeague, options?: CallOptions): Promise<types.League>;
    /** Set your client seed */
    clientseed(id: string | number, body: types.ClientSeed, options?: CallOptions): Promise<types.League>;
    /** Close a league */
    close(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Invite a co-organiser */
    help(id: string | number, body: types.PlayerName, options?: CallOptions): Promise<types.Proposal>;
    /** Remove a co-organiser */
    unhelp(id: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Download records of a league */
    gamesRecords(id: string | number, query?: { after?: string; finished?: boolean; limit?: number; mode?: "singles" | "pairs" | "solo"; since?: string; until?: string }, options?: CallOptions): AsyncIterable<types.Record>;
    /** Join a league */
    join(id: string | number, body?: types.LeagueEntry, options?: CallOptions): Promise<types.League>;
    /** Leave a league */
    leave(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** List members */
    members(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.LeagueMemberPage, types.LeagueMember>;
    /** List removed members */
    removals(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.RemovalPage, types.Removal>;
    /** Remove a member */
    remove(id: string | number, body: types.RemoveLeagueMember, options?: CallOptions): Promise<types.League>;
    /** Readmit a player */
    readmit(id: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Replace a player */
    replace(id: string | number, body: types.SubstitutePlayer, options?: CallOptions): Promise<types.Decision>;
    /** List seasons */
    seasons(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.SeasonPage, types.Season>;
    /** Get a season */
    season(id: string | number, number: string | number, query?: { division?: number }, options?: CallOptions): Promise<types.SeasonDetail>;
    /** Start a league */
    start(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.League>;
    /** Become a substitute */
    substitute(id: string | number, body?: types.LeagueEntry, options?: CallOptions): Promise<types.League>;
  };
  me: {
    /** Get your profile */
    show(query?: Record<string, never>, options?: CallOptions): Promise<types.Profile>;
    /** Update settings */
    change(body?: types.PatchedProfile, options?: CallOptions): Promise<types.Profile>;
    /** Get your bot */
    botShow(query?: Record<string, never>, options?: CallOptions): Promise<types.Bot>;
    /** Declare your account a bot */
    botDeclare(body: types.BotDeclaration, options?: CallOptions): Promise<types.Bot>;
    /** Update your bot */
    botChange(body?: types.PatchedBotSettings, options?: CallOptions): Promise<types.Bot>;
    /** Make your account a person's again */
    botWithdraw(query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** List your bots */
    botsList(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Bot>>;
    /** Create an owner code */
    botsCode(body?: Record<string, never>, options?: CallOptions): Promise<types.OwnerCode>;
    /** List deliveries */
    deliveries(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Delivery>>;
    /** Confirm your address */
    deliveriesRevive(body?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Send a test mail */
    deliveriesTest(body?: Record<string, never>, options?: CallOptions): Promise<types.Delivery>;
    /** Export your data */
    export(query?: Record<string, never>, options?: CallOptions): Promise<{ [key: string]: unknown }>;
    /** Get feed addresses */
    feeds(query?: Record<string, never>, options?: CallOptions): Promise<types.FeedAddresses>;
    /** Replace feed addresses */
    feedsRenew(body?: Record<string, never>, options?: CallOptions): Promise<types.FeedAddresses>;
    /** Download records of your games */
    gamesRecords(query?: { after?: string; finished?: boolean; limit?: number; mode?: "singles" | "pairs" | "solo"; since?: string; until?: string }, options?: CallOptions): AsyncIterable<types.Record>;
    /** List your invitations */
    invitations(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Invitation>>;
    /** Get your clocks */
    time(query?: Record<string, never>, options?: CallOptions): Promise<types.TimeOverview>;
    /** List tokens */
    tokensList(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Token>>;
    /** Create a token */
    tokensCreate(body: types.NewToken, options?: CallOptions): Promise<types.TokenWithSecret>;
    /** Get a token */
    tokensShow(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Token>;
    /** Revoke a token */
    tokensRevoke(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** List your turns */
    turns(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Turn>>;
    /** Plan a vacation */
    vacationPlan(body: types.NewVacation, options?: CallOptions): Promise<types.TimeOverview>;
    /** End your vacation */
    vacationEnd(query?: Record<string, never>, options?: CallOptions): Promise<types.TimeOverview>;
    /** List webhooks */
    webhooksList(query?: Record<string, never>, options?: CallOptions): Promise<Array<types.Webhook>>;
    /** Create a webhook */
    webhooksCreate(body: types.NewWebhook, options?: CallOptions): Promise<types.WebhookWithSecret>;
    /** Get a webhook */
    webhooksShow(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Webhook>;
    /** Change a webhook */
    webhooksSwitch(id: string | number, body?: types.PatchedChangeWebhook, options?: CallOptions): Promise<types.Webhook>;
    /** Delete a webhook */
    webhooksDelete(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Replace a webhook's secret */
    webhooksSecret(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.WebhookWithSecret>;
    /** Call a webhook */
    webhooksTest(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Delivery>;
  };
  players: {
    /** Get a player */
    show(name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.PublicPlayer>;
    /** Download records of a player's games */
    gamesRecords(name: string | number, query?: { after?: string; finished?: boolean; limit?: number; mode?: "singles" | "pairs" | "solo"; since?: string; until?: string }, options?: CallOptions): AsyncIterable<types.Record>;
    /** List a player's ratings */
    ratings(name: string | number, query?: { mode?: "singles" | "pairs"; cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.RatingHistory, types.RatingChange>;
  };
  proposals: {
    /** List proposals */
    list(query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.ProposalPage, types.Proposal>;
    /** Accept a proposal */
    accept(id: string | number, body?: types.AcceptProposal, options?: CallOptions): Promise<types.Proposal>;
    /** Decline a proposal */
    decline(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Proposal>;
    /** Withdraw a proposal */
    withdraw(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Proposal>;
  };
  ratings: {
    /** List the best players */
    best(query?: { bots?: boolean; limit?: number; mode?: "singles" | "pairs" }, options?: CallOptions): Promise<types.Ranking>;
  };
  tournaments: {
    /** List tournaments */
    list(query?: { format?: "knockout" | "double" | "round-robin" | "swiss"; mode?: "singles" | "pairs"; own?: boolean; status?: "draft" | "published" | "running" | "over" | "cancelled"; table_size?: number; cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.TournamentSummaryPage, types.TournamentSummary>;
    /** Create a tournament */
    create(body: types.NewTournament, options?: CallOptions): Promise<types.Tournament>;
    /** Get a tournament */
    view(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Update a tournament */
    change(id: string | number, body?: types.PatchedNewTournament, options?: CallOptions): Promise<types.Tournament>;
    /** Delete a draft */
    delete(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** List appeals */
    appeals(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.AppealPage, types.Appeal>;
    /** Answer an appeal */
    answer(id: string | number, appeal: string | number, body: types.AppealText, options?: CallOptions): Promise<types.Appeal>;
    /** Get the bracket */
    bracket(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Bracket>;
    /** Cancel a tournament */
    cancel(id: string | number, body?: types.DecisionReason, options?: CallOptions): Promise<types.Tournament>;
    /** Set your client seed */
    clientseed(id: string | number, body: types.ClientSeed, options?: CallOptions): Promise<types.Tournament>;
    /** Invite a co-organiser */
    help(id: string | number, body: types.PlayerName, options?: CallOptions): Promise<types.Proposal>;
    /** Remove a co-organiser */
    unhelp(id: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Confirm your entry */
    confirm(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Correct a result */
    correct(id: string | number, body: types.CorrectResult, options?: CallOptions): Promise<types.Decision>;
    /** List decisions */
    decisions(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.DecisionPage, types.Decision>;
    /** Undo a decision */
    undo(id: string | number, decision: string | number, body?: types.UndoDecision, options?: CallOptions): Promise<types.Decision>;
    /** Disqualify an entrant */
    disqualify(id: string | number, body: types.DisqualifyEntrant, options?: CallOptions): Promise<types.Decision>;
    /** Enter a tournament */
    enter(id: string | number, body?: types.TournamentEntry, options?: CallOptions): Promise<types.Tournament>;
    /** List entrants */
    entrants(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.EntrantPage, types.Entrant>;
    /** Extend a round */
    extend(id: string | number, body: types.ExtendRound, options?: CallOptions): Promise<types.Decision>;
    /** Get the fairness proof */
    fairness(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.FairnessProof>;
    /** Download records of a tournament */
    gamesRecords(id: string | number, query?: { after?: string; finished?: boolean; limit?: number; mode?: "singles" | "pairs" | "solo"; since?: string; until?: string }, options?: CallOptions): AsyncIterable<types.Record>;
    /** List invited players */
    invites(id: string | number, query?: { cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.TournamentInvitePage, types.TournamentInvite>;
    /** Invite a player */
    invite(id: string | number, body: types.PlayerName, options?: CallOptions): Promise<types.TournamentInvite>;
    /** Withdraw an invitation */
    uninvite(id: string | number, name: string | number, query?: Record<string, never>, options?: CallOptions): Promise<void>;
    /** Leave a tournament */
    leave(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** List pairings */
    pairings(id: string | number, query?: { bracket_round?: number; entrant?: number; cursor?: string; page_size?: number }, options?: CallOptions): Listing<types.PairingPage, types.Pairing>;
    /** Get a pairing */
    pairing(id: string | number, pairing: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.PairingDetail>;
    /** File an appeal */
    appeal(id: string | number, pairing: string | number, body: types.AppealText, options?: CallOptions): Promise<types.Appeal>;
    /** Get timeout evidence */
    evidence(id: string | number, pairing: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.TimeoutEvidence>;
    /** Preview the next round */
    preview(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.RoundPreview>;
    /** Approve a round */
    proceed(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Decision>;
    /** Publish a tournament */
    publish(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Remove an entrant */
    remove(id: string | number, body: types.RemoveEntrant, options?: CallOptions): Promise<types.Decision>;
    /** Replace a player */
    replace(id: string | number, body: types.ReplacePlayer, options?: CallOptions): Promise<types.Proposal>;
    /** List rounds */
    rounds(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.RoundList>;
    /** Set seeds */
    seeds(id: string | number, body: types.SeedOrder, options?: CallOptions): Promise<types.Tournament>;
    /** Sit out a round */
    sitout(id: string | number, body: types.SitOutRound, options?: CallOptions): Promise<types.Tournament>;
    /** Get the standings */
    standings(id: string | number, query?: Record<string, never>, options?: CallOptions): Promise<types.Standings>;
    /** Start a tournament */
    start(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
    /** Withdraw */
    withdraw(id: string | number, body?: Record<string, never>, options?: CallOptions): Promise<types.Tournament>;
  };
}
