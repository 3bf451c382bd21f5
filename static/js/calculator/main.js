// Tile keyboard of the calculator. The form works without this file, which adds the desk's tray and keyboard to the text
// field and keeps them in sync. htmx requests the score of the form.

import { actions } from "../desk/actions.js";
import { configure, patch } from "../desk/dom.js";
import { draftOf, emptyDraft, hasFlag, isCertain, isExcluded, isSelfDrawn, winningPlace } from "../desk/draft.js";
import { typeTile } from "../desk/keyboard.js";
import { keyboard, tray } from "../desk/screens/tiles.js";
import { isFolded, makeView } from "../desk/view.js";

const ORDER = "mpsESWNCFP";
const read = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

const calc = find("#calc");
const pad = find("#pad");
const form = /** @type {HTMLFormElement} */ (find("#enter"));
const more = /** @type {HTMLDetailsElement} */ (find("#more"));
const text = /** @type {HTMLInputElement} */ (find("#id_hand"));
const flowers = /** @type {HTMLInputElement} */ (find("#id_flowers"));
const flags = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=flag]")]);

configure(read("calculator-setup"));
const view = makeView({}, { next: 1 });
view.route = { name: "tiles", arg: "" };
const handlers = actions(view, /** @type {any} */ ({}), () => {});

// --- synchronise form and draft -------------------------------------------------------------------------------------
/** Take the record that the server has read from the text as the draft. @param {any} record */
function adopt(record) {
  const { changing, flags: chosen } = view.draft;
  const tiles = Array.isArray(record.concealed) ? record : { concealed: [], melds: [] };
  view.draft = { ...draftOf({ ...emptyDraft(1), outcome: "win", winner: 0, discarder: 1, absent: [], version: 0, tiles }), changing, flags: chosen };
  for (const flag of flags) if (record[flag.value] === true) Object.assign(flag, { checked: true, disabled: false });
  for (const [name, wind] of [["seat", record.seat_wind], ["round", record.prevalent_wind]]) {
    const choice = wind && form.querySelector(`[name=${name}][value="${wind}"]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
  }
  if (record.flowers) flowers.value = record.flowers;
  readFields();
}

/** Read the circumstances from the fields into the draft. */
function readFields() {
  const isChosen = (/** @type {HTMLInputElement} */ flag) => (flag.checked && flag.disabled ? Boolean(view.draft.flags[flag.value]) : flag.checked); // or certain
  const set = Object.fromEntries(flags.map((flag) => [flag.value, isChosen(flag)]));
  view.draft = { ...view.draft, flags: set, decided: true, discarder: set.self_drawn ? null : 1, flowers: Number(flowers.value) || 0 };
}

/** Write the draft into the fields. */
function fillFields() {
  text.value = textOf(view.draft);
  flowers.value = view.draft.flowers ? String(view.draft.flowers) : "";
}

function draw() {
  const folded = isFolded(view);
  patch(pad, folded ? [tray(view, true)] : [tray(view, false), keyboard(view)]);
  calc.classList.toggle("whole", folded);
  for (const flag of flags) {
    flag.checked = hasFlag(view.draft, flag.value);
    flag.disabled = isCertain(view.draft, flag.value) || (flag.value !== "self_drawn" && !flag.checked && isExcluded(view.draft, flag.value));
  }
  const drawn = flags.find((flag) => flag.value === "self_drawn");
  if (drawn) drawn.disabled = !isSelfDrawn(view.draft) && Boolean(view.draft.flags.robbing_kong);
}

// --- the draft as text, in the notation of scoring/engine/notation.py: 123m [EEE] (CCCC) +1m ------------------------
/** @param {import("../desk/draft.js").Draft} draft @returns {string} */
function textOf(draft) {
  const won = winningPlace(draft);
  const rest = draft.held.filter((_tile, place) => place !== won);
  const melds = draft.melds.map(({ tiles, concealed }) => (concealed ? `(${compact(tiles)})` : `[${compact(tiles)}]`));
  const last = won < 0 ? "" : `+${draft.held[won]}`;
  return [compact(rest), ...melds, last].filter(Boolean).join(" ");
}

/** Tiles by suit, each suit written once. @param {string[]} tiles @returns {string} */
function compact(tiles) {
  const sorted = [...tiles].sort((a, b) => rank(a) - rank(b));
  return sorted.map((code, at) => (code.length === 2 && sorted[at + 1]?.[1] === code[1] ? code[0] : code)).join("");
}

/** @param {string} code @returns {number} */
const rank = (code) => 10 * ORDER.indexOf(code.slice(-1)) + (Number(code[0]) || 0);

// --- event listeners ------------------------------------------------------------------------------------------------
/** A tap on the tray or the keyboard. @param {() => void} step */
function run(step) {
  const before = textOf(view.draft) + view.draft.flowers;
  step();
  draw();
  fillFields();
  if (textOf(view.draft) + view.draft.flowers !== before) form.dispatchEvent(new Event("change"));
}

pad.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  run(() => handlers[button.getAttribute("data-do") ?? ""](button.getAttribute("data-arg") ?? ""));
});

document.addEventListener("keydown", (event) => {
  const elsewhere = event.target instanceof Element && event.target.closest("input, select, textarea, [role=menu]");
  if (elsewhere || isFolded(view)) return;
  run(() => {
    if (typeTile(view, event)) event.preventDefault();
  });
});

form.addEventListener("input", (event) => {
  if (event.target === text) return;
  if (event.target instanceof HTMLInputElement && event.target.name === "flower") {
    flowers.value = String(form.querySelectorAll("[name=flower]:checked").length || "");
  }
  readFields();
  draw();
});

form.addEventListener("htmx:afterRequest", (event) => {
  if (form.querySelector("#more .errorlist")) more.open = true;
  const { successful, pathInfo } = /** @type {CustomEvent} */ (event).detail;
  const scored = new URL(pathInfo?.finalRequestPath ?? "", location.href).searchParams.get("hand") ?? "";
  const record = read("calculator-record");
  // Adopt only typed text, once it is valid; tiles tapped since must not be lost.
  if (!successful || scored !== text.value || scored === textOf(view.draft) || (scored.trim() && !record.concealed)) return;
  adopt(record);
  if (document.activeElement !== text) fillFields();
  draw();
});

adopt(read("calculator-record"));
if (!form.querySelector(".errorlist")) more.open = false;
draw();
