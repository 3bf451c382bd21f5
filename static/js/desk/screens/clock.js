// The session's clock on the desk: notices, confirmation after time, the gong, extra time; and absent players: their clock,
// arrival, and stand-ins.

import { canRing, isOn } from "../../gong.js";
import { h, t } from "../dom.js";
import { banner, bar, clockTime, mainButton, passingBanner, problemsAt, savebar, stageOf, trigger, umpireBanner, windBadge } from "../frame.js";
import { current, emptySeat, nameOf, recordedHand } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const isExtraTimeField = (/** @type {string} */ where) => ["minutes", "reason"].includes(where);
const STEPS_SHOWN = 5; // that fit beside each other on a phone
const isPlayerField = (/** @type {string} */ where) => where === "player" || where === "name";

/** The notice of a pause, of the warning, or that time is up. @param {View} view */
export function clockNotice(view) {
  const { clock, may_record: open, is_full: full } = view.state;
  const stage = stageOf(view);
  if (clock && stage === "paused") return passingBanner(view, { kind: "gold", title: t("clock_paused"), text: t("clock_paused_why") }, clock.paused);
  if (!clock || !open || full || stage === "playing") return null;
  const text = t(clock.counts_last_hand ? "last_hand_counts" : "last_hand_void");
  const title = stage === "over" ? t("time_up") : t("last_minutes", { minutes: clock.warning }, clock.warning);
  return passingBanner(view, { kind: "gold", title, text });
}

/** Asks whether a hand saved after time was in time. @param {View} view @returns {Screen} */
export function inTimeScreen(view) {
  const { clock, table, hands_in_all: hands } = view.state;
  const finishes = clock?.counts_last_hand;
  return {
    header: bar(view, { title: t("table", { table }), subtitle: t("hand_of", { number: current(view).number, hands }) }),
    main: [
      h(
        "section",
        { class: "card stack" },
        h("h2", { id: "in-time" }, t(finishes ? "begun_before" : "finished_before")),
        h("p", { class: "small" }, t(finishes ? "last_hand_counts" : "last_hand_void")),
        h(
          "fieldset",
          { class: "stack-form", "aria-labelledby": "in-time" },
          h("button", { class: "btn primary", ...trigger("in-time") }, t("in_time")),
          h("button", { class: "btn", ...trigger("not-in-time") }, t("not_in_time")),
          h("button", { class: "btn plain", ...trigger("back-to-hand") }, t("back_to_hand")),
        ),
      ),
    ],
    footer: null, // empty, so that a double tap on Save answers nothing
  };
}

/** The switch of the gong on this device (see gong.js). @param {View} view */
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

/** How much longer this table plays than the hall. @param {View} view */
export function extraTimeNote(view) {
  const extra = view.state.clock?.extra;
  return extra ? h("p", { class: "card" }, t("extra_time_now", { minutes: extra }, extra)) : null;
}

