// Generated from the OpenAPI document by `make schema`: do not edit.

/** The client seed to accept a proposal with. */
export interface AcceptProposal {
  /** your own part of the shuffles, without '|'; empty: the number of your entry as text */
  client_seed?: string;
}

/** Request to add a bot. */
export interface AddBot {
  /** how it plays */
  policy?: "random" | "greedy" | "planner";
  /** in pairs: to sit opposite you */
  partner?: boolean;
}

/** An appeal and its answer. */
export interface Appeal {
  /** to answer it by */
  id: number;
  /** the id of the pairing that it is about */
  pairing: number;
  /** the match of that pairing */
  match: string;
  /** the name of the player; null: the account was deleted */
  created_by: string | null;
  /** when it was filed */
  created_at: string;
  /** what the player says */
  text: string;
  /** what an organiser answers; empty before */
  answer: string;
  /** the name of that organiser */
  answered_by: string | null;
  /** null: not answered yet */
  answered_at: string | null;
}

/** One page of a list. */
export interface AppealPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Appeal>;
}

/** The text of an appeal or of its answer. */
export interface AppealText {
  /** what you have to say */
  text: string;
}

/** The board. */
export interface Board {
  /** the tiles by name of their cell, as b3 */
  cells: { [key: string]: Cell };
  /** the closed figures */
  figures: Array<Figure>;
}

/** The bracket. */
export interface Bracket {
  /** all of them, future ones too; empty before the start */
  matches: Array<BracketMatch>;
  /** the name of the winner, once there is one */
  champion: string | null;
}

/** A match of the bracket. */
export interface BracketMatch {
  /** the match's id in the tournament */
  match: string;
  /** which part of the bracket it is in */
  bracket: "main" | "winners" | "losers" | "final" | "third";
  /** within that part */
  round: number;
  /** over all parts: a later stage is a better finish */
  stage: number;
  /** how far it is */
  state: string;
  /** by a correction others play it; the table they had waits to be given up */
  pending: boolean;
  /** how many go on */
  advancing_count: number;
  /** in the order of their sources */
  seats: Array<BracketSeat>;
  /** how it was decided, if not by its game alone */
  notes: Array<Note>;
  /** the ids of its games, in order */
  games: Array<string>;
}

/** A seat of a bracket match. */
export interface BracketSeat {
  /** the id of the entrant; null: not known yet */
  entrant: number | null;
  /** who played here; null: not known yet */
  name: string | null;
  /** in this match, once it is decided */
  place: number | null;
  /** where it is filled from */
  source: SeatSource;
}

/** An entry of the calendar of a league. */
export interface CalendarEntry {
  /** season-began, round-ends, season-ends, season-ended, next-season */
  kind: string;
  /** the number of the season */
  season: number;
  /** null: when all is played */
  at: string | null;
  /** whether it is over */
  past: boolean;
  /** of round-ends: the number of the round */
  round: number | null;
}

/** A tile on the board. */
export interface Cell {
  /** its letter */
  tile: string;
  /** degrees clockwise */
  rotation: number;
}

/** A chat message. */
export interface ChatMessage {
  /** names the message in URLs */
  id: number;
  /** who wrote it */
  name: string;
  /** empty if the operator has hidden it */
  text: string;
  /** when it was sent */
  at: string;
}

/** Request to choose your partner. */
export interface ChosenPartner {
  /** the joining number of somebody who sits at the table, a bot perhaps */
  joined?: number | null;
  /** or the name of a player who sits there or whom you have invited */
  name?: string;
}

/** A new client seed. */
export interface ClientSeed {
  /** your own part of the shuffles, without '|'; empty: the number of your entry as text */
  client_seed: string;
}

/** A corrected result. */
export interface CorrectResult {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** needed if the tournament is over and its final places change, or it is reopened: without it such a request is refused with `rank-changes`, and `places` says which */
  confirmed?: boolean;
  /** the id of the pairing */
  pairing: number;
  /** by seat, 1 the best; level ones share */
  ranks: Array<number>;
  /** of the game, by seat; as they were if you say none */
  points?: Array<number> | null;
  /** by seat; as they were if you say none */
  eights?: Array<number> | null;
  /** ids of entrants who did not play to the end */
  forfeits?: Array<number>;
}

/** A result before and after a correction. */
export interface CorrectedResult {
  /** its id in the list of decisions */
  decision: number;
  /** when it was corrected */
  at: string;
  /** the id of the pairing */
  pairing: number | null;
  /** as rounds were paired by until then */
  before: { [key: string]: unknown } | null;
  /** as rounds are paired by from then on */
  after: { [key: string]: unknown } | null;
}

/** A column of the standings. */
export interface CriterionColumn {
  /** as the lines name it */
  key: string;
  /** the heading, in your language */
  name: string;
  /** in words, in your language */
  explanation: string;
}

/** The value of a criterion in the standings; None where it does not apply. */
export interface CriterionValue {
  /** the criterion, as `criteria` of the standings explains it */
  key: string;
  /** null where it does not apply */
  value: number | null;
}

/** A decision of an organiser. */
export interface Decision {
  /** later decisions have larger ids */
  id: number;
  /** when it was made */
  created_at: string;
  /** the name of the organiser; null: the account was deleted */
  created_by: string | null;
  /** edit, seeds, preview, proceed, extend, correct, disqualify, replace, remove, cancel, co-organiser, undo-… */
  action: string;
  /** the reason; null for whoever does not organise it */
  reason: string | null;
  /** for everybody; empty once the decision was undone */
  public_note: string;
  /** the id of the pairing that it is about */
  pairing: number | null;
  /** the id of the entrant that it is about */
  entrant: number | null;
  /** who plays, or organises, from then on */
  player: string | null;
  /** who did before */
  was: string | null;
  /** of a correction: from then on */
  result: { [key: string]: unknown } | null;
  /** of a correction: until then */
  result_before: { [key: string]: unknown } | null;
  /** when a round ends */
  until: string | null;
  /** of an edit: what was laid down anew */
  changed: { [key: string]: unknown } | null;
  /** of `seeds`: the entrants seeded by hand, in order */
  seeds: Array<number> | null;
  /** of what changes the draw (`seeds`, `edit`, `remove`, `replace`): made before the start, but after an organiser had seen the draw */
  after_preview: boolean;
  /** the id of the decision that it undoes */
  undoes: number | null;
  /** whether a later decision undoes it */
  undone: boolean;
}

/** One page of a list. */
export interface DecisionPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Decision>;
}

/** The reason and the public note of a decision. */
export interface DecisionReason {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
}

/** A mail, webhook call or push message, and its status. */
export interface Delivery {
  /** names the delivery */
  id: number;
  /** the channel */
  by: "mail" | "webhook" | "push";
  /** the webhook that is called */
  webhook: number | null;
  /** turn, reminder, started, timeout, over, digest, test, ... */
  kind: string;
  /** the game that it is about, if any */
  game: string | null;
  /** how far it has come */
  status: "waiting" | "sent" | "dropped" | "failed" | "bounced" | "uncertain";
  /** the reason of its status, in your language */
  status_reason: string;
  /** how often it was tried */
  attempts: number;
  /** your address, or the host of your webhook */
  to: string;
  /** when it was planned */
  created_at: string;
  /** when the other side took it */
  sent_at: string | null;
  /** when the other side may have taken it; null while it surely has not */
  submitted_at: string | null;
  /** when the mail provider reported that it arrived */
  delivered_at: string | null;
  /** when it is tried next */
  next_attempt_at: string | null;
}

/** The entrant to disqualify. */
export interface DisqualifyEntrant {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** the id of the entrant */
  entrant: number;
}

/** A division of a season. */
export interface Division {
  /** 1 is the highest */
  number: number;
  /** players or pairs in it */
  size: number;
  /** how many go up */
  up: number;
  /** how many go down */
  down: number;
  /** whether the season is over */
  final: boolean;
  /** in which it is played */
  groups: Array<DivisionGroup>;
  /** the best first */
  placements: Array<DivisionPlacement>;
}

/** A group of a division. */
export interface DivisionGroup {
  /** its number in the division */
  group: number;
  /** where it is played: its id among the tournaments */
  tournament: string;
  /** how far it is */
  status: "draft" | "published" | "running" | "finished" | "cancelled";
  /** the newest one; 0 before the first */
  round: number;
}

/** A placement in a division. */
export interface DivisionPlacement {
  /** now, or at the end */
  rank: number;
  /** from the top, at the start */
  start_position: number;
  /** the id of the entrant in its tournament */
  entrant: number | null;
  /** of the player, or of both */
  name: string;
  /** the names of who plays */
  players: Array<string>;
  /** the number of its group */
  group: number;
  /** why they are in this division */
  reason: Note;
  /** the same in words, in your language */
  words: string;
  /** games that count */
  played: number;
  /** in the standings */
  points: number;
  /** points of all games */
  game_points: number;
  /** how many eights */
  eights: number;
  /** whether they have left */
  withdrawn: boolean;
  /** up, down, or nowhere */
  heading: string;
}

