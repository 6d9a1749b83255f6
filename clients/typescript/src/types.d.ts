// Generated from the OpenAPI document by `make schema`: do not edit.

/** The client seed to accept a proposal with. */
export interface AcceptProposal {
  /** Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your entry. */
  client_seed?: string;
}

/** A new action, as the log has it. */
export interface ActionLine {
  /** The kind of this line. */
  event: "action";
  /** The cursor: send it as `Last-Event-ID` to go on after this line. */
  id: string;
  /** The action with its events. */
  data: LogLine;
}

/** Request to add a bot. */
export interface AddBot {
  /** How the bot plays, from `random` up to `planner`, the strongest. */
  policy?: "random" | "greedy" | "planner";
  /** In pairs: true to seat them opposite you. */
  partner?: boolean;
}

/** A seat answered an 8. */
export interface AnsweredEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "answered";
  /** The card that protects the points, or `pass`. */
  answer: "8" | "CV=8" | "pass";
}

/** An appeal and its answer. */
export interface Appeal {
  /** Its number in addresses of the API. */
  id: number;
  /** The `id` of the pairing that it is about. */
  pairing: number;
  /** The match of that pairing, as in the records of its games. */
  match: string;
  /** The name of the player who filed it; null if the account was deleted. */
  created_by: string | null;
  /** When it was filed. */
  created_at: string;
  /** What the player says. */
  text: string;
  /** The organiser's answer; null until then. */
  answer: string | null;
  /** The name of the organiser who answered. */
  answered_by: string | null;
  /** When it was answered; null until then. */
  answered_at: string | null;
}

/** A player appeals to you as organiser, or your appeal was answered. */
export interface AppealEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The match in the tournament. */
  match: string;
  /** The `id` of the appeal. */
  appeal: number;
  /** True if it was answered, otherwise null. */
  answered: boolean | null;
}

/** A player appeals to you as organiser, or your appeal was answered. */
export interface AppealFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-appeal";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: AppealEntryDetails;
}

/** One page of a list. */
export interface AppealPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Appeal>;
}

/** The text of an appeal or of its answer. */
export interface AppealText {
  /** The text. */
  text: string;
}

/** Seats were asked whether they protect their points against an 8. */
export interface AskedEvent {
  /** What happened. */
  event: "asked";
  /** The seats that can answer. */
  seats: Array<number>;
}

/** The board. */
export interface Board {
  /** The tiles on the board, by the name of their cell, `a1` to `e5`. */
  cells: { [key: string]: Cell };
  /** The closed figures. */
  figures: Array<Figure>;
}

/** A bot: an account that a program plays for. */
export interface Bot {
  /** The name of the bot. */
  name: string;
  /** The player who runs it; null if their account was deleted. */
  owner: string | null;
  /** How the bot plays, in its owner's words. */
  about: string;
  /** Whether it is in the list of bots and takes challenges. */
  takes_challenges: boolean;
  /** Whether it plays with secret cards. */
  plays_cards: boolean;
  /** The most unfinished games and invitations with which it still takes challenges. */
  max_games: number;
  /** The rating among bots, in games of single players; null for none yet. */
  rating: number | null;
  /** Whether its program sent a request in the last minutes. */
  is_online: boolean;
  /** When its program last sent a request, to within some minutes. */
  last_seen_at: string | null;
  /** When the account became a bot. */
  declared_at: string;
}

/** Request to declare your account a bot. */
export interface BotDeclaration {
  /** The owner code, from the player who runs the bot. */
  owner_code: string;
  /** The name of your account, to confirm. */
  confirmation: string;
}

/** The bracket. */
export interface Bracket {
  /** All matches, future ones too. Empty before the start. */
  matches: Array<BracketMatch>;
  /** The name of the winner; null until there is one. */
  champion: string | null;
}

/** A match of the bracket. */
export interface BracketMatch {
  /** The match in the tournament, as in the records of its games. */
  match: string;
  /** The part of the bracket that it is in. */
  bracket: "main" | "winners" | "losers" | "final" | "third";
  /** The number of the round within that part. */
  round: number;
  /** The stage over all parts of the bracket. Leaving in a later stage is a better result. */
  stage: number;
  /** Its status. */
  state: string;
  /** Whether a correction has changed its players while the old table still stands. */
  pending: boolean;
  /** How many entrants go on from this match. */
  advancing_count: number;
  /** The seats of the match, in the order of their sources. */
  seats: Array<BracketSeat>;
  /** How it was decided, if not by its game alone. */
  notes: Array<Note>;
  /** The `id` of each of its games, in order. */
  games: Array<string>;
}

/** A seat of a bracket match. */
export interface BracketSeat {
  /** The `id` of the entrant; null until it is known. */
  entrant: number | null;
  /** The name of the entrant; null until it is known. */
  name: string | null;
  /** The place in this match; null until it is decided. */
  place: number | null;
  /** Where this seat is filled from. */
  source: SeatSource;
}

/** You have no opponent in a round. */
export interface ByeEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The match in the tournament. */
  match: string;
  /** The number of the round in the bracket. */
  bracket_round: number;
}

/** You have no opponent in a round. */
export interface ByeFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-bye";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: ByeEntryDetails;
}

/** A date in the calendar of a league. */
export interface CalendarEntry {
  /** The kind of date. */
  kind: "season-began" | "round-ends" | "season-ends" | "season-ended" | "next-season";
  /** The number of the season. */
  season: number;
  /** When it is; null if it depends on the last games. */
  at: string | null;
  /** Whether it has passed. */
  past: boolean;
  /** With `round-ends`: the number of the round. */
  round: number | null;
}

/** An open game that you had joined was cancelled. */
export interface CancelledEntryDetails {
  /** The `id` of the game. */
  game: string;
}

/** An open game that you had joined was cancelled. */
export interface CancelledFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "cancelled";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: CancelledEntryDetails;
}

/** A kind of secret card. */
export interface Card {
  /** Its code, with which the actions that play it begin; the card `OO` is played as `8`. */
  id: string;
  /** How many there are. */
  count: number;
}

/** A tile on the board. */
export interface Cell {
  /** The letter of the tile, A to J. */
  tile: string;
  /** The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270. */
  rotation: number;
}

/** Request to challenge a bot. */
export interface Challenge {
  /** Whether to play with secret cards. Not every bot does. */
  cards?: boolean;
  /** The time control. */
  clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live";
  /** Whether the game counts for the ratings of bots. Only a bot can ask for this. */
  rated?: boolean;
}

/** A final rank that a correction would change. */
export interface ChangedPlace {
  /** The `id` of the entrant. */
  entrant: number;
  /** The name of the entrant. */
  name: string;
  /** The final rank until now. */
  before: number;
  /** The final rank after the correction. */
  after: number;
}

/** A chat message. */
export interface ChatMessage {
  /** Its number in addresses of the API. */
  id: number;
  /** The name of the player who wrote it. */
  name: string;
  /** Whether a bot wrote it. */
  is_bot: boolean;
  /** The message as plain text; empty if an operator has hidden it. */
  text: string;
  /** When it was sent. */
  at: string;
}

/** Request to choose your partner. */
export interface ChosenPartner {
  /** The joining number of your partner, who has a seat already and may be a bot. */
  joined?: number | null;
  /** Or the name of a player who has a seat, or whom you have invited. */
  name?: string;
}

/** A new client seed. */
export interface ClientSeed {
  /** Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your entry. */
  client_seed: string;
}

/** A corrected result. */
export interface CorrectResult {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** Send true to change final ranks or to reopen a tournament that is over. Otherwise such a request gets `rank-changes`, and `places` lists the changes. */
  confirmed?: boolean;
  /** The `id` of the pairing. */
  pairing: number;
  /** The rank of each seat, in seat order; 1 is the best. Equal results share a rank. */
  ranks: Array<number>;
  /** The points of each seat in the game, in seat order. Omit them to keep those of the game. */
  points?: Array<number> | null;
  /** How many times each seat made an 8, in seat order. Omit them to keep those of the game. */
  eights?: Array<number> | null;
  /** The `id` of each entrant that did not play to the end. */
  forfeits?: Array<number>;
}

/** A result before and after a correction. */
export interface CorrectedResult {
  /** The `id` of the decision. */
  decision: number;
  /** When it was corrected. */
  at: string;
  /** The `id` of the pairing. */
  pairing: number | null;
  /** The result by which rounds were paired until then. */
  before: StoredResult | null;
  /** The result by which rounds are paired from then on. */
  after: StoredResult | null;
}

/** A column of the standings. */
export interface CriterionColumn {
  /** The name of the criterion, as in the lines. */
  key: string;
  /** The heading of the column, in your language. */
  name: string;
  /** What the criterion means, in your language. */
  explanation: string;
}

/** The value of a criterion in the standings; null where it does not apply. */
export interface CriterionValue {
  /** The name of the criterion. `criteria` of the standings explains it. */
  key: string;
  /** The value; null where the criterion does not apply. */
  value: number | null;
}

/** Two dark tiles of a seat left the match. */
export interface DarkTilesLeftEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "dark tiles left";
  /** The new table tile of the seat; null if the tower is empty. */
  table: string | null;
  /** Whether the seat got a card for them. */
  card: boolean;
}

/** A decision of an organiser. */
export interface Decision {
  /** The number of the decision. Later decisions have greater numbers. */
  id: number;
  /** When it was made. */
  created_at: string;
  /** The name of the organiser; null if the account was deleted. */
  created_by: string | null;
  /** What was decided: `edit`, `seeds`, `preview`, `proceed`, `extend`, `correct`, `disqualify`, `replace`, `remove`, `cancel`, `co-organiser`, or `undo-` with one of these. */
  action: string;
  /** The reason; null unless you are an organiser. */
  reason: string | null;
  /** The note for everybody; empty once the decision was undone. */
  public_note: string;
  /** The `id` of the pairing that it is about. */
  pairing: number | null;
  /** The `id` of the entrant that it is about. */
  entrant: number | null;
  /** The name of the player who plays or organises from then on. */
  player: string | null;
  /** The name of the player whom they replace. */
  was: string | null;
  /** Of a correction: the new result. */
  result: StoredResult | null;
  /** Of a correction: the old result. */
  result_before: StoredResult | null;
  /** Of an extension: the new end of the round. */
  until: string | null;
  /** Of an edit: the names of the settings that changed. */
  changed: { [key: string]: unknown } | null;
  /** Of `seeds`: the entrants seeded by hand, in order. */
  seeds: Array<number> | null;
  /** True if the decision changed the draw before the start (`seeds`, `edit`, `remove`, `replace`) after an organiser had seen it. */
  after_preview: boolean;
  /** The `id` of the decision that it undoes. */
  undoes: number | null;
  /** Whether a later decision undoes it. */
  undone: boolean;
}

/** One page of a list. */
export interface DecisionPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Decision>;
}

/** The reason and the public note of a decision. */
export interface DecisionReason {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
}

/** A mail, webhook call or push message, and its status. */
export interface Delivery {
  /** The number of the delivery. */
  id: number;
  /** The channel that it goes through. */
  by: "mail" | "webhook" | "push";
  /** The `id` of the webhook that is called; null for other channels. */
  webhook: number | null;
  /** The kind of notification, such as `turn`, `reminder`, `started`, `timeout`, `over`, `digest` or `test`. */
  kind: string;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** Its status. */
  status: "waiting" | "sent" | "dropped" | "failed" | "bounced" | "uncertain";
  /** Why it has this status, in your language. */
  status_reason: string | null;
  /** The number of attempts. */
  attempts: number;
  /** Your email address, or the host of your webhook. */
  to: string;
  /** When it was planned. */
  created_at: string;
  /** When the other side accepted it. */
  sent_at: string | null;
  /** When the other side may have accepted it; null if it certainly has not. */
  submitted_at: string | null;
  /** When the mail provider reported that it arrived. */
  delivered_at: string | null;
  /** When we try again; null if we do not. */
  next_attempt_at: string | null;
}

/** The entrant to disqualify. */
export interface DisqualifyEntrant {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** The `id` of the entrant. */
  entrant: number;
}

/** A division of a season. */
export interface Division {
  /** The number of the division; 1 is the highest. */
  number: number;
  /** How many players or pairs are in it. */
  size: number;
  /** How many are promoted. */
  up: number;
  /** How many are relegated. */
  down: number;
  /** Whether the season is over. */
  final: boolean;
  /** The groups in which the division is played. */
  groups: Array<DivisionGroup>;
  /** The players or pairs, the best first. */
  placements: Array<DivisionPlacement>;
}

/** A group of a division. */
export interface DivisionGroup {
  /** The number of the group in its division. */
  group: number;
  /** The `id` of the tournament in which it is played. */
  tournament: string;
  /** The status of its tournament. */
  status: "draft" | "published" | "running" | "over" | "cancelled";
  /** The number of the newest round; 0 before the first. */
  round: number;
}

/** A placement in a division. */
export interface DivisionPlacement {
  /** The rank now, or at the end of the season. */
  rank: number;
  /** The position at the start of the season, counted from the top. */
  start_position: number;
  /** The `id` of the entrant in its tournament. */
  entrant: number | null;
  /** The name of the player, or of both players of a pair. */
  name: string;
  /** The names of its players. */
  players: Array<string>;
  /** The number of their group. */
  group: number;
  /** Why they are in this division. */
  reason: Note;
  /** The reason as a sentence, in your language. */
  words: string;
  /** How many games count. */
  played: number;
  /** The points in the standings. */
  points: number;
  /** The points of all games together. */
  game_points: number;
  /** How many times they made an 8. */
  eights: number;
  /** Whether they have left. */
  withdrawn: boolean;
  /** Where they go if the season ended now: up, down, or neither. */
  heading: string | null;
}

/** A preview of the draw by an organiser. */
export interface DrawPreview {
  /** When that organiser first looked at the draw. */
  at: string;
  /** The name of the organiser; null if the account was deleted. */
  by: string | null;
}

/** A seat drew a tile from the tower. */
export interface DrewEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "drew";
  /** The letter of the tile, A to J. */
  tile: string;
}

/** An edition of the game. */
export interface Edition {
  /** Names the edition in URLs and in games. */
  id: string;
  /** The title for people. */
  title: string;
  /** Whether it is the default of new games. */
  is_default: boolean;
  /** Readers of these languages get its rules first. */
  languages: Array<string>;
  /** The rules versions that the site supports for it. */
  rules_versions: Array<number>;
  /** The number of players, by mode. */
  modes: { [key: string]: Array<number> };
  /** The choices of `obligation`. */
  obligations: Array<"strict" | "lenient">;
  /** Cells and frame. */
  board: EditionBoard;
  /** The tiles, in the order that the shuffle starts from. */
  tiles: Array<Tile>;
  /** The cards, in the order that the shuffle starts from. */
  deck: Array<Card>;
  /** How many markers of each value a side has in a match. */
  markers: { [key: string]: number };
  /** The figures that can be closed, by value. */
  figures: Array<FigureValue>;
  /** The rules in which editions differ. */
  rules: RuleVariants;
}

