// Parts of the desk's screens: the header, announcements, banners, fields, buttons and the bar with the main button.

import { clockText, secondsLeft, shownTime, stageAt } from "../time.js";
import { h, mark, t } from "./dom.js";
import { isTouched } from "./draft.js";
import { isFixing } from "./view.js";

/** @typedef {import("./view.js").View} View */
/**
 * `notices` are those that do not come from a write, shown above the footer; `isField` tells which problems `main` shows.
 * @typedef {{header: Node | null, main: (Node | null | false)[], notices?: (Node | null)[], isField?: (where: string) => boolean, tight?: boolean, footer?: Node | Node[] | null, sheet?: boolean, peek?: string}} Screen
 */

const ARROW = "M15 5l-7 7 7 7";

/** @param {string} name @param {string | number} [arg] */
export const trigger = (name, arg) => ({ type: "button", "data-do": name, "data-arg": arg ?? null });

// --- header ---------------------------------------------------------------------------------------------------------
/** @param {View} view @param {{back?: string, title: string, subtitle: string, clock?: boolean}} options */
export function bar(view, { back, title, subtitle, clock = false }) {
  const arrow = h(
    "svg",
    { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2.4", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": true },
    h("path", { d: ARROW }),
  );
  const leavesDesk = back === undefined;
  const label = leavesDesk ? t("all_tables") : t("back");
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "back", href: leavesDesk ? view.setup.urls.tables : back || "#", "aria-label": label }, arrow),
    h("div", { class: "grow" }, h("h1", {}, title), h("p", {}, subtitle)),
    statusPill(view),
    clock && view.state.clock ? h("p", { class: "clock", "data-clock": true, role: "timer" }, ...clockParts(view)) : null,
  );
}

/** @param {View} view */
function statusPill(view) {
  if (view.busy) return h("span", { class: "pill wait", role: "status" }, t("saving"));
  const waiting = view.waiting.filter((entry) => entry.uuid !== view.fresh).length;
  if (waiting) return h("span", { class: "pill wait", role: "status" }, t("some_wait", { count: waiting }));
  if (view.unsaved) return h("span", { class: "pill bad", role: "status" }, t("not_saved"));
  if (view.offline) return h("span", { class: "pill gold", role: "status" }, t("no_network"));
  if (isFixing(view)) return h("span", { class: "pill", role: "status" }, t("unsaved_correction"));
  if (isTouched(view.draft)) return h("span", { class: "pill", role: "status" }, t("not_saved_yet"));
  return h("span", { class: "pill ok", role: "status" }, view.justSaved || t("all_saved"));
}

/** Time left, by the server's clock. @param {View} view @returns {(Node | string)[]} */
export function clockParts(view) {
  const { clock } = view.state;
  const seconds = clock ? secondsLeft(clock.ends, clockTime(view)) : 0;
  return [clockText(seconds), h("small", {}, t(!seconds ? "time_up" : clock.paused ? "paused" : "left"))];
}

/** The time that the hall's clock shows: that of its pause, or now. @param {View} view */
export const clockTime = (view) => shownTime(view.state.clock?.paused, Date.now() + view.setup.skew);

/** playing, paused, warning or over. @param {View} view */
export const stageOf = (view) => (view.state.clock ? stageAt(view.state.clock, Date.now() + view.setup.skew) : "playing");

// --- announcements and undo -----------------------------------------------------------------------------------------
/** Announcements that have not ended, by the server's clock. @param {View} view @returns {any[]} */
export const announcements = (view) =>
  view.state.announcements.filter((/** @type {any} */ announcement) => !announcement.ends || Date.parse(announcement.ends) > Date.now() + view.setup.skew);

/** @param {View} view */
export function announcementBand(view) {
  const banners = announcements(view).filter(({ uuid }) => !view.putAway.includes(uuid)).map((announcement) =>
    h(
      "div",
      { class: "banner slim", "data-key": announcement.uuid },
      h("p", { class: "grow" }, announcement.tables && h("b", {}, announcement.tables), announcement.tables && " ", h("span", { lang: announcement.language || null }, announcement.text)),
      h("time", { class: "quiet" }, announcement.at),
      putAwayButton(announcement.uuid),
    ),
  );
  return h("div", { class: "announcements", role: "status", "data-key": "announcements" }, ...banners);
}

/** The newest penalty that can be undone here; an unsent one always can. @param {View} view @returns {any} */
export function undoable(view) {
  const at = Date.now() + view.setup.skew;
  const canUndo = (/** @type {any} */ penalty) => !penalty.cancelled && (penalty.waiting || (penalty.undo && at < Date.parse(penalty.undo.until)));
  return view.state.penalties.filter(canUndo).at(-1) ?? null;
}

/** The button to undo a penalty; null if it cannot be undone. @param {View} view @param {any} penalty */
export function undoPenaltyButton(view, penalty) {
  if (undoable(view)?.uuid !== penalty.uuid) return null;
  return h("button", { class: "btn", disabled: Boolean(view.busy), ...trigger("undo-penalty", penalty.uuid), "aria-label": t("penalty_undo", { name: penalty.name }) }, t("undo"));
}

// --- notices and problems -------------------------------------------------------------------------------------------
/** @param {string} key of the notice */
const putAwayButton = (key) => h("button", { class: "put-away", ...trigger("put-away", key), "aria-label": t("put_away") }, "×");

