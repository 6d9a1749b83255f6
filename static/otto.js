// Everything works without scripts. With them, a tile is chosen, turned and played without loading a page, pages
// hear of changes by themselves, clocks tick, and seeds come from the player's own machine.

import { startClocks } from "./clock.js";
import { fetchDocument, findElement, prefersReducedMotion } from "./dom.js";
import { startGamePage, startSendingInPlace, watchGameTopic } from "./game_page.js";
import { startLiveUpdates } from "./live.js";

// ------------------------------------------------------------------------------------------- the demo board

function startDemoBoard(board) {
  const button = findElement("[data-live-pause]");
  let isPaused = prefersReducedMotion();
  const showState = () => button.setAttribute("aria-pressed", isPaused);
  button.hidden = false;
  showState();
  button.addEventListener("click", () => { isPaused = !isPaused; showState(); });
  const scheduleUpdate = () => setTimeout(updateBoard, Math.max(Number(board.dataset.seconds), 1) * 1000 + 200);
  const updateBoard = async () => {
    if (!isPaused && !document.hidden) {
      try {
        const page = await fetchDocument(board.dataset.live);
        if (page) {
          const fresh = document.adoptNode(findElement("[data-live]", page));
          board.replaceWith(fresh);
          board = fresh;
        }
      } catch { /* away from the net */ }
    }
    scheduleUpdate();
  };
  scheduleUpdate();
}

// ------------------------------------------------------------------------------------------------------ seeds

// The player's own part of the randomness is made here, so that the server cannot have chosen it.
// Only what is sent has it, never the form: whoever comes back to the page sends a new one.
document.addEventListener("formdata", (event) => {
  if (!event.target.matches("[data-seed]") || event.formData.get("client_seed")) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  event.formData.set("client_seed", [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
});

// A new account has the time zone of its browser; without this script, its owner chooses one in the profile.
document.addEventListener("formdata", (event) => {
  if (!event.target.matches("[data-time-zone]")) return;
  event.formData.set("time_zone", Intl.DateTimeFormat().resolvedOptions().timeZone || "");
});

// A page that comes back from the browser's memory shows a commitment that a game may have been made with.
addEventListener("pageshow", (event) => {
  if (event.persisted && findElement("[data-fresh]")) location.reload();
});

// ------------------------------------------------------------------------------------------------ sending once

// An impatient second click sends nothing again: two games, the same words twice.
document.addEventListener("submit", (event) => {
  const form = event.target, now = Date.now();
  if (form.method !== "post" || event.defaultPrevented) return;
  if (now - Number(form.dataset.sent || 0) < 3000) event.preventDefault();
  else form.dataset.sent = now;
});

const table = findElement("#table"), demoBoard = findElement("[data-live]");
if (table) {
  startGamePage(table);
  watchGameTopic(table);
  startSendingInPlace();
}
if (demoBoard) startDemoBoard(demoBoard);
startClocks();
startLiveUpdates();
