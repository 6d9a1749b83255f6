// Live updates: one stream of changes for a page. Where there is none, pages look for changes now and then.

import { updateClocks } from "./clock.js";
import { fetchDocument, findElement, keepFields, listElements } from "./dom.js";

const POLL_MS = 20000; // between two looks without a stream
const FIRST_RETRY_MS = 500, MAX_RETRY_MS = 60000, MAX_DELAY_MS = 300;
const SHARED_TOPIC = /^(tournament|league):/;
const topicHandlers = new Map(); // topic -> what to do when it has changed
const topicVersions = new Map(); // topic -> the last version that the stream named
const refreshingTopics = new Set(); // for which a page is under way
let stream = null, waitingTurns = null, releaseHiddenStream = null;

export const isStreamOpen = () => stream !== null && stream.readyState === EventSource.OPEN;

export const findStreamVersion = (topic) => topicVersions.get(topic);

export function handleTopic(topic, handler) {
  topicHandlers.set(topic, handler);
}

// ------------ elements by topic

const findLiveElement = (topic, page = document) => findElement(`[data-live-topic="${topic}"]`, page);

// Notes where the rows of a list are in the window, and returns a function that scrolls most of them there again:
// what somebody reads or is about to touch stays where it is, and what is new comes above or below.
function rememberRows(element) {
  const tops = new Map(); // how to find a row -> where it is; of links that stand there more than once, the first
  for (const row of listElements(".row-link, tr a[href], h2[id]", element)) {
    const name = row.id ? `#${CSS.escape(row.id)}` : `a[href="${CSS.escape(row.getAttribute("href"))}"]`;
    if (!tops.has(name)) tops.set(name, row.getBoundingClientRect().top);
  }
  return (fresh) => {
    const counts = new Map();
    for (const [name, top] of tops) {
      const same = top >= 0 && top < innerHeight && findElement(name, fresh);
      const shift = same && Math.round(same.getBoundingClientRect().top - top);
      if (same) counts.set(shift, (counts.get(shift) || 0) + 1);
    }
    const [[shift] = [0]] = [...counts].sort(([, count], [, otherCount]) => otherCount - count);
    scrollBy({ top: shift, behavior: "instant" });
  };
}

const isBeingFilledIn = (element) =>
  element.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");

// Puts the newest version of an element in its place.
function replaceElement(element, fresh) {
  if (!fresh || !element?.isConnected || fresh.isEqualNode(element)) return;
  if (fresh.dataset.liveVersion && fresh.dataset.liveVersion === element.dataset.liveVersion) return;
  if (isBeingFilledIn(element)) return;
  const active = document.activeElement, hasFocus = element.contains(active);
  const isAlike = (other) => other.tagName === active.tagName && other.textContent === active.textContent;
  const restoreRows = rememberRows(element);
  keepFields(element, fresh);
  element.replaceWith(document.adoptNode(fresh));
  updateClocks();
  if (hasFocus) (listElements("a, button, summary", fresh).find(isAlike) || findElement("#main")).focus({ preventScroll: true });
  restoreRows(fresh);
}

const waitFor = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// What is being filled in stays: it is replaced when the cursor has left it.
async function waitUntilFilledIn(element) {
  while (element?.isConnected && isBeingFilledIn(element)) {
    await new Promise((resolve) => { element.addEventListener("focusout", () => setTimeout(resolve), { once: true }); });
  }
}

// Whether the stream has named another version than the one shown.
function isStale(topic) {
  const element = findLiveElement(topic);
  return Boolean(element) && element.dataset.liveVersion !== topicVersions.get(topic);
}

// Fetches what is shown of a topic until it is what the stream has named last: a change that comes while a page is
// under way, and a page that does not arrive, are asked for again, ever more seldom.
async function refreshTopic(topic) {
  if (refreshingTopics.has(topic)) return;
  refreshingTopics.add(topic);
  // Many watch a tournament: they do not all ask at once.
  if (SHARED_TOPIC.test(topic)) await waitFor(Math.random() * MAX_DELAY_MS);
  for (let pause = FIRST_RETRY_MS; ; pause = Math.min(pause * 2, MAX_RETRY_MS)) {
    await waitUntilFilledIn(findLiveElement(topic));
    const page = await fetchDocument(location.pathname + location.search).catch(() => null);
    if (page) replaceElement(findLiveElement(topic), findLiveElement(topic, page));
    const hasVersion = Boolean(findLiveElement(topic)?.dataset.liveVersion);
    if (!isStale(topic) || !stream || (page && !hasVersion)) break;
    await waitFor(pause);
  }
  refreshingTopics.delete(topic);
}

