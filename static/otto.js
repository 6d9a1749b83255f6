// Everything works without this script. With it, a tile is chosen, turned and put down without loading a page,
// the table notices moves by itself, and seeds come from the player's own machine.

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const CELL = 90, MARGIN = 45;

function shape(name, facts) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  return made;
}

function element(name, facts = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// ---------------------------------------------------------------------------------------------------- choosing

const middle = (cell) => [
  MARGIN + ("abcde".indexOf(cell[0]) + .5) * CELL,
  MARGIN + (5.5 - Number(cell[1])) * CELL,
];

// An action on the board in parts: what lies where, and how it is turned.
function parts(action, on) {
  const words = action.replace(/^CV=/, "").split("-");
  if (words[0] !== "QL") return { action, tile: words[0], cell: words[1], turn: words[2], start: "" };
  return { action, tile: on[words[1]][0], cell: words[2], turn: words[3], start: words[1] };
}

function choosing(table) {
  const panel = find("[data-choose]", table), source = panel && find("#choice", panel);
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const board = find("[data-board]", table), picture = find("svg", board);
  const picked = find("[data-picked]", panel), confirm = find("[data-confirm]", panel);
  const back = find("[data-back]", panel);
  const hint = find("[data-hint]", panel) || panel.insertBefore(element("p", { class: "hint", hidden: "" }), picked);
  const asking = hint.textContent;
  const fits = element("ul", { class: "fits" });
  const ways = data.legal.map((action) => parts(action, data.on));
  const state = { card: data.card, tile: "", start: "", way: null };
  const placing = data.phase === "place";
  if (!placing && !ways.length) return;
  panel.insertBefore(fits, picked);
  const layer = shape("g", { class: "ghost" }), served = all("[data-fits]", panel);
  let begun = false;

  const mine = () => ways.filter((way) => placing || way.action.startsWith(`${state.card}-`));
  const there = (cell) => mine().filter((way) => way.cell === cell && (placing || way.start === state.start));
  const points = (way) => (data.looks[way.action] || [0, 0])[1];

  function cells() {
    if (placing) return new Set(ways.map((way) => way.cell));
    if (!state.card) return new Set();
    const key = state.start ? "cell" : "start";
    return new Set(mine().filter((way) => !state.start || way.start === state.start).map((way) => way[key]));
  }

  function press(cell) {
    if (!placing && !state.start) {
      state.start = cell;
      return show(cell);
    }
    if (state.way && state.way.cell === cell) return turn(1);
    const here = there(cell), same = here.filter((way) => way.tile === state.tile);
    const best = (list) => list.reduce((one, other) => (points(other) > points(one) ? other : one));
    pick(same.length ? same[0] : best(here));
  }

  function pick(way) {
    state.way = way;
    if (placing) state.tile = way.tile;
    show(way.cell);
  }

  function turn(by) {
    if (!state.way) return;
    const same = there(state.way.cell).filter((way) => way.tile === state.way.tile);
    const next = (same.findIndex((way) => way.action === state.way.action) + by + same.length) % same.length;
    pick(same[next]);
  }

  function undo() {
    const last = state.way ? state.way.cell : state.start || state.card;
    if (state.way) state.way = null;
    else if (state.start) state.start = "";
    else if (data.phase !== "stolen") state.card = ""; // which must be played
    // On a page that was opened for a card, there is nothing else to press.
    if (!placing && !state.card && data.phase === "start" && !find("[data-at-once]", panel)) return location.assign(location.pathname);
    show(last);
  }

  function describe(way) {
    const words = data.words, card = state.card && (find(`[data-card="${state.card}"]`, panel)?.dataset.name || state.card);
    const known = placing ? (way.turn === "0" ? words.put : words.put_turned) : way.start === way.cell ? words.turn : words.leap;
    const facts = { tile: way.tile, cell: way.cell, degrees: way.turn, start: way.start, end: way.cell, card };
    const said = known.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
    return `${said[0].toUpperCase()}${said.slice(1)}.`;
  }

  function draw(free) {
    layer.replaceChildren();
    const outline = (cell, facts) => {
      const [x, y] = middle(cell);
      layer.append(shape("rect", { x: x - 42.5, y: y - 42.5, width: 85, height: 85, rx: 3, fill: "none", "stroke-width": 4, ...facts }));
    };
    for (const cell of free) if (!state.way || cell !== state.way.cell) outline(cell, { stroke: "#63e0b4", opacity: state.way ? .45 : 1 });
    if (state.start) outline(state.start, { stroke: "#fff", "stroke-dasharray": "6 5" });
    if (!state.way) return;
    const [x, y] = middle(state.way.cell);
    layer.append(shape("rect", { x: x - 44.4, y: y - 44.4, width: 88.8, height: 88.8, rx: 3, fill: "#101114", opacity: .92 }));
    layer.append(shape("use", {
      href: `#${data.shapes[state.way.tile]}`, fill: "none", stroke: "#fff", "stroke-width": 6, opacity: .9,
      transform: `translate(${x} ${y}) rotate(${state.way.turn})`,
    }));
    outline(state.way.cell, { stroke: "#fff", "stroke-width": 2, "stroke-dasharray": "6 5" });
    for (const [at, down, value] of (data.looks[state.way.action] || [])[2] || []) {
      const look = { fill: "#63e0b4", "fill-opacity": .45, stroke: "#63e0b4", "stroke-width": 3 };
      const reach = { 1: 11, 2: 23, 4: 23, 8: 36 }[value];
      layer.append(value < 4
        ? shape("circle", { cx: at, cy: down, r: reach, ...look })
        : shape("rect", { x: at - reach, y: down - reach, width: 2 * reach, height: 2 * reach, rx: 3, ...look }));
    }
  }

  function label(cell) {
    if (placing || !state.start) return data.labels[cell];
    const best = Math.max(0, ...there(cell).map(points));
    return best ? `${data.labels[cell]}, ${data.words.points[best]}` : data.labels[cell];
  }

  function show(focus) {
    const free = cells();
    draw(free);
    for (const item of all("[data-cell]", board)) {
      const cell = item.dataset.cell, on = state.way?.cell === cell || state.start === cell;
      if (!free.has(cell)) {
        item.replaceChildren(element("span", { class: "hidden" }, data.labels[cell]));
        continue;
      }
      const button = element("button", { type: "button", "aria-pressed": on }, element("span", { class: "hidden" }, label(cell)));
      button.addEventListener("click", () => press(cell));
      item.replaceChildren(button);
      if (cell === focus) button.focus({ preventScroll: true });
    }
    // What had the focus may be gone: a cell that cannot be chosen any more, or the whole choice of a card.
    if (focus && document.activeElement === document.body) {
      (find(".cells button", board) || find(`[data-card="${focus}"]`, panel))?.focus({ preventScroll: true });
    }
    for (const item of all("[data-tile]", panel)) {
      item.classList.toggle("on", placing && state.tile === item.dataset.tile);
      find("button", item)?.setAttribute("aria-pressed", state.tile === item.dataset.tile);
    }
    if (!served.length || begun) waysToLie();
    begun = true;
    picked.hidden = !state.way;
    if (back) back.hidden = Boolean(state.way) || !(state.start || (state.card && data.phase !== "stolen"));
    find("[data-undo]", picked).hidden = false;
    if (!placing) for (const form of all("[data-at-once]", panel)) form.hidden = Boolean(state.card);
    if (!state.way) return;
    confirm.value = state.way.action;
    find("[data-said]", picked).textContent = describe(state.way);
    const closes = find("[data-closes]", picked);
    closes.textContent = (data.looks[state.way.action] || [data.words.nothing])[0];
    closes.classList.toggle("gain", state.way.action in data.looks);
  }

  // What the server listed stays until something else is chosen, lest the page jumps.
  function waysToLie() {
    for (const old of served.splice(0)) old.remove();
    const turns = state.way ? there(state.way.cell).filter((way) => way.tile === state.way.tile).length : 0;
    hint.hidden = turns === 1 || !(placing || state.card);
    hint.textContent = turns ? data.words.again : placing ? asking : state.start ? data.words.pick_end : data.words.pick_tile;
    fits.replaceChildren(...(state.way ? there(state.way.cell).map(fitting) : []));
    fits.hidden = fits.children.length < 2;
  }

  function fitting(way) {
    const small = shape("svg", { viewBox: "0 0 90 90", width: 72, height: 72, "aria-hidden": "true" });
    small.append(
      shape("rect", { x: .5, y: .5, width: 89, height: 89, rx: 5, fill: "#101114", stroke: "#474a52" }),
      shape("use", { href: `#${data.shapes[way.tile]}`, fill: "none", stroke: "#fff", "stroke-width": 6, transform: `translate(45 45) rotate(${way.turn})` }),
    );
    const gain = points(way), on = way === state.way;
    const text = element("small", gain ? { class: "gain" } : {}, gain ? data.words.points[gain] : "–");
    const link = element("a", { href: "#board", role: "button", ...(on ? { "aria-current": "true" } : {}) },
      small, element("span", { class: "hidden" }, describe(way)), text);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      pick(way);
      find("[aria-current]", fits)?.focus({ preventScroll: true });
    });
    link.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); link.click(); } });
    return element("li", {}, link);
  }

  // What the server drew for a page without scripts is drawn by us from here on.
  for (const old of all("[data-part]", picture)) old.remove();
  picture.append(layer);
  for (const old of all("[data-step] form", panel)) old.remove();
  for (const item of all("[data-tile]:not(.off)", panel)) {
    if (!placing) break;
    const button = element("button", { type: "button", "aria-pressed": "false" });
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      state.tile = item.dataset.tile;
      const here = state.way && there(state.way.cell).find((way) => way.tile === state.tile);
      state.way = here || null;
      show();
    });
  }
  for (const link of all("[data-card]", panel)) {
    if (!link.dataset.card.endsWith("QL")) continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      Object.assign(state, { card: link.dataset.card, start: "", way: null });
      show();
      board.scrollIntoView({ block: "nearest" });
      find(".cells button", board)?.focus({ preventScroll: true });
    });
  }
  for (const link of [find("[data-undo]", picked), back && find("a", back)]) {
    link?.addEventListener("click", (event) => { event.preventDefault(); undo(); });
  }
  board.addEventListener("wheel", (event) => {
    if (!state.way || event.target.closest("[data-cell]")?.dataset.cell !== state.way.cell) return;
    event.preventDefault();
    turn(event.deltaY > 0 ? 1 : -1);
  }, { passive: false });
  // Keys count only while the focus is at the board or beside it, so that nobody triggers them by speaking.
  for (const part of [board, panel]) {
    part.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const steps = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
      if (event.key.toLowerCase() === "r" && state.way) turn(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape" && (state.way || state.start || state.card)) undo();
      else if (steps[event.key] && event.target.closest("[data-cell]")) step(event.target.closest("[data-cell]").dataset.cell, ...steps[event.key]);
      else return;
      event.preventDefault();
    });
  }

  function step(from, right, up) {
    const [x, y] = middle(from);
    let nearest = null, least = Infinity;
    for (const button of all(".cells button", board)) {
      const [at, down] = middle(button.closest("[data-cell]").dataset.cell);
      const ahead = (at - x) * right + (y - down) * up, aside = Math.abs((at - x) * up) + Math.abs((y - down) * right);
      if (ahead > 0 && ahead + 2 * aside < least) [nearest, least] = [button, ahead + 2 * aside];
    }
    nearest?.focus();
  }

  const first = ways.find((way) => way.action === confirm.value);
  if (first && placing) Object.assign(state, { way: first, tile: first.tile });
  else if (first) Object.assign(state, { way: first, card: first.action.split("-")[0], start: first.start });
  if (first || placing || state.card) show();
  else draw(new Set());
}