/** A preview of the draw by an organiser. */
export interface DrawPreview {
  /** when they looked first */
  at: string;
  /** the name of the organiser; null: the account was deleted */
  by: string | null;
}

/** How you answer an 8, decided in advance. */
export interface EightPolicy {
  /** your answer to an 8, decided in advance */
  eight_policy: "ask" | "use" | "keep";
}

/** An entrant: a player or a pair. */
export interface Entrant {
  /** as pairings and standings name it */
  id: number;
  /** of the player, or of both */
  name: string;
  /** the names of who plays for it, in the order of their seats */
  players: Array<string>;
  /** where it stands */
  status: "waiting" | "entered" | "withdrawn" | "disqualified";
  /** 1 is the strongest; null: by lot, behind those who have one */
  seed: number | null;
  /** the first round to play in */
  first_round: number;
  /** the last round that had begun when they left */
  left_after_round: number | null;
  /** rounds to sit out */
  absent_rounds: Array<number>;
  /** whether they have said that they will play */
  confirmed: boolean;
  /** of those who play for it, in the order of their seats */
  client_seeds: Array<string>;
  /** at the end */
  rank: number | null;
  /** who played for it before; results of then stay theirs */
  former_players: Array<FormerPlayer>;
}

/** One page of a list. */
export interface EntrantPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Entrant>;
}

/** A new end of a round. */
export interface ExtendRound {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** as `rounds` numbers them */
  round: number;
  /** when it is to end */
  until: string;
}

/** The commitment and the seeds of a game. */
export interface Fairness {
  /** the SHA-256 of the server seed */
  commitment: string;
  /** null until the game is over */
  server_seed: string | null;
  /** one of each seat, in seat order */
  client_seeds: Array<string>;
}

/** Everything that the pairings follow from. */
export interface FairnessProof {
  /** what numbers those who are not seeded by hand; division: the order in a league */
  seeding: "lot" | "rating" | "division";
  /** false: made before seeds set by hand and previews were logged */
  seeds_logged: boolean;
  /** ids of entrants, the first seed first */
  seeded_by_hand: Array<number>;
  /** seeds that organisers set, the newest 100, oldest first */
  seed_changes: Array<SeedChange>;
  /** organisers who saw the draw before the start */
  previews: Array<DrawPreview>;
  /** the id of the tournament, which the lots are derived with */
  code: string;
  /** the SHA-256 of the seed, public before anyone could enter */
  commitment: string;
  /** in hexadecimal; null until it is over */
  seed: string | null;
  /** the same as `commitment` */
  event_commitment: string;
  /** the same as `seed` */
  event_seed: string | null;
  /** how entrants are paired */
  format: string;
  /** entrants at a table, at most */
  table_size: number;
  /** all that were ever paired */
  entrants: Array<ProofEntrant>;
  /** of all pairings that count, in the order of publication */
  results: Array<ProofResult>;
  /** results that were changed, oldest first */
  corrections: Array<CorrectedResult>;
  /** of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes */
  round_count: number | null;
  /** round robin: how often two meet */
  cycles: number;
  /** round robin: all rounds begin together */
  all_rounds_at_once: boolean;
  /** knock-out: how many go on from a table of 3 or 4 */
  advancing_count: number;
  /** knock-out at tables of 2 */
  third_place: boolean;
}

/** A page of your feed. */
export interface Feed {
  /** in order */
  results: Array<FeedEntry>;
  /** where to go on: ask with ?after= this */
  after: number;
}

/** The private addresses of your feeds. */
export interface FeedAddresses {
  /** Atom: the turns that wait for you */
  turns: string;
  /** iCalendar: when they end */
  deadlines: string;
}

/** An entry of your feed. */
export interface FeedEntry {
  /** stable, the cursor of the feed */
  id: number;
  /** what happened: turn, started, over, ... */
  kind: string;
  /** the game that it is about, if any */
  game: string | null;
  /** when it happened */
  at: string;
  /** details, by kind */
  data: { [key: string]: unknown };
}

/** A closed figure. */
export interface Figure {
  /** small circle, circle, square or infinity */
  kind: string;
  /** the cells that it lies on, as b3+c3; with frame at the border */
  place: string;
  /** points */
  value: number;
  /** whose marker is on it; for an 8 the side that made it; null without a marker */
  side: number | null;
}

/** The first game you would lose on time. */
export interface FirstLoss {
  /** the id of the game */
  game: string;
  /** when you would lose it */
  at: string;
}

/** A player who was replaced. */
export interface FormerPlayer {
  /** 1, or 2 for the second of a pair */
  position: number;
  /** the name; null: the account was deleted */
  player: string | null;
  /** from which round on somebody else has played */
  since_round: number;
}

/** A game as you may see it. */
export interface Game {
  /** names the game in URLs */
  id: string;
  /** the state of the game */
  status: "open" | "running" | "tiebreak" | "over" | "cancelled";
  /** singles, pairs or solo */
  mode: string;
  /** the edition by which it is played */
  edition: string;
  /** rule options */
  options: GameOptions;
  /** the time control */
  clock: TimeControl;
  /** how seats are numbered at the start: as-joined or shuffled */
  order: string;
  /** only for those who are invited */
  private: boolean;
  /** whether it counts for ratings */
  rated: boolean;
  /** how many play */
  seats_wanted: number;
  /** when it was created */
  created_at: string;
  /** the end of the turn, or that of the tournament's round if it comes first */
  deadline: string | null;
  /** what ends at the deadline: `turn` or `round`; null without one */
  deadline_kind: "turn" | "round" | null;
  /** in a tournament: when points decide */
  round_end: RoundEnd | null;
  /** the number of the last action, 0 before any */
  seq: number;
  /** start, stolen, place, react or over; null before the start */
  phase: string | null;
  /** the number of the match, 0 before the start */
  match: number;
  /** seats that have a decision to make, several during react */
  to_act: Array<number>;
  /** what lies on the board */
  board: Board;
  /** the tile that was drawn and is to be placed */
  drawn: string | null;
  /** markers left by side and value */
  markers: { [key: string]: { [key: string]: number } };
  /** points of finished matches by side */
  totals: { [key: string]: number };
  /** tiles left in the tower */
  tower_left: number;
  /** cards left in the deck */
  deck_left: number;
  /** of the match: normal, blind or solo */
  kind?: string;
  /** the seat whose turn it is */
  turn?: number;
  /** whether this is the second turn in a row of that seat */
  second_turn?: boolean;
  /** the kidnapped card that waits to be played */
  stolen?: string | null;
  /** in this match so far, by side */
  points?: { [key: string]: number };
  /** cards that were played, in order */
  played?: Array<string>;
  /** tiles that left the game in this match */
  gone?: Array<string>;
  /** sides that protected their points against an 8 */
  protected?: Array<number>;
  /** those that were scored, in order */
  matches?: Array<MatchResult>;
  /** rounds of a shoot-out: the tile of each side */
  shootout?: Array<{ [key: string]: string }>;
  /** the side that won; null until then, for a draw and for a lost solo game */
  winner?: number | null;
  /** the rules version that the game is pinned to */
  rules: number;
  /** whether those at the table can talk */
  chat: boolean;
  /** when an open game is cancelled if it has not started */
  expires_at: string | null;
  /** when the last player joined */
  started_at: string | null;
  /** when it ended */
  finished_at: string | null;
  /** what the randomness comes from */
  fairness: Fairness;
  /** who plays, in seat order; before the start in joining order */
  seats: Array<Seat>;
  /** your joining number */
  joined: number | null;
  /** what you may do with it as it stands; reserved seats, a proposed pause and your own limits are looked at when you ask */
  permissions: Array<"join" | "leave" | "cancel" | "invite" | "add-bot" | "choose-partner" | "play" | "resign" | "take-seat" | "set-eight-policy" | "set-orders" | "propose-pause" | "answer-pause" | "chat" | "mute" | "rematch">;
  /** only if you have a seat and the game has started */
  you?: YourSeat;
}

/** Your note on a game. */
export interface GameNote {
  /** empty if there is none */
  text: string;
  /** when you last changed it */
  at: string | null;
}

/** The rule options of a game. */
export interface GameOptions {
  /** whether it is played with cards */
  cards: boolean;
  /** strict: a placement must make an 8 or close a figure where it can; or lenient */
  obligation: string;
  /** the total of points that ends the game */
  target: number;
}

/** The result of a game. */
export interface GameResult {
  /** the side that won; null for a draw or a lost solo game */
  winner: number | null;
  /** by side */
  totals: { [key: string]: number };
  /** those that were scored, in order */
  matches: Array<MatchResult>;
  /** rounds of a shoot-out: the tile of each side */
  shootout: Array<{ [key: string]: string }>;
}

