// The form for a penalty: player, foul, facts, and the sanction that the foul book proposes.

import { h, t } from "../dom.js";
import { mainButton, matching, problemsAt, savebar, searchField, seatPicker, sideButton, trigger, umpireBanner } from "../frame.js";
import { payments } from "./outcome.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../view.js").FoulForm} FoulForm */

const SCALE = [0, 5, 10, 20, 30, 40, 50, 60];
const RECEIVERS = ["nobody", "each_opponent", "victim"];
const isFormField = (/** @type {string} */ where) => where in FACTS || ["hand_number", "player", "foul", "note", "because"].includes(where);

/** @param {View} view @returns {import("../frame.js").Screen} */
export function foulScreen(view) {
  const form = /** @type {FoulForm} */ (view.foul);
  const foul = chosenFoul(view);
  const { state } = view;
  return {
    header: null,
    sheet: true,
    peek: state.may_record ? t("stays", { table: state.table, number: state.next }) : t("table", { table: state.table }),
    isField: isFormField,
    main: [
      h("div", { class: "row apart" }, h("h1", {}, t("who_what")), h("button", { class: "btn plain", ...trigger("close-foul") }, t("close"))),
      seatPicker(view, t("player"), form.player, "offender"),
      ...problemsAt(view, (where) => where === "player"),
      ...(foul ? foulForm(view, foul) : list(view)),
    ],
    footer: footer(view, foul),
  };
}

/** The chosen foul. @param {View} view */
const chosenFoul = (view) => view.setup.fouls.find((/** @type {any} */ foul) => foul.key === view.foul?.foul);

/** @param {View} view */
function list(view) {
  const form = /** @type {FoulForm} */ (view.foul);
  const fouls = matching(view.setup.fouls, form.search);
  const label = t("search_fouls", { count: view.setup.fouls.length }, view.setup.fouls.length);
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
    { class: "foul", "aria-pressed": pressed, "data-key": foul.key, ...trigger(pressed ? "no-foul" : "this-foul", foul.key) },
    h("span", { class: "grow" }, name, h("small", { class: "small" }, foul.description)),
    h("span", { class: "cost" }, pressed ? t("other_foul") : foul.costs),
  );
}

/** @param {View} view @param {any} foul */
function foulForm(view, foul) {
  const form = /** @type {FoulForm} */ (view.foul);
  return [
    h("div", {}, foulButton(foul, true)),
    ...foul.needs.flatMap((/** @type {string} */ need) => [factField(view, foul, need), ...problemsAt(view, (where) => where === need)]),
    ...foul.ticks.flatMap((/** @type {any} */ tick) => [
      h("div", { class: "chips" }, h("button", { class: "chip", "aria-pressed": Boolean(form.facts[tick.key]), ...trigger("tick", tick.key) }, tick.name)),
      ...problemsAt(view, (where) => where === tick.key),
    ]),
    sanction(view),
    ...sanctionControls(view, foul),
    hand(view),
    h("label", { class: "stack-form" }, h("span", {}, h("b", {}, t("note")), " ", h("span", { class: "quiet" }, t("note_hint"))), h("input", { "data-input": "note", "data-key": "note", value: form.note, maxlength: 300, autocomplete: "off" })),
  ];
}

/** @param {View} view */
function hand(view) {
  const { state } = view;
  const form = /** @type {FoulForm} */ (view.foul);
  const option = (/** @type {number | null} */ number, /** @type {string} */ label) => h("option", { value: number ?? "", selected: form.hand_number === number }, label);
  const begun = state.may_record ? state.next : state.played; // no hand is under way if none follows
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
  const answer = currentProposal(view);
  const proposed = answer?.kind === "ok" ? answer.data.proposal : null;
  const ready = !isForUmpires(view, proposed) && (proposed || answer?.kind === "unreachable") && !view.busy; // without a network the sanction is worked out later
  const missing = view.foul?.player === null ? t("choose_player") : foul ? t("give") : t("choose_foul");
  if (ready && proposed?.open && !view.foul?.instead) return savebar(mainButton(t("choose_sanction"), trigger("change-sanction")));
  if (view.foul?.confirming && proposed) {
    const question = h("p", { class: "small" }, t("grave_question"));
    return savebar(mainButton(proposed.button, trigger("give"), { danger: true, disabled: !ready || view.resting }), sideButton(t("back"), trigger("not-yet")), question);
  }
  const isEmpty = Boolean(proposed?.open) && !Object.keys(proposed.imposed).length;
  return savebar(mainButton(isEmpty ? t("choose_sanction") : proposed?.button || missing, trigger(proposed?.grave ? "confirm-foul" : "give"), { danger: true, disabled: !ready || isEmpty }));
}

