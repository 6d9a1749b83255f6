// Small helpers for finding and making elements.

export const findElement = (selector, root = document) => root.querySelector(selector);
export const listElements = (selector, root = document) => [...root.querySelectorAll(selector)];
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function setAttributes(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value);
  return target;
}

export function createShape(name, attributes) {
  return setAttributes(document.createElementNS("http://www.w3.org/2000/svg", name), attributes);
}

export function createElement(name, attributes = {}, ...children) {
  const created = setAttributes(document.createElement(name), attributes);
  created.append(...children);
  return created;
}

// The centre of a cell in the coordinates of the board's picture.
const CELL_SIZE = 90, FRAME_MARGIN = 45;

export const findCellCentre = (cell) => [
  FRAME_MARGIN + ("abcde".indexOf(cell[0]) + .5) * CELL_SIZE,
  FRAME_MARGIN + (5.5 - Number(cell[1])) * CELL_SIZE,
];

// A figure as the server draws its preview: circles for 1 and 2, squares for 4 and for each cell of an 8.
export function createFigureShape([x, y, value], attributes) {
  const reach = { 1: 11, 2: 23, 4: 23, 8: 36 }[value];
  return value < 4
    ? createShape("circle", { cx: x, cy: y, r: reach, ...attributes })
    : createShape("rect", { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach, rx: 3, ...attributes });
}

// What only a script does is said by the script, and what a page needs without one is put away.
export function showScriptParts(page = document) {
  for (const element of listElements("[data-script=with]", page)) element.hidden = false;
  for (const element of listElements("[data-script=without]", page)) element.hidden = true;
  return page;
}

export const parseDocument = (text) => showScriptParts(new DOMParser().parseFromString(text, "text/html"));

export async function fetchDocument(url) {
  const response = await fetch(url, { cache: "no-store" });
  return response.ok ? parseDocument(await response.text()) : null;
}

// Copies what is being written or unfolded in an element to the one that replaces it.
export function keepFields(element, fresh) {
  // A select that also shows how things stand (data-stands) is as the server says.
  for (const field of listElements("input:not([type=hidden]), textarea, select:not([data-stands])", element)) {
    const same = field.id && findElement(`#${CSS.escape(field.id)}`, fresh);
    if (same) same.value = field.value;
    if (same?.selectedIndex === -1) same.selectedIndex = 0;
  }
  const open = listElements("details[open] > summary", element).map(({ textContent }) => textContent);
  for (const summary of listElements("summary", fresh)) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  }
}
