// Builders of elements, texts and tiles, and the patching of the page, which preserves focus, scroll position and input.
// Texts come translated from the server.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use", "path", "circle"]);

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * An element. Attributes that are false, null or undefined are left out; `aria-*` ones are written as true or false.
 * Children may be nested lists; text becomes text, never markup.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Child | Child[])} children @returns {Element}
 */
export function h(tag, attributes = {}, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (value === false && !name.startsWith("aria-")) continue;
    element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child === false || child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

// --- texts and numbers ----------------------------------------------------------------------------------------------
/** @type {{words: Record<string, string | string[]>, tiles: Record<string, string>, sprite: string, marks: string}} */
let setup = { words: {}, tiles: {}, sprite: "", marks: "" };

/** @param {typeof setup} config */
export function configure(config) {
  setup = config;
}

/**
 * Return a text with its {braces} filled in. A pair of texts is singular and plural: `n` chooses.
 * @param {string} key @param {Record<string, string | number>} [values] @param {string | number} [n] @returns {string}
 */
export function t(key, values = {}, n = 1) {
  const text = setup.words[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return fillTemplate(typeof text === "string" ? text : chooseForm(text, n), values);
}

/** Choose between singular and plural. @param {string[]} forms @param {string | number} n */
export const chooseForm = ([one, other], n) => (new Intl.PluralRules(document.documentElement.lang).select(Number(n)) === "one" ? one : other);

/** Fill in the {braces} of a template. @param {string} template @param {Record<string, any>} values */
export const fillTemplate = (template, values) => template.replace(/\{(\w+)\}/g, (_all, name) => String(values[name] ?? ""));

/** Join items with the list separator of the language. @param {string[]} items */
export const joinList = (items) => items.join(t("list_comma"));

/** Format a score, with a real minus sign. @param {number} value */
export const figure = (value) => String(value).replace("-", "−");

/** Format a change: +43, 0, −27. @param {number} value */
export const signed = (value) => (value > 0 ? `+${value}` : figure(value));

// --- tiles ----------------------------------------------------------------------------------------------------------
/** @param {string} code */
export const tileName = (code) => setup.tiles[code];

/**
 * A tile. `named: false` inside a button with its own label.
 * @param {string} code @param {{side?: boolean, win?: boolean, named?: boolean}} [how]
 */
export function tile(code, { side = false, win = false, named = true } = {}) {
  const label = named ? { role: "img", "aria-label": tileName(code) } : { "aria-hidden": true };
  const name = `tile${side ? " side" : ""}${win ? " win" : ""}`;
  return h("svg", { class: name, viewBox: "0 0 60 80", "data-key": code, ...label }, h("use", { href: `${setup.sprite}#t-${code}` }));
}

/** A group of tiles. @param {{code: string, side?: boolean, win?: boolean}[]} tiles @param {boolean} [named] */
export function tileSet(tiles, named = true) {
  return h("span", { class: "set" }, tiles.map(({ code, ...how }) => tile(code, { ...how, named })));
}

/** Lay out a meld: a claimed tile lies sideways, a concealed kong has its outer tiles face down. @param {{tiles: string[], concealed: boolean}} meld @returns {{code: string, side?: boolean}[]} */
export function layMeld({ tiles: [first, ...rest], concealed }) {
  if (concealed) return ["back", first, first, "back"].map((code) => ({ code }));
  return [{ code: first, side: true }, ...rest.map((code) => ({ code }))];
}

/** A wind's character, hidden from screen readers. @param {string} character */
export const mark = (character) =>
  h("svg", { class: "mark", viewBox: "0 0 1000 1000", "aria-hidden": true }, h("use", { href: `${setup.marks}#u${character.codePointAt(0)?.toString(16)}` }));

// --- patching the page ----------------------------------------------------------------------------------------------
/**
 * Make the children of `place` equal to `nodes`, reusing nodes with the same identity.
 * @param {Element} place @param {Node[]} nodes
 */
export function patch(place, nodes) {
  let old = place.firstChild;
  for (const node of nodes) {
    const match = find(old, identity(node));
    if (!match) {
      place.insertBefore(node, old);
      continue;
    }
    while (old && old !== match) {
      const gone = old;
      old = old.nextSibling;
      gone.remove();
    }
    update(match, node);
    old = match.nextSibling;
  }
  while (old) {
    const gone = old;
    old = old.nextSibling;
    gone.remove();
  }
}

/** @param {Node} node @returns {string} what makes a node the same one as before */
const identity = (node) => (node instanceof Element ? `${node.nodeName}#${node.getAttribute("data-key") ?? ""}` : node.nodeName);

/** @param {ChildNode | null} from @param {string} key @returns {ChildNode | null} */
function find(from, key) {
  for (let node = from; node; node = node.nextSibling) if (identity(node) === key) return node;
  return null;
}

/** @param {ChildNode} old @param {Node} next */
function update(old, next) {
  if (!(old instanceof Element) || !(next instanceof Element)) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  const preserved = old.getAttribute("data-keep"); // an attribute that the user sets, such as `open`
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && name !== preserved) old.removeAttribute(name);
  for (const { name, value } of [...next.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLInputElement && old !== document.activeElement) old.value = next.getAttribute("value") ?? "";
  patch(old, [...next.childNodes]);
  if (old instanceof HTMLSelectElement && next instanceof HTMLSelectElement) old.value = next.value;
}
