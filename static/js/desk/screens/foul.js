// The foul book over the desk: who, what, and what the book proposes, before anything is given.

import { h, t } from "../dom.js";
import { FACTS } from "../facts.js";
import { does, mainButton, problemsAt, savebar, searchField, seatPicker, sentences, umpireNeeded } from "../frame.js";
import { nameOf } from "../view.js";
import { payments } from "./receipt.js";
import { sanctionEditor, SCALE } from "./sanction.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../view.js").FoulForm} FoulForm */

const HERE = (/** @type {string} */ where) => where in FACTS || ["hand_number", "player", "foul", "note", "because"].includes(where);

/** @param {View} view @returns {import("../frame.js").Screen} */
export function foulScreen(view) {
  const form = /** @type {FoulForm} */ (view.foul);
  const foul = find(view);
  const { state } = view;
  return {
    header: null,
    sheet: true,
    peek: state.may_record ? t("stays", { table: state.table, number: state.next }) : t("table", { table: state.table }),
    main: [
      h("div", { class: "row apart" }, h("h1", {}, t("who_what")), h("button", { class: "btn plain", ...does("close-foul") }, t("close"))),
      ...sentences(view, HERE),
      seatPicker(view, t("player"), form.player, "offender"),
      ...problemsAt(view, (where) => where === "player"),
      ...(foul ? chosen(view, foul) : list(view)),
    ],
    footer: footer(view, foul),
  };
}

/** The foul that is chosen. @param {View} view */
export const find = (view) => view.setup.fouls.find((/** @type {any} */ foul) => foul.key === view.foul?.foul);

/** What the server is to be asked; null while something it needs was not said. @param {View} view */
export function foulQuestion(view) {
  const form = view.foul;
  const foul = find(view);
  if (!form || !foul || form.player === null) return null;
  const said = foul.needs.every((/** @type {string} */ need) => form.facts[need] !== undefined && form.facts[need] !== null && form.facts[need] !== "");
  if (!said) return null;
  const asked = [...foul.needs, foul.seen ? "tile_seen" : ""].filter(Boolean);
  const facts = Object.fromEntries(asked.map((need) => [need, form.facts[need] ?? null]));
  const own = form.instead ? { sanction: form.instead, victim: facts.victim ?? form.facts.victim ?? null } : {};
  return { player: form.player, foul: form.foul, hand_number: form.hand_number, note: form.note, because: form.because, ...facts, ...own };
}

/** The question without the words that change nothing in the answer. @param {any} asked */
export const aboutFoul = (asked) => ({ ...asked, note: "", because: "" });

/** @param {View} view */
export function proposal(view) {
  const asked = foulQuestion(view);
  return asked && view.proposal?.key === JSON.stringify(aboutFoul(asked)) ? view.proposal : null;
}

/** @param {View} view */
function list(view) {
  const form = /** @type {FoulForm} */ (view.foul);
  const wanted = form.search.trim().toLowerCase();
  const fouls = view.setup.fouls.filter((/** @type {any} */ foul) => foul.search.includes(wanted));
  const label = t("search_fouls", { count: view.setup.fouls.length });
  return [
    searchField("search", t("search"), { value: form.search, placeholder: label }),
    h(
      "div",
      {},
      fouls.length ? null : h("p", { class: "quiet" }, t("no_foul_found")),
      fouls.map((/** @type {any} */ foul) => foulButton(foul, false)),
    ),
  ];
}

/** @param {any} foul @param {boolean} pressed */
function foulButton(foul, pressed) {
  const name = [h("b", {}, foul.name), " ", h("span", { class: "quiet" }, foul.other)];
  return h(
    "button",
    { class: "foul", "aria-pressed": pressed, "data-key": foul.key, ...does(pressed ? "no-foul" : "this-foul", foul.key) },
    h("span", { class: "grow" }, name, h("small", { class: "small" }, foul.description)),
    h("span", { class: "cost" }, pressed ? t("other_foul") : foul.costs),
  );
}

/** @param {View} view @param {any} foul */
function chosen(view, foul) {
  const form = /** @type {FoulForm} */ (view.foul);
  return [
    h("div", {}, foulButton(foul, true)),
    ...foul.needs.flatMap((/** @type {string} */ need) => [need_(view, foul, need), ...problemsAt(view, (where) => where === need)]),
    foul.seen ? h("div", { class: "chips" }, h("button", { class: "chip", "aria-pressed": Boolean(form.facts.tile_seen), ...does("seen") }, t("tile_seen"))) : null,
    ...problemsAt(view, (where) => where === "tile_seen"),
    sanction(view),
    ...own(view, foul),
    hand(view),
    h("label", { class: "stack-form" }, h("span", {}, h("b", {}, t("note")), " ", h("span", { class: "quiet" }, t("note_hint"))), h("input", { "data-input": "note", "data-key": "note", value: form.note, maxlength: 300, autocomplete: "off" })),
  ];
}

/** A question this foul needs answered. @param {View} view @param {any} foul @param {string} need */
function need_(view, foul, need) {
  const { facts, player } = /** @type {FoulForm} */ (view.foul);
  const title = h("b", {}, t(need === "points" ? "how_many" : need));
  const kind = FACTS[need];
  if (kind === "player") return h("div", { class: "stack-form" }, title, seatPicker(view, t(need), facts[need], `fact-${need}`, player));
  if (kind === "whole" && need !== "points") {
    return h("label", { class: "stack-form" }, title, h("input", { type: "number", inputmode: "numeric", min: 1, "data-input": `fact-${need}`, "data-key": need, value: String(facts[need] ?? "") }));
  }
  if (need === "points" && !Array.isArray(foul.amounts)) return anyAmount(foul.amounts, title, facts.points);
  /** @type {[string, string, unknown][]} */
  const options =
    need === "points"
      ? foul.amounts.map((/** @type {number} */ amount) => [String(amount), String(amount), amount])
      : kind === "yes_no"
        ? [["true", t("yes"), true], ["false", t("no"), false]]
        : foul.cases.map((/** @type {any} */ one) => [one.key, one.name, one.key]);
  const chips = options.map(([value, label, means]) => h("button", { class: "chip", "aria-pressed": facts[need] === means, ...does(`fact-${need}`, value) }, label));
  return h("div", { class: "stack-form" }, title, h("div", { class: "numbers", role: "group" }, chips));
}