/** The board at the start of a match. */
export interface EditionBoard {
  /** The cells, column by column from the left, each column from below: the order in place names. */
  cells: Array<string>;
  /** The cell that has a tile from the start, which never moves. */
  centre_cell: string;
  /** The letter of that tile, at rotation 0; it is not one of those in the tower. */
  centre_tile: string;
  /** The vertices of the border that have a shape. */
  frame: Array<FrameMark>;
}

/** Your answer to an 8, decided in advance. */
export interface EightPolicy {
  /** How you answer an 8: `use` the card, `keep` it, or `ask` you each time. */
  eight_policy: "ask" | "use" | "keep";
}

/** The tournament is over, or a correction has changed your final rank. */
export interface EndEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** Your final rank before the correction; null if none. */
  before: number | null;
  /** Your final rank after the correction; null if none. */
  after: number | null;
}

/** The tournament is over, or a correction has changed your final rank. */
export interface EndFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-end";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: EndEntryDetails;
}

/** The last line: the game is over for you, and the stream closes. */
export interface EndLine {
  /** The kind of this line. */
  event: "end";
  /** Always null: there is nothing to resume. */
  id: string | null;
  /** Why the stream ends. */
  data: EndReason;
}

/** The reasons for which a stream ends. */
export interface EndReason {
  /** The status of the game, `over` or `cancelled`; or `not-found` if you may no longer see it. */
  reason: "over" | "cancelled" | "not-found";
}

/** An entrant: a player or a pair. */
export interface Entrant {
  /** The number of the entrant in pairings and standings. */
  id: number;
  /** The name of the player, or of both players of a pair. */
  name: string;
  /** The names of its players, in seat order. */
  players: Array<string>;
  /** The names of its players that are bots. */
  bots: Array<string>;
  /** Whether it takes part, is on the waiting list, or has left. */
  status: "waiting" | "entered" | "withdrawn" | "disqualified";
  /** The seed; 1 is the strongest. Null: drawn by lot, behind those who have one. */
  seed: number | null;
  /** The first round that it plays in. */
  first_round: number;
  /** The last round that had begun when it left; null while it takes part. */
  left_after_round: number | null;
  /** The numbers of the rounds that it sits out. */
  absent_rounds: Array<number>;
  /** Whether the entry is confirmed. */
  confirmed: boolean;
  /** The client seeds of those who play for it, in seat order. */
  client_seeds: Array<string>;
  /** The final rank; null until the end. */
  rank: number | null;
  /** The players who were replaced. They keep their results. */
  former_players: Array<FormerPlayer>;
}

/** One page of a list. */
export interface EntrantPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Entrant>;
}

/** A new entry of your feed. */
export interface EntryLine {
  /** The kind of this line. */
  event: "entry";
  /** The cursor: send it as `Last-Event-ID` to go on after this line. */
  id: string;
  /** The entry. */
  data: FeedEntry;
}

/** A new end of a round. */
export interface ExtendRound {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** The number of the round, as in the list of rounds. */
  round: number;
  /** When the round is to end. */
  until: string;
}

/** A webhook call that failed and will be tried again. */
export interface FailingCall {
  /** Names the delivery; the header `webhook-id` of the call. */
  id: number;
  /** The kind of notification. */
  kind: string;
  /** The game that it is about, if any: its later calls wait for this one. */
  game: string | null;
  /** The number of attempts. */
  attempts: number;
  /** Why the last attempt failed, in your language. */
  last_error: string;
  /** When we try again. */
  next_attempt_at: string;
}

/** The commitment and the seeds of a game. */
export interface Fairness {
  /** The SHA-256 of the server seed, in hexadecimal. */
  commitment: string;
  /** The server seed in hexadecimal; null until the game is over. */
  server_seed: string | null;
  /** The client seed of each seat, in seat order. */
  client_seeds: Array<string>;
}

/** Everything that the pairings follow from. */
export interface FairnessProof {
  /** How entrants that are not seeded by hand get their numbers; `division` is the order in a league. */
  seeding: "lot" | "rating" | "division";
  /** False if the tournament was made before seeds set by hand and previews were logged. */
  seeds_logged: boolean;
  /** The `id` of each entrant that was seeded by hand, the first seed first. */
  seeded_by_hand: Array<number>;
  /** The last 100 changes of seeds by organisers, oldest first. */
  seed_changes: Array<SeedChange>;
  /** The organisers who saw the draw before the start. */
  previews: Array<DrawPreview>;
  /** The `id` of the tournament, from which the lots are derived. */
  id: string;
  /** The SHA-256 of the seed, which was public before anyone could enter. */
  commitment: string;
  /** The seed in hexadecimal; null until the tournament is over. */
  seed: string | null;
  /** The same as `commitment`. */
  event_commitment: string;
  /** The same as `seed`. */
  event_seed: string | null;
  /** How we pair entrants: knock-out, double knock-out, round robin or Swiss. */
  format: string;
  /** How many entrants sit at a table at most, 2 to 4. */
  table_size: number;
  /** All entrants that were ever paired. */
  entrants: Array<ProofEntrant>;
  /** The results of all pairings that count, in the order of publication. */
  results: Array<ProofResult>;
  /** The results that were changed, oldest first. */
  corrections: Array<CorrectedResult>;
  /** The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes. */
  round_count: number | null;
  /** Round robin: how many times two entrants meet. */
  cycles: number;
  /** Round robin: whether all rounds begin together. */
  all_rounds_at_once: boolean;
  /** Knock-out: how many entrants go on from a table of 3 or 4. */
  advancing_count: number;
  /** Knock-out at tables of 2: whether the third place is played for. */
  third_place: boolean;
}

/** A page of your feed. */
export interface Feed {
  /** The cursor. Send it as `after` to get the next entries. */
  after: number;
  /** The items, in order. */
  results: Array<FeedEntry>;
}

/** The private addresses of your feeds. */
export interface FeedAddresses {
  /** The address of an Atom feed with the turns that wait for you. */
  turns: string;
  /** The address of an iCalendar file with your deadlines. */
  deadlines: string;
}

export type FeedEntry = TurnFeedEntry | PositionFeedEntry | OverFeedEntry | TimeoutFeedEntry | VacationFeedEntry | ShootOutFeedEntry | CancelledFeedEntry | PauseFeedEntry | PauseDeclinedFeedEntry | InvitedFeedEntry | NamedFeedEntry | OrdersFeedEntry | TournamentFeedEntry | ProposalFeedEntry | PlaceFeedEntry | NewcomerFeedEntry | PairingFeedEntry | RoundEndFeedEntry | ByeFeedEntry | ResultFeedEntry | TableChangeFeedEntry | EndFeedEntry | NoteFeedEntry | OutFeedEntry | ReplacedFeedEntry | HeldFeedEntry | AppealFeedEntry | LeagueFeedEntry;

/** The position of a feed. */
export interface FeedState {
  /** The `id` of the last entry before this stream; 0 if there is none. */
  after: number;
  /** How many games wait for a move of yours. */
  turns_waiting: number;
}

export type FeedStreamLine = SnapshotLine | EntryLine;

/** A closed figure. */
export interface Figure {
  /** The kind of figure: `small circle`, `circle`, `square` or `infinity`. */
  kind: "small circle" | "circle" | "square" | "infinity";
  /** The cells that it lies on, as `b3+c3`; with `frame` at the border. */
  place: string;
  /** The points that it is worth. */
  value: number;
  /** The side whose marker is on it, or that made the 8; null without a marker. */
  side: number | null;
  /** True if nobody may mark it any more in this match; its points are lost. */
  lost: boolean;
}

/** A figure was closed (`closed`), an unmarked one marked later (`claimed`) or lost (`lost figure`). */
export interface FigureEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "closed" | "claimed" | "lost figure";
  /** The side whose marker is on the figure; null if it stays unmarked. */
  side: number | null;
  /** The kind of figure. */
  kind: "small circle" | "circle" | "square" | "infinity";
  /** The cells that the figure lies on, as `b3+c3`; with `frame` at the border. */
  place: string;
  /** The points that the figure is worth. */
  value: number;
}

/** A kind of figure. */
export interface FigureValue {
  /** As in the figures of a board. */
  kind: "small circle" | "circle" | "square" | "infinity";
  /** Points. */
  value: number;
}

/** The first game you would lose on time. */
export interface FirstLoss {
  /** The `id` of the game. */
  game: string;
  /** When you would lose it. */
  at: string;
}

/** A player who was replaced. */
export interface FormerPlayer {
  /** 1, or 2 for the second player of a pair. */
  position: number;
  /** The name of the player; null if the account was deleted. */
  player: string | null;
  /** The round from which on somebody else has played. */
  since_round: number;
}

/** The mark of the frame at a vertex of the border. */
export interface FrameMark {
  /** As in the figures of a board: frame and its cells. */
  place: string;
  /** The cells that meet there; one at a corner of the board, else two. */
  cells: Array<string>;
  /** The figure that these cells close with the frame if all have a quarter of it. */
  shape: "circle" | "square";
}

/** A game as you may see it. */
export interface Game {
  /** The id of the game, as in addresses. */
  id: string;
  /** The state of the game: open to players, running, in a tie-break, over or cancelled. */
  status: "open" | "running" | "tiebreak" | "over" | "cancelled";
  /** How it is played: `singles`, `pairs` or `solo`. */
  mode: "singles" | "pairs" | "solo";
  /** The edition of the rules. */
  edition: string;
  /** The rule options. */
  options: GameOptions;
  /** The time control. */
  clock: TimeControl;
  /** How seats are numbered at the start: `as-joined` or `shuffled`. */
  order: "as-joined" | "shuffled";
  /** Whether only invited players can see and join it. */
  private: boolean;
  /** Whether it counts for ratings. */
  rated: boolean;
  /** Whether pages and mails show where a figure can be closed. */
  hints: boolean;
  /** Whether bot accounts may take a seat. */
  bots_allowed: boolean;
  /** How many players it takes, 1 to 4. */
  seats_wanted: number;
  /** When it was created. */
  created_at: string;
  /** The end of the turn, or of the tournament's round if that comes first; null if no clock runs. */
  deadline: string | null;
  /** What ends at the deadline: `turn` or `round`; null without a deadline. */
  deadline_kind: "turn" | "round" | null;
  /** In a tournament: when points decide the game. Null otherwise. */
  round_end: RoundEnd | null;
  /** The number of the last action; 0 before any. */
  seq: number;
  /** What kind of action is expected: `start`, `stolen`, `place`, `react`, or `over`; null before the start. */
  phase: "start" | "stolen" | "place" | "react" | "over" | null;
  /** The number of the current match; 0 before the start. */
  match: number;
  /** The seats that have a decision to make. There can be several during `react`. */
  to_act: Array<number>;
  /** The tiles and figures on the board. */
  board: Board;
  /** The tile that was drawn and has to be placed; null if there is none. */
  drawn: string | null;
  /** How many markers are left, by side and value. */
  markers: { [key: string]: { [key: string]: number } };
  /** The points of finished matches, by side. */
  totals: { [key: string]: number };
  /** How many tiles are left in the tower. */
  tower_left: number;
  /** How many cards are left in the deck. */
  deck_left: number;
  /** The kind of the current match: `normal`, `blind` or `solo`. */
  kind: "normal" | "blind" | "solo" | null;
  /** The seat whose turn it is. */
  turn: number | null;
  /** Whether this is that seat's second turn in a row. */
  second_turn: boolean;
  /** The kidnapped card that has to be played; null if there is none. */
  stolen: string | null;
  /** The points of the current match so far, by side. */
  points: { [key: string]: number };
  /** The cards that were played in this game, in order. */
  played: Array<string>;
  /** The tiles that left the current match. */
  removed_tiles: Array<string>;
  /** The sides that have protected their points against an 8. */
  protected: Array<number>;
  /** With the obligation `lenient`: the sides that passed up a duty in this match, ascending. They get no points for a table tile in it. Empty in games of rules version 1. */
  missed_duty: Array<number>;
  /** The matches that were scored, in order. */
  matches: Array<MatchResult>;
  /** The rounds of a shoot-out: the tile that each side drew. */
  shootout: Array<{ [key: string]: string }>;
  /** The side that won. Null while the game runs, for a draw, and for a lost solo game. */
  winner: number | null;
  /** The version of the rules, which never changes for this game. */
  rules: number;
  /** Whether the players can chat. */
  chat: boolean;
  /** When the game is cancelled if it has not started by then; null once it has. */
  expires_at: string | null;
  /** When the last player joined; null before. */
  started_at: string | null;
  /** When it ended; null before. */
  finished_at: string | null;
  /** What decided the game, or why one side was left; null until it is over. */
  reason: "target" | "blind match" | "blind eight" | "shoot-out" | "level" | "resigned" | "solo won" | "solo lost" | null;
  /** The commitment and the seeds that all chance follows from. */
  fairness: Fairness;
  /** The players in seat order; before the start in the order in which they joined. */
  seats: Array<Seat>;
  /** Your joining number; null if you do not play. */
  joined: number | null;
  /** What you may do with the game now. Reserved seats, a proposed pause and your own limits are only checked when you do it. */
  permissions: Array<"join" | "leave" | "cancel" | "invite" | "add-bot" | "choose-partner" | "play" | "resign" | "take-seat" | "set-eight-policy" | "set-orders" | "propose-pause" | "answer-pause" | "chat" | "mute" | "rematch">;
  /** Your own seat, with your hand. Absent if you have no seat, and before the start. */
  you?: YourSeat;
}

export type GameEvent = MatchBeganEvent | DrewEvent | PlacedEvent | FigureEvent | InfinityEvent | AskedEvent | AnsweredEvent | PlayedEvent | KidnappedEvent | LostCardEvent | NewTilesEvent | DarkTilesLeftEvent | TurnEvent | MatchEndedEvent | ShootOutEvent | ResignedEvent | GameOverEvent;

/** Your view of the game. It comes first, and again after every change. */
export interface GameLine {
  /** The kind of this line. */
  event: "game";
  /** The cursor: send it as `Last-Event-ID` to go on after this line. */
  id: string;
  /** The view of the game. */
  data: Game;
}

/** Your note on a game. */
export interface GameNote {
  /** The text of your note; empty if there is none. */
  text: string;
  /** When you last changed it; null if there is none. */
  updated_at: string | null;
}

/** The rule options of a game. */
export interface GameOptions {
  /** Whether secret cards are played. */
  cards: boolean;
  /** `strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need not. */
  obligation: "strict" | "lenient";
  /** The points that a side needs to end the game. */
  target: number;
  /** The first match with cards, 1 or 2; not in games of rules version 1. */
  cards_from?: number;
  /** The oldest player: account, by the age of accounts, or lot; not in games of rules version 1. */
  seniority?: "account" | "lot";
}

/** The game ended. */
export interface GameOverEvent {
  /** What happened. */
  event: "game over";
  /** The side that won; null for a draw and for a lost solo game. */
  winner: number | null;
  /** The points of all matches, by side. */
  totals: { [key: string]: number };
}