/** A game in a list. */
export interface GameSummary {
  /** names the game in URLs */
  id: string;
  /** the state of the game */
  status: "open" | "running" | "tiebreak" | "over" | "cancelled";
  /** singles, pairs or solo */
  mode: string;
  /** the edition by which it is played */
  edition: string;
  /** rule options */
  options: GameOptions;
  /** the time control */
  clock: TimeControl;
  /** how seats are numbered at the start: as-joined or shuffled */
  order: string;
  /** only for those who are invited */
  private: boolean;
  /** whether it counts for ratings */
  rated: boolean;
  /** how many play */
  seats_wanted: number;
  /** when it was created */
  created_at: string;
  /** the end of the turn, or that of the tournament's round if it comes first */
  deadline: string | null;
  /** what ends at the deadline: `turn` or `round`; null without one */
  deadline_kind: "turn" | "round" | null;
  /** in a tournament: when points decide */
  round_end: RoundEnd | null;
  /** the number of the last action, 0 before any */
  seq: number;
  /** seats that have a decision to make */
  to_act: Array<number>;
  /** the side that won; null until then, for a draw and for a lost solo game */
  winner: number | null;
  /** the SHA-256 of the server seed */
  commitment: string;
  /** who plays */
  seats: Array<SeatSummary>;
}

/** One page of a list. */
export interface GameSummaryPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<GameSummary>;
}

/** An invitation to a game. */
export interface Invitation {
  /** the id of the game */
  game: string;
  /** the SHA-256 of the game's server seed */
  commitment: string;
  /** who invites */
  by: string;
  /** who is invited; null for an email address */
  name: string | null;
  /** in pairs: to sit opposite who invites */
  partner: boolean;
  /** when the invitation was made */
  at: string;
}

/** Request to invite a player, by name or by email. */
export interface Invite {
  /** of a player */
  name?: string;
  /** or the address of somebody, who gets a link */
  email?: string;
  /** in pairs: to sit opposite you */
  partner?: boolean;
}

/** Request to join a game. */
export interface Join {
  /** your own part of the game's randomness, without '|'; the joining number if you give none */
  client_seed?: string;
  /** the token of a link */
  invitation?: string;
}

/** A league. */
export interface League {
  /** its code in addresses */
  id: string;
  /** as the organiser calls it */
  name: string;
  /** how far it is */
  status: "open" | "running" | "closed";
  /** whether members play alone or in pairs */
  mode: "singles" | "pairs";
  /** entrants at a table, at most */
  table_size: number;
  /** the time control of its games */
  clock: string;
  /** whether its games change ratings */
  rated: boolean;
  /** players or pairs in a division */
  division_size: number;
  /** the name of whoever made it; null: the account was deleted */
  organiser: string | null;
  /** who plays the next season */
  members: number;
  /** who plays for whoever drops out */
  substitutes: number;
  /** the newest one */
  season: number | null;
  /** yours */
  membership: "member" | "substitute" | "out" | null;
  /** yours, in pairs */
  partner: string | null;
  /** when it was made */
  created_at: string;
  /** the names of those who organise it, too */
  co_organisers: Array<string>;
  /** the SHA-256 of its seed, public from the start */
  commitment: string;
  /** null until the league is closed */
  seed: string | null;
  /** null: none follows */
  next_season: NextSeason | null;
  /** dates of the current season, in order */
  calendar: Array<CalendarEntry>;
  /** your membership, and what you may do */
  you: LeagueViewer;
  /** what players should know */
  text: string;
  /** How a season is played */
  format: "round-robin" | "swiss";
  /** of Swiss */
  round_count: number | null;
  /** how many go up, and down */
  promotion_count: number;
  /** in a division */
  groups_per_division: number;
  /** how often two meet in a season */
  cycles: number;
  /** all rounds of a season begin together */
  all_rounds_at_once: boolean;
  /** Where new players begin */
  newcomer_policy: "bottom" | "rating";
  /** seconds between two seasons */
  season_pause: number;
  /** null: for ever */
  season_limit: number | null;
  /** the rulebook by which it is played */
  edition: string;
  /** whether it is played with cards */
  cards: boolean;
  /** strict: whoever can close a figure must */
  obligation: string;
  /** the total of points that ends the game */
  target: number;
  /** seconds for a turn; for a custom clock */
  allowance: number;
  /** seconds in reserve; for a custom clock */
  bank: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance: number | null;
  /** of a rematch */
  rematch_allowance: number;
  /** seconds in reserve for a rematch; a quarter if you say none */
  rematch_bank: number;
  /** what happens when time is up */
  timeouts: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights: boolean;
  /** clocks rest on vacation; by default unless games are quick ones */
  vacation: boolean;
  /** whether those at a table can talk */
  chat: boolean;
  /** games are for those who play them */
  private: boolean;
  /** seconds */
  round_length: number | null;
}

/** An entry into a league. */
export interface LeagueEntry {
  /** your own part of the shuffles, without '|'; empty: the number of your entry as text; null: what you brought before */
  client_seed?: string | null;
  /** in pairs: whom you play with */
  partner?: string | null;
}

/** A member of a league. */
export interface LeagueMember {
  /** of the player */
  name: string;
  /** whether they play the next season */
  status: "member" | "substitute" | "out";
  /** in pairs */
  partner: string | null;
  /** since when */
  at: string;
}

/** One page of a list. */
export interface LeagueMemberPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<LeagueMember>;
}

/** The league, season, division and group that a tournament belongs to. */
export interface LeagueReference {
  /** the id of the league */
  id: string;
  /** the name of the league */
  name: string;
  /** the number of the season */
  season: number;
  /** the number of the division, 1 is the highest */
  division: number;
  /** the number of the group in its division */
  group: number;
}

/** A league in a list. */
export interface LeagueSummary {
  /** its code in addresses */
  id: string;
  /** as the organiser calls it */
  name: string;
  /** how far it is */
  status: "open" | "running" | "closed";
  /** whether members play alone or in pairs */
  mode: "singles" | "pairs";
  /** entrants at a table, at most */
  table_size: number;
  /** the time control of its games */
  clock: string;
  /** whether its games change ratings */
  rated: boolean;
  /** players or pairs in a division */
  division_size: number;
  /** the name of whoever made it; null: the account was deleted */
  organiser: string | null;
  /** who plays the next season */
  members: number;
  /** who plays for whoever drops out */
  substitutes: number;
  /** the newest one */
  season: number | null;
  /** yours */
  membership: "member" | "substitute" | "out" | null;
  /** yours, in pairs */
  partner: string | null;
  /** when it was made */
  created_at: string;
}

/** One page of a list. */
export interface LeagueSummaryPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<LeagueSummary>;
}

/** The viewer's membership and permissions in a league. */
export interface LeagueViewer {
  /** whether you organise it */
  organiser: boolean;
  /** whether you play; null: you never joined */
  status: "member" | "substitute" | "out" | null;
  /** yours for seasons to come; empty: the entry's number */
  client_seed: string | null;
  /** what you may do here now */
  permissions: Array<string>;
}

/** A page of the log. */
export interface Log {
  /** in order */
  results: Array<LogLine>;
  /** ask with ?after= this; null on the last page */
  next: number | null;
}

/** An action in the log. */
export interface LogLine {
  /** 1, 2, 3 … */
  seq: number;
  /** who acted */
  seat: number;
  /** canonical action string */
  action: string;
  /** who chose it */
  by: "player" | "clock" | "bot";
  /** when it was played */
  at: string;
  /** covers this action and the hash before */
  hash: string;
  /** what followed from it; `event` says what happened */
  events: Array<{ [key: string]: unknown }>;
}

/** A scored match. */
export interface MatchResult {
  /** normal, blind or solo */
  kind: string;
  /** how it ended: infinity, full, tower or won */
  ended: string;
  /** by side */
  scores: { [key: string]: number };
  /** sides that gained points without a marker, ascending */
  silly: Array<number>;
}

/** Whether notices about a game are off. */
export interface Muted {
  /** whether notices about this game are off */
  muted: boolean;
}

/** An entrant with its name. */
export interface NamedEntrant {
  /** the id of the entrant */
  entrant: number;
  /** its name */
  name: string;
}

/** Request to create a game. */
export interface NewGame {
  /** who plays against whom */
  mode?: "singles" | "pairs" | "solo";
  /** 2 to 4 in singles; else by the mode */
  seats?: number;
  /** the rulebook by which it is played */
  edition?: "arcastudio-2.2" | "bannan-nl";
  /** whether it is played with cards */
  cards?: boolean;
  /** strict: a placement must make an 8 or close a figure where it can */
  obligation?: "strict" | "lenient";
  /** the total of points that ends the game */
  target?: number;
  /** the time control: one of the site's, or custom */
  clock?: "12h" | "2d" | "3d" | "7d" | "live" | "custom";
  /** seconds; for a custom clock */
  allowance?: number;
  /** seconds; for a custom clock */
  bank?: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance?: number | null;
  /** what happens when time is up */
  timeouts?: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends?: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights?: boolean;
  /** clocks rest on vacation; by default unless the game is a quick one */
  vacation?: boolean | null;
  /** how seats are numbered at the start */
  order?: "as-joined" | "shuffled";
  /** only for those who are invited */
  private?: boolean;
  /** for people only, and not with the obligation `lenient` */
  rated?: boolean;
  /** whether those at the table can talk */
  chat?: boolean;
}

