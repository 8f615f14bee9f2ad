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

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else if (["disabled", "checked", "hidden", "required", "multiple"].includes(name)) node[name] = true;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
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

/** Replace the children of a node only if the key changed, so that focus and animations survive. */
export function rebuild(node, key, make) {
  const text = JSON.stringify(key);
  if (node.dataset.key === text) return false;
  node.dataset.key = text;
  // a site of a drawn board is an SVG element
  const at = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
  const focused = node.contains(at) ? at?.dataset.focus : null;
  node.replaceChildren(...[make()].flat().filter(Boolean));
  if (focused) node.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  return true;
}
