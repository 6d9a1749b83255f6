// The game page keeps itself up to date: it hears of moves, shows them in place, and plays without loading anew.

import {
  createFigureShape, createShape, fetchDocument, findCellCentre, findElement, keepFields, listElements, parseDocument, prefersReducedMotion,
} from "./dom.js";
import { updateClocks } from "./clock.js";
import { findStreamVersion, handleTopic, isStreamOpen, readTurnCount, showTurnCount } from "./live.js";

const FIRST_WAIT = 2000, LONGEST_WAIT = 60000; // milliseconds between two checks
const SLIDE_MS = 450, GLOW_MS = 900, COUNT_MS = 600;
let checkNow = () => {}, stopWatching = () => {};
let movePicker = null; // the module, once somebody is to move

// Loads the move picker if a page has one: most visits are of somebody who waits or watches.
export async function loadMovePicker(page = document) {
  if (!movePicker && findElement("[data-move-picker]", page)) movePicker = await import("./move_picker.js");
}

export function startGamePage(table, earlier = null) {
  movePicker?.startMovePicker(table, earlier, openChoice);
  watchVersion(table);
}

// ------------ hearing of a change

// Checks the version seldom, more seldom as time goes by, and not at all while nobody looks; a stream that is
// open says when to check, and leaves the slowest checks as a safety net.
function watchVersion(table) {
  stopWatching();
  if (!table.dataset.version) return;
  let wait = FIRST_WAIT, timer = 0;
  const replaced = new AbortController(); // when another table stands in its place
  stopWatching = () => { clearTimeout(timer); replaced.abort(); };
  const scheduleCheck = () => {
    clearTimeout(timer);
    timer = setTimeout(checkVersion, isStreamOpen() ? LONGEST_WAIT : wait);
    wait = Math.min(wait * 1.4, LONGEST_WAIT);
  };

  async function checkVersion() {
    if (!table.isConnected || document.hidden) return;
    try {
      const headers = { "If-None-Match": table.dataset.version };
      const response = await fetch(table.dataset.versionUrl, { headers, cache: "no-store" });
      if (response.status === 200 && await refreshTable(table)) return;
    } catch { /* away from the net: a later check finds out */ }
    scheduleCheck();
  }
  checkNow = () => {
    if (document.hidden || !table.isConnected || !navigator.onLine) return; // "online" checks again
    wait = FIRST_WAIT;
    checkVersion();
  };
  const { signal } = replaced;
  document.addEventListener("visibilitychange", checkNow, { signal });
  addEventListener("online", checkNow, { signal });
  // The stream names a change once.
  const streamVersion = findStreamVersion(table.dataset.topic);
  if (streamVersion && streamVersion !== table.dataset.version) checkVersion();
  else scheduleCheck();
}

export function watchGameTopic(table) {
  const { topic } = table.dataset;
  if (!topic) return;
  handleTopic(topic, (version) => {
    if (findElement("#table")?.dataset.version !== version) checkNow();
  });
}

async function refreshTable(table) {
  const page = await fetchDocument(location.pathname + location.search);
  if (!page || !findElement("#table", page) || !table.isConnected) return false;
  announceTexts(await replaceTable(table, page));
  return true;
}

// ------------ updating it

const readSeq = (table) => findElement("[data-move-picker] [name=seq]", table)?.value;

// Notes where the focus is, and returns a function that puts it at the same place of the new table.
function rememberFocus(table) {
  const active = document.activeElement, { id, selectionStart, selectionEnd } = active;
  if (!table.contains(active)) return () => {};
  const cell = active.closest("[data-cell]")?.dataset.cell, isPlaying = active.closest("[data-board], [data-move-picker]");
  const isAlike = (other) => other.tagName === active.tagName && other.textContent === active.textContent;
  return (fresh) => {
    const same = id ? document.getElementById(id)
      : cell ? findElement(`[data-cell="${cell}"] button`, fresh)
        : listElements("a, button, summary", fresh).find((other) => isAlike(other) && other.checkVisibility());
    const nearby = isPlaying && (findElement(".cells button", fresh) || findElement("#board", fresh));
    // What had the focus may be gone: then it goes on with the table, and not with the top of the page.
    const target = same || nearby || findElement("#main");
    target.focus({ preventScroll: true });
    if (same && selectionStart != null) same.setSelectionRange?.(selectionStart, selectionEnd);
  };
}

