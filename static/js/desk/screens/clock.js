// The session clock on the desk: what its stage means for the hand under way, the gong, extra time for this table; and who
// is missing since the gong: the arrival stops their clock and proposes the penalty.

import { canRing, isOn } from "../../gong.js";
import { h, t } from "../dom.js";
import { banner, bar, does, hallTime, mainButton, problemsAt, savebar, sentences, stageOf, umpireNeeded, windBadge } from "../frame.js";
import { current, nameOf, recorded } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const EXTRA_TIME = (/** @type {string} */ where) => ["minutes", "reason"].includes(where);
const RUNGS = 5; // that fit beside each other on a phone
const WHO = (/** @type {string} */ where) => where === "player" || where === "name";

/** The warning, and that the time is up, with what that means. @param {View} view */
export function clockNotice(view) {
  const { clock, may_record: open, is_full: full, played } = view.state;
  const stage = stageOf(view);
  if (clock && stage === "paused") return banner({ kind: "gold", title: t("clock_paused"), text: t("clock_paused_why") });
  if (!clock || !open || full || stage === "playing") return null;
  const text = t(clock.counts_last_hand ? "last_hand_counts" : "last_hand_void");
  const title = stage === "over" ? t("time_up") : t("last_minutes", { minutes: clock.warning });
  const way = stage === "over" && played ? { href: "#hand-in", label: t("hand_in_now") } : {};
  return banner({ kind: "gold", title, text, ...way });
}

/** After the gong a hand is not saved before somebody says that it was in time. @param {View} view @returns {Screen} */
export function inTimeScreen(view) {
  const { clock, table, hands_in_all: hands } = view.state;
  const finishes = clock?.counts_last_hand;
  return {
    header: bar(view, { title: t("table", { table }), subtitle: t("hand_of", { number: current(view).number, hands }), clock: true }),
    main: [
      h(
        "section",
        { class: "card stack" },
        h("h2", { id: "in-time" }, t(finishes ? "begun_before" : "finished_before")),
        h("p", { class: "small" }, t(finishes ? "last_hand_counts" : "last_hand_void")),
        h(
          "fieldset",
          { class: "stack-form", "aria-labelledby": "in-time" },
          h("button", { class: "btn primary", ...does("in-time") }, t("in_time")),
          h("button", { class: "btn", ...does("not-in-time") }, t("not_in_time")),
          h("button", { class: "btn plain", ...does("back-to-hand") }, t("back_to_hand")),
        ),
      ),
    ],
    footer: null, // where Save was there is nothing now: a second tap answers nothing
  };
}

/** Whether this device rings at the warning and at the end (gong.js fills it in). @param {View} view */
export function gongCard(view) {
  if (!view.state.running || !canRing()) return null;
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("gong")),
    h("p", { class: "small quiet" }, t("gong_why")),
    h("div", { class: "row" }, h("button", { type: "button", class: "chip", "data-gong": true, "aria-pressed": isOn() }, t("gong_here"))),
  );
}

/** @param {View} view */
export function extraTimeCard(view) {
  const { clock, may_give_time: may } = view.state;
  if (!clock || (!may && !clock.extra)) return null;
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("extra_time")),
    clock.extra ? h("p", {}, t("extra_time_now", { minutes: clock.extra })) : null,
    may ? h("div", { class: "row" }, h("a", { class: "btn", href: "#extra-time" }, t("extra_time"))) : null,
  );
}

/** @param {View} view @returns {Screen} */
export function extraTimeScreen(view) {
  const form = view.extra;
  return {
    header: bar(view, { back: "#sheet", title: t("extra_time"), subtitle: t("table", { table: view.state.table }), clock: true }),
    main: [
      ...sentences(view, EXTRA_TIME),
      h(
        "label",
        { class: "stack-form" },
        h("p", { class: "question" }, t("extra_time_question"), h("small", {}, t("extra_time_hint"))),
        h("input", { type: "number", inputmode: "numeric", min: 0, max: 60, "data-input": "extra-minutes", "data-key": "extra-minutes", value: form.minutes }),
        ...problemsAt(view, (where) => where === "minutes"),
      ),
      h(
        "label",
        { class: "stack-form" },
        h("span", {}, h("b", {}, t("extra_time_why")), " ", h("span", { class: "quiet" }, t("extra_time_kept"))),
        h("input", { "data-input": "extra-reason", "data-key": "extra-reason", value: form.reason, maxlength: 300, autocomplete: "off" }),
        ...problemsAt(view, (where) => where === "reason"),
      ),
    ],
    footer: savebar(mainButton(t("extra_time_give"), does("extra-time"), { disabled: Boolean(view.busy) || form.minutes === "" })),
  };
}

// --- who is missing -------------------------------------------------------------------------------------------------
/** Who is still missing. @param {View} view */
const missing = (view) => view.state.absences.filter((/** @type {any} */ absence) => absence.minutes === null);

/** Who came late and was not fined yet. @param {View} view */
const unfined = (view) => view.state.absences.filter((/** @type {any} */ absence) => absence.minutes !== null);

