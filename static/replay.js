// The replay moves without loading the page anew, and the fairness page is checked by the browser itself.
// Without this file both pages work all the same.

// ------------------------------------------------------------------------------------------------- replay

const PACE = 1500; // milliseconds between two positions
const STEPS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

let asked = 0; // the newest request: the answer to an older one comes too late
let playing = 0; // the timer, while it plays
let steps = 0; // keys that were pressed and are not yet followed
let walk = Promise.resolve(); // one step after the other, however fast the keys come

const position = () => document.getElementById("position");
const control = (name) => position().querySelector(`a[data-go="${name}"]`);

async function go(address) {
  const mine = ++asked;
  let page;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    if (mine === asked) location.assign(address); // the browser says what is wrong
    return false;
  }
  const fresh = page.getElementById("position");
  if (mine !== asked || !fresh) return false;
  show(fresh);
  history.replaceState(null, "", address);
  return true;
}

function show(fresh) {
  const old = position();
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  for (const details of old.querySelectorAll("details[open]")) fresh.querySelector(`#${details.id}`).open = true;
  fresh.classList.add("moved");
  old.replaceWith(fresh);
  ready();
  const told = [...fresh.querySelectorAll("#where, #happened li")].map((line) => line.textContent.trim());
  document.getElementById("told").textContent = told.join(" ");
  if (focused) {
    const same = focused.id || focused.dataset.go;
    const heir = same && fresh.querySelector(focused.id ? `#${same}` : `:is(a, button)[data-go="${same}"]`);
    (heir || fresh.querySelector("#where")).focus({ preventScroll: true });
  }
}

function ready() {
  const play = position().querySelector('[data-go="play"]');
  play.hidden = position().dataset.last === "0";
  play.textContent = playing ? play.dataset.pause : play.dataset.play;
  position().querySelector('[data-go="copy"]').hidden = !navigator.clipboard;
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  ready();
}

function wait() {
  const mine = setTimeout(async () => {
    const next = control("forward");
    const moved = next && (await go(next.href));
    if (playing !== mine) return; // somebody pressed Pause meanwhile
    if (moved && control("forward")) wait();
    else stop();
  }, PACE);
  playing = mine;
}

async function play() {
  if (playing) return stop();
  wait();
  ready();
  if (!control("forward")) await go(control("first").href); // at the end it begins anew
}

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById("share").value);
  button.textContent = button.dataset.copied;
}