/** The result of a game. */
export interface GameResult {
  /** The side that won; null for a draw and for a lost solo game. */
  winner: number | null;
  /** The points, by side. */
  totals: { [key: string]: number };
  /** The matches that were scored, in order. */
  matches: Array<MatchResult>;
  /** The rounds of a shoot-out: the tile that each side drew. */
  shootout: Array<{ [key: string]: string }>;
}

export type GameStreamLine = GameLine | ActionLine | MessageLine | EndLine;

/** A game in a list. */
export interface GameSummary {
  /** The id of the game, as in addresses. */
  id: string;
  /** The state of the game: open to players, running, in a tie-break, over or cancelled. */
  status: "open" | "running" | "tiebreak" | "over" | "cancelled";
  /** How it is played: `singles`, `pairs` or `solo`. */
  mode: "singles" | "pairs" | "solo";
  /** The edition of the rules. */
  edition: string;
  /** The rule options. */
  options: GameOptions;
  /** The time control. */
  clock: TimeControl;
  /** How seats are numbered at the start: `as-joined` or `shuffled`. */
  order: "as-joined" | "shuffled";
  /** Whether only invited players can see and join it. */
  private: boolean;
  /** Whether it counts for ratings. */
  rated: boolean;
  /** Whether pages and mails show where a figure can be closed. */
  hints: boolean;
  /** Whether bot accounts may take a seat. */
  bots_allowed: boolean;
  /** How many players it takes, 1 to 4. */
  seats_wanted: number;
  /** When it was created. */
  created_at: string;
  /** The end of the turn, or of the tournament's round if that comes first; null if no clock runs. */
  deadline: string | null;
  /** What ends at the deadline: `turn` or `round`; null without a deadline. */
  deadline_kind: "turn" | "round" | null;
  /** In a tournament: when points decide the game. Null otherwise. */
  round_end: RoundEnd | null;
  /** The number of the last action; 0 before any. */
  seq: number;
  /** The seats that have a decision to make. */
  to_act: Array<number>;
  /** The side that won. Null while the game runs, for a draw, and for a lost solo game. */
  winner: number | null;
  /** The SHA-256 of the server seed, in hexadecimal. */
  commitment: string;
  /** Points of finished matches by side; empty before the start. */
  totals: { [key: string]: number };
  /** What decided the game, or why one side was left; null until it is over. */
  reason: "target" | "blind match" | "blind eight" | "shoot-out" | "level" | "resigned" | "solo won" | "solo lost" | null;
  /** When the last player joined. */
  started_at: string | null;
  /** When it ended. */
  finished_at: string | null;
  /** The players. */
  seats: Array<SeatSummary>;
}

/** One page of a list. */
export interface GameSummaryPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<GameSummary>;
}

/** The tournament waits for you, its organiser. */
export interface HeldEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** What it waits for. */
  reason: string;
  /** Why the next round needs your approval. */
  warnings: Array<Note>;
}

/** The tournament waits for you, its organiser. */
export interface HeldFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-held";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: HeldEntryDetails;
}

/** A seat made an 8, which ends the match. */
export interface InfinityEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "infinity";
  /** The side that made the 8. */
  side: number;
  /** The cell of the crossing, `a1` to `e5`. */
  cell: string;
}

/** An invitation to a game. */
export interface Invitation {
  /** The `id` of the game. */
  game: string;
  /** The SHA-256 of the game's server seed, in hexadecimal. */
  commitment: string;
  /** The name of the player who invites. */
  by: string;
  /** Whether a bot invites. */
  by_bot: boolean;
  /** Whether bots may play. If so, join with `accept_bots`. */
  bots_allowed: boolean;
  /** The name of the invited player; null if an email address was invited. */
  name: string | null;
  /** In pairs: whether the invited player becomes the inviting player's partner. */
  partner: boolean;
  /** When the invitation was sent. */
  created_at: string;
}

/** Request to invite a player, by name or by email. */
export interface Invite {
  /** The name of a player. */
  name?: string;
  /** Or an email address, which gets a link. */
  email?: string;
  /** In pairs: true to seat them opposite you. */
  partner?: boolean;
}

/** Somebody invites you to a game. */
export interface InvitedEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The name of the player who invites you. */
  by: string;
  /** In pairs: whether you are invited as partner. */
  partner: boolean;
}

/** Somebody invites you to a game. */
export interface InvitedFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "invited";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: InvitedEntryDetails;
}

/** Request to join a game. */
export interface Join {
  /** Your part of the game's randomness: 1 to 64 characters without `|`. If it is empty, we use your joining number. */
  client_seed?: string;
  /** The token of an invitation link, if you have one. */
  invitation?: string;
  /** Whether you agree to play with bots. Required if `bots_allowed`, unless the game is yours. */
  accept_bots?: boolean;
}

/** A seat took a card from another hand. */
export interface KidnappedEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "kidnapped";
  /** The seat that lost the card. */
  victim: number;
  /** The two letters of the card, which is played at once and therefore public. */
  card: string;
}

/** A league. */
export interface League {
  /** The id, as in addresses of pages and of the API. */
  id: string;
  /** The name that the organiser gave it. */
  name: string;
  /** Its status. */
  status: "open" | "running" | "closed";
  /** Whether members play alone or in pairs. */
  mode: "singles" | "pairs";
  /** How many entrants sit at a table at most, 2 to 4. */
  table_size: number;
  /** The time control of its games. */
  clock: string;
  /** Whether its games count for ratings. */
  rated: boolean;
  /** How many players or pairs a division has. */
  division_size: number;
  /** The name of the organiser; null if the account was deleted. */
  organiser: string | null;
  /** The number of members who play in the next season. */
  members: number;
  /** The number of substitutes. */
  substitutes: number;
  /** The number of the newest season; null before the first. */
  season: number | null;
  /** Your own membership; null if you never joined. */
  membership: "member" | "substitute" | "out" | null;
  /** In pairs: the name of your partner. */
  partner: string | null;
  /** When it was made. */
  created_at: string;
  /** The names of the co-organisers. */
  co_organisers: Array<string>;
  /** The SHA-256 of its seed, public from the start. */
  commitment: string;
  /** The seed in hexadecimal; null until the league is closed. */
  seed: string | null;
  /** The parts of the next season that are already fixed; null if none follows. */
  next_season: NextSeason | null;
  /** The dates of the current season, in order. */
  calendar: Array<CalendarEntry>;
  /** Your membership, and what you may do. */
  you: LeagueViewer;
  /** A text for the players, without formatting. */
  text: string;
  /** How a season is played: everybody against everybody else in the division, or Swiss rounds. */
  format: "round-robin" | "swiss";
  /** Swiss: the number of rounds. */
  round_count: number | null;
  /** How many are promoted, and relegated, after a season. */
  promotion_count: number;
  /** How many groups a division has. */
  groups_per_division: number;
  /** How many times two members meet in a season. */
  cycles: number;
  /** Whether all rounds of a season begin together. */
  all_rounds_at_once: boolean;
  /** Where new members begin: in the lowest division, or by their rating. */
  newcomer_policy: "bottom" | "rating";
  /** The time between two seasons, in seconds. */
  season_pause_seconds: number;
  /** How many seasons are played; null for no limit. */
  season_limit: number | null;
  /** The edition of the rules. */
  edition: string;
  /** Whether secret cards are played. The default depends on the edition. */
  cards: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from: number;
  /** Always `strict`: a placement must make an 8 or close a figure where it can. */
  obligation: string;
  /** The points that a side needs to end the game. */
  target: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority: string;
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints: boolean;
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds: number | null;
  /** The time for a turn of a rematch, in seconds. */
  rematch_allowance_seconds: number;
  /** The reserve for a rematch, in seconds. */
  rematch_bank_seconds: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation: boolean;
  /** Whether the players at a table can chat. */
  chat: boolean;
  /** Whether only the players of a game can see it. */
  private: boolean;
  /** How long a round lasts, in seconds; null for no limit. */
  round_length_seconds: number | null;
}

/** An entry into a league. */
export interface LeagueEntry {
  /** Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your entry. Null: the one that you brought before. */
  client_seed?: string | null;
  /** In pairs: the name of the player you want to play with. */
  partner?: string | null;
}

/** About a league: your partner left, you were removed, it waits for its organiser, or a season. */
export interface LeagueEntryDetails {
  /** The `id` of the league. */
  league: string;
  /** The name of the league. */
  name: string;
  /** The number of the season that began or ended, otherwise null. */
  season: number | null;
  /** The public note of the organiser; null if there is none. */
  text: string | null;
}

/** About a league: your partner left, you were removed, it waits for its organiser, or a season. */
export interface LeagueFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "league-parted" | "league-out" | "league-held" | "league-season" | "league-season-end";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: LeagueEntryDetails;
}

/** A member of a league. */
export interface LeagueMember {
  /** The name of the player. */
  name: string;
  /** Whether they play in the next season (`member`), stand in for others (`substitute`) or have left (`out`). */
  status: "member" | "substitute" | "out";
  /** In pairs: the name of the partner. */
  partner: string | null;
  /** When they got this status. */
  status_changed_at: string;
}

/** One page of a list. */
export interface LeagueMemberPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<LeagueMember>;
}

/** The league, season, division and group that a tournament belongs to. */
export interface LeagueReference {
  /** The `id` of the league. */
  id: string;
  /** The name of the league. */
  name: string;
  /** The number of the season. */
  season: number;
  /** The number of the division; 1 is the highest. */
  division: number;
  /** The number of the group in its division. */
  group: number;
}

/** A league in a list. */
export interface LeagueSummary {
  /** The id, as in addresses of pages and of the API. */
  id: string;
  /** The name that the organiser gave it. */
  name: string;
  /** Its status. */
  status: "open" | "running" | "closed";
  /** Whether members play alone or in pairs. */
  mode: "singles" | "pairs";
  /** How many entrants sit at a table at most, 2 to 4. */
  table_size: number;
  /** The time control of its games. */
  clock: string;
  /** Whether its games count for ratings. */
  rated: boolean;
  /** How many players or pairs a division has. */
  division_size: number;
  /** The name of the organiser; null if the account was deleted. */
  organiser: string | null;
  /** The number of members who play in the next season. */
  members: number;
  /** The number of substitutes. */
  substitutes: number;
  /** The number of the newest season; null before the first. */
  season: number | null;
  /** Your own membership; null if you never joined. */
  membership: "member" | "substitute" | "out" | null;
  /** In pairs: the name of your partner. */
  partner: string | null;
  /** When it was made. */
  created_at: string;
}

/** One page of a list. */
export interface LeagueSummaryPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<LeagueSummary>;
}

/** The viewer's membership and permissions in a league. */
export interface LeagueViewer {
  /** Whether you are an organiser. */
  organiser: boolean;
  /** Your status in the league; null if you never joined. */
  status: "member" | "substitute" | "out" | null;
  /** Your client seed for the next seasons. If it is empty, we use the number of your entry. */
  client_seed: string | null;
  /** What you may do here now. */
  permissions: Array<string>;
}

/** A page of the log. */
export interface Log {
  /** The items, in order. */
  results: Array<LogLine>;
  /** The `after` of the next page; null on the last page. */
  next: number | null;
}

/** An action in the log. */
export interface LogLine {
  /** 1, 2, 3 …. */
  seq: number;
  /** The seat that acted. */
  seat: number;
  /** The action as a canonical string. */
  action: string;
  /** The source of the action: a player, the clock or a bot. */
  by: "player" | "clock" | "bot";
  /** When it was played. */
  at: string;
  /** The hash of this action together with the hash of the action before. */
  hash: string;
  /** What happened while the action was carried out, in order. `event` says what each of them is. */
  events: Array<GameEvent>;
}

/** A kidnapped card was discarded, because it can have no effect now. */
export interface LostCardEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "lost card";
  /** The two letters of the card. */
  card: string;
}

/** A match began: tiles and cards were dealt. `seat` takes the first turn. */
export interface MatchBeganEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "match began";
  /** The number of the match in its game; the first is 1. */
  match: number;
  /** Whether it is a normal match, the blind match of a tie, or a solo match. */
  kind: "normal" | "blind" | "solo";
  /** The open table tile of each seat, by seat. */
  table: { [key: string]: string | null };
}

/** A match ended and was scored. */
export interface MatchEndedEvent {
  /** What happened. */
  event: "match ended";
  /** The number of the match in its game; the first is 1. */
  match: number;
  /** Whether it was a normal match, the blind match of a tie, or a solo match. */
  kind: "normal" | "blind" | "solo";
  /** What ended it: an 8, a full board, an empty tower, or a won solo game. */
  ended: "infinity" | "full" | "tower" | "won";
  /** The points of this match, by side. */
  scores: { [key: string]: number };
  /** The sides that had no marker and scored all the same, ascending. */
  silly: Array<number>;
  /** The points of all matches so far, by side. */
  totals: { [key: string]: number };
}

/** A scored match. */
export interface MatchResult {
  /** The kind of match: `normal`, `blind` or `solo`. */
  kind: "normal" | "blind" | "solo";
  /** What ended it: `infinity`, `full`, `tower` or `won`. */
  ended: "infinity" | "full" | "tower" | "won";
  /** The points, by side. */
  scores: { [key: string]: number };
  /** The sides that had no marker and scored all the same, ascending. */
  silly: Array<number>;
}

/** A new chat message; only for the players of the game. */
export interface MessageLine {
  /** The kind of this line. */
  event: "message";
  /** The cursor: send it as `Last-Event-ID` to go on after this line. */
  id: string;
  /** The message. */
  data: ChatMessage;
}

/** The setting that turns off notifications about a game. */
export interface Muted {
  /** Whether notifications about this game are turned off. */
  muted: boolean;
}

/** An entrant with its name. */
export interface NamedEntrant {
  /** The `id` of the entrant. */
  entrant: number;
  /** The name of the entrant. */
  name: string;
}

/** Somebody declined your invitation (`declined`), or wrote at the table (`chat`). */
export interface NamedEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The name of that player. */
  name: string;
}

/** Somebody declined your invitation (`declined`), or wrote at the table (`chat`). */
export interface NamedFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "declined" | "chat";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: NamedEntryDetails;
}

/** Request to create a game. */
export interface NewGame {
  /** How it is played: `singles`, `pairs` (four players) or `solo` (one). */
  mode?: "singles" | "pairs" | "solo";
  /** How many players it takes: 2 to 4 in singles. In pairs there are always 4, in solo 1. */
  seats?: number;
  /** The edition of the rules. */
  edition?: "arcastudio-2.2" | "bannan-nl" | "pergioco-72";
  /** Whether secret cards are played. The default depends on the edition. */
  cards?: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from?: number;
  /** `strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need not. */
  obligation?: "strict" | "lenient";
  /** The points that a side needs to end the game. */
  target?: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority?: "account" | "lot";
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints?: boolean;
  /** The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`. */
  clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live" | "custom";
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds?: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds?: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds?: number | null;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts?: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends?: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights?: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation?: boolean | null;
  /** How seats are numbered at the start: in the order of joining, or by lot. */
  order?: "as-joined" | "shuffled";
  /** Whether only invited players can see and join it. */
  private?: boolean;
  /** Whether it counts for ratings. Only games of people, with the obligation `strict`, can be rated. */
  rated?: boolean;
  /** Whether the players can chat. */
  chat?: boolean;
  /** Whether bot accounts may take a seat; in a game that a bot creates it is always true. A rated game is either for people or, created by a bot, for bots only. */
  bots_allowed?: boolean;
}