// Notes what is at the top of the window, and returns a function that scrolls it there again.
function rememberScroll(table) {
  const isInView = (element) => element.checkVisibility() && element.getBoundingClientRect().bottom > 0;
  const anchor = listElements("[id]", table).find(isInView);
  const top = anchor?.getBoundingClientRect().top;
  return () => {
    const same = anchor && document.getElementById(anchor.id);
    if (same) scrollBy({ top: same.getBoundingClientRect().top - top, behavior: "instant" });
  };
}

// Returns the news to announce.
async function replaceTable(table, page, keepsSelection = true) {
  await loadMovePicker(page);
  if (!table.isConnected) return ""; // another answer came first
  const fresh = findElement("#table", page);
  keepFields(table, fresh);
  const earlier = keepsSelection && readSeq(table) === readSeq(fresh) ? movePicker?.readSelection(table) : null;
  const restoreFocus = rememberFocus(table), restoreScroll = rememberScroll(table);
  const news = describeChange(table, fresh);
  table.replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  startGamePage(fresh, earlier);
  updateClocks();
  restoreFocus(fresh);
  restoreScroll();
  showTurnCount(readTurnCount(page));
  animateLastMove(table, fresh);
  return news;
}

// One polite live region says what happened; what comes together is said together.
function announceTexts(...texts) {
  const text = texts.filter(Boolean).join(" ").trim().replace(/\s+/g, " ");
  if (text) findElement("#news").textContent = text;
}

function listNewSentences(table, fresh) {
  const shownSentences = new Set(listElements(".story li", table).map(({ textContent }) => textContent));
  const sentences = [];
  for (const { textContent } of listElements(".story li", fresh)) {
    if (shownSentences.has(textContent)) break;
    sentences.unshift(textContent);
  }
  return sentences;
}

function listNewMessages(table, fresh) {
  const shownTimes = listElements(".chat time", table).map(({ dateTime }) => dateTime);
  return listElements(".chat time", fresh).filter(({ dateTime }) => !shownTimes.includes(dateTime))
    .map(({ parentNode: { children: [author], childNodes } }) => `${author.textContent}: ${childNodes[2].textContent}`);
}

// What is new: moves, chat messages, and, after a move, whose turn it is.
function describeChange(table, fresh) {
  const sentences = listNewSentences(table, fresh);
  const [oldOutcome, outcome] = [table, fresh].map((page) => findElement(".rematch-offer", page)?.textContent
    || findElement("#your-turn, .wait h2, .ending h2", page)?.textContent.trim().concat("."));
  const isNew = sentences.length || outcome !== oldOutcome;
  return [...sentences.slice(-4), isNew && outcome, ...listNewMessages(table, fresh)].filter(Boolean).join(" ");
}

// ------------ showing a move

const readLastMove = (table) => findElement("[data-last-move]", table)?.dataset.lastMove;

async function animateLastMove(table, fresh) {
  const lastMove = readLastMove(fresh);
  if (!lastMove || lastMove === readLastMove(table) || prefersReducedMotion()) return;
  const move = JSON.parse(lastMove);
  const scores = holdScores(table, fresh);
  const picture = findElement("[data-last-move] svg", fresh), layer = createShape("g", {});
  picture.append(layer);
  try {
    if (!move.own) await slideTile(layer, move);
    await lightFigures(layer, move.figures);
  } finally {
    layer.remove();
  }
  for (const countUp of scores) countUp();
}

