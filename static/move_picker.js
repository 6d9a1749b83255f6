// The move picker: a tile is chosen, turned and played on the board itself, by pointer, touch or keyboard.
// The server renders the same choice as links and forms; see templates/games/move_picker.html.

import { createElement, createFigureShape, createShape, findCellCentre, findElement, listElements } from "./dom.js";

const HIGHLIGHT = "#63e0b4", INK = "#101114";
const ARROW_STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// An action on the board: which tile goes where, and how it is turned.
function parsePlacement(action, board) {
  const fields = action.replace(/^CV=/, "").split("-");
  if (fields[0] !== "QL") return { action, tile: fields[0], cell: fields[1], rotation: fields[2], start: "" };
  return { action, tile: board[fields[1]][0], cell: fields[2], rotation: fields[3], start: fields[1] };
}

const selections = new WeakMap(); // what is chosen so far, by table

export const readSelection = (table) => selections.get(table);

// `earlier` is the selection of the table that this one replaces; what of it is still legal is kept.
// `openChoice` opens an address of the page that names a choice.
export function startMovePicker(table, earlier, openChoice) {
  const panel = findElement("[data-move-picker]", table), source = panel && findElement("#choice", panel);
  // A page that is left while it loads has only a part of its elements.
  if (!source || !findElement("[data-board] svg", table)) return;
  const data = JSON.parse(source.textContent);
  const board = findElement("[data-board]", table), picture = findElement("svg", board);
  const selection = findElement("[data-selection]", panel), confirm = findElement("[data-confirm]", panel);
  const hint = findElement("[data-hint]", panel), back = findElement("[data-back]", panel);
  const turnButton = findElement("[data-turn]", panel), undoLink = findElement("[data-undo]", panel);
  const placements = data.legal.map((action) => parsePlacement(action, data.board));
  const state = { card: data.card, tile: "", start: "", chosen: null };
  const isPlacing = data.phase === "place";
  if (!isPlacing && !placements.length) return;
  const served = listElements("[data-rotations]", panel);
  const rotations = createElement("ul", { class: "rotations" });
  findElement("[data-rotation-slot]", panel).append(rotations);
  const layer = createShape("g", { class: "ghost" });
  let hasShown = false;
  selections.set(table, state);

  const listCandidates = () => placements.filter((placement) => isPlacing || placement.action.startsWith(`${state.card}-`));
  const listPlacementsOn = (cell) =>
    listCandidates().filter((placement) => placement.cell === cell && (isPlacing || placement.start === state.start));
  const listTurns = () => (state.chosen ? listPlacementsOn(state.chosen.cell).filter(({ tile }) => tile === state.chosen.tile) : []);
  const countPoints = (placement) => (data.previews[placement.action] || ["", 0])[1];

  function listFreeCells() {
    if (isPlacing) return new Set(placements.map(({ cell }) => cell));
    if (!state.card) return new Set();
    const key = state.start ? "cell" : "start";
    return new Set(listCandidates().filter(({ start }) => !state.start || start === state.start).map((placement) => placement[key]));
  }

  // The first press chooses a cell, the second one plays what is chosen there.
  function pressCell(cell) {
    if (!isPlacing && !state.start) {
      state.start = cell;
      return renderPicker(cell);
    }
    if (state.chosen?.cell === cell) return confirm.form.requestSubmit(confirm);
    const cellPlacements = listPlacementsOn(cell), sameTile = cellPlacements.filter(({ tile }) => tile === state.tile);
    const findBest = (list) => list.reduce((best, placement) => (countPoints(placement) > countPoints(best) ? placement : best));
    choosePlacement(sameTile.length ? sameTile[0] : findBest(cellPlacements));
  }

  function choosePlacement(placement) {
    state.chosen = placement;
    if (isPlacing) state.tile = placement.tile;
    renderPicker(placement.cell);
  }

  function turnTile(by) {
    const turns = listTurns();
    if (turns.length < 2) return;
    const next = (turns.findIndex(({ action }) => action === state.chosen.action) + by + turns.length) % turns.length;
    choosePlacement(turns[next]);
  }

  function undoStep() {
    const last = state.chosen ? state.chosen.cell : state.start || state.card;
    if (state.chosen) state.chosen = null;
    else if (state.start) state.start = "";
    else if (data.phase !== "stolen") state.card = ""; // a stolen card must be played
    // On a page that was opened for a card, there is nothing else to press.
    if (!isPlacing && !state.card && data.phase === "start" && !findElement("[data-immediate]", panel)) {
      return openChoice(location.pathname);
    }
    renderPicker(last);
  }

  function describePlacement(placement) {
    const { texts } = data, card = state.card && (findElement(`[data-card="${state.card}"]`, panel)?.dataset.name || state.card);
    const pattern = isPlacing ? (placement.rotation === "0" ? texts.put : texts.put_turned)
      : placement.start === placement.cell ? texts.turn : texts.leap;
    const values = {
      tile: placement.tile, cell: placement.cell, degrees: placement.rotation, start: placement.start, end: placement.cell, card,
    };
    const sentence = pattern.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
  }

  function drawLayer(free) {
    layer.replaceChildren();
    const addOutline = (cell, attributes) => {
      const [x, y] = findCellCentre(cell);
      layer.append(createShape("rect", {
        x: x - 42.5, y: y - 42.5, width: 85, height: 85, rx: 3, fill: "none", "stroke-width": 4, ...attributes,
      }));
    };
    for (const cell of free) {
      if (cell !== state.chosen?.cell) addOutline(cell, { stroke: HIGHLIGHT, opacity: state.chosen ? .45 : 1 });
    }
    if (state.start) addOutline(state.start, { stroke: "#fff", "stroke-dasharray": "6 5" });
    if (!state.chosen) return;
    const [x, y] = findCellCentre(state.chosen.cell);
    layer.append(createShape("rect", { x: x - 44.4, y: y - 44.4, width: 88.8, height: 88.8, rx: 3, fill: INK, opacity: .92 }));
    layer.append(createShape("use", {
      href: `#${data.tile_ids[state.chosen.tile]}`, fill: "none", stroke: "#fff", "stroke-width": 6, opacity: .9,
      transform: `translate(${x} ${y}) rotate(${state.chosen.rotation})`,
    }));
    addOutline(state.chosen.cell, { stroke: "#fff", "stroke-width": 2, "stroke-dasharray": "6 5" });
    for (const figure of (data.previews[state.chosen.action] || [])[2] || []) {
      layer.append(createFigureShape(figure, {
        fill: HIGHLIGHT, "fill-opacity": .45, stroke: HIGHLIGHT, "stroke-width": 3,
      }));
    }
  }

  function labelCell(cell) {
    if (isPlacing || !state.start) return data.cell_labels[cell];
    const best = Math.max(0, ...listPlacementsOn(cell).map(countPoints));
    return best ? `${data.cell_labels[cell]}, ${data.texts.points[best]}` : data.cell_labels[cell];
  }

  function renderCells(free, focus) {
    for (const item of listElements("[data-cell]", board)) {
      const { cell } = item.dataset, isChosen = state.chosen?.cell === cell || state.start === cell;
      if (!free.has(cell)) {
        item.replaceChildren(createElement("span", { class: "hidden" }, data.cell_labels[cell]));
        continue;
      }
      const label = createElement("span", { class: "hidden" }, labelCell(cell));
      const button = createElement("button", { type: "button", "aria-pressed": isChosen }, label);
      button.addEventListener("click", () => pressCell(cell));
      item.replaceChildren(button);
      if (cell === focus) button.focus({ preventScroll: true });
    }
    // What had the focus may be gone: a cell that cannot be chosen any more, or the whole choice of a card.
    if (focus && document.activeElement === document.body) {
      (findElement(".cells button", board) || findElement(`[data-card="${focus}"]`, panel))?.focus({ preventScroll: true });
    }
  }

  function renderSelection() {
    selection.hidden = !state.chosen;
    if (back) back.hidden = Boolean(state.chosen) || !(state.start || (state.card && data.phase !== "stolen"));
    undoLink.hidden = false;
    turnButton.hidden = listTurns().length < 2;
    if (!isPlacing) for (const form of listElements("[data-immediate]", panel)) form.hidden = Boolean(state.card);
    if (!state.chosen) return;
    confirm.value = state.chosen.action;
    findElement("[data-description]", selection).textContent = describePlacement(state.chosen);
    const preview = findElement("[data-preview]", selection);
    preview.textContent = (data.previews[state.chosen.action] || [data.texts.nothing])[0];
    preview.classList.toggle("gain", state.chosen.action in data.previews);
  }

  function renderPicker(focus) {
    const free = listFreeCells();
    drawLayer(free);
    renderCells(free, focus);
    for (const item of listElements("[data-tile]", panel)) {
      const isOn = isPlacing && state.tile === item.dataset.tile;
      item.classList.toggle("on", isOn);
      findElement("button", item)?.setAttribute("aria-pressed", isOn);
    }
    for (const link of listElements("[data-card]", panel)) {
      const isOn = link.dataset.card === state.card;
      link.classList.toggle("quiet", !isOn);
      if (isOn) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (!served.length || hasShown) renderRotations();
    hasShown = true;
    renderHint();
    renderSelection();
  }

  function renderHint() {
    const { texts } = data;
    hint.hidden = !(isPlacing || state.card);
    if (state.chosen) {
      hint.replaceChildren(
        createElement("span", { class: "for-mouse" }, listTurns().length > 1 ? texts.turn_by_mouse : texts.play_by_mouse),
        createElement("span", { class: "for-touch" }, texts.play_by_touch),
      );
    } else hint.textContent = isPlacing ? texts.pick_cell : state.start ? texts.pick_end : texts.pick_tile;
  }

  // What the server listed stays until something else is chosen, so that the page does not jump.
  function renderRotations() {
    for (const list of served.splice(0)) list.remove();
    rotations.replaceChildren(...(state.chosen ? listPlacementsOn(state.chosen.cell).map(createRotation) : []));
    rotations.hidden = rotations.children.length < 2;
  }

  function createRotation(placement) {
    const picture = createShape("svg", { viewBox: "0 0 90 90", width: 64, height: 64, "aria-hidden": "true" });
    picture.append(
      createShape("rect", { x: .5, y: .5, width: 89, height: 89, rx: 5, fill: INK, stroke: "#474a52" }),
      createShape("use", {
        href: `#${data.tile_ids[placement.tile]}`, fill: "none", stroke: "#fff", "stroke-width": 6,
        transform: `translate(45 45) rotate(${placement.rotation})`,
      }),
    );
    const points = countPoints(placement), isOn = placement === state.chosen;
    const text = createElement("small", points ? { class: "gain" } : {}, points ? data.texts.points[points] : data.texts.nothing && "–");
    const link = createElement("a", { href: "#board", role: "button", ...(isOn ? { "aria-current": "true" } : {}) },
      picture, createElement("span", { class: "hidden" }, describePlacement(placement)), text);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      choosePlacement(placement);
      findElement("[aria-current]", rotations)?.focus({ preventScroll: true });
    });
    link.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); link.click(); } });
    return createElement("li", {}, link);
  }

  // What the server drew for a page without scripts is drawn here from now on.
  for (const part of listElements("[data-part]", picture)) part.remove();
  picture.append(layer);
  for (const form of listElements("[data-step] form", panel)) form.remove();
  for (const item of listElements("[data-tile]:not(.off)", panel)) {
    if (!isPlacing) break;
    const button = createElement("button", { type: "button", "aria-pressed": "false" });
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      state.tile = item.dataset.tile;
      state.chosen = (state.chosen && listPlacementsOn(state.chosen.cell).find(({ tile }) => tile === state.tile)) || null;
      renderPicker();
    });
  }
  for (const link of listElements("[data-card]", panel)) {
    if (!link.dataset.card.endsWith("QL")) continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      Object.assign(state, { card: link.dataset.card, start: "", chosen: null });
      renderPicker();
      board.scrollIntoView({ block: "nearest" });
      findElement(".cells button", board)?.focus({ preventScroll: true });
    });
  }
  for (const link of [undoLink, back && findElement("a", back)]) {
    link?.addEventListener("click", (event) => { event.preventDefault(); undoStep(); });
  }
  turnButton.addEventListener("click", () => {
    turnTile(1);
    turnButton.focus({ preventScroll: true });
  });
  board.addEventListener("wheel", (event) => {
    if (!state.chosen || event.target.closest("[data-cell]")?.dataset.cell !== state.chosen.cell) return;
    event.preventDefault();
    turnTile(event.deltaY > 0 ? 1 : -1);
  }, { passive: false });
  // Keys count only while the focus is at the board or beside it, so that nobody triggers them by speaking.
  for (const region of [board, panel]) {
    region.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const cell = event.target.closest("[data-cell]")?.dataset.cell;
      if (event.key.toLowerCase() === "r" && state.chosen) turnTile(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && (state.chosen || state.start || state.card)) undoStep();
      else if (ARROW_STEPS[event.key] && cell) focusNextCell(cell, ...ARROW_STEPS[event.key]);
      else return;
      event.preventDefault();
    });
  }

  function focusNextCell(from, right, up) {
    const [x, y] = findCellCentre(from);
    let nearest = null, least = Infinity;
    for (const button of listElements(".cells button", board)) {
      const [at, down] = findCellCentre(button.closest("[data-cell]").dataset.cell);
      const ahead = (at - x) * right + (y - down) * up, aside = Math.abs((at - x) * up) + Math.abs((y - down) * right);
      if (ahead > 0 && ahead + 2 * aside < least) [nearest, least] = [button, ahead + 2 * aside];
    }
    nearest?.focus();
  }

  const first = placements.find(({ action }) => action === (earlier?.chosen?.action || confirm.value));
  if (!first && earlier) {
    const { card, tile, start } = earlier;
    if (isPlacing && placements.some((placement) => placement.tile === tile)) state.tile = tile;
    if (!isPlacing && card && placements.some(({ action }) => action.startsWith(`${card}-`))) Object.assign(state, { card, start });
  }
  if (first && isPlacing) Object.assign(state, { chosen: first, tile: first.tile });
  else if (first) Object.assign(state, { chosen: first, card: first.action.split("-")[0], start: first.start });
  if (first || isPlacing || state.card) renderPicker();
  else drawLayer(new Set());
}