// --- requests and proposals -----------------------------------------------------------------------------------------
/** Body of the preview and of the write; null while facts are missing. @param {View} view */
export function foulRequest(view) {
  const form = view.foul;
  const foul = chosenFoul(view);
  if (!form || !foul || form.player === null) return null;
  const isKnown = (/** @type {string} */ need) => form.facts[need] !== undefined && form.facts[need] !== null && form.facts[need] !== "";
  if (!foul.needs.every(isKnown)) return null;
  const keys = [...foul.needs, ...foul.ticks.map((/** @type {any} */ tick) => tick.key)];
  const facts = Object.fromEntries(keys.map((need) => [need, form.facts[need] ?? null]));
  const own = form.instead ? { sanction: form.instead, victim: facts.victim ?? form.facts.victim ?? null } : {};
  return { player: form.player, foul: form.foul, hand_number: form.hand_number, note: form.note, because: form.because, ...facts, ...own };
}

/** Leave out texts that do not change the preview. @param {any} body */
export const withoutReasons = (body) => ({ ...body, note: "", because: "" });

/** @param {View} view */
export function currentProposal(view) {
  const body = foulRequest(view);
  return body && view.proposal?.key === JSON.stringify(withoutReasons(body)) ? view.proposal : null;
}

/** @param {View} view */
function sanction(view) {
  const form = /** @type {FoulForm} */ (view.foul);
  const answer = currentProposal(view);
  if (form.player === null) return h("p", { class: "quiet" }, t("choose_player"));
  if (!foulRequest(view)) return null;
  if (!answer) return h("p", { class: "live quiet", role: "status" }, t("counting"));
  if (answer.kind === "unreachable") return h("p", { class: "banner gold", role: "status" }, t("sanction_later"));
  if (answer.kind !== "ok") return h("p", { class: "at", role: "alert" }, t("unreachable"));
  if (answer.problems.length) return h("div", {}, answer.problems.map((problem) => h("p", { class: "at", role: "alert" }, problem.message)));
  const proposed = answer.data.proposal;
  return h(
    "section",
    { class: "sanction", "aria-live": "polite" },
    h("h3", {}, proposed.sanction),
    h("p", {}, proposed.reason, proposed.paid ? `. ${proposed.paid}` : ""),
    proposed.book ? h("p", {}, `${t("not_as_in_book")} ${t("book_says", { sanction: proposed.book })}`) : null,
    proposed.ladder.length ? h("ol", { class: "ladder", "aria-label": t("ladder") }, proposed.ladder.map(rung)) : null,
    proposed.warnings.map((/** @type {string} */ text) => h("p", { class: "at" }, text)),
    payments(view, proposed.effects),
    isForUmpires(view, proposed) ? umpireBanner(view) : null,
    proposed.source ? h("p", { class: "small quiet" }, t("source", { source: proposed.source })) : null,
  );
}

/** Whether the sanction needs an umpire in person and the user is none. @param {View} view @param {any} proposed */
const isForUmpires = (view, proposed) => Boolean(proposed?.judgement) && !view.state.judges;

/** @param {{label: string, time: string, due: boolean, past: boolean}} step */
const rung = (step) => h("li", { class: step.past ? "past" : null, "aria-current": step.due ? "step" : null }, step.label, h("small", {}, step.time));