// ------------------------------------------------------------------------------------------- noticing a move

// Asks seldom, more seldom as time goes by, and not at all while nobody looks.
function watching(table) {
  if (!table.dataset.pulse) return;
  let wait = 2000, timer = 0;
  const over = new AbortController(); // when another table stands in its place
  const again = () => { clearTimeout(timer); timer = setTimeout(look, wait); wait = Math.min(wait * 1.4, 60000); };

  async function look() {
    if (!table.isConnected) return;
    if (document.hidden) return;
    try {
      const answer = await fetch(table.dataset.pulseAt, { headers: { "If-None-Match": table.dataset.pulse }, cache: "no-store" });
      if (answer.status === 200 && await refreshed(table)) return over.abort();
    } catch { /* away from the net: the next look tells */ }
    again();
  }
  const now = () => { if (!document.hidden && table.isConnected) { wait = 2000; look(); } };
  document.addEventListener("visibilitychange", now, { signal: over.signal });
  addEventListener("online", now, { signal: over.signal });
  again();
}

async function refreshed(table) {
  const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = find("#table", page);
  if (!fresh) return false;
  // Nothing that is being written or chosen is lost; a choice that also shows how things stand is as they stand.
  for (const field of all("input:not([type=hidden]), textarea, select:not([data-stands])", table)) {
    const same = field.id && find(`#${CSS.escape(field.id)}`, fresh);
    if (same) same.value = field.value;
    if (same?.selectedIndex === -1) same.selectedIndex = 0;
  }
  const chosen = find("[data-picked]:not([hidden]) [data-confirm]", table), confirm = find("[data-confirm]", fresh);
  if (chosen && confirm && chosen.form.elements.seq.value === confirm.form.elements.seq.value) confirm.value = chosen.value;
  const open = all("details[open] > summary", table).map((one) => one.textContent);
  for (const one of all("summary", fresh)) if (open.includes(one.textContent)) one.parentElement.open = true;
  const old = document.activeElement, { id, selectionStart, selectionEnd } = old, cell = old.closest("[data-cell]")?.dataset.cell;
  const inside = table.contains(old), alike = (one) => one.tagName === old.tagName && one.textContent === old.textContent;
  table.replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  begin(fresh);
  const focus = id ? document.getElementById(id)
    : cell ? find(`[data-cell="${cell}"] button`, fresh) : inside && all("a, button, summary", fresh).find(alike);
  // What had the focus may be gone: then it goes on with the table, and not with the top of the page.
  (focus || (inside && find("#main")))?.focus?.({ preventScroll: true });
  if (selectionStart != null) focus?.setSelectionRange?.(selectionStart, selectionEnd);
  find("#news").textContent = [find("#choose, .wait h2, .ending h2", fresh)?.textContent, find(".story li", fresh)?.textContent].filter(Boolean).join(". ");
  return true;
}

