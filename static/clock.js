// Clocks that tick: by the second under an hour, by the minute above. The server writes the same text for the
// moment of the request, so that a page without scripts shows the time left when it was loaded.

import { listElements } from "./dom.js";

const HOUR = 3600, UNITS = [["week", 604800], ["day", 86400], ["hour", HOUR], ["minute", 60]];
const LONGEST_SECONDS = 30 * 86400; // above it, the server counts in months
let serverOffset = null; // milliseconds by which this device's clock is ahead of the server's

// "2 days, 3 hours", in the words and with the no-break spaces of Django's timeuntil.
function formatLongTime(seconds) {
  const first = UNITS.findIndex(([, length]) => seconds >= length), words = [];
  for (const [unit, length] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    if (!count) break;
    const format = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" });
    words.push(format.format(count).replace(/\s/, "\u00a0"));
  }
  return words.join(", ");
}

function formatShortTime(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// "until 18:00" gets the time left beside it in the last hour, and not before.
function showClosingTime(clock, milliseconds) {
  const closing = clock.closest("[data-closing]");
  if (closing) closing.hidden = milliseconds < 0 || milliseconds >= HOUR * 1000;
}

function updateClock(clock) {
  const milliseconds = Date.parse(clock.dateTime) - (Date.now() - serverOffset);
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  showClosingTime(clock, milliseconds);
  if (seconds > LONGEST_SECONDS) return;
  const text = seconds < HOUR ? formatShortTime(seconds) : formatLongTime(seconds);
  if (clock.textContent !== text) clock.textContent = text;
  clock.closest("[data-urgent-below]")?.classList.toggle(
    "urgent", seconds < Number(clock.closest("[data-urgent-below]").dataset.urgentBelow));
}

// A page or an update with clocks says what time it was. One that was kept for use without a connection is older.
function readServerTime(clock) {
  serverOffset = navigator.onLine ? Date.now() - Date.parse(clock.dataset.countdown) : 0;
  if (!(Math.abs(serverOffset) >= 5000)) serverOffset = 0; // the way here, and no wrong clock
}

export function updateClocks() {
  const clocks = listElements("time[data-countdown]");
  if (serverOffset === null && clocks.length) readServerTime(clocks[0]);
  for (const clock of clocks) updateClock(clock);
}

export function startClocks() {
  updateClocks();
  setInterval(() => { if (!document.hidden) updateClocks(); }, 1000);
  document.addEventListener("visibilitychange", updateClocks);
}