// --- facts ----------------------------------------------------------------------------------------------------------
/** @typedef {"whole" | "yes_no" | "choice" | "player"} FactKind */

/** Kinds of the facts of penalties/engine/facts.py; a test compares the two. @type {Record<string, FactKind>} */
const FACTS = {
  minutes: "whole",
  points: "whole",
  victim: "player",
  hu_was_valid: "yes_no",
  circumstance: "choice",
  tile_seen: "yes_no",
  stopped: "yes_no",
};

/** Convert what was tapped or typed; null for nothing. @param {FactKind} kind @param {string} value */
export function factOf(kind, value) {
  if (value === "") return null;
  if (kind === "yes_no") return value === "true";
  return kind === "choice" ? value : Math.trunc(Number(value));
}

/** Map fact names, with a prefix, to what `each` returns. @template T @param {string} before @param {(name: string, kind: FactKind) => T} each @returns {Record<string, T>} */
export const forEachFact = (before, each) => Object.fromEntries(Object.entries(FACTS).map(([name, kind]) => [before + name, each(name, kind)]));

/** The field of a fact. @param {View} view @param {any} foul @param {string} need */
function factField(view, foul, need) {
  const { facts, player } = /** @type {FoulForm} */ (view.foul);
  const title = h("b", {}, t(need === "points" ? "how_many" : need));
  const kind = FACTS[need];
  if (kind === "player") return h("div", { class: "stack-form" }, title, seatPicker(view, t(need), facts[need], `fact-${need}`, player));
  if (kind === "whole" && need !== "points") {
    return h("label", { class: "stack-form" }, title, h("input", { type: "number", inputmode: "numeric", min: 1, max: view.state.minutes, "data-input": `fact-${need}`, "data-key": need, value: String(facts[need] ?? "") }));
  }
  if (need === "points" && !Array.isArray(foul.amounts)) return anyAmount(foul.amounts, title, facts.points);
  /** @type {[string, string, unknown][]} */
  const options =
    need === "points"
      ? foul.amounts.map((/** @type {number} */ amount) => [String(amount), amount ? String(amount) : t("a_warning"), amount])
      : kind === "yes_no"
        ? [["true", t("yes"), true], ["false", t("no"), false]]
        : foul.cases.map((/** @type {any} */ situation) => [situation.key, situation.name, situation.key]);
  const chips = options.map(([value, label, means]) => h("button", { class: "chip", "aria-pressed": facts[need] === means, ...trigger(`fact-${need}`, value) }, label));
  return h("div", { class: "stack-form" }, title, h("div", { class: "numbers", role: "group" }, chips));
}

/** The field of points within a range: usual amounts to tap, others to type. @param {{least: number, most: number, warning?: boolean}} range @param {Element} title @param {unknown} amount */
function anyAmount({ least, most, warning }, title, amount) {
  const usual = SCALE.filter((step) => (step >= least && step <= most) || (warning && step === 0));
  const chips = usual.map((step) => h("button", { class: "chip", "aria-pressed": amount === step, ...trigger("fact-points", step) }, step ? String(step) : t("a_warning")));
  const other = h("input", { type: "number", inputmode: "numeric", min: least, max: most, "data-input": "fact-points", "data-key": "points", value: amount === null || amount === undefined ? "" : String(amount) });
  return h("div", { class: "stack-form" }, title, h("div", { class: "numbers", role: "group" }, chips), h("label", { class: "stack-form" }, h("span", { class: "quiet" }, t("from_to", { minimum: least, maximum: most })), other));
}

// --- sanction other than the foul book's ----------------------------------------------------------------------------
/** The button for another sanction; or its editor, with the button back to the foul book. @param {View} view @param {any} foul */
function sanctionControls(view, foul) {
  const form = /** @type {FoulForm} */ (view.foul);
  const proposed = currentProposal(view)?.data?.proposal;
  if (!form.instead) return proposed && !proposed.open && view.state.judges ? [h("button", { class: "btn plain", ...trigger("change-sanction") }, t("change_sanction"))] : [];
  const victims = foul.needs.includes("victim") ? null : h("div", { class: "stack-form" }, h("b", {}, t("victim")), seatPicker(view, t("victim"), form.facts.victim, "fact-victim", form.player));
  return [...sanctionEditor(view, victims, form.explain), h("button", { class: "btn plain", ...trigger("book-sanction") }, t("as_in_book"))];
}

