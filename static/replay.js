// Steps through a replay without loading a new page, and checks the seeds of a finished game in the browser.
// Both pages work without this script.

// ------------------------------------------------------------------------------------------------- replay

const PLAY_INTERVAL_MS = 1500; // between two positions, unless the page says otherwise
const CONTROL_BY_KEY = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

let latestRequest = 0; // its number; the response to an older one is dropped
let playTimer = 0; // while the replay plays by itself
let pendingSteps = 0; // keys that are pressed and not yet carried out
let stepQueue = Promise.resolve(); // carries out one step after the other, however fast the keys come

const findPosition = () => document.getElementById("position");
const findControl = (name) => findPosition().querySelector(`a[data-control="${name}"]`);

/** Shows the position of an address; false if it could not be fetched, or a newer request is under way. */
async function goToPosition(address) {
  const request = ++latestRequest;
  let page;
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    if (!response.ok) throw new Error(response.status);
    page = new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    if (request === latestRequest) location.assign(address); // the browser shows the error
    return false;
  }
  const newPosition = page.getElementById("position");
  if (request !== latestRequest || !newPosition) return false;
  showPosition(newPosition);
  history.replaceState(null, "", address);
  return true;
}

function showPosition(newPosition) {
  const oldPosition = findPosition();
  const focusedElement = oldPosition.contains(document.activeElement) ? document.activeElement : null;
  for (const details of oldPosition.querySelectorAll("details[open]")) {
    newPosition.querySelector(`#${details.id}`).open = true;
  }
  newPosition.classList.add("is-updated");
  oldPosition.replaceWith(newPosition);
  updateButtons();
  const lines = [...newPosition.querySelectorAll("#position-title, #position-events li")];
  document.getElementById("announcement").textContent = lines.map((line) => line.textContent.trim()).join(" ");
  if (focusedElement) {
    const name = focusedElement.id || focusedElement.dataset.control;
    const selector = focusedElement.id ? `#${name}` : `:is(a, button)[data-control="${name}"]`;
    const successor = name && newPosition.querySelector(selector);
    (successor || newPosition.querySelector("#position-title")).focus({ preventScroll: true });
  }
}

function updateButtons() {
  const playButton = findPosition().querySelector('[data-control="play"]');
  playButton.hidden = findPosition().dataset.lastSeq === "0";
  playButton.textContent = playTimer ? playButton.dataset.pauseText : playButton.dataset.playText;
  const copyButton = findPosition().querySelector('[data-control="copy"]');
  if (copyButton) copyButton.hidden = !navigator.clipboard;
}

function stopPlaying() {
  clearTimeout(playTimer);
  playTimer = 0;
  updateButtons();
}

function scheduleNextPosition() {
  const timer = setTimeout(async () => {
    const forwardLink = findControl("forward");
    const hasMoved = forwardLink && (await goToPosition(forwardLink.href));
    if (playTimer !== timer) return; // Pause was pressed meanwhile
    if (hasMoved && findControl("forward")) scheduleNextPosition();
    else stopPlaying();
  }, Number(findPosition().dataset.interval) || PLAY_INTERVAL_MS);
  playTimer = timer;
}

async function togglePlaying() {
  if (playTimer) return stopPlaying();
  scheduleNextPosition();
  updateButtons();
  if (!findControl("forward")) await goToPosition(findControl("first").href); // at the end it starts again
}

async function copyAddress(button) {
  await navigator.clipboard.writeText(document.getElementById("share").value);
  button.textContent = button.dataset.copiedText;
}

