// Another sanction than the foul book's: points and to whom, what else, and why.

import { h, t } from "../dom.js";
import { does, problemsAt } from "../frame.js";

/** @typedef {import("../view.js").View} View */

export const SCALE = [0, 5, 10, 20, 30, 40, 50, 60];
const RECEIVERS = ["nobody", "each_opponent", "victim"];

/** The sanction as the foul book has it, to be changed from there. @param {any} imposed */
export const startFrom = (imposed) => structuredClone(imposed);

/** Points take the place of a warning. @param {any} sanction @param {number} amount 0: no points */
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

/** What others receive moves in the hand; what nobody receives is taken off the session. @param {{amount: number}} points @param {string} receiver */
const paidTo = ({ amount }, receiver) => ({ amount, paid_to: receiver, scope: receiver === "nobody" ? "session" : "hand" });

/** @param {View} view @param {Node | null} victims @param {boolean} explain whether a reason is asked for */
export function sanctionEditor(view, victims, explain) {
  const sanction = /** @type {any} */ (view.foul?.instead);
  const amount = sanction.points?.amount ?? 0;
  const chip = (/** @type {string} */ label, /** @type {boolean} */ on, /** @type {any} */ act) => h("button", { class: "chip", "aria-pressed": on, ...act }, label);
  const amounts = SCALE.map((step) => chip(step ? String(step) : t("no_points"), step === amount, does("sanction-points", step)));
  const other = h("input", { type: "number", inputmode: "numeric", min: 1, "data-input": "sanction-points", "data-key": "sanction-points", value: amount && !SCALE.includes(amount) ? amount : "", "aria-label": t("another_amount"), placeholder: t("another_amount") });
  const receivers = RECEIVERS.map((one) => chip(t(`paid_${one}`), sanction.points?.paid_to === one, does("sanction-paid", one)));
  const offered = view.setup.flags.filter((/** @type {any} */ flag) => view.foul?.hand_number || !flag.hand_long || sanction[flag.key]);
  const flags = offered.map((/** @type {any} */ flag) => chip(flag.name, Boolean(sanction[flag.key]), does("sanction-flag", flag.key)));
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