/** The settings of a league. */
export interface NewLeague {
  /** whether players enter alone or in pairs */
  mode?: "singles" | "pairs";
  /** entrants at a table; in pairs 2 */
  table_size?: number;
  /** the rulebook by which it is played */
  edition?: "arcastudio-2.2" | "bannan-nl";
  /** whether it is played with cards */
  cards?: boolean;
  /** strict: whoever can close a figure must */
  obligation?: "strict";
  /** the total of points that ends the game */
  target?: number;
  /** the time control: one of the site's, or custom */
  clock?: "12h" | "2d" | "3d" | "7d" | "live" | "custom";
  /** seconds for a turn; for a custom clock */
  allowance?: number;
  /** seconds in reserve; for a custom clock */
  bank?: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance?: number | null;
  /** seconds for a turn of a rematch; a quarter if you say none */
  rematch_allowance?: number;
  /** seconds in reserve for a rematch; a quarter if you say none */
  rematch_bank?: number;
  /** what happens when time is up */
  timeouts?: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends?: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights?: boolean;
  /** clocks rest on vacation; by default unless games are quick ones */
  vacation?: boolean;
  /** whether those at a table can talk */
  chat?: boolean;
  /** Rated */
  rated?: boolean;
  /** games are for those who play them */
  private?: boolean;
  /** seconds until what is still played in a round is decided by its points; null: never */
  round_length?: number | null;
  /** Name */
  name: string;
  /** what players should know */
  text?: string;
  /** How a season is played */
  format?: "round-robin" | "swiss";
  /** of Swiss */
  round_count?: number | null;
  /** of a division */
  division_size: number;
  /** how many go up, and down */
  promotion_count?: number;
  /** in a division */
  groups_per_division?: number;
  /** how often two meet in a season */
  cycles?: number;
  /** all rounds of a season begin together */
  all_rounds_at_once?: boolean;
  /** Where new players begin */
  newcomer_policy?: "bottom" | "rating";
  /** seconds between two seasons */
  season_pause?: number;
  /** null: for ever */
  season_limit?: number | null;
}

/** A chat message to send. */
export interface NewMessage {
  /** without formatting */
  text: string;
}

/** Your note about a game, for you alone. */
export interface NewNote {
  /** instead of the one before */
  text: string;
}

/** Request to propose a pause. */
export interface NewPause {
  /** a time that has passed means: end the pause */
  until: string;
}

/** Request to create a personal token. */
export interface NewToken {
  /** for you, to know it by */
  name: string;
  /** what it may do */
  scopes: Array<"read" | "email" | "play" | "organise" | "account">;
  /** when it ends; null: not by itself */
  expires_in_days?: number | null;
}

/** The settings of a tournament. */
export interface NewTournament {
  /** whether players enter alone or in pairs */
  mode?: "singles" | "pairs";
  /** entrants at a table; in pairs 2 */
  table_size?: number;
  /** the rulebook by which it is played */
  edition?: "arcastudio-2.2" | "bannan-nl";
  /** whether it is played with cards */
  cards?: boolean;
  /** strict: whoever can close a figure must */
  obligation?: "strict";
  /** the total of points that ends the game */
  target?: number;
  /** the time control: one of the site's, or custom */
  clock?: "12h" | "2d" | "3d" | "7d" | "live" | "custom";
  /** seconds for a turn; for a custom clock */
  allowance?: number;
  /** seconds in reserve; for a custom clock */
  bank?: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance?: number | null;
  /** seconds for a turn of a rematch; a quarter if you say none */
  rematch_allowance?: number;
  /** seconds in reserve for a rematch; a quarter if you say none */
  rematch_bank?: number;
  /** what happens when time is up */
  timeouts?: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends?: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights?: boolean;
  /** clocks rest on vacation; by default unless games are quick ones */
  vacation?: boolean;
  /** whether those at a table can talk */
  chat?: boolean;
  /** Rated */
  rated?: boolean;
  /** games are for those who play them */
  private?: boolean;
  /** seconds until what is still played in a round is decided by its points; null: never */
  round_length?: number | null;
  /** Name */
  name: string;
  /** what players should know */
  text?: string;
  /** how entrants are paired */
  format: "knockout" | "double" | "round-robin" | "swiss";
  /** of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes */
  round_count?: number | null;
  /** round robin: how often two meet */
  cycles?: number;
  /** round robin: all rounds begin together */
  all_rounds_at_once?: boolean;
  /** knock-out: how many go on from a table of 3 or 4 */
  advancing_count?: number;
  /** knock-out at tables of 2 */
  third_place?: boolean;
  /** from when one may enter; null: at once */
  opens_at?: string | null;
  /** until when; null: until the start */
  closes_at?: string | null;
  /** null: when it is full, or by you */
  starts_at?: string | null;
  /** starts as soon as all places are taken */
  when_full?: boolean;
  /** Places */
  capacity?: number | null;
  /** only who has confirmed plays */
  confirmation?: boolean;
  /** By invitation only */
  by_invitation?: boolean;
  /** Swiss: people may come in later */
  late_entry?: boolean;
  /** Lowest rating */
  min_rating?: number | null;
  /** Highest rating */
  max_rating?: number | null;
  /** Seeds */
  seeding?: "lot" | "rating";
  /** warnings about a round wait for the organiser */
  hold_on_warnings?: boolean;
  /** every round waits until the organiser has seen it */
  manual_approval?: boolean;
}

/** Request to plan a vacation. */
export interface NewVacation {
  /** when you are back */
  until: string;
  /** when it begins; now if you say none */
  from?: string | null;
}

/** Request to create a webhook. */
export interface NewWebhook {
  /** what is called: https, and public */
  url: string;
  /** the format of the body */
  preset?: "json" | "discord" | "slack";
}

/** The commitments of the next season. */
export interface NextSeason {
  /** of the season */
  number: number;
  /** the SHA-256 of the season's seed, HMAC-SHA256(league's seed, `otto-season-v1|number`) */
  commitment: string;
  /** of the divisions that there may be; HMAC-SHA256(season's seed, `otto-event-v1|division|group`) is the seed of an event */
  tournaments: Array<TournamentCommitment>;
}

/** A reason or a warning: its code, and details that depend on the code. */
export interface Note {
  /** what it says; further members are its facts, entrants by their ids */
  code: string;
}

/** Your standing orders. */
export interface Orders {
  /** draw at the start of your turns */
  draw: boolean;
  /** play the only legal action, where everybody sees that it is */
  only: boolean;
}

/** A pairing in a list. */
export interface Pairing {
  /** in the whole site */
  id: number;
  /** the match's id in the tournament: what seeds of its games are derived with */
  match: string;
  /** the number of the round it was published with */
  round: number;
  /** the round of the bracket, or of the schedule */
  bracket_round: number;
  /** whether an earlier game of the match was level */
  rematch: boolean;
  /** of the match: 2 and more are rematches */
  game_number: number;
  /** 2 and more: a corrected result made the earlier ones void */
  attempt: number;
  /** how far it is */
  state: "bye" | "over" | "playing";
  /** the id of the game; null: a bye */
  game: string | null;
  /** when it is decided by its points if it is still played */
  ends_at: string | null;
  /** when its result was written */
  settled_at: string | null;
  /** game, adjudication, organiser; null: a bye, or no result yet */
  by: string | null;
  /** in the order of play */
  seats: Array<PairingSeat>;
  /** why these meet, and sit so */
  reasons: Array<Note>;
}

/** A pairing with its reasons as text. */
export interface PairingDetail {
  /** in the whole site */
  id: number;
  /** the match's id in the tournament: what seeds of its games are derived with */
  match: string;
  /** the number of the round it was published with */
  round: number;
  /** the round of the bracket, or of the schedule */
  bracket_round: number;
  /** whether an earlier game of the match was level */
  rematch: boolean;
  /** of the match: 2 and more are rematches */
  game_number: number;
  /** 2 and more: a corrected result made the earlier ones void */
  attempt: number;
  /** how far it is */
  state: "bye" | "over" | "playing";
  /** the id of the game; null: a bye */
  game: string | null;
  /** when it is decided by its points if it is still played */
  ends_at: string | null;
  /** when its result was written */
  settled_at: string | null;
  /** game, adjudication, organiser; null: a bye, or no result yet */
  by: string | null;
  /** in the order of play */
  seats: Array<PairingSeat>;
  /** why these meet, and sit so */
  reasons: Array<Note>;
  /** the reasons in words, in your language */
  words: Array<string>;
  /** a corrected result made it meaningless */
  is_void: boolean;
}

/** One page of a list. */
export interface PairingPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Pairing>;
}