function slideTile(layer, { cell, tile_id: tileId, rotation }) {
  const [x, y] = findCellCentre(cell), moving = createShape("g", {});
  layer.append(createShape("rect", { x: x - 44.4, y: y - 44.4, width: 88.8, height: 88.8, rx: 3, fill: "#54575e" }), moving);
  moving.append(
    createShape("rect", { x: x - 44.4, y: y - 44.4, width: 88.8, height: 88.8, rx: 3, fill: "#101114" }),
    createShape("use", {
      href: `#${tileId}`, fill: "none", stroke: "#fff", "stroke-width": 6, transform: `translate(${x} ${y}) rotate(${rotation})`,
    }),
  );
  const frames = [{ transform: "translateY(-90px)", opacity: 0 }, { transform: "none", opacity: 1 }];
  return moving.animate(frames, { duration: SLIDE_MS, easing: "cubic-bezier(.2, .8, .3, 1)" }).finished;
}

function lightFigures(layer, figures) {
  layer.replaceChildren();
  if (!figures.length) return null;
  const shapes = figures.map((figure) => createFigureShape(figure, { fill: "#fff", stroke: "#63e0b4", "stroke-width": 5 }));
  layer.append(...shapes);
  return layer.animate([{ opacity: 0 }, { opacity: .85 }, { opacity: 0 }], { duration: GLOW_MS, easing: "ease-in-out" }).finished;
}

// Shows the old scores, and returns functions that count up to the new ones.
function holdScores(table, fresh) {
  return listElements("[data-score]", fresh).flatMap((score) => {
    const old = Number(findElement(`[data-score="${score.dataset.score}"]`, table)?.textContent);
    const target = Number(score.textContent);
    if (!Number.isFinite(old) || old >= target) return [];
    score.textContent = old;
    return [() => {
      const start = performance.now();
      const showStep = (time) => {
        const part = Math.min(1, Math.max(0, (time - start) / COUNT_MS));
        score.textContent = Math.round(old + (target - old) * part);
        if (part < 1) requestAnimationFrame(showStep);
      };
      requestAnimationFrame(showStep);
    }];
  });
}

// ------------ playing in place

function showNotices(page) {
  for (const notice of listElements("#main > p.notice")) notice.remove();
  const notices = listElements("#main > p.notice", page);
  findElement("#main").prepend(...notices.map((notice) => document.adoptNode(notice)));
  return notices.map(({ textContent }) => textContent.trim()).join(" ");
}

function submitWithoutScript(form, submitter) {
  if (submitter?.name) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value });
    form.append(field);
  }
  form.submit();
}

async function sendForm(form, submitter) {
  let response, text;
  try {
    response = await fetch(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
    text = await response.text();
  } catch {
    return submitWithoutScript(form, submitter);
  }
  const page = parseDocument(text);
  if (!response.ok) return submitWithoutScript(form, submitter);
  const isSamePage = new URL(response.url).pathname === location.pathname;
  if (!isSamePage || !findElement("#table", page)) return location.assign(response.url);
  if (form.matches("[data-reset]")) form.reset();
  history.replaceState(null, "", location.pathname);
  const news = await replaceTable(findElement("#table"), page);
  announceTexts(news, showNotices(page));
}

// Chooses a card or its target, or takes it back, in place; the focus goes to what comes next.
async function openChoice(address) {
  const url = new URL(address, location), card = new URLSearchParams(location.search).get("card");
  const table = findElement("#table[data-in-place]");
  const page = table && await fetchDocument(url).catch(() => null);
  if (page && !table.isConnected) return openChoice(address); // another answer came first
  if (!page?.getElementById("table")) return location.assign(url);
  history.replaceState(null, "", url);
  const news = await replaceTable(table, page, false);
  const next = findElement("[data-selection]:not([hidden]) [data-confirm], [data-step] a")
    || findElement(`[data-card="${CSS.escape(card)}"]`);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
  const selection = next?.closest("[data-selection]");
  announceTexts(news, selection && findElement("p", selection).textContent);
}

function chooseInPlace(event) {
  const link = event.target.closest('#table[data-in-place] [data-move-picker] a[href^="?"]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openChoice(link.href);
}

export function startSendingInPlace() {
  document.addEventListener("click", chooseInPlace);
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.target.matches("#table[data-in-place] form[data-in-place]")) return;
    event.preventDefault();
    sendForm(event.target, event.submitter);
  });
}
