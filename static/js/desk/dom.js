// Building the screen and changing only what differs, so that focus, scroll and half-typed text stay where they are.

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

/** @param {Node} node @returns {string} what makes a node the same one as before */
const identity = (node) => (node instanceof Element ? `${node.nodeName}#${node.getAttribute("data-key") ?? ""}` : node.nodeName);

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