/** A seat of a pairing. */
export interface PairingSeat {
  /** the id of the entrant */
  entrant: number;
  /** who played here, whoever plays for the entrant now */
  name: string;
  /** who began this game for them, and was replaced */
  former_players: Array<string>;
  /** 1 is the best, level seats share it; null: no result yet */
  rank: number | null;
  /** points of the game; null: no result yet */
  points: number | null;
  /** how many eights; null: no result yet */
  eights: number | null;
  /** did not play to the end */
  forfeit: boolean;
  /** because their time was up */
  timeout: boolean;
}

/** Your partner's seat, whose hand you see. */
export interface Partner {
  /** its number */
  seat: number;
  /** cards, in the order received */
  hand: Array<string>;
}

/** The settings of a league. */
export interface PatchedNewLeague {
  /** whether players enter alone or in pairs */
  mode?: "singles" | "pairs";
  /** entrants at a table; in pairs 2 */
  table_size?: number;
  /** the rulebook by which it is played */
  edition?: "arcastudio-2.2" | "bannan-nl";
  /** whether it is played with cards */
  cards?: boolean;
  /** strict: whoever can close a figure must */
  obligation?: "strict";
  /** the total of points that ends the game */
  target?: number;
  /** the time control: one of the site's, or custom */
  clock?: "12h" | "2d" | "3d" | "7d" | "live" | "custom";
  /** seconds for a turn; for a custom clock */
  allowance?: number;
  /** seconds in reserve; for a custom clock */
  bank?: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance?: number | null;
  /** seconds for a turn of a rematch; a quarter if you say none */
  rematch_allowance?: number;
  /** seconds in reserve for a rematch; a quarter if you say none */
  rematch_bank?: number;
  /** what happens when time is up */
  timeouts?: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends?: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights?: boolean;
  /** clocks rest on vacation; by default unless games are quick ones */
  vacation?: boolean;
  /** whether those at a table can talk */
  chat?: boolean;
  /** Rated */
  rated?: boolean;
  /** games are for those who play them */
  private?: boolean;
  /** seconds until what is still played in a round is decided by its points; null: never */
  round_length?: number | null;
  /** Name */
  name?: string;
  /** what players should know */
  text?: string;
  /** How a season is played */
  format?: "round-robin" | "swiss";
  /** of Swiss */
  round_count?: number | null;
  /** of a division */
  division_size?: number;
  /** how many go up, and down */
  promotion_count?: number;
  /** in a division */
  groups_per_division?: number;
  /** how often two meet in a season */
  cycles?: number;
  /** all rounds of a season begin together */
  all_rounds_at_once?: boolean;
  /** Where new players begin */
  newcomer_policy?: "bottom" | "rating";
  /** seconds between two seasons */
  season_pause?: number;
  /** null: for ever */
  season_limit?: number | null;
}

/** The settings of a tournament. */
export interface PatchedNewTournament {
  /** whether players enter alone or in pairs */
  mode?: "singles" | "pairs";
  /** entrants at a table; in pairs 2 */
  table_size?: number;
  /** the rulebook by which it is played */
  edition?: "arcastudio-2.2" | "bannan-nl";
  /** whether it is played with cards */
  cards?: boolean;
  /** strict: whoever can close a figure must */
  obligation?: "strict";
  /** the total of points that ends the game */
  target?: number;
  /** the time control: one of the site's, or custom */
  clock?: "12h" | "2d" | "3d" | "7d" | "live" | "custom";
  /** seconds for a turn; for a custom clock */
  allowance?: number;
  /** seconds in reserve; for a custom clock */
  bank?: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance?: number | null;
  /** seconds for a turn of a rematch; a quarter if you say none */
  rematch_allowance?: number;
  /** seconds in reserve for a rematch; a quarter if you say none */
  rematch_bank?: number;
  /** what happens when time is up */
  timeouts?: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends?: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights?: boolean;
  /** clocks rest on vacation; by default unless games are quick ones */
  vacation?: boolean;
  /** whether those at a table can talk */
  chat?: boolean;
  /** Rated */
  rated?: boolean;
  /** games are for those who play them */
  private?: boolean;
  /** seconds until what is still played in a round is decided by its points; null: never */
  round_length?: number | null;
  /** Name */
  name?: string;
  /** what players should know */
  text?: string;
  /** how entrants are paired */
  format?: "knockout" | "double" | "round-robin" | "swiss";
  /** of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes */
  round_count?: number | null;
  /** round robin: how often two meet */
  cycles?: number;
  /** round robin: all rounds begin together */
  all_rounds_at_once?: boolean;
  /** knock-out: how many go on from a table of 3 or 4 */
  advancing_count?: number;
  /** knock-out at tables of 2 */
  third_place?: boolean;
  /** from when one may enter; null: at once */
  opens_at?: string | null;
  /** until when; null: until the start */
  closes_at?: string | null;
  /** null: when it is full, or by you */
  starts_at?: string | null;
  /** starts as soon as all places are taken */
  when_full?: boolean;
  /** Places */
  capacity?: number | null;
  /** only who has confirmed plays */
  confirmation?: boolean;
  /** By invitation only */
  by_invitation?: boolean;
  /** Swiss: people may come in later */
  late_entry?: boolean;
  /** Lowest rating */
  min_rating?: number | null;
  /** Highest rating */
  max_rating?: number | null;
  /** Seeds */
  seeding?: "lot" | "rating";
  /** warnings about a round wait for the organiser */
  hold_on_warnings?: boolean;
  /** every round waits until the organiser has seen it */
  manual_approval?: boolean;
}

/** Your profile and notice settings. */
export interface PatchedProfile {
  /** of pages and mails */
  language?: "en" | "it" | "nl";
  /** where clocks rest by hours, a change counts from your next turn in each game */
  time_zone?: string;
  /** how many mails about turns you get */
  mail_frequency?: "each" | "once" | "digest" | "none";
  /** of tournaments and leagues */
  tournament_mails?: "all" | "duties" | "none";
  /** of the daily mail, in your time zone */
  digest_hour?: number;
  /** remind at this percentage of a turn's time */
  remind_at_used_percent?: number | null;
  /** remind when so many percent of all time are left */
  remind_at_left_percent?: number | null;
  /** no notices from then on, in your time zone */
  quiet_from?: string | null;
  /** until then, twelve hours later at most; where clocks rest at night, other hours count from your next turn in each game */
  quiet_until?: string | null;
  /** replies by mail count from any address; null without the scope account */
  allow_any_sender?: boolean;
  /** people you have not played with may invite you; null without the scope account */
  invitations_from_strangers?: boolean;
}

/** Your standing orders in a game; what you leave out stays as it is. */
export interface PatchedStandingOrders {
  /** draw for you at the start of your turns */
  draw?: boolean;
  /** play the only legal placement, or the only way to play a kidnapped card */
  only?: boolean;
}

/** Request to switch a webhook on or off. */
export interface PatchedSwitchWebhook {
  /** whether it is called */
  active?: boolean;
}

/** The agreed and the proposed pause of a game. */
export interface Pause {
  /** the end of the pause that was agreed, if it lasts */
  paused_until: string | null;
  /** the end of the pause that is proposed */
  proposed_until: string | null;
  /** who proposes it */
  proposed_by: string | null;
}

/** A pairing of the previewed round. */
export interface PlannedPairing {
  /** the match's id in the tournament */
  match: string;
  /** the round of the bracket, or of the schedule */
  bracket_round: number;
  /** whether an earlier game of the match was level */
  rematch: boolean;
  /** in the order of play */
  seats: Array<NamedEntrant>;
  /** why these meet, and sit so */
  reasons: Array<Note>;
}

/** An action to play. */
export interface PlayAction {
  /** an action string; reading is forgiving */
  action: string;
  /** the seq of the game as you saw it */
  seq?: number;
}

/** The name of a player. */
export interface PlayerName {
  /** of a player */
  name: string;
}

/** An error as problem+json (RFC 9457). */
export interface Problem {
  /** a URI that names the kind of problem */
  type: string;
  /** the kind of problem, in your language */
  title: string;
  /** the status code of the response */
  status: number;
  /** what is wrong here, in your language */
  detail: string;
  /** stable, for programs */
  code: string;
}

/** Your profile and notice settings. */
export interface Profile {
  /** by which others know you */
  name: string;
  /** your address; null without the scope email */
  email: string | null;
  /** of pages and mails */
  language: "en" | "it" | "nl";
  /** where clocks rest by hours, a change counts from your next turn in each game */
  time_zone: string;
  /** how many mails about turns you get */
  mail_frequency: "each" | "once" | "digest" | "none";
  /** of tournaments and leagues */
  tournament_mails: "all" | "duties" | "none";
  /** of the daily mail, in your time zone */
  digest_hour: number;
  /** remind at this percentage of a turn's time */
  remind_at_used_percent: number | null;
  /** remind when so many percent of all time are left */
  remind_at_left_percent: number | null;
  /** no notices from then on, in your time zone */
  quiet_from: string | null;
  /** until then, twelve hours later at most; where clocks rest at night, other hours count from your next turn in each game */
  quiet_until: string | null;
  /** replies by mail count from any address; null without the scope account */
  allow_any_sender: boolean | null;
  /** people you have not played with may invite you; null without the scope account */
  invitations_from_strangers: boolean | null;
  /** since when mails to you come back; null without the scope email */
  email_bounced_at: string | null;
  /** why they come back; null without the scope email */
  email_bounce_reason: string | null;
  /** since when you are a member */
  joined_at: string;
}

