// Everything works without scripts. With them, a tile is chosen, turned and played without loading a page, pages
// hear of changes by themselves, clocks tick, and seeds come from the player's own machine.

import { startClocks } from "./clock.js";
import { findElement, showScriptParts } from "./dom.js";
import { startLiveUpdates } from "./live.js";

showScriptParts();

// ------------ seeds

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

// ------------ sending once

// An impatient second click sends nothing again: two games, the same words twice.
document.addEventListener("submit", (event) => {
  const form = event.target, now = Date.now();
  if (form.method !== "post" || event.defaultPrevented) return;
  if (now - Number(form.dataset.submittedAt || 0) < 3000) event.preventDefault();
  else form.dataset.submittedAt = now;
});

const table = findElement("#table"), demoBoard = findElement("[data-live]");
if (table) {
  // Only pages with a board need it.
  const { loadMovePicker, startGamePage, startSendingInPlace, watchGameTopic } = await import("./game_page.js");
  await loadMovePicker();
  startGamePage(table);
  watchGameTopic(table);
  startSendingInPlace();
}
if (demoBoard) (await import("./demo_board.js")).startDemoBoard(demoBoard);
startClocks();
startLiveUpdates();