function follow() {
  ready();
  document.addEventListener("click", (event) => {
    const target = event.target.closest("#position [data-go]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (target.dataset.go === "play") return play();
    if (target.dataset.go === "copy") return copy(target);
    stop();
    go(target.href);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("#position")) return;
    event.preventDefault();
    stop();
    go(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
  });
  document.addEventListener("keydown", (event) => {
    const name = STEPS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    if (event.repeat && steps) return; // a key held down goes as fast as the pages come
    stop();
    steps += 1;
    walk = walk.then(async () => {
      const step = control(name);
      if (step) await go(step.href);
      steps -= 1;
    });
  });
}

// ------------------------------------------------------------------------- seeds, numbers, shuffles

const utf8 = (text) => new TextEncoder().encode(text);
const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A function that signs texts with a key: HMAC-SHA256. */
async function signer(raw) {
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return (text) => crypto.subtle.sign("HMAC", key, utf8(text));
}

export async function commitmentOf(seed) {
  return hex(await crypto.subtle.digest("SHA-256", bytes(seed)));
}

/** What signs for a game: its key comes from all seeds together. */
export async function signerOf(seed, clientSeeds) {
  const sign = await signer(bytes(seed));
  return signer(await sign(`otto-v1|${clientSeeds.join("|")}`));
}

async function* numbers(sign, label) {
  for (let block = 0; ; block++) {
    const view = new DataView(await sign(`${label}|${block}`));
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

async function below(source, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const x = (await source.next()).value;
    if (x < limit) return x % n;
  }
}

export async function shuffled(sign, label, items) {
  const result = [...items];
  const source = numbers(sign, label);
  for (let i = result.length - 1; i > 0; i--) {
    const j = await below(source, i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

// ---------------------------------------------------------------------------------- what they promise

/** The seat of each player, in joining order, if a couple (joining numbers from 0) sits opposite. */
function seatsOf(order, couple) {
  const table = [...order];
  if (couple) {
    const [first, second] = couple.map((player) => table.indexOf(player)).sort((a, b) => a - b);
    const across = (first + 2) % 4;
    [table[second], table[across]] = [table[across], table[second]];
  }
  return order.map((_, player) => table.indexOf(player) + 1);
}

/** Whether the server seed follows from that of the event; null while that is secret, or without an event. */
async function eventFollows({ fairness: { event, server_seed: serverSeed } }) {
  if (!event?.seed) return null;
  const sign = await signer(bytes(event.seed));
  const derived = hex(await sign(`otto-game-v1|${event.match}|${event.game}|${event.attempt}`));
  return (await commitmentOf(event.seed)) === event.commitment && derived === serverSeed;
}

async function seatsFollow(record) {
  const { order, joined } = record.seating;
  if (order !== "shuffled") return true;
  const byJoining = joined.map((seat) => record.fairness.client_seeds[seat - 1]);
  const sign = await signerOf(record.fairness.server_seed, byJoining);
  const drawn = await shuffled(sign, "seats", joined.keys());
  const couples = [null];
  if (record.mode === "pairs") for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) couples.push([a, b]);
  return couples.some((couple) => seatsOf(drawn, couple).join() === joined.join());
}

/** Seats in ascending order, as they come clockwise from one of them. */
const clockwise = (seats, first) => [...seats.filter((seat) => seat >= first), ...seats.filter((seat) => seat < first)];
const seatsIn = (table) => Object.keys(table).map(Number).sort((a, b) => a - b);

/** The seats of a deal, in the order in which they take: from the oldest who plays, clockwise. */
function dealt(record, event) {
  const seats = seatsIn(event.table);
  return clockwise(seats, record.seniority.find((seat) => seats.includes(seat)));
}

/** The tiles that an event took from the tower, in order. */
function taken(record, event) {
  switch (event.event) {
    case "match began":
      return dealt(record, event).map((seat) => event.table[seat]);
    case "drew":
      return [event.tile];
    case "dark tiles left":
      return [event.table];
    case "new tiles":
      return clockwise(seatsIn(event.table), event.seat).map((seat) => event.table[seat]);
    case "shoot-out":
      return seatsIn(event.tiles).map((side) => event.tiles[side]);
    default:
      return [];
  }
}

/** Every tile of the log against the towers that the seeds give. */
async function tilesFollow(record, sign, events, box) {
  let tower = [];
  let [n, m] = [0, 0];
  for (const event of events) {
    if (event.event === "match began") tower = await shuffled(sign, `tower/${++m}`, box);
    for (const tile of taken(record, event).filter(Boolean)) {
      if (tower.shift() !== tile) return { kept: false, n, m };
      n++;
    }
  }
  return { kept: true, n, m };
}

/** Every card of the log against the hands that the seeds deal. */
async function cardsFollow(record, sign, events, box) {
  const deck = await shuffled(sign, "deck", box);
  let hands = record.seats.map(() => []);
  let stolen = null;
  let [n, kidnaps] = [0, 0];
  const give = (seat) => hands[seat - 1].push(...deck.splice(0, 1));
  const lay = (seat, card) => {
    const at = hands[seat - 1].indexOf(card);
    hands[seat - 1].splice(at, at < 0 ? 0 : 1);
    n++;
    return at >= 0;
  };
  for (const event of events) {
    let right = true;
    switch (event.event) {
      case "match began":
        if (event.kind === "normal") dealt(record, event).forEach(give);
        else hands = hands.map(() => []);
        break;
      case "dark tiles left":
        if (event.card) give(event.seat);
        break;
      case "played":
        right = stolen ? stolen.card === event.card : lay(event.seat, event.card);
        stolen = null;
        break;
      case "answered":
        if (event.answer !== "pass") right = lay(event.seat, event.answer === "8" ? "OO" : "CV");
        break;
      case "kidnapped": {
        const hand = hands[event.victim - 1];
        const source = numbers(sign, `kidnap/${++kidnaps}`);
        right = hand.length > 0 && hand.splice(await below(source, hand.length), 1)[0] === event.card;
        stolen = event;
        n++;
        break;
      }
      case "lost card":
        stolen = null;
        break;
      case "resigned": {
        const leaving = record.seats.filter((seat) => seat.side === event.side).map((seat) => seat.seat);
        for (const seat of leaving) hands[seat - 1] = [];
        if (stolen && leaving.includes(stolen.seat)) stolen = null;
        break;
      }
    }
    if (!right) return { kept: false, n };
  }
  return { kept: true, n };
}

/** What the seeds of a finished game promise, against its record and the events of its log. */
export async function check(record, events, tiles, deck) {
  const { commitment, server_seed: seed, client_seeds: clientSeeds } = record.fairness;
  const sign = await signerOf(seed, clientSeeds);
  return {
    commitment: { kept: (await commitmentOf(seed)) === commitment },
    event: { kept: await eventFollows(record) },
    seats: { kept: await seatsFollow(record) },
    tiles: await tilesFollow(record, sign, events, tiles),
    cards: await cardsFollow(record, sign, events, deck),
  };
}

async function fetched(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

async function eventsOf(section) {
  const events = JSON.parse(section.dataset.initialEvents);
  for (let after = 0; after !== null; ) {
    const page = await fetched(`${section.dataset.log}?after=${after}&limit=200`);
    events.push(...page.results.flatMap((line) => line.events));
    after = page.next;
  }
  return events;
}

function tell(item, found) {
  const language = document.documentElement.lang;
  const open = found.kept === null;
  const words = open ? item.dataset.open : found.kept ? item.dataset.kept : item.dataset.broken;
  const mark = document.createElement("span");
  mark.className = "mark";
  mark.ariaHidden = "true";
  mark.textContent = open ? "–" : found.kept ? "✓" : "✗";
  const told = document.createElement("span");
  told.textContent = words.replace(/{(\w)}/g, (_, name) => found[name].toLocaleString(language));
  item.className = open ? "open" : found.kept ? "kept" : "broken";
  item.replaceChildren(mark, told);
}

async function checkHere(section) {
  const list = section.querySelector(".checks");
  try {
    const record = await fetched(section.dataset.record);
    const deck = section.dataset.deck.split(" ").filter(Boolean);
    const found = await check(record, await eventsOf(section), section.dataset.tiles, deck);
    for (const item of list.children) tell(item, found[item.dataset.check]);
  } catch (error) {
    console.error(error);
    list.replaceWith(section.dataset.failed);
  }
  section.hidden = false;
}

if (globalThis.document) {
  if (position()) follow();
  const own = document.getElementById("own");
  if (own && globalThis.crypto?.subtle) checkHere(own); // only where the connection is safe
}