/** The settings of a league. */
export interface NewLeague {
  /** Whether players enter alone or in pairs. */
  mode?: "singles" | "pairs";
  /** How many entrants sit at a table, 2 to 4; in pairs always 2. */
  table_size?: number;
  /** The edition of the rules. */
  edition?: "arcastudio-2.2" | "bannan-nl" | "pergioco-72";
  /** Whether secret cards are played. The default depends on the edition. */
  cards?: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from?: number;
  /** Always `strict`: a placement must make an 8 or close a figure where it can. */
  obligation?: "strict";
  /** The points that a side needs to end the game. */
  target?: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority?: "account" | "lot";
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints?: boolean;
  /** The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`. */
  clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live" | "custom";
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds?: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds?: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds?: number | null;
  /** The time for a turn of a rematch, in seconds. Null means a quarter of the usual time. */
  rematch_allowance_seconds?: number;
  /** The reserve for a rematch, in seconds. Null means a quarter of the usual reserve. */
  rematch_bank_seconds?: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts?: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends?: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights?: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation?: boolean;
  /** Whether the players at a table can chat. */
  chat?: boolean;
  /** Whether its games count for ratings. */
  rated?: boolean;
  /** Whether only the players of a game can see it. */
  private?: boolean;
  /** How long a round lasts, in seconds. Points then decide the games that still run. Null for no limit. */
  round_length_seconds?: number | null;
  /** The name, as players read it. */
  name: string;
  /** A text for the players, without formatting. */
  text?: string;
  /** How a season is played: everybody against everybody else in the division, or Swiss rounds. */
  format?: "round-robin" | "swiss";
  /** Swiss: the number of rounds. */
  round_count?: number | null;
  /** How many players or pairs a division has. */
  division_size: number;
  /** How many are promoted, and relegated, after a season. */
  promotion_count?: number;
  /** How many groups a division has. */
  groups_per_division?: number;
  /** How many times two members meet in a season. */
  cycles?: number;
  /** Whether all rounds of a season begin together. */
  all_rounds_at_once?: boolean;
  /** Where new members begin: in the lowest division, or by their rating. */
  newcomer_policy?: "bottom" | "rating";
  /** The time between two seasons, in seconds. */
  season_pause_seconds?: number;
  /** How many seasons are played; null for no limit. */
  season_limit?: number | null;
}

/** A chat message to send. */
export interface NewMessage {
  /** The message as plain text. */
  text: string;
}

/** Your note about a game, for you alone. */
export interface NewNote {
  /** The new text, which replaces the one before. An empty text removes the note. */
  text: string;
}

/** Request to propose a pause. */
export interface NewPause {
  /** When the pause ends. A time in the past proposes to end the current pause. */
  until: string;
}

/** A card gave seats new table tiles. */
export interface NewTilesEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "new tiles";
  /** The new table tile of each seat, by seat; null for none. */
  table: { [key: string]: string | null };
}

/** Request to create a personal token. */
export interface NewToken {
  /** A name by which you recognise the token. */
  name: string;
  /** What the token may do. */
  scopes: Array<"read" | "email" | "play" | "organise" | "account">;
  /** The days until the token expires. Null for no expiry. */
  expires_in_days?: number | null;
}

/** The settings of a tournament. */
export interface NewTournament {
  /** Whether players enter alone or in pairs. */
  mode?: "singles" | "pairs";
  /** How many entrants sit at a table, 2 to 4; in pairs always 2. */
  table_size?: number;
  /** The edition of the rules. */
  edition?: "arcastudio-2.2" | "bannan-nl" | "pergioco-72";
  /** Whether secret cards are played. The default depends on the edition. */
  cards?: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from?: number;
  /** Always `strict`: a placement must make an 8 or close a figure where it can. */
  obligation?: "strict";
  /** The points that a side needs to end the game. */
  target?: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority?: "account" | "lot";
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints?: boolean;
  /** The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`. */
  clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live" | "custom";
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds?: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds?: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds?: number | null;
  /** The time for a turn of a rematch, in seconds. Null means a quarter of the usual time. */
  rematch_allowance_seconds?: number;
  /** The reserve for a rematch, in seconds. Null means a quarter of the usual reserve. */
  rematch_bank_seconds?: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts?: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends?: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights?: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation?: boolean;
  /** Whether the players at a table can chat. */
  chat?: boolean;
  /** Whether its games count for ratings. */
  rated?: boolean;
  /** Whether only the players of a game can see it. */
  private?: boolean;
  /** How long a round lasts, in seconds. Points then decide the games that still run. Null for no limit. */
  round_length_seconds?: number | null;
  /** The name, as players read it. */
  name: string;
  /** A text for the players, without formatting. */
  text?: string;
  /** How we pair entrants: knock-out, double knock-out, round robin or Swiss. */
  format: "knockout" | "double" | "round-robin" | "swiss";
  /** The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes. */
  round_count?: number | null;
  /** Round robin: how many times two entrants meet. */
  cycles?: number;
  /** Round robin: whether all rounds begin together. */
  all_rounds_at_once?: boolean;
  /** Knock-out: how many entrants go on from a table of 3 or 4. */
  advancing_count?: number;
  /** Knock-out at tables of 2: whether the third place is played for. */
  third_place?: boolean;
  /** When entries open; null for at once. */
  opens_at?: string | null;
  /** When entries close; null for at the start. */
  closes_at?: string | null;
  /** When it starts; null if it starts when it is full, or when you start it. */
  starts_at?: string | null;
  /** Whether it starts as soon as all places are taken. */
  when_full?: boolean;
  /** How many entrants can have a place; later ones join the waiting list. Null for no limit. */
  capacity?: number | null;
  /** Whether only those play who confirm shortly before the start. */
  confirmation?: boolean;
  /** Whether only invited players can enter. */
  by_invitation?: boolean;
  /** Swiss: whether players can enter after the start. */
  late_entry?: boolean;
  /** Whether bot accounts may enter; a game between a bot and a person is not rated. */
  bots_allowed?: boolean;
  /** The lowest rating with which a player can enter; null for any. */
  min_rating?: number | null;
  /** The highest rating with which a player can enter; null for any. */
  max_rating?: number | null;
  /** How entrants get their seeds, where no organiser sets them by hand. */
  seeding?: "lot" | "rating";
  /** Whether a round with warnings waits for an organiser. */
  hold_on_warnings?: boolean;
  /** Whether every round waits for the approval of an organiser. */
  manual_approval?: boolean;
}

/** Request to plan a vacation. */
export interface NewVacation {
  /** When you are back. */
  until: string;
  /** When it begins; now if you omit it. */
  from?: string | null;
}

/** Request to create a webhook. */
export interface NewWebhook {
  /** The address that is called: https, with a public host, at most 500 characters. */
  url: string;
  /** The format of the body: plain JSON, or what Discord or Slack understand. */
  preset?: "json" | "discord" | "slack";
  /** The kinds of notifications that it is called with, as the guide lists them; null: all. */
  kinds?: Array<string> | null;
  /** Whether it is called within seconds, in quiet hours too, and not when the mail is due; null: if the preset is json. */
  immediate?: boolean | null;
}

/** Somebody else plays on for an entrant at your table. */
export interface NewcomerEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The `id` of the entrant. */
  entrant: number;
  /** The number of the account that plays on; null if it was deleted. */
  player: number | null;
  /** The number of the account that played before; null if deleted. */
  predecessor: number | null;
}

/** Somebody else plays on for an entrant at your table. */
export interface NewcomerFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-newcomer";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: NewcomerEntryDetails;
}

/** The commitments of the next season. */
export interface NextSeason {
  /** The number of the season. */
  number: number;
  /** The SHA-256 of the season's seed, which is HMAC-SHA256(league's seed, `otto-season-v1|number`). */
  commitment: string;
  /** The commitments of the divisions that there may be. The seed of each is HMAC-SHA256(season's seed, `otto-event-v1|division|group`). */
  tournaments: Array<TournamentCommitment>;
}

/** A reason or a warning: its code, and details that depend on the code. */
export interface Note {
  /** What the note says. Further members are its details; entrants are named by their `id`. */
  code: string;
}

/** The tournament was cancelled. */
export interface NoteEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The public note of the organiser; may be empty. */
  text: string;
}

/** The tournament was cancelled. */
export interface NoteFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-cancelled";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: NoteEntryDetails;
}

/** Your standing orders. */
export interface Orders {
  /** Whether we draw a tile for you at the start of your turns. */
  draw: boolean;
  /** Whether we play your only legal action for you, where everybody can see that it is the only one. */
  only: boolean;
}

/** You changed your standing orders, or they played or ended. Only your own feed has it. */
export interface OrdersEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The number of the last action of the game at that time. */
  seq: number;
  /** What happened to the orders. */
  event: "changed" | "played" | "ended";
  /** With `changed`: whether tiles are drawn for you; otherwise null. */
  draw: boolean | null;
  /** With `changed`: whether the only legal action is played for you; otherwise null. */
  only: boolean | null;
  /** With `ended`: why; otherwise null. */
  reason: "card-played" | "eight-possible" | null;
  /** With `played`: the actions; otherwise null. */
  actions: Array<string> | null;
}

/** You changed your standing orders, or they played or ended. Only your own feed has it. */
export interface OrdersFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "orders";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: OrdersEntryDetails;
}

/** You no longer take part. */
export interface OutEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** Why you are out. */
  reason: "void" | "undecided" | "readmitted" | "put-back" | "replaced" | "parted" | "removed" | "disqualified";
  /** The public note of the organiser; null if there is none. */
  text: string | null;
}

/** You no longer take part. */
export interface OutFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-out";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: OutEntryDetails;
}

/** The game is over. */
export interface OverEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The number of the last action of the game at that time, 0 before any. */
  seq: number;
  /** When the seat on turn runs out of time; null if no clock runs. */
  deadline: string | null;
  /** In a tournament: when points decide the game; null otherwise. */
  round_ends_at: string | null;
  /** The seat that acted; null at the start. */
  seat: number | null;
  /** The action that was played; null at the start. */
  action: string | null;
  /** The source of the action: a player, the clock or a bot; null at the start. */
  by: "player" | "clock" | "bot" | null;
  /** The side that won; null for a draw and for a lost solo game. */
  winner: number | null;
  /** The points of each side, by side. */
  totals: { [key: string]: number };
  /** What decided the game, or why only one side was left. */
  reason: "target" | "blind match" | "blind eight" | "shoot-out" | "level" | "resigned" | "solo won" | "solo lost";
  /** When the game ended. */
  finished_at: string;
}

/** The game is over. */
export interface OverFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "over";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: OverEntryDetails;
}

/** A code by which an account can name you as its owner. */
export interface OwnerCode {
  /** The code. Send it as `owner_code` with the bot's token. */
  owner_code: string;
  /** When the code expires. */
  expires_at: string;
}

/** A pairing in a list. */
export interface Pairing {
  /** The number of the pairing, unique on the site. */
  id: number;
  /** The match in the tournament, from which the seeds of its games are derived. */
  match: string;
  /** The number of the round in which it was published. */
  round: number;
  /** The round of the bracket or of the schedule. */
  bracket_round: number;
  /** Whether an earlier game of the match was level. */
  rematch: boolean;
  /** The number of the game in its match. From 2 on they are rematches. */
  game_number: number;
  /** The attempt; more than 1 if a corrected result made earlier ones void. */
  attempt: number;
  /** Its status. */
  state: "bye" | "over" | "playing";
  /** The `id` of the game; null for a bye. */
  game: string | null;
  /** When points decide the game if it is not over; null for no limit. */
  ends_at: string | null;
  /** When the result was recorded; null before. */
  settled_at: string | null;
  /** What decided it: `game`, `adjudication` or `organiser`; null for a bye, or if there is no result yet. */
  by: "game" | "adjudication" | "organiser" | null;
  /** The entrants, in the order of play. */
  seats: Array<PairingSeat>;
  /** The reasons for this pairing and its seat order. */
  reasons: Array<Note>;
}

/** A pairing with its reasons as text. */
export interface PairingDetail {
  /** The number of the pairing, unique on the site. */
  id: number;
  /** The match in the tournament, from which the seeds of its games are derived. */
  match: string;
  /** The number of the round in which it was published. */
  round: number;
  /** The round of the bracket or of the schedule. */
  bracket_round: number;
  /** Whether an earlier game of the match was level. */
  rematch: boolean;
  /** The number of the game in its match. From 2 on they are rematches. */
  game_number: number;
  /** The attempt; more than 1 if a corrected result made earlier ones void. */
  attempt: number;
  /** Its status. */
  state: "bye" | "over" | "playing";
  /** The `id` of the game; null for a bye. */
  game: string | null;
  /** When points decide the game if it is not over; null for no limit. */
  ends_at: string | null;
  /** When the result was recorded; null before. */
  settled_at: string | null;
  /** What decided it: `game`, `adjudication` or `organiser`; null for a bye, or if there is no result yet. */
  by: "game" | "adjudication" | "organiser" | null;
  /** The entrants, in the order of play. */
  seats: Array<PairingSeat>;
  /** The reasons for this pairing and its seat order. */
  reasons: Array<Note>;
  /** The reasons as sentences, in your language. */
  words: Array<string>;
  /** True if a corrected result made the pairing meaningless. */
  is_void: boolean;
}

/** Your next game in the tournament has been started. */
export interface PairingEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The match in the tournament, as in the record of its game. */
  match: string;
  /** The number of the round in the bracket. */
  bracket_round: number;
  /** The number of the published round in the database. */
  round_id: number;
}

/** Your next game in the tournament has been started. */
export interface PairingFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-pairing";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: PairingEntryDetails;
}

/** One page of a list. */
export interface PairingPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Pairing>;
}

/** A seat of a pairing. */
export interface PairingSeat {
  /** The `id` of the entrant. */
  entrant: number;
  /** The name of the player of this game, even if the entrant has another player now. */
  name: string;
  /** The players who were replaced during this game. */
  former_players: Array<string>;
  /** The rank; 1 is the best, and equal seats share it. Null if there is no result yet. */
  rank: number | null;
  /** The points of the game; null if there is no result yet. */
  points: number | null;
  /** How many times they made an 8; null if there is no result yet. */
  eights: number | null;
  /** Whether the seat did not play to the end. */
  forfeit: boolean;
  /** Whether that was because of a timeout. */
  timeout: boolean;
}