// ------------------------------------------------------------------------------------------- the live board

function showing(live) {
  const button = find("[data-live-pause]");
  let held = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tell = () => button.setAttribute("aria-pressed", held);
  button.hidden = false;
  tell();
  button.addEventListener("click", () => { held = !held; tell(); });
  const next = async () => {
    if (!held && !document.hidden) {
      try {
        const answer = await fetch(live.dataset.live, { cache: "no-store" });
        if (answer.ok) {
          const fresh = find("[data-live]", new DOMParser().parseFromString(await answer.text(), "text/html"));
          live.replaceWith(document.adoptNode(fresh));
          live = fresh;
        }
      } catch { /* away from the net */ }
    }
    setTimeout(next, Math.max(Number(live.dataset.lasts), 1) * 1000 + 200);
  };
  setTimeout(next, Math.max(Number(live.dataset.lasts), 1) * 1000 + 200);
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
  if (event.persisted && find("[data-fresh]")) location.reload();
});

// ------------------------------------------------------------------------------------------------ sending once

// An impatient second click sends nothing again: two games, the same words twice.
document.addEventListener("submit", (event) => {
  const form = event.target, now = Date.now();
  if (form.method !== "post" || event.defaultPrevented) return;
  if (now - Number(form.dataset.sent || 0) < 3000) event.preventDefault();
  else form.dataset.sent = now;
});

function begin(table) {
  // What only a script does is told by the script, and what a page needs without one is put away.
  for (const told of all("[data-script=with]", table)) told.hidden = false;
  for (const needed of all("[data-script=without]", table)) needed.hidden = true;
  choosing(table);
  watching(table);
}

const table = find("#table"), live = find("[data-live]");
if (table) begin(table);
if (live) showing(live);
