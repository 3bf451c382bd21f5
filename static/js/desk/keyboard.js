// A desk with a keyboard, where paper sheets are copied: seats by their winds, points by digits, Enter saves. Tiles are typed.

import { addTile, byPoints, isTouched, removeLast } from "./draft.js";
import { current, isFixing, setCurrent } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {Record<string, (arg: string) => void>} Actions */

/** The legend: which keys, and what they do. */
export const KEYS = /** @type {const} */ ([
  [["E", "S", "W", "N"], "key_seats"],
  [["P"], "by_points"],
  [["0", "…", "9", "⌫"], "key_digits"],
  [["D"], "key_draw"],
  [["F"], "key_foul"],
  [["Enter"], "key_enter"],
  [["Esc"], "key_escape"],
  [["←", "→"], "key_tables"],
  [["?"], "key_legend"],
]);

/**
 * @param {View} view @param {Actions} does @returns {(key: string) => boolean} whether the key meant something at the table
 */
export function keys(view, does) {
  const seat = (/** @type {string} */ wind) => view.state.seats.find((/** @type {any} */ other) => other.wind.code === wind)?.player;

  /** Digits are points, whatever is entered otherwise. @param {() => void} act */
  const inPoints = (act) => {
    const { decided, by } = current(view);
    if (!decided) return;
    if (by !== "points") does.by("points");
    if (byPoints(current(view))) act();
  };

  return (key) => {
    const open = isFixing(view) ? view.state.may_correct : view.state.may_record;
    const upper = key.toUpperCase();
    if (key === "ArrowRight" || key === "ArrowLeft") location.assign(view.setup.urls[key === "ArrowRight" ? "next" : "previous"]);
    else if (key === "?") view.legend = !view.legend;
    else if (!open) return false;
    else if ("ESWN".includes(upper) && upper.length === 1) does.seat(String(seat(upper)));
    else if (/^\d$/.test(key)) inPoints(() => does.digit(key));
    else if (key === "Backspace") inPoints(() => does["digit-less"](""));
    else if (upper === "P") does.by("points");
    else if (upper === "D") does["wash-out"]("");
    else if (upper === "F") does.foul("");
    else if (key === "Escape") does["start-over"]("");
    else if (key === "Enter" && isTouched(current(view))) view.eager = current(view);
    else return false;
    return true;
  };
}

/**
 * Tiles from a keyboard: digits, then m, p or s for all of them; E S W N C F P by themselves; Backspace.
 * @param {View} view @param {KeyboardEvent} event @returns {boolean} whether the key meant a tile
 */
export function typed(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { key } = event;
  if (/^[1-9]$/.test(key)) {
    view.typing = (view.typing + key).slice(-14);
    return true;
  }
  const waiting = view.typing;
  const codes = waiting && /^[mps]$/i.test(key) ? [...waiting].map((digit) => `${digit}${key.toLowerCase()}`) : /^[eswncfp]$/i.test(key) ? [key.toUpperCase()] : [];
  if (codes.length) {
    view.typing = "";
    setCurrent(view, codes.reduce(addTile, current(view)));
    return true;
  }
  if (key === "Backspace") {
    if (waiting) view.typing = waiting.slice(0, -1);
    else setCurrent(view, removeLast(current(view)));
    return true;
  }
  return false;
}

/** Whether a key belongs to a field or to the browser, or is Enter or a space on what has the focus. @param {KeyboardEvent} event */
export function isWritten({ target, key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return true;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  return (key === "Enter" || key === " ") && target instanceof Element && target.matches("a, button, summary") && !target.matches(".seat");
}