/** Your partner's seat, whose hand you see. */
export interface Partner {
  /** The number of the seat. */
  seat: number;
  /** The cards, in the order in which they were received. */
  hand: Array<string>;
}

/** The settings of a bot. */
export interface PatchedBotSettings {
  /** Whether it is in the list of bots and takes challenges. */
  takes_challenges?: boolean;
  /** How the bot plays, in its owner's words. */
  about?: string;
  /** Whether it plays with secret cards. */
  plays_cards?: boolean;
  /** The most unfinished games and invitations with which it still takes challenges. */
  max_games?: number;
}

/** Request to change a webhook, or to turn it on or off. Omitted fields keep their value. */
export interface PatchedChangeWebhook {
  /** Whether it is called. */
  active?: boolean;
  /** The kinds of notifications that it is called with, as the guide lists them; null: all. */
  kinds?: Array<string> | null;
  /** Whether it is called within seconds, instead of when the mail is due. */
  immediate?: boolean;
}

/** The settings of a league. */
export interface PatchedNewLeague {
  /** Whether players enter alone or in pairs. */
  mode?: "singles" | "pairs";
  /** How many entrants sit at a table, 2 to 4; in pairs always 2. */
  table_size?: number;
  /** The edition of the rules. */
  edition?: "arcastudio-2.2" | "bannan-nl" | "pergioco-72";
  /** Whether secret cards are played. The default depends on the edition. */
  cards?: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from?: number;
  /** Always `strict`: a placement must make an 8 or close a figure where it can. */
  obligation?: "strict";
  /** The points that a side needs to end the game. */
  target?: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority?: "account" | "lot";
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints?: boolean;
  /** The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`. */
  clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live" | "custom";
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds?: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds?: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds?: number | null;
  /** The time for a turn of a rematch, in seconds. Null means a quarter of the usual time. */
  rematch_allowance_seconds?: number;
  /** The reserve for a rematch, in seconds. Null means a quarter of the usual reserve. */
  rematch_bank_seconds?: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts?: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends?: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights?: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation?: boolean;
  /** Whether the players at a table can chat. */
  chat?: boolean;
  /** Whether its games count for ratings. */
  rated?: boolean;
  /** Whether only the players of a game can see it. */
  private?: boolean;
  /** How long a round lasts, in seconds. Points then decide the games that still run. Null for no limit. */
  round_length_seconds?: number | null;
  /** The name, as players read it. */
  name?: string;
  /** A text for the players, without formatting. */
  text?: string;
  /** How a season is played: everybody against everybody else in the division, or Swiss rounds. */
  format?: "round-robin" | "swiss";
  /** Swiss: the number of rounds. */
  round_count?: number | null;
  /** How many players or pairs a division has. */
  division_size?: number;
  /** How many are promoted, and relegated, after a season. */
  promotion_count?: number;
  /** How many groups a division has. */
  groups_per_division?: number;
  /** How many times two members meet in a season. */
  cycles?: number;
  /** Whether all rounds of a season begin together. */
  all_rounds_at_once?: boolean;
  /** Where new members begin: in the lowest division, or by their rating. */
  newcomer_policy?: "bottom" | "rating";
  /** The time between two seasons, in seconds. */
  season_pause_seconds?: number;
  /** How many seasons are played; null for no limit. */
  season_limit?: number | null;
}

/** The settings of a tournament. */
export interface PatchedNewTournament {
  /** Whether players enter alone or in pairs. */
  mode?: "singles" | "pairs";
  /** How many entrants sit at a table, 2 to 4; in pairs always 2. */
  table_size?: number;
  /** The edition of the rules. */
  edition?: "arcastudio-2.2" | "bannan-nl" | "pergioco-72";
  /** Whether secret cards are played. The default depends on the edition. */
  cards?: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from?: number;
  /** Always `strict`: a placement must make an 8 or close a figure where it can. */
  obligation?: "strict";
  /** The points that a side needs to end the game. */
  target?: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority?: "account" | "lot";
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints?: boolean;
  /** The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`. */
  clock?: "12h" | "2d" | "3d" | "7d" | "fast" | "live" | "custom";
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds?: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds?: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds?: number | null;
  /** The time for a turn of a rematch, in seconds. Null means a quarter of the usual time. */
  rematch_allowance_seconds?: number;
  /** The reserve for a rematch, in seconds. Null means a quarter of the usual reserve. */
  rematch_bank_seconds?: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts?: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends?: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights?: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation?: boolean;
  /** Whether the players at a table can chat. */
  chat?: boolean;
  /** Whether its games count for ratings. */
  rated?: boolean;
  /** Whether only the players of a game can see it. */
  private?: boolean;
  /** How long a round lasts, in seconds. Points then decide the games that still run. Null for no limit. */
  round_length_seconds?: number | null;
  /** The name, as players read it. */
  name?: string;
  /** A text for the players, without formatting. */
  text?: string;
  /** How we pair entrants: knock-out, double knock-out, round robin or Swiss. */
  format?: "knockout" | "double" | "round-robin" | "swiss";
  /** The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes. */
  round_count?: number | null;
  /** Round robin: how many times two entrants meet. */
  cycles?: number;
  /** Round robin: whether all rounds begin together. */
  all_rounds_at_once?: boolean;
  /** Knock-out: how many entrants go on from a table of 3 or 4. */
  advancing_count?: number;
  /** Knock-out at tables of 2: whether the third place is played for. */
  third_place?: boolean;
  /** When entries open; null for at once. */
  opens_at?: string | null;
  /** When entries close; null for at the start. */
  closes_at?: string | null;
  /** When it starts; null if it starts when it is full, or when you start it. */
  starts_at?: string | null;
  /** Whether it starts as soon as all places are taken. */
  when_full?: boolean;
  /** How many entrants can have a place; later ones join the waiting list. Null for no limit. */
  capacity?: number | null;
  /** Whether only those play who confirm shortly before the start. */
  confirmation?: boolean;
  /** Whether only invited players can enter. */
  by_invitation?: boolean;
  /** Swiss: whether players can enter after the start. */
  late_entry?: boolean;
  /** Whether bot accounts may enter; a game between a bot and a person is not rated. */
  bots_allowed?: boolean;
  /** The lowest rating with which a player can enter; null for any. */
  min_rating?: number | null;
  /** The highest rating with which a player can enter; null for any. */
  max_rating?: number | null;
  /** How entrants get their seeds, where no organiser sets them by hand. */
  seeding?: "lot" | "rating";
  /** Whether a round with warnings waits for an organiser. */
  hold_on_warnings?: boolean;
  /** Whether every round waits for the approval of an organiser. */
  manual_approval?: boolean;
}

/** Your profile and notification settings. */
export interface PatchedProfile {
  /** The language of pages and mails. */
  language?: "en" | "it" | "nl";
  /** Your time zone, as `Europe/Rome`. Where clocks stop by hours, a change counts from your next turn in each game. */
  time_zone?: string;
  /** When you get mails about turns: for `each` turn, `once` until you visit the site, in a daily `digest`, or `none`. */
  mail_frequency?: "each" | "once" | "digest" | "none";
  /** Which mails you get about tournaments and leagues: `all`, only `duties`, or `none`. */
  tournament_mails?: "all" | "duties" | "none";
  /** The hour of the daily mail in your time zone, 0 to 23. */
  digest_hour?: number;
  /** Remind you when this percentage of a turn's time has passed; null for no such reminder. */
  remind_at_used_percent?: number | null;
  /** Remind you when this percentage of all your time is left; null for no such reminder. */
  remind_at_left_percent?: number | null;
  /** When your quiet hours begin, in your time zone, as `22:30`; null for none. You get no notifications in them. */
  quiet_from?: string | null;
  /** When your quiet hours end, at most twelve hours later. Where clocks stop at night, a change counts from your next turn in each game. */
  quiet_until?: string | null;
  /** Whether replies by mail count from any address; null without the scope `account`. */
  allow_any_sender?: boolean;
  /** Whether people you have not played with may invite you; null without the scope `account`. */
  invitations_from_strangers?: boolean;
}

/** Your standing orders in a game. Omitted fields keep their value. */
export interface PatchedStandingOrders {
  /** Draw a tile for you at the start of your turns. */
  draw?: boolean;
  /** Play the only legal placement, or the only way to play a kidnapped card. */
  only?: boolean;
}

/** The agreed and the proposed pause of a game. */
export interface Pause {
  /** When the agreed pause ends; null if there is none. */
  paused_until: string | null;
  /** When the proposed pause would end; null if none is proposed. */
  proposed_until: string | null;
  /** The name of the player who proposes it. */
  proposed_by: string | null;
}

/** A proposed pause was declined. */
export interface PauseDeclinedEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The name of the player who declined. */
  by: string;
}

/** A proposed pause was declined. */
export interface PauseDeclinedFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "pause-declined";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: PauseDeclinedEntryDetails;
}

/** Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`). */
export interface PauseEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** When the pause ends. */
  until: string;
  /** Whether the clocks stop; false to end the pause at once. */
  stops_clocks: boolean;
  /** With `pause`: the name of the player who proposes it; otherwise null. */
  by: string | null;
}

/** Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`). */
export interface PauseFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "pause" | "paused";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: PauseEntryDetails;
}

/** You have a place in the tournament: from the waiting list, or because you were readmitted. */
export interface PlaceEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** `readmitted` if a disqualification was undone, otherwise null. */
  reason: "void" | "undecided" | "readmitted" | "put-back" | "replaced" | "parted" | "removed" | "disqualified" | null;
}

/** You have a place in the tournament: from the waiting list, or because you were readmitted. */
export interface PlaceFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-place";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: PlaceEntryDetails;
}

/** A seat placed a tile on the board. */
export interface PlacedEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "placed";
  /** The letter of the tile, A to J. */
  tile: string;
  /** The cell, `a1` to `e5`. */
  cell: string;
  /** The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270. */
  rotation: number;
}

/** A pairing of the previewed round. */
export interface PlannedPairing {
  /** The match in the tournament, as in the records of its games. */
  match: string;
  /** The round of the bracket or of the schedule. */
  bracket_round: number;
  /** Whether an earlier game of the match was level. */
  rematch: boolean;
  /** The entrants, in the order of play. */
  seats: Array<NamedEntrant>;
  /** The reasons for this pairing and its seat order. */
  reasons: Array<Note>;
}

/** An action to play. */
export interface PlayAction {
  /** The action, as `B-b3-90`. Small differences in spelling are understood. */
  action: string;
  /** The `seq` of the game as you saw it. Only `resign` needs none. */
  seq?: number;
}

/** A seat played a card. */
export interface PlayedEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "played";
  /** The two letters of the card. */
  card: string;
  /** The action string, with what the card does. */
  action: string;
}

/** The name of a player. */
export interface PlayerName {
  /** The name of a player. */
  name: string;
}

/** The game started, somebody moved, or a blind match decides a tie. */
export interface PositionEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The number of the last action of the game at that time, 0 before any. */
  seq: number;
  /** When the seat on turn runs out of time; null if no clock runs. */
  deadline: string | null;
  /** In a tournament: when points decide the game; null otherwise. */
  round_ends_at: string | null;
  /** The seat that acted; null at the start. */
  seat: number | null;
  /** The action that was played; null at the start. */
  action: string | null;
  /** The source of the action: a player, the clock or a bot; null at the start. */
  by: "player" | "clock" | "bot" | null;
}

/** The game started, somebody moved, or a blind match decides a tie. */
export interface PositionFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "started" | "moved" | "blind";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: PositionEntryDetails;
}

/** A refused request as a problem document (RFC 9457). */
export interface Problem {
  /** A URI reference to the page that explains this kind of problem. */
  type: string;
  /** The name of the status code, in English. */
  title: string;
  /** The status code of the response. */
  status: number;
  /** The problem, for people, in the language of `Accept-Language`. */
  detail: string;
  /** The kind of problem, for programs. A code never changes its meaning; `/api/errors/` lists all of them. */
  code: string;
  /** With `invalid` and `invalid-value`: the messages for each wrong field, by its path, as `scopes.0`. Messages about the whole request are under `request`. */
  errors?: { [key: string]: Array<string> };
  /** With `missing-scope`: the scope that the token lacks. */
  scope?: string;
  /** With `illegal` and `not-your-turn`: the rule that the action breaks. */
  rule?: string;
  /** With `illegal`: some legal actions close to what you sent. */
  instead?: Array<string>;
  /** The number of seconds to wait, as in the header `Retry-After`. */
  retry_after?: number;
  /** The field of the request that is refused. */
  field?: string;
  /** The limit that you have reached, or the lowest value allowed. */
  limit?: number;
  /** With `rank-changes`: the final ranks that the correction would change. */
  places?: Array<ChangedPlace>;
  /** With `rank-changes`: whether the correction would let the tournament go on. */
  reopens?: boolean;
}

/** Your profile and notification settings. */
export interface Profile {
  /** Your public name. */
  name: string;
  /** Your email address; null without the scope `email`. */
  email: string | null;
  /** The language of pages and mails. */
  language: "en" | "it" | "nl";
  /** Your time zone, as `Europe/Rome`. Where clocks stop by hours, a change counts from your next turn in each game. */
  time_zone: string;
  /** When you get mails about turns: for `each` turn, `once` until you visit the site, in a daily `digest`, or `none`. */
  mail_frequency: "each" | "once" | "digest" | "none";
  /** Which mails you get about tournaments and leagues: `all`, only `duties`, or `none`. */
  tournament_mails: "all" | "duties" | "none";
  /** The hour of the daily mail in your time zone, 0 to 23. */
  digest_hour: number;
  /** Remind you when this percentage of a turn's time has passed; null for no such reminder. */
  remind_at_used_percent: number | null;
  /** Remind you when this percentage of all your time is left; null for no such reminder. */
  remind_at_left_percent: number | null;
  /** When your quiet hours begin, in your time zone, as `22:30`; null for none. You get no notifications in them. */
  quiet_from: string | null;
  /** When your quiet hours end, at most twelve hours later. Where clocks stop at night, a change counts from your next turn in each game. */
  quiet_until: string | null;
  /** Whether replies by mail count from any address; null without the scope `account`. */
  allow_any_sender: boolean | null;
  /** Whether people you have not played with may invite you; null without the scope `account`. */
  invitations_from_strangers: boolean | null;
  /** When mails to you first bounced; null if they arrive, and without the scope `email`. */
  email_bounced_at: string | null;
  /** Why mails to you bounce; null without the scope `email`. */
  email_bounce_reason: string | null;
  /** When you signed up. */
  joined_at: string;
  /** Whether your account is declared a bot. */
  is_bot: boolean;
}

