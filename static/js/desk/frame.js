// What every screen of the desk has: the bar on top, sentences that must be read, the bar with the one main button.

import { clockText, secondsLeft, shown, stageAt } from "../time.js";
import { h, mark, t } from "./dom.js";
import { isTouched } from "./draft.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{header: Node | null, main: (Node | null | false)[], tight?: boolean, footer?: Node | null, sheet?: boolean, peek?: string}} Screen */

const ARROW = "M15 5l-7 7 7 7";

/** @param {string} name @param {string | number} [arg] */
export const does = (name, arg) => ({ type: "button", "data-do": name, "data-arg": arg ?? null });

/** @param {View} view @param {{back?: string, title: string, subtitle: string, clock?: boolean}} what */
export function bar(view, { back, title, subtitle, clock = false }) {
  const arrow = h(
    "svg",
    { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2.4", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": true },
    h("path", { d: ARROW }),
  );
  const away = back === undefined;
  const label = away ? t("all_tables") : t("back");
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "back", href: away ? view.setup.urls.tables : back || "#", "aria-label": label }, arrow),
    h("div", { class: "grow" }, h("h1", {}, title), h("p", {}, subtitle)),
    pill(view),
    clock && view.state.clock ? h("p", { class: "clock", "data-clock": true, role: "timer" }, ...clockParts(view)) : null,
  );
}

/** @param {View} view */
function pill(view) {
  if (view.busy) return h("span", { class: "pill wait", role: "status" }, t("saving"));
  const waiting = view.waiting.filter((entry) => entry.uuid !== view.fresh).length;
  if (waiting) return h("span", { class: "pill wait", role: "status" }, t(waiting === 1 ? "one_waits" : "some_wait", { count: waiting }));
  if (view.unsaved) return h("span", { class: "pill bad", role: "status" }, t("not_saved"));
  if (view.offline) return h("span", { class: "pill gold", role: "status" }, t("no_network"));
  if (isTouched(view.draft)) return h("span", { class: "pill", role: "status" }, t("not_saved_yet"));
  return h("span", { class: "pill ok", role: "status" }, view.said || t("all_saved"));
}

/** By the server's clock, as on every screen in the hall. @param {View} view @returns {(Node | string)[]} */
export function clockParts(view) {
  const { clock } = view.state;
  const seconds = clock ? secondsLeft(clock.ends, hallTime(view)) : 0;
  return [clockText(seconds), h("small", {}, t(!seconds ? "time_up" : clock.paused ? "paused" : "left"))];
}

/** Where the hands of the hall's clock stand, for it may be paused. @param {View} view */
export const hallTime = (view) => shown(view.state.clock?.paused, Date.now() + view.setup.skew);

/** playing, paused, warning or over. @param {View} view */
export const stageOf = (view) => (view.state.clock ? stageAt(view.state.clock, Date.now() + view.setup.skew) : "playing");

/** @param {import("./view.js").Notice} notice */
export function banner({ kind, title, text = "", action, arg, label, href }) {
  return h(
    "div",
    { class: `banner ${kind}`, role: kind === "bad" ? "alert" : "status", "data-key": `banner-${title}` },
    h("p", { class: "grow" }, h("b", {}, title), " ", text),
    action && label ? h("button", { class: "btn", ...does(action, arg) }, label) : null,
    href && label ? h("a", { class: "btn", href }, label) : null,
  );
}

/** The problems of certain places, each where it belongs. @param {View} view @param {(where: string) => boolean} here */
export function problemsAt(view, here) {
  return view.problems.filter((one) => here(one.where)).map((one) => h("p", { class: "at", role: "alert" }, one.message));
}

/** Notices and problems that belong to no field of this screen. @param {View} view @param {(where: string) => boolean} shownElsewhere */
export function sentences(view, shownElsewhere = () => false) {
  const rest = view.problems.filter((one) => !shownElsewhere(one.where));
  return [view.notice && banner(view.notice), ...rest.map((one) => banner({ kind: "bad", title: one.message }))];
}

/** That there is no network, and that this is no reason to stop. @param {View} view */
export const cutOff = (view) => (view.offline && !view.notice ? banner({ kind: "gold", title: t("no_network"), text: t("no_network_why") }) : null);

/** What is not for whoever holds the table's card, and the way to somebody for whom it is. @param {View} view */
export const umpireNeeded = (view) => banner({ kind: "gold", title: t("umpire_needed"), href: view.setup.urls.call, label: t("call_umpire") });

/** @param {Node | null} primary @param {Node | null} [side] */
export const savebar = (primary, side = null) => h("footer", { class: "savebar" }, side, primary);

/** @param {string} label @param {ReturnType<typeof does>} action @param {{danger?: boolean, disabled?: boolean}} [how] */
export function mainButton(label, action, { danger = false, disabled = false } = {}) {
  return h("button", { class: `btn${danger ? " danger" : ""} primary`, disabled, ...action, "data-key": "main" }, label);
}

/** @param {string} label @param {ReturnType<typeof does>} action */
export const sideButton = (label, action) => h("button", { class: "btn side", ...action }, label);

/** @param {any} wind */
export function windBadge(wind) {
  const label = wind.dealer ? t("seat_dealer", { wind: wind.name }) : wind.name;
  const character = h("b", {}, mark(wind.character));
  return h("span", { class: `wind${wind.dealer ? " east" : ""}`, role: "img", "aria-label": label }, character, wind.letter);
}

/** That a hand is on this device only. @param {any} hand */
export function waitingTag(hand) {
  return hand.waiting ? h("small", { class: "quiet who" }, t(hand.unchecked ? "waits_unchecked" : "waits")) : null;
}