/** @param {View} view @returns {Screen} */
export function extraTimeScreen(view) {
  const form = view.extra;
  return {
    header: bar(view, { back: "#sheet", title: t("extra_time"), subtitle: t("table", { table: view.state.table }), clock: true }),
    isField: isExtraTimeField,
    main: [
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
    footer: savebar(mainButton(t("extra_time_give"), trigger("extra-time"), { disabled: Boolean(view.busy) || form.minutes === "" })),
  };
}

// --- absent players -------------------------------------------------------------------------------------------------
/** Absences of players who have not arrived. @param {View} view */
const openAbsences = (view) => view.state.absences.filter((/** @type {any} */ absence) => absence.minutes === null);

/** Absences of players who came late, without a penalty yet. @param {View} view */
const absencesWithoutPenalty = (view) => view.state.absences.filter((/** @type {any} */ absence) => absence.minutes !== null);

/** Whether the session has just begun, so that players may be late. @param {View} view */
const isBeginning = (view) => Boolean(view.setup.late) && view.state.running && view.state.played === 0;

/** Notices of absences on the table's screen: an excluded player's seat, the clock, or a penalty to give. @param {View} view */
export function lateNotices(view) {
  return [...vacatedSeats(view), ...(view.setup.late ? latePlayers(view) : [])];
}

/** The seats of excluded players without a stand-in. @param {View} view */
function vacatedSeats(view) {
  const vacated = view.state.seats.filter((/** @type {any} */ seat) => seat.excluded && emptySeat(view, seat.player));
  return vacated.map((/** @type {any} */ seat) => banner({ kind: "gold", title: `${seat.name}: ${seat.excluded}`, text: t("vacated_why"), href: "#late", label: t("to_stand_in") }));
}

/** @param {View} view */
function latePlayers(view) {
  return [
    ...openAbsences(view).map((/** @type {any} */ absence) => h("div", { "data-late": true, "data-key": `late-${absence.uuid}` }, banner({ kind: "gold", title: t("absent_name", { name: nameOf(view, absence.player) }), text: lateLine(view, absence), href: "#late", label: t("show_late") }))),
    ...absencesWithoutPenalty(view).map((/** @type {any} */ absence) => banner({ kind: "gold", title: t("came_late", { name: nameOf(view, absence.player), minutes: absence.minutes }), text: t("came_late_why"), action: "late-foul", arg: absence.uuid, label: t("to_penalty") })),
  ];
}

/** The link to this screen, at the beginning of a session. @param {View} view */
export const lateLink = (view) => (isBeginning(view) && !openAbsences(view).length ? h("a", { class: "btn plain", href: "#late" }, t("empty_seat")) : null);

/** The clock and the amount, in a line. @param {View} view @param {any} absence */
function lateLine(view, absence) {
  if (absence.fined) return t("no_show_fined");
  const seconds = secondsLate(view, absence);
  return t("late_line", { clock: minutesAndSeconds(seconds), amount: absence.steps[dueStep(absence, seconds)].text });
}

/** @param {View} view @returns {Screen} */
export function lateScreen(view) {
  const { state, setup } = view;
  const absences = openAbsences(view);
  const [only] = absences;
  const title = absences.length ? t("seats_empty", { table: state.table }) : t("table", { table: state.table });
  return {
    header: bar(view, { back: "#", title, subtitle: t("session_of", { session: state.session, sessions: setup.sessions }) }),
    isField: isPlayerField,
    main: [
      absences.length ? null : h("p", { class: "question" }, t(isBeginning(view) ? "whose_seat" : "who_leaves"), h("small", {}, t(isBeginning(view) ? "whose_seat_why" : standInHint(view)))),
      absences.length || isBeginning(view) ? null : standInField(view),
      playerButtons(view, absences),
      ...problemsAt(view, isPlayerField),
      ...absences.flatMap((/** @type {any} */ absence) => lateCard(view, absence)),
      ...state.seats.filter((/** @type {any} */ seat) => seat.stand_in && !seat.excluded && !absences.some((/** @type {any} */ absence) => absence.player === seat.player)).map((/** @type {any} */ seat) => returnButton(seat)),
    ],
    footer: absences.length === 1 ? savebar(mainButton(arrivalLabel(view, only), trigger("arrived", only.uuid), { disabled: Boolean(view.busy) })) : null,
  };
}

/** @param {View} view @param {any[]} absences */
function playerButtons(view, absences) {
  const label = (/** @type {any} */ seat) => (absences.some((absence) => absence.player === seat.player) ? t("absent_name", { name: seat.name }) : seat.name);
  return h(
    "div",
    { class: "four", role: "group", "aria-label": t("player") },
    view.state.seats.map((/** @type {any} */ seat) => {
      const isMissing = absences.some((absence) => absence.player === seat.player);
      const act = isMissing || seat.stand_in ? { disabled: true } : trigger(isBeginning(view) && !seat.excluded ? "absent" : "stand-in", seat.player);
      return h("button", { type: "button", class: "pick", "aria-pressed": isMissing, "data-key": seat.player, ...act }, windBadge(seat.wind), h("span", {}, label(seat), seat.stand_in ? h("small", {}, standInName(seat)) : null));
    }),
  );
}

/** @param {View} view @param {any} absence @returns {(Node | null)[]} */
function lateCard(view, absence) {
  const seconds = secondsLate(view, absence);
  const { steps } = absence;
  const at = dueStep(absence, seconds);
  const first = Math.max(0, Math.min(at - 2, steps.length - STEPS_SHOWN));
  const next = steps[at + 1];
  const seat = view.state.seats.find((/** @type {any} */ other) => other.player === absence.player);
  const several = openAbsences(view).length > 1;
  const card = h(
    "section",
    { class: "card stack", "data-key": absence.uuid, "data-late": true },
    several ? h("h2", {}, seat.name) : null,
    h("p", { class: "big-clock", role: "timer" }, minutesAndSeconds(seconds)),
    h("p", { class: "due" }, t("so_far", { amount: steps[at].text })),
    h("ol", { class: "ladder", "aria-label": t("by_minute") }, steps.slice(first, first + STEPS_SHOWN).map((/** @type {any} */ step, /** @type {number} */ place) => ladderStep(step, first + place, at))),
    h("p", { class: "small quiet" }, next ? t("next_amount", { amount: next.text, clock: minutesAndSeconds(steps[at].to * 60), left: minutesAndSeconds(Math.max(0, steps[at].to * 60 - seconds)) }) : ""),
    several ? h("button", { class: "btn", ...trigger("arrived", absence.uuid) }, arrivalLabel(view, absence)) : null,
    view.state.judges ? h("button", { class: "btn plain", ...trigger("absence-back", absence.uuid) }, t("not_missing", { name: seat.name })) : null,
  );
  return [card, ...waitingOptions(view, absence, seat, seconds < view.setup.late.stand_in_after * 60)];
}

/** @param {View} view @param {any} absence */
const arrivalLabel = (view, absence) => t("is_here", { name: nameOf(view, absence.player), amount: absence.steps[dueStep(absence, secondsLate(view, absence))].text });

/** Seconds of lateness, by the server's clock, up to the end of the session. @param {View} view @param {any} absence */
const secondsLate = (view, absence) => Math.max(0, Math.floor((Math.min(clockTime(view), Date.parse(absence.until)) - Date.parse(absence.since)) / 1000));

/** Format seconds as 17:42. @param {number} seconds */
const minutesAndSeconds = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Index of the step that is due. Minute 11 begins when ten minutes are over. @param {any} absence @param {number} seconds */
function dueStep({ steps }, seconds) {
  const minute = Math.max(1, Math.ceil(seconds / 60));
  const at = steps.findIndex((/** @type {any} */ step) => step.to === 0 || minute <= step.to);
  return at < 0 ? steps.length - 1 : at;
}

/** @param {any} step @param {number} place @param {number} at */
const ladderStep = (step, place, at) => h("li", { class: place < at ? "past" : null, "aria-current": place === at ? "step" : null }, step.label, h("small", {}, step.until));

// --- options of the others ------------------------------------------------------------------------------------------
/** What the others can do: begin without the player, or seat a stand-in. @param {View} view @param {any} absence @param {any} seat @param {boolean} early @returns {(Node | null)[]} */
function waitingOptions(view, absence, seat, early) {
  const minutes = view.setup.late.stand_in_after;
  const { uuid } = absence;
  if (!view.state.judges && !seat.stand_in) return [umpireBanner(view)];
  if (early && !absence.begun_because && !seat.stand_in) return [beginWithoutForm(view, absence, seat, minutes)];
  const noShowButton = absence.fined
    ? h("p", { class: "small", "data-key": `fined-${uuid}` }, t("no_show_fined"))
    : h("button", { class: "btn plain", ...trigger("late-foul", uuid), "data-key": `no-show-${uuid}` }, t("does_not_come", { name: seat.name, amount: absence.steps[dueStep(absence, absence.in_all * 60)].text }));
  if (seat.stand_in) return [h("p", { class: "small", "data-key": `in-${uuid}` }, standInName(seat)), noShowButton];
  const title = early ? t("begun_without", { reason: absence.begun_because }) : t("stand_in_now", { minutes }, minutes);
  return [
    banner({ kind: "gold", title, text: `${t("stand_in_why")} ${t(standInHint(view))}` }),
    standInField(view),
    h("button", { class: "btn", ...trigger("stand-in", absence.player), "data-key": `stand-${uuid}` }, t("start_with_stand_in")),
    noShowButton,
  ];
}

/** The form to let the others begin early, with a reason. @param {View} view @param {any} absence @param {any} seat @param {number} minutes */
function beginWithoutForm(view, { uuid }, seat, minutes) {
  return h(
    "section",
    { class: "card stack", "data-key": `begin-${uuid}` },
    h("p", {}, t("others_wait", { minutes })),
    h("label", { class: "stack-form" }, h("b", {}, t("begin_why")), h("input", { "data-input": "begin-reason", "data-key": "begin-reason", value: view.reason, maxlength: 300, autocomplete: "off" })),
    ...problemsAt(view, (where) => where === "reason"),
    h("button", { class: "btn", ...trigger("begin-without", uuid), disabled: !view.reason.trim() || Boolean(view.busy) }, t("begin_without", { name: seat.name })),
  );
}

/** @param {View} view */
const standInField = (view) => h("label", { class: "stack-form" }, h("span", {}, h("b", {}, t("stand_in_name")), " ", h("span", { class: "quiet" }, t("note_hint"))), h("input", { "data-input": "stand-in", "data-key": "stand-in", value: view.standIn, maxlength: 80, autocomplete: "off" }));

/** Key of the text on who gets the result of a stand-in. @type {Record<string, string>} */
const STAND_IN_HINTS = { nobody: "stand_in_nobodys", player: "stand_in_players", stand_in: "stand_in_stand_ins" };

/** @param {View} view */
const standInHint = (view) => STAND_IN_HINTS[view.setup.stand_in];

/** @param {any} seat */
export const standInName = (seat) => (seat.stand_in === "–" ? t("stand_in") : t("stand_in_is", { name: seat.stand_in }));

/** The button that gives a player the seat back from a stand-in. @param {any} seat */
function returnButton(seat) {
  return h("button", { class: "btn", ...trigger("seated-again", seat.player), "data-key": `back-${seat.player}` }, t("seated_again", { name: seat.name }));
}

/** Chips for the players who were absent in the hand being corrected, to change that. @param {View} view */
export function absentChips(view) {
  const draft = current(view);
  const absentPlayers = recordedHand(view, draft.number)?.absent ?? [];
  if (!absentPlayers.length) return null;
  const chips = absentPlayers.map((/** @type {number} */ player) => h("button", { class: "chip", "aria-pressed": Boolean(draft.absent?.includes(player)), "data-key": player, ...trigger("was-there", player) }, t("seat_was_empty", { name: nameOf(view, player) })));
  return h("div", { class: "chips bottom", role: "group" }, chips);
}
