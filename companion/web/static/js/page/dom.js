/** Making and changing elements, whose texts are text nodes and never markup; and what this browser keeps. */

/** The path under which the pages lie: "" or, behind a proxy, one like "/alea". */
export const BASE = new URL("../../..", import.meta.url).pathname.slice(0, -1);

/**
 * What this browser keeps under a name, null if nothing; storage may be forbidden.
 * @param {string} name @param {"localStorage" | "sessionStorage"} storage the second is kept until the page is closed
 */
export function remembered(name, storage = "localStorage") {
  try {
    return window[storage].getItem(name);
  } catch {
    return null;
  }
}

/** Keep a text under a name, or with null nothing any more; where storage is forbidden the page goes on without it. */
export function remember(name, value, storage = "localStorage") {
  try {
    if (value === null) window[storage].removeItem(name);
    else window[storage].setItem(name, value);
  } catch {
    /* then the page shows as usual next time */
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** What each element does at its events, in a record of its own: an element that stays takes over another's. */
const acts = new WeakMap();
const act = (event) => acts.get(event.currentTarget)[event.type]?.(event);

/** Let an element do these things, and nothing else that it was made for. */
function teach(node, does) {
  acts.set(node, does);
  for (const type of Object.keys(does)) node.addEventListener(type, act);
}

function filled(node, attributes, children) {
  /** @type {Record<string, any> | null} */
  let does = null;
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) (does ??= {})[name.slice(2)] = value;
    else if (name === "class") node.setAttribute("class", value);
    else if (["disabled", "checked", "hidden", "required", "multiple"].includes(name)) node[name] = true;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  if (does) teach(node, does);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/**
 * An HTML element with attributes (`onclick` adds a listener) and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {any[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, with the same arguments.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {any[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** An element of the page's template, which says of which kind it is. @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

/** Change a text only if it differs, so that an aria-live region speaks once. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Replace the children of a node only if the key changed, so that focus and animations survive. The control that
 * somebody presses, or that has the focus, stays if it is there again: what goes down on it also goes up on it.
 */
export function rebuild(node, key, make) {
  const text = JSON.stringify(key);
  if (node.dataset.key === text) return false;
  node.dataset.key = text;
  // a site of a drawn board is an SVG element
  const at = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
  const focused = node.contains(at) ? at?.dataset.focus : null;
  const held = node.querySelector("[data-focus]:active") ?? (focused ? at : null);
  replace(node, [make()].flat().filter(Boolean), held?.matches(PRESSED) ? held : null);
  if (focused && document.activeElement !== at) node.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

const PRESSED = "button, summary, a, [role=button]"; // what is written or chosen in belongs to the code that made it

/** Replace the children of a node; `held` stays, as what its like among the fresh ones is, if there is one. */
function replace(node, fresh, held) {
  const old = held && [...node.children].find((child) => child.contains(held));
  const now = old && fresh.find((one) => old === held ? same(one, held)
    : one.tagName === old.tagName && [...one.querySelectorAll("[data-focus]")].some((inner) => same(inner, held)));
  if (!now) return node.replaceChildren(...fresh);
  if (old !== held) replace(old, [...now.childNodes], held);
  else if (old.innerHTML !== now.innerHTML) old.replaceChildren(...now.childNodes);
  become(old, now);
  for (const other of [...node.childNodes]) if (other !== old) other.remove();
  const place = fresh.indexOf(now);
  old.before(...fresh.slice(0, place));
  old.after(...fresh.slice(place + 1));
}

/** Whether two controls are the same to whoever presses one: in the same place, with the same name. */
const same = (one, other) => one.tagName === other.tagName && one.dataset.focus === other.dataset.focus
  && one.textContent === other.textContent && one.getAttribute("aria-label") === other.getAttribute("aria-label");

/** Let an element look like another and do what the other does. */
function become(node, other) {
  for (const name of node.getAttributeNames()) if (!other.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of other.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  teach(node, acts.get(other) ?? {});
}
