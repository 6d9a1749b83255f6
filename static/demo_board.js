// The demo game of the first page, which plays by itself and can be stopped.

import { fetchDocument, findElement, prefersReducedMotion } from "./dom.js";

export function startDemoBoard(board) {
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