/** An entrant as the pairing uses it. */
export interface ProofEntrant {
  /** as results name it */
  id: number;
  /** 1 is the strongest; null: by lot, behind those who have one */
  seed: number | null;
  /** the first round to play in */
  first_round: number;
  /** the last round that had begun when they left */
  left_after_round: number | null;
  /** rounds to sit out */
  absent_rounds: Array<number>;
  /** in the order of their seats */
  client_seeds: Array<string>;
}

/** A result as the pairing uses it; without ranks it is a bye, or still being played. */
export interface ProofResult {
  /** the number of the round it was published with */
  round: number;
  /** the match's id in the tournament */
  match: string;
  /** the round of the bracket, or of the schedule */
  bracket_round: number;
  /** 2: a rematch */
  game_number: number;
  /** 2 and more: a corrected result made the earlier ones void */
  attempt: number;
  /** one alone: a bye */
  seats: Array<number>;
  /** by seat, 1 is the best; null: a bye, or no result yet */
  ranks: Array<number> | null;
  /** of the game, by seat */
  points: Array<number>;
  /** by seat */
  eights: Array<number>;
  /** ids of entrants who did not play to the end */
  forfeits: Array<number>;
}

/** A proposal. */
export interface Proposal {
  /** to answer it by */
  id: number;
  /** what is proposed */
  kind: "partner" | "league-partner" | "replacement" | "co-organiser";
  /** whether and how it was answered */
  status: "open" | "accepted" | "declined" | "withdrawn" | "lapsed";
  /** the id of the tournament that it is about */
  tournament: string | null;
  /** the id of the league that it is about */
  league: string | null;
  /** who asks */
  proposer: string | null;
  /** who is asked */
  player: string;
  /** for whom they would play on */
  replaces: string | null;
  /** the reason; null for whoever does not organise it */
  reason: string | null;
  /** for you and, once you have agreed to play on, for everybody */
  public_note: string;
  /** what the site has sealed of its part of the shuffles, before you bring your `client_seed` */
  commitment: string | null;
  /** when it was made */
  created_at: string;
  /** null: not answered yet */
  answered_at: string | null;
  /** what you can do with it: accept, decline, withdraw */
  permissions: Array<string>;
}

/** One page of a list. */
export interface ProposalPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Proposal>;
}

/** What everybody may know of a player. */
export interface PublicPlayer {
  /** in its own spelling */
  name: string;
  /** member since */
  since: string;
  /** the name looks like another player's, or like one of the site's own */
  lookalike: boolean;
}

/** A player in the ranking. */
export interface RankedPlayer {
  /** 1 is the strongest */
  place: number;
  /** of the player */
  name: string;
  /** a beginner has 1500 */
  rating: number;
  /** by how much it may be wrong */
  uncertainty: number;
  /** rated games of this mode */
  games: number;
}

/** The ranking of a mode. */
export interface Ranking {
  /** everybody alone, or in pairs */
  mode: "singles" | "pairs";
  /** the strongest first */
  results: Array<RankedPlayer>;
}

/** A rating of a player. */
export interface Rating {
  /** everybody alone, or in pairs */
  mode: "singles" | "pairs";
  /** a beginner has 1500 */
  rating: number;
  /** by how much it may be wrong */
  uncertainty: number;
  /** rated games of this mode */
  games: number;
}

/** The change of a rating by one game. */
export interface RatingChange {
  /** everybody alone, or in pairs */
  mode: "singles" | "pairs";
  /** the id of the game */
  game: string;
  /** when the game ended */
  at: string | null;
  /** the rating before */
  before: number;
  /** the rating after */
  rating: number;
  /** by how much it may be wrong, after */
  uncertainty: number;
}

/** The ratings of a player and their changes, in pages. */
export interface RatingHistory {
  /** the next page; null: this is the last */
  next: string | null;
  /** the page before; null: this is the first */
  previous: string | null;
  /** now, one for each mode */
  ratings: Array<Rating>;
  /** what each game did, newest first */
  results: Array<RatingChange>;
}

/** The reason of a report. */
export interface Reason {
  /** what is wrong with the message, for the operator */
  reason?: string;
}

/** A whole game, which replays with nothing else. */
export interface Record {
  /** otto-record/1 */
  format: string;
  /** the id of the game */
  game: string;
  /** the edition by which it is played */
  edition: string;
  /** singles, pairs or solo */
  mode: string;
  /** rule options */
  options: GameOptions;
  /** in seat order */
  seats: Array<RecordSeat>;
  /** the rules version that the game is pinned to */
  rules: number;
  /** seats, the oldest first */
  seniority: Array<number>;
  /** how seats were numbered */
  seating: RecordSeating;
  /** what the randomness comes from */
  fairness: RecordFairness;
  /** all of them, in order */
  actions: Array<RecordAction>;
  /** null until the game is over */
  result: GameResult | null;
}

/** An action in a record. */
export interface RecordAction {
  /** 1, 2, 3 … */
  seq: number;
  /** who acted */
  seat: number;
  /** canonical action string */
  action: string;
  /** who chose it: player, clock or bot */
  by: string;
  /** when, in UTC */
  at: string;
}

/** The commitment and the seeds of a game, and of its tournament. */
export interface RecordFairness {
  /** the SHA-256 of the server seed */
  commitment: string;
  /** null until the game is over */
  server_seed: string | null;
  /** one of each seat, in seat order */
  client_seeds: Array<string>;
  /** only for a game of a tournament or league */
  event?: TournamentSeed;
}

/** A seat in a record. */
export interface RecordSeat {
  /** its number */
  seat: number;
  /** the side that it plays for */
  side: number;
  /** who sat there */
  name: string;
}

/** How seats were numbered. */
export interface RecordSeating {
  /** as-joined or shuffled */
  order: string;
  /** seats in the order in which their players joined */
  joined: Array<number>;
}

/** Request for a rematch. */
export interface Rematch {
  /** your own part of the game's randomness, without '|'; only with the commitment */
  client_seed?: string;
  /** the commitment of the rematch, if there is one and you have seen it: you take your seat */
  commitment?: string;
}

/** A removed member of a league. */
export interface Removal {
  /** of the removed player */
  name: string;
  /** the name of the organiser; null: the account was deleted */
  created_by: string | null;
  /** why, for those who organise it */
  reason: string;
  /** when they were removed */
  created_at: string;
}

/** One page of a list. */
export interface RemovalPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Removal>;
}

/** The entrant to remove. */
export interface RemoveEntrant {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** the id of the entrant */
  entrant: number;
}

/** The member to remove from a league. */
export interface RemoveLeagueMember {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** they read it in the mail that tells them */
  public_note?: string;
  /** of a player */
  name: string;
}

/** A replacement for a player of an entrant. */
export interface ReplacePlayer {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** the id of the entrant */
  entrant: number;
  /** the name of whoever plays on; null: who has waited longest on the waiting list */
  player?: string | null;
  /** 2: for the second of a pair */
  number?: number;
}

/** A published round. */
export interface Round {
  /** from 1, in the order of publication */
  number: number;
  /** when its pairings became public */
  published_at: string;
  /** when what is still played is decided by its points */
  ends_at: string | null;
  /** pairings, byes too */
  pairing_count: number;
  /** pairings that are not settled */
  open_pairing_count: number;
  /** what its organisers were warned about */
  warnings: Array<Note>;
}

/** When the round of a tournament ends and points decide an unfinished game. */
export interface RoundEnd {
  /** when the round ends */
  at: string;
  /** its name */
  tournament: string;
  /** its number; null where rounds have no numbers */
  round: number | null;
  /** the page of the tournament */
  url: string;
}

/** All published rounds. */
export interface RoundList {
  /** the first round first */
  results: Array<Round>;
}

/** The preview of the next round. */
export interface RoundPreview {
  /** whether a round can be paired now */
  state: "round" | "waiting" | "finished";
  /** its number; null: it is over */
  round: number | null;
  /** what would be published */
  pairings: Array<PlannedPairing>;
  /** what an organiser should know before */
  warnings: Array<Note>;
  /** what has to end before */
  matches: Array<string>;
  /** the name of the winner, if it is over */
  champion: string | null;
}

/** A season in a list. */
export interface Season {
  /** from 1 */
  number: number;
  /** when it began */
  started_at: string;
  /** when it ended; null before */
  finished_at: string | null;
  /** how many there are */
  divisions: number;
  /** players or pairs, in all divisions */
  players: number;
}

