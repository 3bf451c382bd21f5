// Keyboard control: seats by their winds, points by digits, Enter saves; tiles in the usual notation.

import { addTile, byPoints, removeLast } from "./draft.js";
import { current, isFixing, setCurrent } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {Record<string, (arg: string) => void>} Actions */

/** Keys and the text of their meaning, for the legend. */
export const KEYS = /** @type {const} */ ([
  [["E", "S", "W", "N"], "key_seats"],
  [["P"], "by_points"],
  [["A"], "by_fans"],
  [["T"], "by_tiles"],
  [["0", "…", "9", "⌫"], "key_digits"],
  [["D"], "key_draw"],
  [["F"], "key_foul"],
  [["Enter"], "key_enter"],
  [["Esc"], "key_escape"],
  [["←", "→"], "key_tables"],
  [["?"], "key_legend"],
]);

/** @type {Record<string, string>} */
const DEPTHS = { P: "points", A: "fans", T: "tiles" };

/**
 * @param {View} view @param {Actions} handlers @returns {(key: string) => boolean} whether the key was handled
 */
export function createKeyHandler(view, handlers) {
  const seat = (/** @type {string} */ wind) => view.state.seats.find((/** @type {any} */ other) => other.wind.code === wind)?.player;

  /** Run `act` with the points as input, switching to them. @param {() => void} act */
  const withPoints = (act) => {
    const { decided, by } = current(view);
    if (!decided) return;
    if (by !== "points") handlers.by("points");
    if (byPoints(current(view))) act();
  };

  return (key) => {
    const { outcome, decided } = current(view);
    const open = isFixing(view) ? view.state.may_correct : view.state.may_record;
    const upper = key.toUpperCase();
    if (key === "ArrowRight" || key === "ArrowLeft") location.assign(view.setup.urls[key === "ArrowRight" ? "next" : "previous"]);
    else if (key === "?") view.legend = !view.legend;
    else if (!open) return false;
    else if ("ESWN".includes(upper) && upper.length === 1) handlers["seat-key"](String(seat(upper)));
    else if (/^\d$/.test(key)) withPoints(() => handlers.digit(key));
    else if (key === "Backspace") withPoints(() => handlers["digit-less"](""));
    else if (upper in DEPTHS) handlers.by(DEPTHS[upper]);
    else if (upper === "D") handlers["wash-out"]("");
    else if (upper === "F") handlers.foul("");
    else if (key === "Escape") handlers["start-over"]("");
    else if (key === "Enter" && (decided || outcome === "draw")) view.saveWhenChecked = current(view);
    else return false;
    return true;
  };
}

/**
 * Handle typing of tiles: digits followed by m, p or s; E S W N C F P; Backspace.
 * @param {View} view @param {KeyboardEvent} event @returns {boolean} whether the key was handled
 */
export function typeTile(view, event) {
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

/** Whether a key is for a field, for the browser, or for the focused control. @param {KeyboardEvent} event */
export function isForField({ target, key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return true;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  return (key === "Enter" || key === " ") && target instanceof Element && target.matches("a, button, summary") && !target.matches(".seat");
}
