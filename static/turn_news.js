// Tells of turns that wait: says it once, politely, and with a sound for visitors who have chosen it.

import { findElement } from "./dom.js";

const SAY_AFTER_MS = 1000; // by then a table has said itself that it is the reader's turn
let announcement = 0;

// Writes what the menu says into the live region, unless the only new turn is that of the table shown.
function announceTurns(count, earlierCount, hadOwnTurn) {
  const saidByTable = findElement("[data-own-turn]") && !hadOwnTurn ? 1 : 0;
  const link = findElement("[data-turn-count]")?.closest("a"), news = findElement("[data-turn-news]");
  if (link && news && count - saidByTable > earlierCount) news.textContent = link.textContent.replace(/\s+/g, " ");
}

export function tellTurns(count, earlierCount, hadOwnTurn) {
  clearTimeout(announcement);
  findElement("[data-turn-news]")?.replaceChildren();
  if (count < earlierCount) return;
  announcement = setTimeout(announceTurns, SAY_AFTER_MS, count, earlierCount, hadOwnTurn);
  if (document.documentElement.dataset.sound === "on") import("./tone.js").then(({ playTone }) => playTone());
}