function handleChange({ topic, version }) {
  const lastVersion = topicVersions.get(topic);
  topicVersions.set(topic, version);
  if (lastVersion !== version) topicHandlers.get(topic)?.(version);
  if (isStale(topic)) refreshTopic(topic);
}

// ------------ waiting turns

const hasOwnTurn = () => Boolean(findElement("[data-own-turn]"));

// The count stands in the menu and before the title; a title that says "Your turn" counts as one.
export function showTurnCount(count, isOwnTurn = hasOwnTurn()) {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count > (isOwnTurn ? 1 : 0) ? `(${count}) ${title}` : title;
  const badge = findElement("[data-turn-count]");
  if (badge) {
    badge.hidden = !count;
    findElement("[data-number]", badge).textContent = count;
  }
}

export function readTurnCount(page = document) {
  return Number(findElement("[data-turn-count] [data-number]", page)?.textContent || 0);
}

function handleTurns({ waiting: turnCount }) {
  const earlierCount = waitingTurns, hadOwnTurn = hasOwnTurn();
  waitingTurns = turnCount;
  showTurnCount(turnCount);
  if (earlierCount === null || turnCount === earlierCount || !navigator.onLine) return;
  import("./turn_news.js").then(({ tellTurns }) => tellTurns(turnCount, earlierCount, hadOwnTurn)).catch(() => {});
}

// ------------ the stream

function listTopics() {
  const topics = new Set((document.body.dataset.streamTopics || "").split(" ").filter(Boolean));
  for (const topic of topicHandlers.keys()) topics.add(topic);
  for (const element of listElements("[data-live-topic]")) topics.add(element.dataset.liveTopic);
  return topics;
}

function openStream() {
  const { streamUrl } = document.body.dataset, topics = listTopics();
  if (!streamUrl || !topics.size || stream || !window.EventSource) return;
  const query = new URLSearchParams([...topics].map((topic) => ["topic", topic]));
  stream = new EventSource(`${streamUrl}?${query}`);
  stream.addEventListener("change", (event) => handleChange(JSON.parse(event.data)));
  stream.addEventListener("turns", (event) => handleTurns(JSON.parse(event.data)));
}

function closeStream() {
  stream?.close();
  stream = null;
}

// Without a stream: looks for changes now and then, and tries to open one if the browser has given up.
async function lookForChanges() {
  if (document.hidden || isStreamOpen()) return;
  if (stream && stream.readyState === EventSource.CLOSED) stream = null;
  openStream();
  if (!findElement("[data-live-topic]")) return; // a table looks for itself
  const page = await fetchDocument(location.pathname + location.search);
  if (!page || isStreamOpen()) return;
  for (const element of listElements("[data-live-topic]")) replaceElement(element, findLiveElement(element.dataset.liveTopic, page));
  if (waitingTurns !== null) handleTurns({ waiting: readTurnCount(page) });
}

// Of all hidden pages one keeps its stream: browsers open few connections.
function handleVisibility() {
  if (!document.hidden) {
    releaseHiddenStream?.();
    releaseHiddenStream = null;
    openStream();
  } else if (navigator.locks) {
    navigator.locks.request("hidden-stream", { ifAvailable: true }, (lock) => {
      if (!lock) return closeStream();
      return new Promise((resolve) => { releaseHiddenStream = resolve; });
    });
  } else closeStream();
}

export function startLiveUpdates() {
  waitingTurns = findElement("[data-turn-count]") ? readTurnCount() : null;
  openStream();
  if (listTopics().size) setInterval(() => lookForChanges().catch(() => {}), POLL_MS);
  document.addEventListener("visibilitychange", handleVisibility);
  addEventListener("pagehide", closeStream);
  addEventListener("pageshow", (event) => { if (event.persisted) openStream(); });
}
