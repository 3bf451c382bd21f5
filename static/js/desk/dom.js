// What screens are built of: elements, sentences and pictures of tiles. The sentences come translated from the server.
// What is drawn anew changes only what differs, so that focus, scroll and half-typed text stay where they are.

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
  const made = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (value === false && !name.startsWith("aria-")) continue;
    made.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child === false || child === null || child === undefined) continue;
    made.append(child instanceof Node ? child : String(child));
  }
  return made;
}

// --- sentences and figures ------------------------------------------------------------------------------------------
/** @type {{words: Record<string, string>, tiles: Record<string, string>, sprite: string, marks: string}} */
let setup = { words: {}, tiles: {}, sprite: "", marks: "" };

/** @param {typeof setup} given */
export function speak(given) {
  setup = given;
}

/** A sentence, its {braces} filled in. @param {string} key @param {Record<string, string | number>} [values] @returns {string} */
export function t(key, values = {}) {
  const text = setup.words[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return filled(text, values);
}

/** A template with its {braces} filled in. @param {string} template @param {Record<string, any>} values */
export const filled = (template, values) => template.replace(/\{(\w+)\}/g, (_all, name) => String(values[name] ?? ""));

/** Several things of one kind, in a row. @param {string[]} items */
export const joined = (items) => items.join(t("list_comma"));

/** A running score with a real minus. @param {number} value */
export const figure = (value) => String(value).replace("-", "−");

/** A change: +43, 0, −27. @param {number} value */
export const signed = (value) => (value > 0 ? `+${value}` : figure(value));

// --- tiles ----------------------------------------------------------------------------------------------------------
/** @param {string} code */
export const tileName = (code) => setup.tiles[code];

/**
 * One tile. `named: false` where a button around it says what it is.
 * @param {string} code @param {{side?: boolean, win?: boolean, named?: boolean}} [how]
 */
export function tile(code, { side = false, win = false, named = true } = {}) {
  const label = named ? { role: "img", "aria-label": tileName(code) } : { "aria-hidden": true };
  const name = `tile${side ? " side" : ""}${win ? " win" : ""}`;
  return h("svg", { class: name, viewBox: "0 0 60 80", "data-key": code, ...label }, h("use", { href: `${setup.sprite}#t-${code}` }));
}

/** Tiles that lie together. @param {{code: string, side?: boolean, win?: boolean}[]} tiles @param {boolean} [named] */
export function tileSet(tiles, named = true) {
  return h("span", { class: "set" }, tiles.map(({ code, ...how }) => tile(code, { ...how, named })));
}

/** How a claimed set, or a kong, lies on the table. @param {{tiles: string[], concealed: boolean}} meld @returns {{code: string, side?: boolean}[]} */
export function lies({ tiles: [first, ...rest], concealed }) {
  if (concealed) return ["back", first, first, "back"].map((code) => ({ code }));
  return [{ code: first, side: true }, ...rest.map((code) => ({ code }))];
}

/** A wind's character, drawn; the words beside it say what it is. @param {string} character */
export const mark = (character) =>
  h("svg", { class: "mark", viewBox: "0 0 1000 1000", "aria-hidden": true }, h("use", { href: `${setup.marks}#u${character.codePointAt(0)?.toString(16)}` }));

// --- drawing again --------------------------------------------------------------------------------------------------
/**
 * Make the children of `place` look like `wanted`, keeping the nodes that are the same.
 * @param {Element} place @param {Node[]} wanted
 */
export function patch(place, wanted) {
  let old = place.firstChild;
  for (const node of wanted) {
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

/** @param {ChildNode | null} from @param {string} wanted @returns {ChildNode | null} */
function find(from, wanted) {
  for (let node = from; node; node = node.nextSibling) if (identity(node) === wanted) return node;
  return null;
}

/** @param {ChildNode} old @param {Node} wanted */
function update(old, wanted) {
  if (!(old instanceof Element) || !(wanted instanceof Element)) {
    if (old.nodeValue !== wanted.nodeValue) old.nodeValue = wanted.nodeValue;
    return;
  }
  const kept = old.getAttribute("data-keep"); // what the reader sets and not the view: an opened explanation
  for (const { name } of [...old.attributes]) if (!wanted.hasAttribute(name) && name !== kept) old.removeAttribute(name);
  for (const { name, value } of [...wanted.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLInputElement && old !== document.activeElement) old.value = wanted.getAttribute("value") ?? "";
  patch(old, [...wanted.childNodes]);
  if (old instanceof HTMLSelectElement && wanted instanceof HTMLSelectElement) old.value = wanted.value;
}