/** A season with its divisions. */
export interface SeasonDetail {
  /** of the season's seed; null: its events have seeds of their own */
  commitment: string | null;
  /** in hexadecimal; null until all of it is over */
  seed: string | null;
  /** from 1 */
  number: number;
  /** when it began */
  started_at: string;
  /** when it ended; null before */
  finished_at: string | null;
  /** from the top; or the one asked for */
  divisions: Array<Division>;
  /** players or pairs, in all divisions */
  players: number;
}

/** One page of a list. */
export interface SeasonPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<Season>;
}

/** A seat, who takes it, and what lies before it once the game has started. */
export interface Seat {
  /** the joining number */
  joined: number;
  /** as shown */
  name: string;
  /** the name of the account; null for guests, bots and former players */
  player: string | null;
  /** the policy of a bot */
  bot: string | null;
  /** the given name of a bot, its own in this game */
  bot_name: string | null;
  /** in pairs: the joining number of the chosen partner */
  partner: number | null;
  /** its number; null before the start */
  seat: number | null;
  /** seconds in reserve; null without a clock */
  bank: number | null;
  /** until when the seat can act, if it is on turn: the end of the turn, or that of the tournament's round if it comes first */
  deadline: string | null;
  /** the side that it plays for */
  side?: number;
  /** how many; never which */
  cards?: number;
  /** the tile that lies open before it */
  table?: string | null;
  /** false once its side has resigned */
  in_play?: boolean;
}

/** Your clock in one game. */
export interface SeatClock {
  /** the id of the game */
  game: string;
  /** your seat */
  seat: number;
  /** whether you are to act */
  on_turn: boolean;
  /** the end of the turn, or that of the tournament's round if it comes first */
  deadline: string | null;
  /** what ends at the deadline: `turn` or `round`; null without one */
  deadline_kind: string | null;
  /** seconds in reserve */
  bank: number;
  /** why the clock rests now */
  stop_reasons: Array<string>;
  /** if you never come back; null if the points decide before */
  lost_at: string | null;
  /** in a tournament: when points decide */
  round_end: RoundEnd | null;
}

/** What fills a seat of a match: a seed, a place in an earlier match, or nothing (a bye). */
export interface SeatSource {
  /** the number in the draw */
  seed: number | null;
  /** the earlier match */
  match: string | null;
  /** the place in that match */
  place: number;
}

/** A seat and who takes it. */
export interface SeatSummary {
  /** the joining number */
  joined: number;
  /** as shown */
  name: string;
  /** the name of the account; null for guests, bots and former players */
  player: string | null;
  /** the policy of a bot */
  bot: string | null;
  /** the given name of a bot, its own in this game */
  bot_name: string | null;
  /** in pairs: the joining number of the chosen partner */
  partner: number | null;
  /** its number; null before the start */
  seat: number | null;
}

/** A change of the seeds by an organiser. */
export interface SeedChange {
  /** its id in the list of decisions, which tells the order */
  decision: number;
  /** when it was made */
  at: string;
  /** the name of the organiser; null: the account was deleted */
  by: string | null;
  /** how many were seeded by hand from then on */
  count: number;
  /** whether an organiser had seen the draw by then */
  after_preview: boolean;
}

/** The seed order. */
export interface SeedOrder {
  /** ids of entrants, the strongest first; the others are drawn in behind them */
  order: Array<number>;
}

/** A notice sent about a turn, and its delivery. */
export interface SentNotice {
  /** what it is about */
  kind: string;
  /** when it was due */
  created_at: string;
  /** how it was sent */
  channel: "mail" | "webhook" | "push";
  /** in full for its reader alone */
  address: string;
  /** what became of it */
  status: string;
  /** why it was not sent, for its reader alone; else empty */
  status_reason: string;
  /** when it was sent; null: not sent */
  sent_at: string | null;
  /** when the other side may have taken it */
  submitted_at: string | null;
  /** when the other side had it, if it said so */
  delivered_at: string | null;
  /** whether the other side refused it */
  bounced: boolean;
  /** when its link was first followed */
  opened_at: string | null;
}

/** The round to sit out. */
export interface SitOutRound {
  /** the number of the round */
  round: number;
}

/** A row of the standings. */
export interface Standing {
  /** 1 is the best, level lines share it */
  rank: number;
  /** the id of the entrant */
  entrant: number;
  /** its name */
  name: string;
  /** games that count */
  played: number;
  /** rounds without an opponent */
  byes: number;
  /** whether they have left */
  withdrawn: boolean;
  /** all tie-breaks, the weightiest first */
  criteria: Array<CriterionValue>;
  /** what puts it behind the line above */
  separated_by: string | null;
  /** who played for it before */
  former_players: Array<FormerPlayer>;
}

/** Your standing orders in a game; what you leave out stays as it is. */
export interface StandingOrders {
  /** draw for you at the start of your turns */
  draw?: boolean;
  /** play the only legal placement, or the only way to play a kidnapped card */
  only?: boolean;
}

/** The standings and their columns. */
export interface Standings {
  /** the columns, the weightiest first */
  criteria: Array<CriterionColumn>;
  /** the best first; empty before the start */
  lines: Array<Standing>;
}

/** A substitution in a league. */
export interface SubstitutePlayer {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** the name of whoever leaves */
  out: string;
  /** a substitute; null: who has waited longest */
  player?: string | null;
}

/** The time control of a game. */
export interface TimeControl {
  /** one of the site's, or custom */
  name: string;
  /** seconds for a turn */
  allowance: number;
  /** seconds in reserve for the whole game */
  bank: number;
  /** seconds for a turn of a blind match */
  blind: number;
  /** when time is up: autoplay, the server plays the turn; forfeit, the side resigns */
  timeouts: string;
  /** clocks rest at the weekend */
  weekends: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins */
  nights: boolean;
  /** clocks rest on vacation */
  vacation: boolean;
  /** the end of the pause that was agreed */
  paused_until: string | null;
}

/** Your clocks and vacation. */
export interface TimeOverview {
  /** what you lose first if you stop now */
  first_loss: FirstLoss | null;
  /** planned, and saved up */
  vacation: Vacation;
  /** of all your running games, the first to be lost first */
  clocks: Array<SeatClock>;
}

/** A timeout, with the notices sent before. */
export interface Timeout {
  /** the seat in the game */
  seat: number;
  /** the id of the entrant who sits there */
  entrant: number;
  /** who played there then; null: they have left */
  player: string | null;
  /** the seq of the game when the turn began */
  turn: number;
  /** when the turn began */
  began_at: string | null;
  /** until when it lasted, as it was announced */
  deadline: string | null;
  /** what was sent of this turn, and what became of it */
  notices: Array<SentNotice>;
  /** what the clock did */
  outcome: string;
  /** the seq of the game after it */
  seq: number;
  /** when the clock did it */
  at: string;
}

/** The timeouts of a pairing. */
export interface TimeoutEvidence {
  /** oldest first */
  results: Array<Timeout>;
}

/** A personal token, without its secret. */
export interface Token {
  /** names the token in URLs */
  id: number;
  /** as you called it */
  name: string;
  /** what it may do */
  scopes: Array<string>;
  /** the token that made this one; it ends with it */
  parent: number | null;
  /** when it was made */
  created_at: string;
  /** when it ends; null if it does not by itself */
  expires_at: string | null;
  /** when it was last used, roughly */
  last_used_at: string | null;
  /** when it was revoked */
  revoked_at: string | null;
}

/** A new personal token with its secret. */
export interface TokenWithSecret {
  /** names the token in URLs */
  id: number;
  /** as you called it */
  name: string;
  /** what it may do */
  scopes: Array<string>;
  /** the token that made this one; it ends with it */
  parent: number | null;
  /** when it was made */
  created_at: string;
  /** when it ends; null if it does not by itself */
  expires_at: string | null;
  /** when it was last used, roughly */
  last_used_at: string | null;
  /** when it was revoked */
  revoked_at: string | null;
  /** shown this once */
  token: string;
}