/** An entrant as the pairing uses it. */
export interface ProofEntrant {
  /** The number by which results name the entrant. */
  id: number;
  /** The seed; 1 is the strongest. Null: drawn by lot, behind those who have one. */
  seed: number | null;
  /** The first round that it plays in. */
  first_round: number;
  /** The last round that had begun when it left; null while it takes part. */
  left_after_round: number | null;
  /** The numbers of the rounds that it sits out. */
  absent_rounds: Array<number>;
  /** The client seeds, in seat order. */
  client_seeds: Array<string>;
}

/** A result as the pairing uses it; without ranks it is a bye, or still being played. */
export interface ProofResult {
  /** The number of the round in which it was published. */
  round: number;
  /** The match in the tournament, as in the records of its games. */
  match: string;
  /** The round of the bracket or of the schedule. */
  bracket_round: number;
  /** The number of the game in its match; 2 is a rematch. */
  game_number: number;
  /** The attempt; more than 1 if a corrected result made earlier ones void. */
  attempt: number;
  /** The entrants in seat order. A single entrant has a bye. */
  seats: Array<number>;
  /** The rank of each seat, in seat order; 1 is the best. Null for a bye, or if there is no result yet. */
  ranks: Array<number> | null;
  /** The points of each seat in the game, in seat order. */
  points: Array<number>;
  /** How many times each seat made an 8, in seat order. */
  eights: Array<number>;
  /** The `id` of each entrant that did not play to the end. */
  forfeits: Array<number>;
}

/** A proposal. */
export interface Proposal {
  /** Its number in addresses of the API. */
  id: number;
  /** The proposed role: partner, replacement or co-organiser. */
  kind: "partner" | "league-partner" | "replacement" | "co-organiser";
  /** Whether and how it was answered. */
  status: "open" | "accepted" | "declined" | "withdrawn" | "lapsed";
  /** The `id` of the tournament that it is about; null for a league. */
  tournament: string | null;
  /** The `id` of the league that it is about; null for a tournament. */
  league: string | null;
  /** The name of the player who asks. */
  proposer: string | null;
  /** The name of the player who is asked. */
  player: string;
  /** The name of the player for whom they would play on. */
  replaces: string | null;
  /** The reason; null unless you are an organiser. */
  reason: string | null;
  /** A note for the player who is asked, and for everybody once they play on. */
  public_note: string;
  /** The commitment to the site's part of the shuffles, published before you bring your `client_seed`. */
  commitment: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was answered; null until then. */
  answered_at: string | null;
  /** What you can do with it: `accept`, `decline` or `withdraw`. */
  permissions: Array<string>;
}

/** Somebody asks you to become a partner, a replacement or a co-organiser, or has answered you. */
export interface ProposalEntryDetails {
  /** The `id` of the tournament; null for a league. */
  tournament: string | null;
  /** The `id` of the league; null for a tournament. */
  league: string | null;
  /** The name of the tournament or league. */
  name: string;
  /** The `id` of the proposal. */
  proposal: number;
  /** The new status of the proposal; null if it was not answered. */
  answer: string | null;
}

/** Somebody asks you to become a partner, a replacement or a co-organiser, or has answered you. */
export interface ProposalFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-partner" | "tournament-replacement" | "tournament-co-organiser" | "tournament-answered" | "league-partner" | "league-co-organiser" | "league-answered";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: ProposalEntryDetails;
}

/** One page of a list. */
export interface ProposalPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Proposal>;
}

/** The public profile of a player. */
export interface PublicPlayer {
  /** The name, in the player's own spelling. */
  name: string;
  /** When they signed up. */
  joined_at: string;
  /** Whether the name looks like that of another player or of the site itself. */
  lookalike: boolean;
  /** Whether a program plays for this account. */
  is_bot: boolean;
  /** Of a bot: the player who runs it; null if their account was deleted. */
  owner: string | null;
  /** The names of the bots that this player runs. */
  bots: Array<string>;
}

/** A player in the ranking. */
export interface RankedPlayer {
  /** The place in the ranking; 1 is the strongest. */
  place: number;
  /** The name of the player. */
  name: string;
  /** The rating; a beginner has 1500. */
  rating: number;
  /** The uncertainty of the rating. */
  uncertainty: number;
  /** How many rated games of this mode they have played. */
  games: number;
  /** Whether a program plays for the account. */
  is_bot: boolean;
}

/** The ranking of a mode. */
export interface Ranking {
  /** Whether the ratings are those of `singles` or of `pairs`. */
  mode: "singles" | "pairs";
  /** Whether the ranking is of bots. */
  bots: boolean;
  /** The players, the strongest first. */
  results: Array<RankedPlayer>;
}

/** A rating of a player. */
export interface Rating {
  /** Whether the ratings are those of `singles` or of `pairs`. */
  mode: "singles" | "pairs";
  /** The rating; a beginner has 1500. */
  rating: number;
  /** The uncertainty of the rating. */
  uncertainty: number;
  /** How many rated games of this mode they have played. */
  games: number;
}

/** The change of a rating by one game. */
export interface RatingChange {
  /** Whether the ratings are those of `singles` or of `pairs`. */
  mode: "singles" | "pairs";
  /** The `id` of the game. */
  game: string;
  /** When the game ended. */
  at: string | null;
  /** The rating before the game. */
  before: number;
  /** The rating after the game. */
  rating: number;
  /** The uncertainty of the rating after the game. */
  uncertainty: number;
}

/** The ratings of a player and their changes, in pages. */
export interface RatingHistory {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The current ratings, one for each mode. */
  ratings: Array<Rating>;
  /** How each game changed the rating, newest first. */
  results: Array<RatingChange>;
}

/** The reason of a report. */
export interface Reason {
  /** The problem with the message, for the operator. */
  reason?: string;
}

/** A whole game, with everything that a replay needs. */
export interface Record {
  /** The format of the record. */
  format: "otto-record/1";
  /** The `id` of the game. */
  game: string;
  /** The edition of the rules. */
  edition: string;
  /** How it is played: `singles`, `pairs` or `solo`. */
  mode: "singles" | "pairs" | "solo";
  /** The rule options. */
  options: GameOptions;
  /** The seats, in order. */
  seats: Array<RecordSeat>;
  /** The version of the rules, which never changes for this game. */
  rules: number;
  /** The seats by seniority, the oldest first. */
  seniority: Array<number>;
  /** How seats were numbered. */
  seating: RecordSeating;
  /** The commitment and the seeds that all chance follows from. */
  fairness: RecordFairness;
  /** All actions, in order. */
  actions: Array<RecordAction>;
  /** The result; null until the game is over. */
  result: GameResult | null;
}

/** An action in a record. */
export interface RecordAction {
  /** 1, 2, 3 …. */
  seq: number;
  /** The seat that acted. */
  seat: number;
  /** The action as a canonical string. */
  action: string;
  /** The source of the action: `player`, `clock` or `bot`. */
  by: "player" | "clock" | "bot";
  /** When it was played, in UTC. */
  at: string;
}

/** The commitment and the seeds of a game, and of its tournament. */
export interface RecordFairness {
  /** The SHA-256 of the server seed, in hexadecimal. */
  commitment: string;
  /** The server seed in hexadecimal; null until the game is over. */
  server_seed: string | null;
  /** The client seed of each seat, in seat order. */
  client_seeds: Array<string>;
  /** Where the server seed comes from; only for a game of a tournament or league. */
  event?: TournamentSeed;
}

/** A seat in a record. */
export interface RecordSeat {
  /** The number of the seat. */
  seat: number;
  /** The side that it plays for. */
  side: number;
  /** The name of the player. */
  name: string;
}

/** The numbering of seats. */
export interface RecordSeating {
  /** How seats were numbered: `as-joined` or `shuffled`. */
  order: "as-joined" | "shuffled";
  /** The seats in the order in which their players joined. */
  joined: Array<number>;
}

/** Request for a rematch. */
export interface Rematch {
  /** Your part of the game's randomness: 1 to 64 characters without `|`. Only together with `commitment`. */
  client_seed?: string;
  /** The commitment of an existing rematch that you have seen. With it you take your seat. */
  commitment?: string;
}

/** A removed member of a league. */
export interface Removal {
  /** The name of the removed player. */
  name: string;
  /** The name of the organiser; null if the account was deleted. */
  created_by: string | null;
  /** The reason, for the organisers. */
  reason: string;
  /** When they were removed. */
  created_at: string;
}

/** One page of a list. */
export interface RemovalPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Removal>;
}

/** The entrant to remove. */
export interface RemoveEntrant {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** The `id` of the entrant. */
  entrant: number;
}

/** The member to remove from a league. */
export interface RemoveLeagueMember {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note that the player reads in the mail about the removal. */
  public_note?: string;
  /** The name of a player. */
  name: string;
}

/** A replacement for a player of an entrant. */
export interface ReplacePlayer {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** The `id` of the entrant. */
  entrant: number;
  /** The name of the new player; null for the first on the waiting list. */
  player?: string | null;
  /** 1, or 2 to replace the second player of a pair. */
  number?: number;
}

/** You play on for somebody else. */
export interface ReplacedEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The `id` of the entrant that you play for. */
  entrant: number;
  /** The `id` of each game in which you have a seat now. */
  games: Array<string>;
  /** `put-back` if a replacement was undone, otherwise null. */
  reason: "void" | "undecided" | "readmitted" | "put-back" | "replaced" | "parted" | "removed" | "disqualified" | null;
}

/** You play on for somebody else. */
export interface ReplacedFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-replaced";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: ReplacedEntryDetails;
}

/** A side resigned. */
export interface ResignedEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "resigned";
  /** The side that leaves the game. */
  side: number;
}

/** The result of your table was recorded, corrected or taken back. Lists are in seat order. */
export interface ResultEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The match in the tournament. */
  match: string;
  /** The rank of each side; 1 won. Null if there is no result. */
  ranks: Array<number> | null;
  /** The points of each side; null if unknown. */
  points: Array<number | null> | null;
  /** How many times each side made an 8; null if there is no result. */
  eights: Array<number> | null;
  /** The entrants that resigned or ran out of time; null if there is no result. */
  forfeits: Array<number> | null;
  /** The entrants that ran out of time; null if there is no result. */
  timeouts: Array<number> | null;
  /** What decided: the game, points, an organiser or a bye; null if nothing did. */
  by: "game" | "adjudication" | "organiser" | "bye" | null;
  /** The public note of the organiser; null if there is none. */
  text: string | null;
  /** True if a correction was undone, otherwise null. */
  taken_back: boolean | null;
}

/** The result of your table was recorded, corrected or taken back. Lists are in seat order. */
export interface ResultFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-result";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: ResultEntryDetails;
}

/** A published round. */
export interface Round {
  /** The number of the round, in the order of publication; the first is 1. */
  number: number;
  /** When its pairings became public. */
  published_at: string;
  /** When points decide the games that are not over; null for no limit. */
  ends_at: string | null;
  /** How many pairings it has, byes included. */
  pairing_count: number;
  /** How many pairings have no result yet. */
  open_pairing_count: number;
  /** What its organisers were warned about. */
  warnings: Array<Note>;
}

/** The end of a tournament round, at which points decide an unfinished game. */
export interface RoundEnd {
  /** When the round ends. */
  at: string;
  /** The name of the tournament. */
  name: string;
  /** The number of the round; null where rounds have no numbers. */
  round: number | null;
  /** The page of the tournament. */
  url: string;
}

/** The end of a round was set or changed. */
export interface RoundEndEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The number of the published round in the database. */
  round_id: number;
  /** Whether the round had no end before. */
  first: boolean;
  /** The public note of the organiser; may be empty. */
  text: string;
}

/** The end of a round was set or changed. */
export interface RoundEndFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-round-end";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: RoundEndEntryDetails;
}

/** All published rounds. */
export interface RoundList {
  /** The rounds, the first one first. */
  results: Array<Round>;
}

/** The preview of the next round. */
export interface RoundPreview {
  /** Whether a round can be paired now. */
  state: "round" | "waiting" | "over";
  /** The number of the round; null if the tournament is over. */
  round: number | null;
  /** The pairings that would be published. */
  pairings: Array<PlannedPairing>;
  /** What an organiser should know before they are published. */
  warnings: Array<Note>;
  /** The matches that have to end before. */
  matches: Array<string>;
  /** The name of the winner, if the tournament is over. */
  champion: string | null;
}

/** The rulings of this edition where the rulebooks differ. */
export interface RuleVariants {
  /** When unmarked figures get a marker. `turn`: as a seat's turn starts. `at-once`: also at once, clockwise. `next-side`: only as the turn of the next seat of another side starts. */
  unmarked: "turn" | "at-once" | "next-side";
  /** Ends of a match after which a side without a marker scores its table tile: full, tower. */
  silly: Array<"infinity" | "full" | "tower" | "won">;
  /** The starter of a later match between sides level in front: tile, the highest table tile; oldest. */
  level: "tile" | "oldest";
  /** The default of the option `seniority`: which player is the oldest. */
  default_seniority: "account" | "lot";
  /** Whether a new game that does not say is played with cards. */
  default_cards: boolean;
}

/** A season in a list. */
export interface Season {
  /** The number of the season; the first is 1. */
  number: number;
  /** When it began. */
  started_at: string;
  /** When it ended; null before. */
  finished_at: string | null;
  /** How many divisions it has. */
  divisions: number;
  /** How many players or pairs take part, in all divisions. */
  players: number;
}

/** A season with its divisions. */
export interface SeasonDetail {
  /** The SHA-256 of the season's seed; null if its tournaments have seeds of their own. */
  commitment: string | null;
  /** The season's seed in hexadecimal; null until the season is over. */
  seed: string | null;
  /** The number of the season; the first is 1. */
  number: number;
  /** When it began. */
  started_at: string;
  /** When it ended; null before. */
  finished_at: string | null;
  /** The divisions from the top, or the one that you asked for. */
  divisions: Array<Division>;
  /** How many players or pairs take part, in all divisions. */
  players: number;
}

/** One page of a list. */
export interface SeasonPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<Season>;
}

/** A seat, who takes it, and what lies before it once the game has started. */
export interface Seat {
  /** The joining number. */
  joined: number;
  /** The name of the player or bot, as pages show it. */
  name: string;
  /** The name of the account; null for guests, bots and former players. */
  player: string | null;
  /** The policy of the bot; null for people. */
  bot: string | null;
  /** The given name of the bot in this game; null for people. */
  bot_name: string | null;
  /** In pairs: the joining number of the chosen partner. */
  partner: number | null;
  /** A program plays here: a bot of the site, or a bot account. */
  is_bot: boolean;
  /** Of a bot account: the player who runs it. */
  owner: string | null;
  /** The number of the seat; null before the start. */
  seat: number | null;
  /** The side that it plays for; null before the start. */
  side: number | null;
  /** The reserve that is left; null without a clock. */
  bank_seconds: number | null;
  /** Until when the seat can act: the end of the turn, or of the tournament's round if that comes first. Null if it is not on turn. */
  deadline: string | null;
  /** How many cards the seat holds. Which ones is secret. */
  cards: number | null;
  /** The letter of the tile that lies open before the seat; null for none. */
  table: string | null;
  /** False once its side has resigned. */
  in_play: boolean | null;
}