/** A banner that can be put away; null once it has been. @param {View} view @param {import("./view.js").Notice} notice @param {string} [key] */
export function passingBanner(view, notice, key = notice.title) {
  if (view.putAway.includes(key)) return null;
  const element = banner(notice);
  element.append(putAwayButton(key));
  return element;
}

/** @param {import("./view.js").Notice} notice */
export function banner({ kind, title, text = "", action, arg, label, href }) {
  return h(
    "div",
    { class: `banner ${kind}`, role: kind === "bad" ? "alert" : "status", "data-key": `banner-${title}` },
    h("p", { class: "grow" }, h("b", {}, title), " ", text),
    action && label ? h("button", { class: "btn", ...trigger(action, arg) }, label) : null,
    href && label ? h("a", { class: "btn", href }, label) : null,
  );
}

/** The problems of certain places. @param {View} view @param {(where: string) => boolean} here */
export function problemsAt(view, here) {
  return view.problems.filter((problem) => here(problem.where)).map((problem) => h("p", { class: "at", role: "alert" }, problem.message));
}

/** The notice of the last write, and its problems that are not shown at a field of the screen. @param {View} view @param {Screen["isField"]} [isField] */
export function sentences(view, isField = () => false) {
  const rest = view.problems.filter((problem) => !isField(problem.where));
  return [view.notice && passingBanner(view, view.notice), ...rest.map((problem) => passingBanner(view, { kind: "bad", title: problem.message }))];
}

/** Tells that there is no network and that play can go on. @param {View} view */
export const offlineBanner = (view) => (view.offline && !view.notice ? passingBanner(view, { kind: "gold", title: t("no_network"), text: t("no_network_why") }, "offline") : null);

/** Tells holders of the table's card that an umpire is needed, with a link to call one. @param {View} view */
export const umpireBanner = (view) => banner({ kind: "gold", title: t("umpire_needed"), href: view.setup.urls.call, label: t("call_umpire") });

// --- buttons and fields ---------------------------------------------------------------------------------------------
/** @param {Node | null} primary @param {Node | null} [side] @param {Node | null} [above] a field that has to be filled in first */
export const savebar = (primary, side = null, above = null) => h("footer", { class: "savebar" }, above, side, primary);

/** @param {string} label @param {ReturnType<typeof trigger>} action @param {{danger?: boolean, doubtful?: boolean, disabled?: boolean}} [how] doubtful: it asks first, and is not green */
export function mainButton(label, action, { danger = false, doubtful = false, disabled = false } = {}) {
  return h("button", { class: `btn${danger ? " danger" : ""}${doubtful ? " doubtful" : ""} primary`, disabled, ...action, "data-key": "main" }, label);
}

/** @param {string} label @param {ReturnType<typeof trigger>} action @param {{disabled?: boolean}} [how] */
export const sideButton = (label, action, { disabled = false } = {}) => h("button", { class: "btn side", disabled, ...action }, label);

/** Buttons for the seats, one of them pressed. @param {View} view @param {string} label @param {unknown} picked the player @param {string} action @param {number | null} [without] */
export function seatPicker(view, label, picked, action, without = null) {
  const seats = view.state.seats.filter((/** @type {any} */ seat) => seat.player !== without);
  return h(
    "div",
    { class: "four", role: "group", "aria-label": label },
    seats.map((/** @type {any} */ seat) =>
      h("button", { class: "pick", "aria-pressed": seat.player === picked, "data-key": seat.player, ...trigger(action, seat.player) }, windBadge(seat.wind), h("span", {}, seat.name)),
    ),
  );
}

/** @param {string} name of the field @param {string} label @param {import("./dom.js").Attributes} attributes */
export function searchField(name, label, attributes) {
  const magnifier = h("svg", { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2.2", "stroke-linecap": "round", "aria-hidden": true }, h("circle", { cx: "10.5", cy: "10.5", r: "6.5" }), h("path", { d: "M15.5 15.5L21 21" }));
  return h("label", { class: "field" }, h("span", { class: "vh" }, label), magnifier, h("input", { type: "search", "data-input": name, "data-key": name, autocomplete: "off", ...attributes }));
}

/**
 * The fans or fouls that have every word of a search. What is typed is normalised as scoring/book/terms.py does.
 * @param {any[]} items @param {string} search
 */
export function matching(items, search) {
  const folded = search.normalize("NFKD").toLowerCase().replace(/[\p{M}'’]/gu, "").replace(/[胡糊]/g, "和").replaceAll("么", "幺");
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return items.filter((item) => words.every((word) => item.search.includes(word)));
}

// --- badges ---------------------------------------------------------------------------------------------------------
/** @param {any} wind */
export function windBadge(wind) {
  const label = wind.dealer ? t("seat_dealer", { wind: wind.name }) : wind.name;
  const character = h("b", {}, mark(wind.character));
  return h("span", { class: `wind${wind.dealer ? " east" : ""}`, role: "img", "aria-label": label }, character, wind.letter);
}

/** Marks a hand that is not sent yet. @param {any} hand */
export function waitingTag(hand) {
  return hand.waiting ? h("small", { class: "quiet who" }, t(hand.unchecked ? "waits_unchecked" : "waits")) : null;
}
