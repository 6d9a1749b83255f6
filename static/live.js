// Live updates: one stream of changes for a page. Where there is none, pages look for changes now and then.

import { updateClocks } from "./clock.js";
import { fetchDocument, findElement, keepFields, listElements } from "./dom.js";

const POLL_MS = 20000; // between two looks without a stream
const topicHandlers = new Map(); // topic -> what to do when it has changed
const topicVersions = new Map(); // topic -> the last version that the stream named
let stream = null, waitingTurns = null, releaseHiddenStream = null;

export const isStreamOpen = () => stream !== null && stream.readyState === EventSource.OPEN;

export const findStreamVersion = (topic) => topicVersions.get(topic);

export function handleTopic(topic, handler) {
  topicHandlers.set(topic, handler);
}

// ------------ elements by topic

// Puts the newest version of an element in its place.
function replaceElement(element, fresh) {
  if (!fresh || !element.isConnected || fresh.isEqualNode(element)) return;
  if (fresh.dataset.liveVersion && fresh.dataset.liveVersion === element.dataset.liveVersion) return;
  const active = document.activeElement, hasFocus = element.contains(active);
  // What is being filled in stays.
  if (hasFocus && active.matches("input, select, textarea")) return;
  const isAlike = (other) => other.tagName === active.tagName && other.textContent === active.textContent;
  keepFields(element, fresh);
  element.replaceWith(document.adoptNode(fresh));
  updateClocks();
  if (hasFocus) (listElements("a, button, summary", fresh).find(isAlike) || findElement("#main")).focus({ preventScroll: true });
}

async function replaceLiveElement(element) {
  const page = await fetchDocument(location.pathname + location.search);
  if (page) replaceElement(element, findElement(`[data-live-topic="${element.dataset.liveTopic}"]`, page));
}

function handleChange({ topic, version }) {
  const lastVersion = topicVersions.get(topic);
  topicVersions.set(topic, version);
  if (lastVersion === version) return;
  topicHandlers.get(topic)?.(version);
  for (const element of listElements("[data-live-topic]")) {
    // One that differs is newer than what is shown.
    const isNews = element.dataset.liveTopic === topic && element.dataset.liveVersion !== version;
    if (isNews) replaceLiveElement(element).catch(() => {});
  }
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
  const elements = listElements("[data-live-topic]");
  if (!elements.length) return; // a table looks for itself
  const page = await fetchDocument(location.pathname + location.search);
  if (!page || isStreamOpen()) return;
  for (const element of elements) replaceElement(element, findElement(`[data-live-topic="${element.dataset.liveTopic}"]`, page));
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