function listenToControls() {
  updateButtons();
  document.addEventListener("click", (event) => {
    const target = event.target.closest("#position [data-control]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (target.dataset.control === "play") return togglePlaying();
    if (target.dataset.control === "copy") return copyAddress(target);
    stopPlaying();
    goToPosition(target.href);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("#position")) return;
    event.preventDefault();
    stopPlaying();
    goToPosition(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
  });
  document.addEventListener("keydown", (event) => {
    const name = CONTROL_BY_KEY[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    if (event.repeat && pendingSteps) return; // a key held down waits for each page
    stopPlaying();
    pendingSteps += 1;
    stepQueue = stepQueue.then(async () => {
      const link = findControl(name);
      if (link) await goToPosition(link.href);
      pendingSteps -= 1;
    });
  });
}

// ------------------------------------------------------------------------- seeds, numbers, shuffles

const encodeUtf8 = (text) => new TextEncoder().encode(text);
const parseHex = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const formatHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns a function that signs texts with a key: HMAC-SHA256. */
async function makeSigner(raw) {
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return (text) => crypto.subtle.sign("HMAC", key, encodeUtf8(text));
}

/** Returns the commitment to a seed: its SHA-256. */
export async function computeCommitment(seed) {
  return formatHex(await crypto.subtle.digest("SHA-256", parseHex(seed)));
}

/** Returns the signing function of a game, whose key is derived from all seeds. */
export async function makeGameSigner(seed, clientSeeds) {
  const sign = await makeSigner(parseHex(seed));
  return makeSigner(await sign(`otto-v1|${clientSeeds.join("|")}`));
}

/** Yields the random numbers of a label, each below 2 ** 32. */
async function* generateNumbers(sign, label) {
  for (let block = 0; ; block++) {
    const view = new DataView(await sign(`${label}|${block}`));
    for (let offset = 0; offset < 32; offset += 4) yield view.getUint32(offset);
  }
}

/** Returns a random number below n. */
async function drawBelow(source, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const number = (await source.next()).value;
    if (number < limit) return number % n;
  }
}

/** Returns the items in the order that the random numbers of a label give. */
export async function shuffleItems(sign, label, items) {
  const result = [...items];
  const source = generateNumbers(sign, label);
  for (let i = result.length - 1; i > 0; i--) {
    const j = await drawBelow(source, i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

// ---------------------------------------------------------------------------------- checks against the record

/** Returns the seat of each player, in joining order, if a couple (joining numbers from 0) sits opposite. */
function assignSeats(order, couple) {
  const table = [...order];
  if (couple) {
    const [first, second] = couple.map((player) => table.indexOf(player)).sort((a, b) => a - b);
    const opposite = (first + 2) % 4;
    [table[second], table[opposite]] = [table[opposite], table[second]];
  }
  return order.map((_, player) => table.indexOf(player) + 1);
}

/** Checks that the server seed follows from that of the tournament; null while that is secret, or without one. */
async function checkTournamentSeed({ fairness: { event: tournament, server_seed: serverSeed } }) {
  if (!tournament?.seed) return null;
  const sign = await makeSigner(parseHex(tournament.seed));
  const { match, game, attempt } = tournament;
  const derivedSeed = formatHex(await sign(`otto-game-v1|${match}|${game}|${attempt}`));
  return (await computeCommitment(tournament.seed)) === tournament.commitment && derivedSeed === serverSeed;
}

/** Checks that the seats are in joining order, or as the seeds shuffle them, and who is the oldest by lot. */
async function checkSeats(record, sign) {
  if (record.options.seniority === "lot") {
    const seats = record.seats.map((seat) => seat.seat);
    if ((await shuffleItems(sign, "seniority", seats)).join() !== record.seniority.join()) return false;
  }
  const { order, joined: seatsByJoining } = record.seating;
  if (order !== "shuffled") return true;
  const seedsByJoining = seatsByJoining.map((seat) => record.fairness.client_seeds[seat - 1]);
  const joiningSign = await makeGameSigner(record.fairness.server_seed, seedsByJoining);
  const shuffledPlayers = await shuffleItems(joiningSign, "seats", seatsByJoining.keys());
  const couples = [null];
  if (record.mode === "pairs") for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) couples.push([a, b]);
  return couples.some((couple) => assignSeats(shuffledPlayers, couple).join() === seatsByJoining.join());
}

/** Returns ascending seats in clockwise order from one of them. */
const orderClockwise = (seats, first) => [
  ...seats.filter((seat) => seat >= first),
  ...seats.filter((seat) => seat < first),
];
/** Returns the seats, or sides, that a dict is keyed by, in ascending order. */
const listSeats = (table) => Object.keys(table).map(Number).sort((a, b) => a - b);

/** Returns the seats of a deal in dealing order: clockwise from the most senior one that plays. */
function listDealtSeats(record, event) {
  const seats = listSeats(event.table);
  return orderClockwise(seats, record.seniority.find((seat) => seats.includes(seat)));
}

/** Returns the tiles that an event took from the tower, in order. */
function listDrawnTiles(record, event) {
  switch (event.event) {
    case "match began":
      return listDealtSeats(record, event).map((seat) => event.table[seat]);
    case "drew":
      return [event.tile];
    case "dark tiles left":
      return [event.table];
    case "new tiles":
      return orderClockwise(listSeats(event.table), event.seat).map((seat) => event.table[seat]);
    case "shoot-out":
      return listSeats(event.tiles).map((side) => event.tiles[side]);
    default:
      return [];
  }
}

/** Checks every tile of the log against the towers that the seeds give. */
async function checkTiles(record, sign, events, box) {
  let tower = [];
  let [n, m] = [0, 0];
  for (const event of events) {
    if (event.event === "match began") tower = await shuffleItems(sign, `tower/${++m}`, box);
    for (const tile of listDrawnTiles(record, event).filter(Boolean)) {
      if (tower.shift() !== tile) return { passed: false, n, m };
      n++;
    }
  }
  return { passed: true, n, m };
}

/** Checks every card of the log against the hands that the seeds deal. */
async function checkCards(record, sign, events, box) {
  const deck = await shuffleItems(sign, "deck", box);
  const firstMatchWithCards = record.options.cards_from ?? 1;
  let hands = record.seats.map(() => []);
  let kidnapping = null;
  let [n, kidnaps, match] = [0, 0, 0];
  const dealCard = (seat) => hands[seat - 1].push(...deck.splice(0, 1));
  const removeCard = (seat, card) => {
    const index = hands[seat - 1].indexOf(card);
    hands[seat - 1].splice(index, index < 0 ? 0 : 1);
    n++;
    return index >= 0;
  };
  for (const event of events) {
    let isDealt = true;
    switch (event.event) {
      case "match began":
        match += 1;
        if (match < firstMatchWithCards) break;
        if (event.kind === "normal") listDealtSeats(record, event).forEach(dealCard);
        else hands = hands.map(() => []);
        break;
      case "dark tiles left":
        if (event.card) dealCard(event.seat);
        break;
      case "played":
        isDealt = kidnapping ? kidnapping.card === event.card : removeCard(event.seat, event.card);
        kidnapping = null;
        break;
      case "answered":
        if (event.answer !== "pass") isDealt = removeCard(event.seat, event.answer === "8" ? "OO" : "CV");
        break;
      case "kidnapped": {
        const hand = hands[event.victim - 1];
        const source = generateNumbers(sign, `kidnap/${++kidnaps}`);
        isDealt = hand.length > 0 && hand.splice(await drawBelow(source, hand.length), 1)[0] === event.card;
        kidnapping = event;
        n++;
        break;
      }
      case "lost card":
        kidnapping = null;
        break;
      case "resigned": {
        const resignedSeats = record.seats.filter((seat) => seat.side === event.side).map((seat) => seat.seat);
        for (const seat of resignedSeats) hands[seat - 1] = [];
        if (kidnapping && resignedSeats.includes(kidnapping.seat)) kidnapping = null;
        break;
      }
    }
    if (!isDealt) return { passed: false, n };
  }
  return { passed: true, n };
}

/** Checks the record and the log of a finished game against its seeds; `passed` is null while that is open. */
export async function checkGame(record, events, tiles, deck) {
  const { commitment, server_seed: seed, client_seeds: clientSeeds } = record.fairness;
  const sign = await makeGameSigner(seed, clientSeeds);
  return {
    commitment: { passed: (await computeCommitment(seed)) === commitment },
    event: { passed: await checkTournamentSeed(record) },
    seats: { passed: await checkSeats(record, sign) },
    tiles: await checkTiles(record, sign, events, tiles),
    cards: await checkCards(record, sign, events, deck),
  };
}

async function fetchJson(address) {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

async function fetchEvents(section) {
  const events = JSON.parse(section.dataset.initialEvents);
  for (let after = 0; after !== null; ) {
    const page = await fetchJson(`${section.dataset.log}?after=${after}&limit=200`);
    events.push(...page.results.flatMap((line) => line.events));
    after = page.next;
  }
  return events;
}

function showCheck(item, result) {
  const language = document.documentElement.lang;
  const isPending = result.passed === null;
  const outcome = isPending ? "pending" : result.passed ? "passed" : "failed";
  const text = item.dataset[`${outcome}Text`];
  const mark = document.createElement("span");
  mark.className = "mark";
  mark.ariaHidden = "true";
  mark.textContent = { pending: "–", passed: "✓", failed: "✗" }[outcome];
  const sentence = document.createElement("span");
  sentence.textContent = text.replace(/{(\w)}/g, (_, name) => result[name].toLocaleString(language));
  item.className = `check-${outcome}`;
  item.replaceChildren(mark, sentence);
}

async function checkInBrowser(section) {
  const list = section.querySelector(".checks");
  try {
    const record = await fetchJson(section.dataset.record);
    const deck = section.dataset.deck.split(" ").filter(Boolean);
    const results = await checkGame(record, await fetchEvents(section), section.dataset.tiles, deck);
    for (const item of list.children) showCheck(item, results[item.dataset.check]);
  } catch (error) {
    console.error(error);
    list.replaceWith(section.dataset.errorText);
  }
  section.hidden = false;
}

if (globalThis.document) {
  if (findPosition()) listenToControls();
  const section = document.getElementById("browser-check");
  if (section && globalThis.crypto?.subtle) checkInBrowser(section); // only where the connection is safe
}
