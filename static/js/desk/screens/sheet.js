// The score sheet: every hand and penalty of this table, the scores, who signed; and one hand with its history.

import { figure, h, t, tileSet } from "../dom.js";
import { banner, bar, does, mainButton, savebar, sentences, sideButton } from "../frame.js";
import { mayCorrect, opinion, recorded } from "../view.js";
import { appealsCard, contested } from "./appeal.js";
import { extraTimeCard, gongCard } from "./clock.js";
import { comparison } from "./comparison.js";
import { notCounted, payments, receipt } from "./receipt.js";
import { whoSigned } from "./signed.js";
import { afterTime, sumOf } from "./table.js";
import { overruled } from "./tiles.js";
import { whoHasIt } from "./winner.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

/** @param {View} view @returns {Screen} */
export function sheetScreen(view) {
  const { state, setup } = view;
  const early = state.running && !state.is_in && !state.is_full && state.played > 0;
  return {
    header: bar(view, { back: "#", title: t("score_sheet"), subtitle: `${t("table", { table: state.table })} · ${t("session_of", { session: state.session, sessions: setup.sessions })}` }),
    main: [
      ...sentences(view),
      contested(view),
      scores(view),
      h("section", { class: "card" }, h("h2", {}, t("hands")), state.hands.length ? h("ul", { class: "lines" }, state.hands.map(handLine)) : h("p", { class: "quiet" }, t("no_hands"))),
      h("section", { class: "card" }, h("h2", {}, t("penalties")), state.penalties.length ? h("ul", { class: "lines" }, state.penalties.map((/** @type {any} */ one) => penaltyLine(view, one))) : h("p", { class: "quiet" }, t("no_penalties"))),
      state.is_in ? signedOff(view) : null,
      state.running ? h("a", { class: "btn", href: setup.urls.call }, t("call_umpire")) : null,
      extraTimeCard(view),
      gongCard(view),
      appealsCard(view),
      state.may_reopen ? h("button", { class: "btn", ...does("reopen") }, t("reopen")) : null,
      state.running && !state.is_in && state.judges ? h("a", { class: "btn", href: "#late" }, t("to_stand_in")) : null,
      early ? h("a", { class: "btn", href: "#hand-in" }, t("hand_in_early", { played: state.played })) : null,
    ],
    footer: state.is_full && state.running && !state.is_in ? savebar(mainButton(t("hand_in", { table: state.table }), does("hand-in"), { disabled: Boolean(view.busy) })) : null,
  };
}

/** Who stands for the sheet. @param {View} view */
function signedOff(view) {
  const { in_at: at, in_by: by } = view.state;
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("signatures")),
    h("p", {}, by ? t("handed_in_by", { at, by }) : "", " ", whoSigned(view)),
    h("a", { class: "btn", href: "#hand-in" }, t("signatures")),
  );
}

/** @param {View} view */
function scores(view) {
  const { state } = view;
  const seats = [...state.seats].sort((a, b) => b.score - a.score);
  const head = h("tr", {}, h("th", { scope: "col" }, t("self_check")), h("th", { scope: "col", class: "num" }, t("points")), h("th", { scope: "col", class: "num" }, t("table_points")));
  const rows = seats.map((seat) => h("tr", { "data-key": seat.player }, h("td", {}, seat.name), h("td", { class: "num" }, h("b", {}, figure(seat.score))), h("td", { class: "num" }, seat.table_points)));
  return h("section", { class: "card" }, h("table", { class: "effect" }, h("caption", { class: "vh" }, t("self_check")), h("thead", {}, head), h("tbody", {}, rows)), h("p", { class: "small quiet" }, sumOf(view)));
}

/** @param {any} hand */
function handLine(hand) {
  const version = hand.before.length ? ` · ${t("versions_n", { n: hand.before.length })}` : "";
  return h(
    "li",
    { "data-key": hand.number },
    h("a", { href: `#hand-${hand.number}`, class: "row apart" }, h("b", {}, hand.number), h("span", { class: "grow" }, hand.text, " ", hand.override ? h("span", { class: "tag" }, t("overridden")) : null, afterTime(hand), h("small", { class: "quiet who" }, `${hand.at} ${hand.by}${version}`)), h("b", {}, hand.points || "")),
  );
}

/** @param {any} penalty */
const saidFoul = ({ foul, sanction }) => t("foul_and_sanction", { foul, sanction });