/** Your clock in one game. */
export interface SeatClock {
  /** The `id` of the game. */
  game: string;
  /** Your seat. */
  seat: number;
  /** Whether it is your turn. */
  on_turn: boolean;
  /** The end of the turn, or of the tournament's round if that comes first; null if no clock runs. */
  deadline: string | null;
  /** What ends at the deadline: `turn` or `round`; null without a deadline. */
  deadline_kind: "turn" | "round" | null;
  /** The reserve that is left. */
  bank_seconds: number;
  /** Why the clock is stopped now; empty if it runs. */
  stop_reasons: Array<string>;
  /** When you lose the game if you never come back; null if points decide it before. */
  lost_at: string | null;
  /** In a tournament: when points decide the game. Null otherwise. */
  round_end: RoundEnd | null;
}

/** The source of a seat of a match: a seed, a place in an earlier match, or nothing (a bye). */
export interface SeatSource {
  /** The seed number in the draw. */
  seed: number | null;
  /** The earlier match. */
  match: string | null;
  /** The place in that match. */
  place: number;
}

/** A seat and who takes it. */
export interface SeatSummary {
  /** The joining number. */
  joined: number;
  /** The name of the player or bot, as pages show it. */
  name: string;
  /** The name of the account; null for guests, bots and former players. */
  player: string | null;
  /** The policy of the bot; null for people. */
  bot: string | null;
  /** The given name of the bot in this game; null for people. */
  bot_name: string | null;
  /** In pairs: the joining number of the chosen partner. */
  partner: number | null;
  /** A program plays here: a bot of the site, or a bot account. */
  is_bot: boolean;
  /** Of a bot account: the player who runs it. */
  owner: string | null;
  /** The number of the seat; null before the start. */
  seat: number | null;
  /** The side that it plays for; null before the start. */
  side: number | null;
}

/** A change of the seeds by an organiser. */
export interface SeedChange {
  /** The `id` of the decision. Greater numbers are later. */
  decision: number;
  /** When it was made. */
  at: string;
  /** The name of the organiser; null if the account was deleted. */
  by: string | null;
  /** How many were seeded by hand from then on. */
  count: number;
  /** Whether an organiser had seen the draw by then. */
  after_preview: boolean;
}

/** The seed order. */
export interface SeedOrder {
  /** The `id` of each entrant to seed, the strongest first. The others are drawn in behind them. */
  order: Array<number>;
}

/** A notification sent about a turn, and its delivery. */
export interface SentNotice {
  /** What it is about. */
  kind: string;
  /** When it was due. */
  created_at: string;
  /** How it was sent. */
  channel: "mail" | "webhook" | "push";
  /** Where it was sent to; in full only for its reader. */
  address: string;
  /** The status of its delivery. */
  status: string;
  /** Why it was not sent, for its reader only; otherwise empty. */
  status_reason: string | null;
  /** When it was sent; null if it was not. */
  sent_at: string | null;
  /** When the other side may have taken it. */
  submitted_at: string | null;
  /** When the other side reported that it arrived. */
  delivered_at: string | null;
  /** Whether the other side refused it. */
  bounced: boolean;
  /** When its link was first followed. */
  opened_at: string | null;
}

/** A round of a shoot-out was drawn. */
export interface ShootOutEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The number of the last action of the game at that time. */
  seq: number;
  /** The number of the round; the first is 1. */
  round: number;
  /** The letter of the tile that each side drew, by side. */
  tiles: { [key: string]: string };
}

/** One round of a shoot-out: every tied side drew a tile. */
export interface ShootOutEvent {
  /** What happened. */
  event: "shoot-out";
  /** The number of the round; the first is 1. */
  round: number;
  /** The letter of the tile that each side drew, by side. */
  tiles: { [key: string]: string };
}

/** A round of a shoot-out was drawn. */
export interface ShootOutFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "shoot-out";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: ShootOutEntryDetails;
}

/** The round to sit out. */
export interface SitOutRound {
  /** The number of the round. */
  round: number;
}

/** The first line: where the feed stands. */
export interface SnapshotLine {
  /** The kind of this line. */
  event: "snapshot";
  /** The cursor: send it as `Last-Event-ID` to go on after this line. */
  id: string;
  /** The state of the feed. */
  data: FeedState;
}

/** A row of the standings. */
export interface Standing {
  /** The rank; 1 is the best, and equal lines share it. */
  rank: number;
  /** The `id` of the entrant. */
  entrant: number;
  /** The name of the entrant. */
  name: string;
  /** How many games count. */
  played: number;
  /** How many rounds without an opponent. */
  byes: number;
  /** Whether they have left. */
  withdrawn: boolean;
  /** The value of every tie-break, the weightiest first. */
  criteria: Array<CriterionValue>;
  /** The tie-break that puts it behind the line above. */
  separated_by: string | null;
  /** Its former players. */
  former_players: Array<FormerPlayer>;
}

/** Your standing orders in a game. Omitted fields keep their value. */
export interface StandingOrders {
  /** Draw a tile for you at the start of your turns. */
  draw?: boolean;
  /** Play the only legal placement, or the only way to play a kidnapped card. */
  only?: boolean;
}

/** The standings and their columns. */
export interface Standings {
  /** The columns, the weightiest first. */
  criteria: Array<CriterionColumn>;
  /** The entrants, the best first. Empty before the start. */
  lines: Array<Standing>;
}

/** The result of a table as it was stored. Lists are in seat order. */
export interface StoredResult {
  /** The rank of each side; 1 won. */
  ranks?: Array<number>;
  /** The points of each side; null if unknown. */
  points?: Array<number | null>;
  /** How many times each side made an 8. */
  eights?: Array<number>;
  /** The `id` of each entrant that resigned or ran out of time. */
  forfeits?: Array<number>;
  /** The `id` of each entrant that ran out of time. */
  timeouts?: Array<number>;
  /** What decided: the game, points, an organiser or a bye. */
  by?: "game" | "adjudication" | "organiser" | "bye";
}

/** A substitution in a league. */
export interface SubstitutePlayer {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** The name of the player who leaves. */
  out: string;
  /** The name of the substitute; null for the one who has waited longest. */
  player?: string | null;
}

/** One of your tables no longer counts, or counts again. */
export interface TableChangeEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
  /** The match in the tournament. */
  match: string;
  /** `void`: it counts no more; `undecided`: an organiser decides. */
  reason: "void" | "undecided" | "readmitted" | "put-back" | "replaced" | "parted" | "removed" | "disqualified";
}

/** One of your tables no longer counts, or counts again. */
export interface TableChangeFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-table";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: TableChangeEntryDetails;
}

/** A kind of tile, as it looks at rotation 0. */
export interface Tile {
  /** Its letter. */
  id: string;
  /** How many there are. */
  count: number;
  /** Points, where tiles are compared: 4 a square, 2 a circle, 1 a half, 8 a crossing. */
  value: number;
  /** Quarters of figures that four corners close, the frame's included. */
  corners: TileCorners;
  /** Halves of figures that two tiles close. */
  sides: TileSides;
  /** The sides whose small circles it joins to an 8; turned by 90 or 270 degrees the other two. */
  crossing: "WE" | "NS" | null;
  /** Zero: has no lines and must be placed; dark: is never placed. */
  special: "zero" | "dark" | null;
  /** The rotations that look different, in degrees clockwise. No other rotation is legal. */
  rotations: Array<number>;
  /** Whether solo games are played with it. */
  in_solo: boolean;
}

/** The corners of a tile: of which figure each has a quarter. */
export interface TileCorners {
  /** Top left. */
  nw: "circle" | "square" | null;
  /** Top right. */
  ne: "circle" | "square" | null;
  /** Bottom right. */
  se: "circle" | "square" | null;
  /** Bottom left. */
  sw: "circle" | "square" | null;
}

/** The sides of a tile: of which figure each has a half. */
export interface TileSides {
  /** Top. */
  n: "small circle" | null;
  /** Right. */
  e: "small circle" | null;
  /** Bottom. */
  s: "small circle" | null;
  /** Left. */
  w: "small circle" | null;
}

/** The time control of a game. */
export interface TimeControl {
  /** The name of a preset, or `custom`. */
  name: string;
  /** The time for each turn. */
  allowance_seconds: number;
  /** The reserve for the whole game. */
  bank_seconds: number;
  /** The time for a turn of a blind match. */
  blind_allowance_seconds: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends: boolean;
  /** Whether clocks stop in each player's night hours. Changed hours count from the next turn. */
  nights: boolean;
  /** Whether clocks stop while a player is on vacation. */
  vacation: boolean;
  /** When the agreed pause ends; null if there is none. */
  paused_until: string | null;
}

/** Your clocks and vacation. */
export interface TimeOverview {
  /** The game that you would lose first if you stopped playing now; null if there is none. */
  first_loss: FirstLoss | null;
  /** Your vacation, planned and saved up. */
  vacation: Vacation;
  /** Your clocks in all running games, the first to be lost first. */
  clocks: Array<SeatClock>;
}

/** A timeout, with the notifications sent before. */
export interface Timeout {
  /** The seat in the game. */
  seat: number;
  /** The `id` of the entrant that sits there. */
  entrant: number;
  /** The name of the player there then; null if the account was deleted. */
  player: string | null;
  /** The `seq` of the game when the turn began. */
  turn: number;
  /** When the turn began. */
  began_at: string | null;
  /** The deadline that we announced for the turn. */
  deadline: string | null;
  /** The notifications that we sent about this turn, with their status. */
  notices: Array<SentNotice>;
  /** The outcome of the timeout. */
  outcome: string;
  /** The `seq` of the game afterwards. */
  seq: number;
  /** When the time ran out. */
  at: string;
}

/** A seat ran out of time. */
export interface TimeoutEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The number of the last action of the game at that time. */
  seq: number;
  /** The seat that ran out of time. */
  seat: number;
  /** What the server did: it took vacation, played the turn, or resigned. */
  outcome: "vacation" | "autoplay" | "resigned";
  /** The actions that we played. */
  actions: Array<string>;
  /** When the seat on turn runs out of time; null if no clock runs. */
  deadline: string | null;
}

/** The timeouts of a pairing. */
export interface TimeoutEvidence {
  /** The timeouts, oldest first. */
  results: Array<Timeout>;
}

/** A seat ran out of time. */
export interface TimeoutFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "timeout";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: TimeoutEntryDetails;
}

/** A personal token, without its secret. */
export interface Token {
  /** The number by which addresses of the API name the token. */
  id: number;
  /** The name that you gave it. */
  name: string;
  /** What the token may do. */
  scopes: Array<string>;
  /** The `id` of the token that created this one, and is revoked together with it; null if you created it yourself. */
  parent: number | null;
  /** When it was made. */
  created_at: string;
  /** When it expires; null if it does not. */
  expires_at: string | null;
  /** When it was last used, roughly; null if never. */
  last_used_at: string | null;
  /** When it was revoked; null if it was not. */
  revoked_at: string | null;
}

/** A new personal token with its secret. */
export interface TokenWithSecret {
  /** The number by which addresses of the API name the token. */
  id: number;
  /** The name that you gave it. */
  name: string;
  /** What the token may do. */
  scopes: Array<string>;
  /** The `id` of the token that created this one, and is revoked together with it; null if you created it yourself. */
  parent: number | null;
  /** When it was made. */
  created_at: string;
  /** When it expires; null if it does not. */
  expires_at: string | null;
  /** When it was last used, roughly; null if never. */
  last_used_at: string | null;
  /** When it was revoked; null if it was not. */
  revoked_at: string | null;
  /** The token itself. It is shown only this once. */
  token: string;
}

/** A tournament. */
export interface Tournament {
  /** The id, as in addresses of pages and of the API. */
  id: string;
  /** The name that the organiser gave it. */
  name: string;
  /** How we pair entrants: knock-out, double knock-out, round robin or Swiss. */
  format: "knockout" | "double" | "round-robin" | "swiss";
  /** The status of the tournament. */
  status: "draft" | "published" | "running" | "over" | "cancelled";
  /** Whether entrants are single players or pairs. */
  mode: "singles" | "pairs";
  /** How many entrants sit at a table at most, 2 to 4. */
  table_size: number;
  /** The time control of its games. */
  clock: string;
  /** Whether its games count for ratings. */
  rated: boolean;
  /** The name of the organiser; null if the account was deleted. */
  organiser: string | null;
  /** How many entrants have a place. */
  entered: number;
  /** How many entrants can have a place; null for no limit. */
  capacity: number | null;
  /** When the draft was created. */
  created_at: string;
  /** When entries open; null for at once. */
  opens_at: string | null;
  /** When entries close; null for at the start. */
  closes_at: string | null;
  /** When it starts; null if an organiser starts it. */
  starts_at: string | null;
  /** When it started; null before. */
  started_at: string | null;
  /** When it ended; null before. */
  finished_at: string | null;
  /** How many entrants are on the waiting list. */
  waiting: number;
  /** The names of the co-organisers. */
  co_organisers: Array<string>;
  /** Why it waits, for its organisers; otherwise null. `review`, `too-few`, `too-many-games`, `stale-at-end`, the code of its first warning, or `undecided-table`: a table counts again whose game ended while it did not, and its result has to be recorded. */
  hold_reason: string | null;
  /** Whether it waits for its organisers. */
  waits_for_organiser: boolean;
  /** For its organisers: warnings about the next round. */
  warnings: Array<Note>;
  /** The newest round; null before the first. */
  round: Round | null;
  /** The names of the winners; empty until it is over. */
  champions: Array<string>;
  /** The same as `event_commitment`. */
  commitment: string;
  /** The SHA-256 of `event_seed`, public before anyone can enter. */
  event_commitment: string;
  /** The seed in hexadecimal; null until the tournament is over. */
  event_seed: string | null;
  /** The league that it belongs to; null if it belongs to none. */
  league: LeagueReference | null;
  /** Your entry, and what you may do. */
  you: TournamentViewer;
  /** A text for the players, without formatting. */
  text: string;
  /** The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes. */
  round_count: number | null;
  /** Round robin: how many times two entrants meet. */
  cycles: number;
  /** Round robin: whether all rounds begin together. */
  all_rounds_at_once: boolean;
  /** Knock-out: how many entrants go on from a table of 3 or 4. */
  advancing_count: number;
  /** Knock-out at tables of 2: whether the third place is played for. */
  third_place: boolean;
  /** Whether it starts as soon as all places are taken. */
  when_full: boolean;
  /** Whether only those play who confirm shortly before the start. */
  confirmation: boolean;
  /** Whether only invited players can enter. */
  by_invitation: boolean;
  /** Swiss: whether players can enter after the start. */
  late_entry: boolean;
  /** Whether bot accounts may enter; a game between a bot and a person is not rated. */
  bots_allowed: boolean;
  /** The lowest rating with which a player can enter; null for any. */
  min_rating: number | null;
  /** The highest rating with which a player can enter; null for any. */
  max_rating: number | null;
  /** How entrants get their seeds, where no organiser sets them by hand. */
  seeding: "lot" | "rating";
  /** Whether a round with warnings waits for an organiser. */
  hold_on_warnings: boolean;
  /** Whether every round waits for the approval of an organiser. */
  manual_approval: boolean;
  /** The edition of the rules. */
  edition: string;
  /** Whether secret cards are played. The default depends on the edition. */
  cards: boolean;
  /** The first match with cards: 1, or 2 to learn the tiles first. */
  cards_from: number;
  /** Always `strict`: a placement must make an 8 or close a figure where it can. */
  obligation: string;
  /** The points that a side needs to end the game. */
  target: number;
  /** How the oldest player is found: by the age of the account, or by lot. The default depends on the edition. */
  seniority: string;
  /** Whether pages and mails show where a figure can be closed. The API always lists the legal actions. */
  hints: boolean;
  /** The time for each turn, in seconds. Only with the clock `custom`. */
  allowance_seconds: number;
  /** The reserve for the whole game, in seconds. Only with the clock `custom`. */
  bank_seconds: number;
  /** The time for a turn of a blind match, in seconds. Null means half the usual time. */
  blind_allowance_seconds: number | null;
  /** The time for a turn of a rematch, in seconds. */
  rematch_allowance_seconds: number;
  /** The reserve for a rematch, in seconds. */
  rematch_bank_seconds: number;
  /** What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns. */
  timeouts: "autoplay" | "forfeit";
  /** Whether clocks stop at the weekend. */
  weekends: boolean;
  /** Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next turn. */
  nights: boolean;
  /** Whether clocks stop while a player is on vacation. The default is true, except for quick games. */
  vacation: boolean;
  /** Whether the players at a table can chat. */
  chat: boolean;
  /** Whether only the players of a game can see it. */
  private: boolean;
  /** How long a round lasts, in seconds; null for no limit. */
  round_length_seconds: number | null;
}