/** Whether it is still the beginning of the session, when somebody may be late. @param {View} view */
const isBeginning = (view) => Boolean(view.setup.late) && view.state.running && view.state.played === 0;

/** What the table's own screen says of the missing: a line to the clock, or a penalty still to give. @param {View} view */
export function lateNotices(view) {
  if (!view.setup.late) return [];
  return [
    ...missing(view).map((/** @type {any} */ absence) => h("div", { "data-late": true, "data-key": `late-${absence.uuid}` }, banner({ kind: "gold", title: t("absent_name", { name: nameOf(view, absence.player) }), text: lateLine(view, absence), href: "#late", label: t("clock") }))),
    ...unfined(view).map((/** @type {any} */ absence) => banner({ kind: "gold", title: t("came_late", { name: nameOf(view, absence.player), minutes: absence.minutes }), text: t("came_late_why"), action: "late-foul", arg: absence.uuid, label: t("to_penalty") })),
  ];
}

/** The way to this screen: at the beginning for an empty seat, later for a stand-in. @param {View} view */
export const lateWay = (view) => (isBeginning(view) && !missing(view).length ? h("a", { class: "btn plain", href: "#late" }, t("empty_seat")) : null);

/** The clock and the amount, in a line. @param {View} view @param {any} absence */
function lateLine(view, absence) {
  if (absence.fined) return t("no_show_fined");
  const seconds = elapsed(view, absence);
  return t("late_line", { clock: minutesAndSeconds(seconds), amount: absence.steps[due(absence, seconds)].text });
}

/** @param {View} view @returns {Screen} */
export function lateScreen(view) {
  const { state, setup } = view;
  const gone = missing(view);
  const [only] = gone;
  const title = gone.length ? t("seats_empty", { table: state.table }) : t("table", { table: state.table });
  return {
    header: bar(view, { back: "#", title, subtitle: t("session_of", { session: state.session, sessions: setup.sessions }) }),
    main: [
      ...sentences(view, WHO),
      gone.length ? null : h("p", { class: "question" }, t(isBeginning(view) ? "whose_seat" : "who_leaves"), h("small", {}, t(isBeginning(view) ? "whose_seat_why" : hint(view)))),
      gone.length || isBeginning(view) ? null : standInField(view),
      people(view, gone),
      ...problemsAt(view, WHO),
      ...gone.flatMap((/** @type {any} */ absence) => lateCard(view, absence)),
      ...state.seats.filter((/** @type {any} */ seat) => seat.stand_in && !gone.some((/** @type {any} */ absence) => absence.player === seat.player)).map((/** @type {any} */ seat) => standsIn(seat)),
    ],
    footer: gone.length === 1 ? savebar(mainButton(arrives(view, only), does("arrived", only.uuid), { disabled: Boolean(view.busy) })) : null,
  };
}

/** @param {View} view @param {any[]} gone */
function people(view, gone) {
  const label = (/** @type {any} */ seat) => (gone.some((absence) => absence.player === seat.player) ? t("absent_name", { name: seat.name }) : seat.name);
  return h(
    "div",
    { class: "four", role: "group", "aria-label": t("player") },
    view.state.seats.map((/** @type {any} */ seat) => {
      const away = gone.some((absence) => absence.player === seat.player);
      const act = away || seat.stand_in ? { disabled: true } : does(isBeginning(view) ? "absent" : "stand-in", seat.player);
      return h("button", { type: "button", class: "pick", "aria-pressed": away, "data-key": seat.player, ...act }, windBadge(seat.wind), h("span", {}, label(seat), seat.stand_in ? h("small", {}, standInName(seat)) : null));
    }),
  );
}

/** @param {View} view @param {any} absence @returns {(Node | null)[]} */
function lateCard(view, absence) {
  const seconds = elapsed(view, absence);
  const { steps } = absence;
  const at = due(absence, seconds);
  const first = Math.max(0, Math.min(at - 2, steps.length - RUNGS));
  const next = steps[at + 1];
  const seat = view.state.seats.find((/** @type {any} */ other) => other.player === absence.player);
  const several = missing(view).length > 1;
  const card = h(
    "section",
    { class: "card stack", "data-key": absence.uuid, "data-late": true },
    several ? h("h2", {}, seat.name) : null,
    h("p", { class: "big-clock", role: "timer" }, minutesAndSeconds(seconds)),
    h("p", { class: "due" }, t("so_far", { amount: steps[at].text })),
    h("ol", { class: "ladder", "aria-label": t("by_minute") }, steps.slice(first, first + RUNGS).map((/** @type {any} */ step, /** @type {number} */ place) => rung(step, first + place, at))),
    h("p", { class: "small quiet" }, next ? t("next_amount", { amount: next.text, clock: minutesAndSeconds(steps[at].to * 60), left: minutesAndSeconds(Math.max(0, steps[at].to * 60 - seconds)) }) : ""),
    several ? h("button", { class: "btn", ...does("arrived", absence.uuid) }, arrives(view, absence)) : null,
    view.state.judges ? h("button", { class: "btn plain", ...does("absence-back", absence.uuid) }, t("not_missing", { name: seat.name })) : null,
  );
  return [card, ...others(view, absence, seat, seconds < view.setup.late.stand_in_after * 60)];
}