/** @param {View} view @param {any} penalty */
function penaltyLine(view, penalty) {
  const where = penalty.hand ? ` · ${t("in_hand", { number: penalty.hand })}` : "";
  const unpaid = penalty.unpaid > 0 ? ` · ${t("paid_to_nobody", { points: penalty.unpaid })}` : "";
  const about = penalty.cancelled ? t("cancelled", { by: penalty.cancelled_by || t("someone"), reason: penalty.cancelled_because }) : `${penalty.at} ${penalty.by}`;
  return h(
    "li",
    { class: penalty.cancelled ? "struck" : null, "data-key": penalty.uuid },
    h("span", { class: "grow" }, h("b", {}, penalty.name), h("span", { class: "who" }, `${saidFoul(penalty)}${where}`), penalty.instead_of ? h("small", { class: "who" }, h("b", {}, t("not_as_in_book")), ` ${t("book_says", { sanction: penalty.instead_of })} ${penalty.because}`) : null, penalty.note ? h("small", { class: "who" }, penalty.note) : null, h("small", { class: "quiet who" }, `${about}${unpaid}`)),
    !penalty.cancelled && view.state.may_correct && view.state.judges ? h("a", { class: "btn plain", href: `#cancel-${penalty.uuid}`, "aria-label": `${t("cancel_penalty")}: ${penalty.name}` }, t("cancel")) : null,
  );
}

/** @param {View} view @returns {Screen} */
export function handScreen(view) {
  const hand = recorded(view, Number(view.route.arg));
  const rows = Object.entries(hand.payments)
    .map(([player, change]) => ({ player: Number(player), change: Number(change) }))
    .sort((a, b) => Number(b.change > 0) - Number(a.change > 0) || a.change - b.change);
  return {
    header: bar(view, { back: "#sheet", title: t("hand_title", { number: hand.number }), subtitle: savedBy(hand) }),
    main: [
      ...sentences(view),
      h("p", { class: "question" }, hand.text, hand.points ? h("small", {}, t("points_n", { points: hand.points })) : null),
      hand.laid.length ? h("section", { class: "tray" }, h("div", { class: "hand tiles-m" }, hand.laid.map((/** @type {any} */ group) => tileSet(group)))) : null,
      hand.winner !== null && !hand.laid.length ? h("p", { class: "small quiet" }, t("announced")) : null,
      hand.claimants.length ? h("p", { class: "small" }, whoHasIt(view, hand)) : null,
      hand.saved_in ? banner({ kind: "bad", title: t("saved_after_time"), text: t("saved_after_time_why", { minute: hand.saved_in, minutes: view.state.minutes }) }) : null,
      hand.override ? banner({ kind: "gold", title: t("overridden"), text: hand.overridden }) : null,
      comparison(view, false),
      overruled(view) ? null : receipt(opinion(view)?.data?.receipt, view.setup.urls.fans),
      hand.outcome === "win" ? payments(view, rows) : null,
      notCounted(opinion(view)?.data?.receipt, view.setup.urls.fans),
      hand.reason ? banner({ kind: "gold", title: t("reason"), text: hand.reason }) : null,
      hand.before.length ? h("section", { class: "card" }, h("h2", {}, t("versions")), h("ul", { class: "lines" }, hand.before.map(versionLine))) : null,
    ],
    footer: view.state.may_correct && !hand.waiting ? savebar(mayCorrect(view, hand) ? mainButton(t("correct_title", { number: hand.number }), does("fix", hand.number)) : null, deeper(hand)) : null,
  };
}

/** The way to say more of a hand without its tiles. @param {any} hand */
const deeper = (hand) => (hand.outcome === "win" && !hand.tiles ? sideButton(t("add_tiles"), does("deepen", hand.number)) : null);

/** @param {any} version */
const savedBy = ({ at, by }) => (by ? t("version_by", { at, by }) : t("version_at", { at }));

/** @param {any} version */
function versionLine(version) {
  const who = savedBy(version);
  return h("li", { "data-key": version.uuid }, h("span", { class: "grow" }, h("s", {}, version.text), h("small", { class: "quiet who" }, [who, version.reason].filter(Boolean).join(" · "))), h("s", {}, version.points || ""));
}

/** @param {View} view @param {any} penalty @returns {Screen} */
export function cancelScreen(view, penalty) {
  const here = (/** @type {string} */ where) => where === "reason";
  const faults = view.problems.filter((one) => here(one.where));
  return {
    header: bar(view, { back: "#sheet", title: t("cancel_penalty"), subtitle: penalty.name }),
    main: [
      ...sentences(view, here),
      h("p", { class: "question" }, saidFoul(penalty), h("small", {}, t("cancel_kept"))),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("cancel_why")),
        h("input", { "data-input": "cancel-reason", "data-key": "cancel-reason", value: view.reason, maxlength: 300, autocomplete: "off", "aria-invalid": faults.length > 0 }),
        faults.map((one) => h("p", { class: "at", role: "alert" }, one.message)),
      ),
    ],
    footer: savebar(mainButton(t("cancel_penalty"), does("cancel-penalty", penalty.uuid), { danger: true, disabled: Boolean(view.busy) }), sideButton(t("keep_penalty"), does("back", "#sheet"))),
  };
}