/** A tournament. */
export interface Tournament {
  /** its code in addresses */
  id: string;
  /** as the organiser calls it */
  name: string;
  /** how entrants are paired */
  format: "knockout" | "double" | "round-robin" | "swiss";
  /** how far it is */
  status: "draft" | "published" | "running" | "finished" | "cancelled";
  /** whether entrants are single players or pairs */
  mode: "singles" | "pairs";
  /** entrants at a table, at most */
  table_size: number;
  /** the time control of its games */
  clock: string;
  /** whether its games change ratings */
  rated: boolean;
  /** the name of whoever made it; null: the account was deleted */
  organiser: string | null;
  /** entrants who have a place */
  entered: number;
  /** how many have a place; null: any number */
  capacity: number | null;
  /** when the draft was made */
  created_at: string;
  /** from when on players can enter; null: at once */
  opens_at: string | null;
  /** until when players can enter; null: until the start */
  closes_at: string | null;
  /** when it is to start; null: when an organiser starts it */
  starts_at: string | null;
  /** when it started; null before */
  started_at: string | null;
  /** when it ended; null before */
  finished_at: string | null;
  /** entrants on the waiting list */
  waiting: number;
  /** the names of those who organise it, too */
  co_organisers: Array<string>;
  /** why it waits, for those who organise it; else empty. `review`, `too-few`, `too-many-games`, `stale-at-end`, the code of its first warning, or `undecided-table`: a table came back whose game ended while it did not count, and it goes on when its result is written */
  hold_reason: string;
  /** whether it waits for them */
  waits_for_organiser: boolean;
  /** for those who organise it: what the next round has */
  warnings: Array<Note>;
  /** the newest one */
  round: Round | null;
  /** the names of the winners; empty until it is over */
  champions: Array<string>;
  /** the same as `event_commitment` */
  commitment: string;
  /** the SHA-256 of `event_seed`, public before anyone can enter */
  event_commitment: string;
  /** in hexadecimal; null until it is over */
  event_seed: string | null;
  /** where it belongs to; null: to no league */
  league: LeagueReference | null;
  /** your entry, and what you may do */
  you: TournamentViewer;
  /** what players should know */
  text: string;
  /** of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes */
  round_count: number | null;
  /** round robin: how often two meet */
  cycles: number;
  /** round robin: all rounds begin together */
  all_rounds_at_once: boolean;
  /** knock-out: how many go on from a table of 3 or 4 */
  advancing_count: number;
  /** knock-out at tables of 2 */
  third_place: boolean;
  /** starts as soon as all places are taken */
  when_full: boolean;
  /** only who has confirmed plays */
  confirmation: boolean;
  /** By invitation only */
  by_invitation: boolean;
  /** Swiss: people may come in later */
  late_entry: boolean;
  /** Lowest rating */
  min_rating: number | null;
  /** Highest rating */
  max_rating: number | null;
  /** Seeds */
  seeding: "lot" | "rating";
  /** warnings about a round wait for the organiser */
  hold_on_warnings: boolean;
  /** every round waits until the organiser has seen it */
  manual_approval: boolean;
  /** the rulebook by which it is played */
  edition: string;
  /** whether it is played with cards */
  cards: boolean;
  /** strict: whoever can close a figure must */
  obligation: string;
  /** the total of points that ends the game */
  target: number;
  /** seconds for a turn; for a custom clock */
  allowance: number;
  /** seconds in reserve; for a custom clock */
  bank: number;
  /** seconds for a turn of a blind match; half the allowance if you say none */
  blind_allowance: number | null;
  /** of a rematch */
  rematch_allowance: number;
  /** seconds in reserve for a rematch; a quarter if you say none */
  rematch_bank: number;
  /** what happens when time is up */
  timeouts: "autoplay" | "forfeit";
  /** clocks rest at the weekend */
  weekends: boolean;
  /** clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most */
  nights: boolean;
  /** clocks rest on vacation; by default unless games are quick ones */
  vacation: boolean;
  /** whether those at a table can talk */
  chat: boolean;
  /** games are for those who play them */
  private: boolean;
  /** seconds */
  round_length: number | null;
}

/** The commitment of a division group. */
export interface TournamentCommitment {
  /** the number of the division, 1 is the highest */
  division: number;
  /** the number of the group in its division */
  group: number;
  /** the SHA-256 of the seed of its event */
  event_commitment: string;
}

/** An entry into a tournament. */
export interface TournamentEntry {
  /** your own part of the shuffles, without '|'; empty: the number of your entry as text */
  client_seed?: string;
  /** in pairs: whom you play with */
  partner?: string | null;
}

/** An invite to a tournament. */
export interface TournamentInvite {
  /** of the invited player */
  name: string;
  /** when they were invited */
  at: string;
}

/** One page of a list. */
export interface TournamentInvitePage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<TournamentInvite>;
}

/** Where the seed of a tournament's game comes from. */
export interface TournamentSeed {
  /** of the tournament */
  id: string;
  /** the SHA-256 of the tournament's seed */
  commitment: string;
  /** the id of the match in the tournament */
  match: string;
  /** which game of the match */
  game: number;
  /** more than 1 where a corrected result made earlier ones void */
  attempt: number;
  /** of the tournament; null until it is over */
  seed: string | null;
}

/** A tournament in a list. */
export interface TournamentSummary {
  /** its code in addresses */
  id: string;
  /** as the organiser calls it */
  name: string;
  /** how entrants are paired */
  format: "knockout" | "double" | "round-robin" | "swiss";
  /** how far it is */
  status: "draft" | "published" | "running" | "finished" | "cancelled";
  /** whether entrants are single players or pairs */
  mode: "singles" | "pairs";
  /** entrants at a table, at most */
  table_size: number;
  /** the time control of its games */
  clock: string;
  /** whether its games change ratings */
  rated: boolean;
  /** the name of whoever made it; null: the account was deleted */
  organiser: string | null;
  /** entrants who have a place */
  entered: number;
  /** how many have a place; null: any number */
  capacity: number | null;
  /** when the draft was made */
  created_at: string;
  /** from when on players can enter; null: at once */
  opens_at: string | null;
  /** until when players can enter; null: until the start */
  closes_at: string | null;
  /** when it is to start; null: when an organiser starts it */
  starts_at: string | null;
  /** when it started; null before */
  started_at: string | null;
  /** when it ended; null before */
  finished_at: string | null;
}

/** One page of a list. */
export interface TournamentSummaryPage {
  /** the next page; null on the last one */
  next: string | null;
  /** the page before; null on the first */
  previous: string | null;
  /** in the order of the list */
  results: Array<TournamentSummary>;
}

/** The viewer's entry and permissions in a tournament. */
export interface TournamentViewer {
  /** whether you organise it */
  organiser: boolean;
  /** the id of the entrant that you play for */
  entrant: number | null;
  /** where your entrant stands; null: you have not entered */
  status: "waiting" | "entered" | "withdrawn" | "disqualified" | null;
  /** whether your entry is confirmed; null: you have not entered */
  confirmed: boolean | null;
  /** to play as a pair: what you asked or were asked, unanswered */
  proposals: Array<number>;
  /** what your games here are shuffled with, beside our seed */
  client_seed: string | null;
  /** what you may do here now */
  permissions: Array<string>;
}

/** A turn that waits for you. */
export interface Turn {
  /** the id of the game */
  game: string;
  /** your seat */
  seat: number;
  /** of the game, as you send it with your action */
  seq: number;
  /** start, stolen, place or react */
  phase: string;
  /** the end of the turn, or that of the tournament's round if it comes first */
  deadline: string | null;
  /** what ends at the deadline: `turn` or `round`; null without one */
  deadline_kind: string | null;
  /** in a tournament: when points decide */
  round_end: RoundEnd | null;
}

/** Undoes a decision. */
export interface UndoDecision {
  /** the reason: only those who organise it, and the staff of the site, can read it */
  reason?: string;
  /** everybody can read it until the decision is undone; mails about the decision quote it */
  public_note?: string;
  /** needed if the tournament is over and its final places change, or it is reopened: without it such a request is refused with `rank-changes`, and `places` says which */
  confirmed?: boolean;
}

/** Your vacation. */
export interface Vacation {
  /** seconds saved up */
  left: number;
  /** the end of the one that you are on or have planned */
  until: string | null;
  /** when it began or begins */
  from: string | null;
}

/** A webhook, without its secret. */
export interface Webhook {
  /** names the webhook in URLs */
  id: number;
  /** what is called */
  url: string;
  /** the format of the body */
  preset: "json" | "discord" | "slack";
  /** whether it is called */
  active: boolean;
  /** why it was switched off */
  disabled_reason: string;
  /** when it was made */
  created_at: string;
}

/** A webhook with its secret. */
export interface WebhookWithSecret {
  /** names the webhook in URLs */
  id: number;
  /** what is called */
  url: string;
  /** the format of the body */
  preset: "json" | "discord" | "slack";
  /** whether it is called */
  active: boolean;
  /** why it was switched off */
  disabled_reason: string;
  /** when it was made */
  created_at: string;
  /** what signs the calls, as standardwebhooks.com describes; shown this once */
  signing_secret: string;
}

/** Your seat. */
export interface YourSeat {
  /** its number */
  seat: number;
  /** the side that you play for */
  side: number;
  /** your cards, in the order received */
  hand: Array<string>;
  /** in pairs: your partner */
  partner: Partner | null;
  /** how many legal actions you have now */
  legal_count: number;
  /** your answer to an 8, decided in advance */
  eight_policy: "ask" | "use" | "keep";
  /** whether notices about this game are off */
  muted: boolean;
  /** you took this seat over and have not looked yet: take-seat shows hand and legal actions */
  hand_hidden: boolean;
  /** your standing orders, which nobody else can see */
  orders: Orders;
}
