// What is typed: in a field, or tiles on a keyboard.

import { addTile, removeLast } from "./draft.js";
import { answer, forEachFact } from "./facts.js";
import { withPoints } from "./screens/sanction.js";
import { current, setCurrent } from "./view.js";

/** @typedef {import("./view.js").View} View */

/** What typing in a field does. @param {View} view @returns {Record<string, (value: string) => void>} */
export function inputs(view) {
  return {
    reason: (value) => setCurrent(view, { ...current(view), reason: value }),
    "begin-reason": (value) => {
      view.reason = value;
    },
    "cancel-reason": (value) => {
      view.reason = value;
    },
    "extra-minutes": (value) => {
      view.extra.minutes = value;
    },
    "extra-reason": (value) => {
      view.extra.reason = value;
    },
    "appeal-about": (value) => {
      view.appeal.hand = /^\d{1,2}$/.test(value) ? Number(value) : null;
      view.appeal.penalty = value.length === 36 ? value : null; // the whole sheet is neither
    },
    "appeal-text": (value) => {
      view.appeal.text = value;
    },
    override: (value) => setCurrent(view, { ...current(view), override: value }),
    "fan-search": (value) => {
      view.search = value;
    },
    search: (value) => {
      if (view.foul) view.foul.search = value;
    },
    note: (value) => {
      if (view.foul) view.foul.note = value;
    },
    "stand-in": (value) => {
      view.standIn = value;
    },
    because: (value) => {
      if (view.foul) view.foul.because = value;
    },
    "sanction-points": (value) => {
      if (view.foul?.instead) view.foul.instead = withPoints(view.foul.instead, Math.trunc(Number(value)));
    },
    ...forEachFact("fact-", (name, kind) => (/** @type {string} */ value) => {
      if (view.foul) view.foul.facts = { ...view.foul.facts, [name]: answer(kind, value) };
    }),
    hand_number: (value) => {
      if (view.foul) view.foul.hand_number = value === "" ? null : Number(value);
    },
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
