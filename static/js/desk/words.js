// Sentences, figures and tile pictures. The sentences come translated from the server; {braces} are filled in here.

import { h } from "./dom.js";

/** @type {{words: Record<string, string>, tiles: Record<string, string>, sprite: string, marks: string}} */
let setup = { words: {}, tiles: {}, sprite: "", marks: "" };

/** @param {typeof setup} given */
export function speak(given) {
  setup = given;
}

/**
 * @param {string} key @param {Record<string, string | number>} [values] @returns {string}
 */
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

/** A wind's character, drawn; the words beside it say what it is. @param {string} character */
export const mark = (character) =>
  h("svg", { class: "mark", viewBox: "0 0 1000 1000", "aria-hidden": true }, h("use", { href: `${setup.marks}#u${character.codePointAt(0)?.toString(16)}` }));

/** Tiles that lie together. @param {{code: string, side?: boolean, win?: boolean}[]} tiles @param {boolean} [named] */
export function tileSet(tiles, named = true) {
  return h("span", { class: "set" }, tiles.map((one) => tile(one.code, { ...one, named })));
}