/** @param {View} view @param {Node | null} victims @param {boolean} explain whether a reason is asked for */
function sanctionEditor(view, victims, explain) {
  const sanction = /** @type {any} */ (view.foul?.instead);
  const amount = sanction.points?.amount ?? 0;
  const chip = (/** @type {string} */ label, /** @type {boolean} */ on, /** @type {any} */ act) => h("button", { class: "chip", "aria-pressed": on, ...act }, label);
  const amounts = SCALE.map((step) => chip(step ? String(step) : t("no_points"), step === amount, trigger("sanction-points", step)));
  const other = h("input", { type: "number", inputmode: "numeric", min: 1, "data-input": "sanction-points", "data-key": "sanction-points", value: amount && !SCALE.includes(amount) ? amount : "", "aria-label": t("another_amount"), placeholder: t("another_amount") });
  const receivers = RECEIVERS.map((receiver) => chip(t(`paid_${receiver}`), sanction.points?.paid_to === receiver, trigger("sanction-paid", receiver)));
  const offered = view.setup.flags.filter((/** @type {any} */ flag) => view.foul?.hand_number || !flag.hand_long || sanction[flag.key]);
  const flags = offered.map((/** @type {any} */ flag) => chip(flag.name, Boolean(sanction[flag.key]), trigger("sanction-flag", flag.key)));
  return [
    h("div", { class: "stack-form" }, h("b", {}, t("how_many")), h("div", { class: "numbers", role: "group", "aria-label": t("how_many") }, amounts), other),
    amount ? h("div", { class: "stack-form" }, h("b", {}, t("paid_to")), h("div", { class: "chips", role: "group", "aria-label": t("paid_to") }, receivers)) : null,
    sanction.points?.paid_to === "victim" ? victims : null,
    h("div", { class: "stack-form" }, h("b", {}, t("what_else")), h("div", { class: "chips", role: "group", "aria-label": t("what_else") }, flags)),
    explain ? reason(view) : null,
  ];
}

/** @param {View} view */
function reason(view) {
  const faults = problemsAt(view, (where) => where === "because");
  return h(
    "label",
    { class: "stack-form" },
    h("span", {}, h("b", {}, t("because")), " ", h("span", { class: "quiet" }, t("because_kept"))),
    h("input", { "data-input": "because", "data-key": "because", value: view.foul?.because ?? "", maxlength: 300, autocomplete: "off", "aria-invalid": faults.length > 0 }),
    faults,
  );
}

/** Copy the foul book's sanction, to change it. @param {any} imposed */
export const copySanction = (imposed) => structuredClone(imposed);

/** Set points, which replace a warning. @param {any} sanction @param {number} amount 0: no points */
export function withPoints(sanction, amount) {
  const { points, warning, ...rest } = sanction;
  return amount > 0 ? { ...rest, points: paidTo({ amount }, points?.paid_to ?? "nobody") } : rest;
}

/** @param {any} sanction @param {string} receiver */
export const withReceiver = (sanction, receiver) => (sanction.points ? { ...sanction, points: paidTo(sanction.points, receiver) } : sanction);

/** @param {any} sanction @param {string} flag */
export function withFlag(sanction, flag) {
  const { [flag]: on, ...rest } = sanction;
  return on ? rest : { ...rest, [flag]: true };
}

/** Points paid to others count in the hand, points paid to nobody in the session. @param {{amount: number}} points @param {string} receiver */
const paidTo = ({ amount }, receiver) => ({ amount, paid_to: receiver, scope: receiver === "nobody" ? "session" : "hand" });