/** @param {View} view @param {any} absence */
const arrives = (view, absence) => t("is_here", { name: nameOf(view, absence.player), amount: absence.steps[due(absence, elapsed(view, absence))].text });

/** Seconds since the gong, by the server's clock, as long as the session lasts. @param {View} view @param {any} absence */
const elapsed = (view, absence) => Math.max(0, Math.floor((Math.min(hallTime(view), Date.parse(absence.until)) - Date.parse(absence.since)) / 1000));

/** 17:42. @param {number} seconds */
const minutesAndSeconds = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** The step that is due: minute 11 begins as soon as ten minutes are over. @param {any} absence @param {number} seconds */
function due({ steps }, seconds) {
  const minute = Math.max(1, Math.ceil(seconds / 60));
  const at = steps.findIndex((/** @type {any} */ step) => step.to === 0 || minute <= step.to);
  return at < 0 ? steps.length - 1 : at;
}

/** @param {any} step @param {number} place @param {number} at */
const rung = (step, place, at) => h("li", { class: place < at ? "past" : null, "aria-current": place === at ? "step" : null }, step.label, h("small", {}, step.until));

// --- how the others go on -------------------------------------------------------------------------------------------
/** How the others go on. @param {View} view @param {any} absence @param {any} seat @param {boolean} early @returns {(Node | null)[]} */
function others(view, absence, seat, early) {
  const minutes = view.setup.late.stand_in_after;
  const { uuid } = absence;
  if (!view.state.judges && !seat.stand_in) return [umpireNeeded(view)];
  if (early && !absence.begun_because && !seat.stand_in) return [beginning(view, absence, seat, minutes)];
  const noShow = absence.fined
    ? h("p", { class: "small", "data-key": `fined-${uuid}` }, t("no_show_fined"))
    : h("button", { class: "btn plain", ...does("late-foul", uuid), "data-key": `no-show-${uuid}` }, t("does_not_come", { name: seat.name, amount: absence.steps[due(absence, absence.in_all * 60)].text }));
  if (seat.stand_in) return [h("p", { class: "small", "data-key": `in-${uuid}` }, standInName(seat)), noShow];
  const title = early ? t("begun_without", { reason: absence.begun_because }) : t("stand_in_now", { minutes });
  return [
    banner({ kind: "gold", title, text: `${t("stand_in_why")} ${t(hint(view))}` }),
    standInField(view),
    h("button", { class: "btn", ...does("stand-in", absence.player), "data-key": `stand-${uuid}` }, t("start_with_stand_in")),
    noShow,
  ];
}

/** The umpire may let the others begin before their time, and says why. @param {View} view @param {any} absence @param {any} seat @param {number} minutes */
function beginning(view, { uuid }, seat, minutes) {
  return h(
    "section",
    { class: "card stack", "data-key": `begin-${uuid}` },
    h("p", {}, t("others_wait", { minutes })),
    h("label", { class: "stack-form" }, h("b", {}, t("begin_why")), h("input", { "data-input": "begin-reason", "data-key": "begin-reason", value: view.reason, maxlength: 300, autocomplete: "off" })),
    ...problemsAt(view, (where) => where === "reason"),
    h("button", { class: "btn", ...does("begin-without", uuid), disabled: !view.reason.trim() || Boolean(view.busy) }, t("begin_without", { name: seat.name })),
  );
}

/** @param {View} view */
const standInField = (view) => h("label", { class: "stack-form" }, h("span", {}, h("b", {}, t("stand_in_name")), " ", h("span", { class: "quiet" }, t("note_hint"))), h("input", { "data-input": "stand-in", "data-key": "stand-in", value: view.standIn, maxlength: 80, autocomplete: "off" }));

/** Whose the result is while a stand-in plays. @param {View} view */
const hint = (view) => (view.setup.stand_in === "nobody" ? "stand_in_nobodys" : "stand_in_players");

/** @param {any} seat */
export const standInName = (seat) => (seat.stand_in === "–" ? t("stand_in") : t("stand_in_is", { name: seat.stand_in }));

/** A player whose place is taken can come back. @param {any} seat */
function standsIn(seat) {
  return h("button", { class: "btn", ...does("seated-again", seat.player), "data-key": `back-${seat.player}` }, t("seated_again", { name: seat.name }));
}

/** Whose seats were empty in the hand being corrected: one tap says that somebody was there. @param {View} view */
export function whoWasThere(view) {
  const draft = current(view);
  const noted = recorded(view, draft.number)?.absent ?? [];
  if (!noted.length) return null;
  const chips = noted.map((/** @type {number} */ player) => h("button", { class: "chip", "aria-pressed": Boolean(draft.absent?.includes(player)), "data-key": player, ...does("was-there", player) }, t("seat_was_empty", { name: nameOf(view, player) })));
  return h("div", { class: "chips bottom", role: "group" }, chips);
}