/** Any whole number of a range: the usual ones to tap, the others to type. @param {{least: number, most: number}} range @param {HTMLElement} title @param {unknown} chosenOne */
function anyAmount({ least, most }, title, chosenOne) {
  const usual = SCALE.filter((amount) => amount >= least && amount <= most);
  const chips = usual.map((amount) => h("button", { class: "chip", "aria-pressed": chosenOne === amount, ...does("fact-points", amount) }, String(amount)));
  const other = h("input", { type: "number", inputmode: "numeric", min: least, max: most, "data-input": "fact-points", "data-key": "points", value: chosenOne === null || chosenOne === undefined ? "" : String(chosenOne) });
  return h("div", { class: "stack-form" }, title, h("div", { class: "numbers", role: "group" }, chips), h("label", { class: "stack-form" }, h("span", { class: "quiet" }, t("from_to", { least, most })), other));
}

/** @param {View} view */
function sanction(view) {
  const form = /** @type {FoulForm} */ (view.foul);
  const found = proposal(view);
  if (form.player === null) return h("p", { class: "quiet" }, t("choose_player"));
  if (!foulQuestion(view)) return null;
  if (!found) return h("p", { class: "live quiet", role: "status" }, t("counting"));
  if (found.kind === "unreachable") return h("p", { class: "banner gold", role: "status" }, t("sanction_later"));
  if (found.kind !== "ok") return h("p", { class: "at", role: "alert" }, t("unreachable"));
  if (found.problems.length) return h("div", {}, found.problems.map((one) => h("p", { class: "at", role: "alert" }, one.message)));
  const proposed = found.data.proposal;
  return h(
    "section",
    { class: "sanction", "aria-live": "polite" },
    h("p", { class: "small" }, t(form.instead ? "imposed_on" : "proposed_for", { name: nameOf(view, form.player) })),
    h("h3", {}, proposed.sanction),
    h("p", {}, proposed.reason, proposed.paid ? `. ${proposed.paid}` : ""),
    proposed.ladder.length ? h("ol", { class: "ladder", "aria-label": t("ladder") }, proposed.ladder.map(rung)) : null,
    proposed.warnings.map((/** @type {string} */ text) => h("p", { class: "at" }, text)),
    payments(view, proposed.effects),
    isForUmpires(view, proposed) ? umpireNeeded(view) : null,
    h("p", { class: "small quiet" }, t("source", { source: proposed.source })),
  );
}

/** Whether it takes an umpire in person, and none is here. @param {View} view @param {any} proposed */
const isForUmpires = (view, proposed) => Boolean(proposed?.judgement) && !view.state.judges;

/** The way to another sanction, and back. @param {View} view @param {any} foul */
function own(view, foul) {
  const form = /** @type {FoulForm} */ (view.foul);
  const proposed = proposal(view)?.data?.proposal;
  if (!form.instead) return proposed && view.state.judges ? [h("button", { class: "btn plain", ...does("change-sanction") }, t(proposed.open ? "choose_sanction" : "change_sanction"))] : [];
  const victims = foul.needs.includes("victim") ? null : h("div", { class: "stack-form" }, h("b", {}, t("victim")), seatPicker(view, t("victim"), form.facts.victim, "fact-victim", form.player));
  return [...sanctionEditor(view, victims, form.explain), h("button", { class: "btn plain", ...does("book-sanction") }, t("as_in_book"))];
}

/** @param {{label: string, time: string, due: boolean, past: boolean}} step */
const rung = (step) => h("li", { class: step.past ? "past" : null, "aria-current": step.due ? "step" : null }, step.label, h("small", {}, step.time));

/** @param {View} view */
function hand(view) {
  const { state } = view;
  const form = /** @type {FoulForm} */ (view.foul);
  const option = (/** @type {number | null} */ number, /** @type {string} */ label) => h("option", { value: number ?? "", selected: form.hand_number === number }, label);
  const begun = state.may_record ? state.next : state.played; // none is under way once no hand follows
  const hands = Array.from({ length: begun }, (_none, at) => begun - at);
  const label = (/** @type {number} */ number) => (number === state.next && state.may_record ? t("hand_now", { number }) : t("hand_title", { number }));
  return h(
    "label",
    { class: "stack-form" },
    h("b", {}, t("which_hand")),
    h("select", { "data-input": "hand_number", "data-key": "hand_number" }, hands.map((number) => option(number, label(number))), option(null, t("no_hand"))),
  );
}

/** @param {View} view @param {any} foul */
function footer(view, foul) {
  const found = proposal(view);
  const proposed = found?.kind === "ok" ? found.data.proposal : null;
  const ready = !isForUmpires(view, proposed) && (proposed || found?.kind === "unreachable") && !view.busy; // without a network the book is asked later
  const missing = view.foul?.player === null ? t("choose_player") : foul ? t("give") : t("choose_foul");
  return savebar(mainButton(proposed?.button ?? missing, does("give"), { danger: true, disabled: !ready }));
}
