// Live updates: one stream of changes for a page. Where there is none, pages poll or are reloaded as before.

import { fetchDocument, findElement, keepFields, listElements } from "./dom.js";

const topicHandlers = new Map(); // topic -> what to do when it has changed
const topicVersions = new Map(); // topic -> the last version that the stream named
let stream = null, waitingTurns = null, releaseHiddenStream = null;

export const isStreamOpen = () => stream?.readyState === EventSource.OPEN;

export function handleTopic(topic, handler) {
  topicHandlers.set(topic, handler);
}

// ------------------------------------------------------------------------------------------ elements by topic

// Replaces an element by its newest version from the page at data-live-url, or from this page.
async function replaceLiveElement(element) {
  const page = await fetchDocument(element.dataset.liveUrl || location.pathname + location.search);
  const fresh = page && findElement(`[data-live-topic="${element.dataset.liveTopic}"]`, page);
  if (!fresh || !element.isConnected || fresh.isEqualNode(element)) return;
  const active = document.activeElement, hasFocus = element.contains(active);
  // What somebody is filling in is not taken away; the next change brings the rest.
  if (hasFocus && active.matches("input, select, textarea")) return;
  const isAlike = (other) => other.tagName === active.tagName && other.textContent === active.textContent;
  keepFields(element, fresh);
  element.replaceWith(document.adoptNode(fresh));
  if (hasFocus) (listElements("a, button, summary", fresh).find(isAlike) || findElement("#main")).focus({ preventScroll: true });
}

function handleChange({ topic, version }) {
  const lastVersion = topicVersions.get(topic);
  topicVersions.set(topic, version);
  if (lastVersion === version) return;
  topicHandlers.get(topic)?.(version);
  // The first version is that of the page itself, which has just been loaded.
  if (lastVersion === undefined) return;
  for (const element of listElements("[data-live-topic]")) {
    if (element.dataset.liveTopic === topic) replaceLiveElement(element).catch(() => {});
  }
}

// --------------------------------------------------------------------------------------------- waiting turns

// The count stands in the menu and before the title; a title that says "Your turn" counts as one.
export function showTurnCount(count, isOwnTurn = Boolean(findElement("[data-own-turn]"))) {
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
  if (waitingTurns !== null && turnCount > waitingTurns && document.documentElement.dataset.sound === "on") {
    import("./tone.js").then(({ playTone }) => playTone());
  }
  waitingTurns = turnCount;
  showTurnCount(turnCount);
}

// ------------------------------------------------------------------------------------------------ the stream

function openStream() {
  const { streamUrl, streamTopics } = document.body.dataset;
  const topics = new Set((streamTopics || "").split(" ").filter(Boolean));
  for (const topic of topicHandlers.keys()) topics.add(topic);
  for (const element of listElements("[data-live-topic]")) topics.add(element.dataset.liveTopic);
  if (!streamUrl || !topics.size || stream) return;
  const query = new URLSearchParams([...topics].map((topic) => ["topic", topic]));
  stream = new EventSource(`${streamUrl}?${query}`);
  stream.addEventListener("change", (event) => handleChange(JSON.parse(event.data)));
  stream.addEventListener("turns", (event) => handleTurns(JSON.parse(event.data)));
}

function closeStream() {
  stream?.close();
  stream = null;
}

// Of all hidden pages of a browser one keeps its stream: browsers open few connections to a site.
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
  document.addEventListener("visibilitychange", handleVisibility);
  addEventListener("pagehide", closeStream);
  addEventListener("pageshow", (event) => { if (event.persisted) openStream(); });
}