/** The commitment of a division group. */
export interface TournamentCommitment {
  /** The number of the division; 1 is the highest. */
  division: number;
  /** The number of the group in its division. */
  group: number;
  /** The SHA-256 of the seed of its tournament. */
  event_commitment: string;
}

/** An entry into a tournament. */
export interface TournamentEntry {
  /** Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the number of your entry. */
  client_seed?: string;
  /** In pairs: the name of the player you want to play with. */
  partner?: string | null;
}

/** About a tournament: you are invited, it asks for your confirmation, or it starts. */
export interface TournamentEntryDetails {
  /** The `id` of the tournament. */
  tournament: string;
  /** The name of the tournament. */
  name: string;
  /** The `id` of the game; null if there is none. */
  game: string | null;
}

/** About a tournament: you are invited, it asks for your confirmation, or it starts. */
export interface TournamentFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "tournament-invited" | "tournament-confirm" | "tournament-start";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: TournamentEntryDetails;
}

/** An invitation to a tournament. */
export interface TournamentInvite {
  /** The name of the invited player. */
  name: string;
  /** When they were invited. */
  created_at: string;
}

/** One page of a list. */
export interface TournamentInvitePage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<TournamentInvite>;
}

/** The origin of the seed of a tournament's game. */
export interface TournamentSeed {
  /** The `id` of the tournament. */
  id: string;
  /** The SHA-256 of the tournament's seed. */
  commitment: string;
  /** The match in the tournament. */
  match: string;
  /** The number of the game in its match. */
  game: number;
  /** The attempt; more than 1 if a corrected result made earlier ones void. */
  attempt: number;
  /** The seed of the tournament; null until it is over. */
  seed: string | null;
}

/** A tournament in a list. */
export interface TournamentSummary {
  /** The id, as in addresses of pages and of the API. */
  id: string;
  /** The name that the organiser gave it. */
  name: string;
  /** How we pair entrants: knock-out, double knock-out, round robin or Swiss. */
  format: "knockout" | "double" | "round-robin" | "swiss";
  /** The status of the tournament. */
  status: "draft" | "published" | "running" | "over" | "cancelled";
  /** Whether entrants are single players or pairs. */
  mode: "singles" | "pairs";
  /** How many entrants sit at a table at most, 2 to 4. */
  table_size: number;
  /** The time control of its games. */
  clock: string;
  /** Whether its games count for ratings. */
  rated: boolean;
  /** The name of the organiser; null if the account was deleted. */
  organiser: string | null;
  /** How many entrants have a place. */
  entered: number;
  /** How many entrants can have a place; null for no limit. */
  capacity: number | null;
  /** When the draft was created. */
  created_at: string;
  /** When entries open; null for at once. */
  opens_at: string | null;
  /** When entries close; null for at the start. */
  closes_at: string | null;
  /** When it starts; null if an organiser starts it. */
  starts_at: string | null;
  /** When it started; null before. */
  started_at: string | null;
  /** When it ended; null before. */
  finished_at: string | null;
}

/** One page of a list. */
export interface TournamentSummaryPage {
  /** The address of the next page; null on the last page. */
  next: string | null;
  /** The address of the previous page; null on the first page. */
  previous: string | null;
  /** The items of this page, in order. */
  results: Array<TournamentSummary>;
}

/** The viewer's entry and permissions in a tournament. */
export interface TournamentViewer {
  /** Whether you are an organiser. */
  organiser: boolean;
  /** The `id` of the entrant that you play for. */
  entrant: number | null;
  /** The status of your entry; null if you have not entered. */
  status: "waiting" | "entered" | "withdrawn" | "disqualified" | null;
  /** Whether your entry is confirmed; null if you have not entered. */
  confirmed: boolean | null;
  /** Unanswered proposals to play as a pair, yours and those made to you. */
  proposals: Array<number>;
  /** Your part of the shuffles of your games here. */
  client_seed: string | null;
  /** What you may do here now. */
  permissions: Array<string>;
}

/** A turn that waits for you. */
export interface Turn {
  /** The `id` of the game. */
  game: string;
  /** Your seat. */
  seat: number;
  /** The `seq` of the game. Send it with your action. */
  seq: number;
  /** What kind of action is expected: `start`, `stolen`, `place` or `react`. */
  phase: "start" | "stolen" | "place" | "react" | "over";
  /** The end of the turn, or of the tournament's round if that comes first; null if no clock runs. */
  deadline: string | null;
  /** What ends at the deadline: `turn` or `round`; null without a deadline. */
  deadline_kind: "turn" | "round" | null;
  /** In a tournament: when points decide the game. Null otherwise. */
  round_end: RoundEnd | null;
}

/** It is your turn, or you are asked to answer an 8. */
export interface TurnEntryDetails {
  /** The `id` of the game. */
  game: string;
  /** The number of the last action of the game at that time, 0 before any. */
  seq: number;
  /** When the seat on turn runs out of time; null if no clock runs. */
  deadline: string | null;
  /** In a tournament: when points decide the game; null otherwise. */
  round_ends_at: string | null;
  /** The seat that acted; null at the start. */
  seat: number | null;
  /** The action that was played; null at the start. */
  action: string | null;
  /** The source of the action: a player, the clock or a bot; null at the start. */
  by: "player" | "clock" | "bot" | null;
  /** The actions that your standing orders played in this turn; null if they played none. */
  ordered_actions: Array<string> | null;
  /** Why your standing orders ended in this turn; null if they did not. */
  order_end: "card-played" | "eight-possible" | null;
}

/** A seat lost its turn to a dark tile (`lost turn`), or takes a second one (`second turn`). */
export interface TurnEvent {
  /** The seat that this happened to. */
  seat: number;
  /** What happened. */
  event: "lost turn" | "second turn";
}

/** It is your turn, or you are asked to answer an 8. */
export interface TurnFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "turn";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: TurnEntryDetails;
}

/** Undoes a decision. */
export interface UndoDecision {
  /** The reason. Only the organisers and the site's operators can read it. */
  reason?: string;
  /** A note for everybody, quoted in mails about the decision. It is hidden when the decision is undone. */
  public_note?: string;
  /** Send true to change final ranks or to reopen a tournament that is over. Otherwise such a request gets `rank-changes`, and `places` lists the changes. */
  confirmed?: boolean;
}

/** Your vacation. */
export interface Vacation {
  /** The vacation that you have saved up. */
  left_seconds: number;
  /** When your current or planned vacation ends; null if there is none. */
  until: string | null;
  /** When it began or begins; null if there is none. */
  from: string | null;
}

/** Your time ran out, so we used an hour of your vacation. */
export interface VacationEntryDetails {
  /** The vacation that you have left. */
  left_seconds: number;
}

/** Your time ran out, so we used an hour of your vacation. */
export interface VacationFeedEntry {
  /** The number of the entry, which is also the cursor of the feed. It never changes. */
  id: number;
  /** The `id` of the game that it is about; null if it is about no game. */
  game: string | null;
  /** When it happened. */
  at: string;
  /** What happened. New kinds may be added. */
  kind: "vacation";
  /** The details, which depend on `kind`. Null means that there is nothing to say. */
  data: VacationEntryDetails;
}

/** A webhook, without its secret. */
export interface Webhook {
  /** Its number in addresses of the API. */
  id: number;
  /** The address that we call. */
  url: string;
  /** The format of the body: plain JSON, or what Discord or Slack understand. */
  preset: "json" | "discord" | "slack";
  /** The kinds of notifications that it is called with; null: all. */
  kinds: Array<string> | null;
  /** Whether it is called within seconds, in quiet hours too; else when the mail is due. */
  immediate: boolean;
  /** Whether it is called. */
  active: boolean;
  /** Why the webhook is off; null while it is on. */
  disabled_reason: string | null;
  /** How many calls wait, or will be repeated. */
  waiting_calls: number;
  /** Failed calls that we will repeat; ten at most. */
  failing_calls: Array<FailingCall>;
  /** When it was made. */
  created_at: string;
}

/** The payload of a webhook call. */
export interface WebhookPayload {
  /** The `id` of the tournament; null if there is none. */
  tournament: string | null;
  /** The `id` of the league; null if there is none. */
  league: string | null;
  /** The number of the round; null if there is none. */
  round: number | null;
  /** The name of the pairing in its tournament; null if there is none. */
  match: string | null;
  /** The `id` of the game that the notification is about; null if there is none. */
  game: string | null;
  /** Your seat in that game; null without one. */
  seat: number | null;
  /** The number of the last action when we made the notification; null if it has none. */
  seq: number | null;
  /** When you run out of time; null if your clock does not run. */
  deadline: string | null;
  /** In a tournament: when points decide the game, as in the view of the game. */
  round_end: RoundEnd | null;
  /** The number of the delivery, as in the header `webhook-id`. A repeated call has the same. */
  id: number;
  /** The page with more about it. */
  url: string;
  /** The notification as a sentence, in your language. */
  text: string;
  /** When we made the notification. */
  at: string;
  /** What the notification is about. New kinds may be added. `test`: test message; `turn`: your turn; `started`: start of a game; `timeout`: time ran out; `blind`: blind match; `over`: end of a game; `cancelled`: cancelled game; `invited`: invitation; `vacation`: vacation used; `pause`: proposed pause; `paused`: agreed pause; `pause-declined`: declined pause proposal; `reminder`: reminder of your turn; `tournament-invited`: invitation to a tournament; `tournament-partner`: invitation to play as a pair; `tournament-replacement`: invitation to take over a seat; `tournament-co-organiser`: invitation to co-organise; `tournament-answered`: answer to a request; `tournament-newcomer`: new player at your table; `tournament-place`: place in a tournament; `tournament-confirm`: request to confirm; `tournament-start`: start of a tournament; `tournament-pairing`: new tournament game; `tournament-round-end`: new deadline for a round; `tournament-bye`: round without a game; `tournament-result`: result; `tournament-table`: change of a table; `tournament-end`: end of a tournament; `tournament-cancelled`: cancelled tournament; `tournament-out`: end of your entry; `tournament-replaced`: seat taken over; `tournament-held`: a tournament needs you; `tournament-appeal`: appeal; `league-partner`: invitation to play as a pair; `league-co-organiser`: invitation to co-organise; `league-answered`: answer to a request; `league-parted`: partner has left; `league-out`: end of your membership; `league-held`: a league needs you; `league-season`: start of a season; `league-season-end`: end of a season. */
  kind: "test" | "turn" | "started" | "timeout" | "blind" | "over" | "cancelled" | "invited" | "vacation" | "pause" | "paused" | "pause-declined" | "reminder" | "tournament-invited" | "tournament-partner" | "tournament-replacement" | "tournament-co-organiser" | "tournament-answered" | "tournament-newcomer" | "tournament-place" | "tournament-confirm" | "tournament-start" | "tournament-pairing" | "tournament-round-end" | "tournament-bye" | "tournament-result" | "tournament-table" | "tournament-end" | "tournament-cancelled" | "tournament-out" | "tournament-replaced" | "tournament-held" | "tournament-appeal" | "league-partner" | "league-co-organiser" | "league-answered" | "league-parted" | "league-out" | "league-held" | "league-season" | "league-season-end";
  /** What ends at the deadline, as in the view of the game; null without a deadline. */
  deadline_kind: "turn" | "round" | null;
}

/** A webhook with its secret. */
export interface WebhookWithSecret {
  /** Its number in addresses of the API. */
  id: number;
  /** The address that we call. */
  url: string;
  /** The format of the body: plain JSON, or what Discord or Slack understand. */
  preset: "json" | "discord" | "slack";
  /** The kinds of notifications that it is called with; null: all. */
  kinds: Array<string> | null;
  /** Whether it is called within seconds, in quiet hours too; else when the mail is due. */
  immediate: boolean;
  /** Whether it is called. */
  active: boolean;
  /** Why the webhook is off; null while it is on. */
  disabled_reason: string | null;
  /** How many calls wait, or will be repeated. */
  waiting_calls: number;
  /** Failed calls that we will repeat; ten at most. */
  failing_calls: Array<FailingCall>;
  /** When it was made. */
  created_at: string;
  /** The secret that signs the calls, as Standard Webhooks describes. It is shown only this once. */
  signing_secret: string;
}

/** Your seat. */
export interface YourSeat {
  /** The number of the seat. */
  seat: number;
  /** The side that you play for. */
  side: number;
  /** Your cards, in the order in which you received them. */
  hand: Array<string>;
  /** In pairs: your partner's seat. Null otherwise. */
  partner: Partner | null;
  /** How many legal actions you have now. */
  legal_count: number;
  /** Your legal actions now, as actions/legal/ gives them; empty if you have nothing to decide. */
  legal: Array<string>;
  /** How you answer an 8: `use` the card, `keep` it, or `ask` you each time. */
  eight_policy: "ask" | "use" | "keep";
  /** Whether notifications about this game are turned off. */
  muted: boolean;
  /** True if you took this seat over and have not looked yet. `take-seat` then shows hand and legal actions. */
  hand_hidden: boolean;
  /** Your standing orders, which nobody else can see. */
  orders: Orders;
}
