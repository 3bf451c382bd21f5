// What a tap does in the foul book, and about somebody who is missing.

import { answer, forEachFact } from "./facts.js";
import { proposal } from "./screens/foul.js";
import { startFrom, withFlag, withPoints, withReceiver } from "./screens/sanction.js";
import { emptyFoul, opinion } from "./view.js";

/** @typedef {import("./view.js").View} View */

/**
 * @param {View} view @param {ReturnType<typeof import("./send.js").sender>} send
 * @param {(hash: string) => void} go
 * @param {() => void} forgive what could not be saved is given up
 * @returns {Record<string, (arg: string) => void>}
 */
export function foulActions(view, send, go, forgive) {
  /** @param {string} name @param {string | number | boolean | null} value */
  const fact = (name, value) => {
    if (view.foul) view.foul.facts = { ...view.foul.facts, [name]: value };
  };

  /** The penalty for having come late or not at all, to be given. @param {string} uuid */
  const fine = (uuid) => {
    const absence = view.state.absences.find((/** @type {any} */ one) => one.uuid === uuid);
    if (!absence) return;
    view.foul = { ...emptyFoul(null), player: absence.player, foul: "late", facts: { minutes: absence.in_all } };
    go("#foul");
  };

  /** @param {any} sanction */
  const instead = (sanction) => {
    if (view.foul) view.foul.instead = sanction;
  };

  return {
    // who is missing
    absent: (arg) => void send.absent(Number(arg)),
    "absence-back": (arg) => void send.absenceBack(arg),
    "stand-in": (arg) => void send.standIn(Number(arg)),
    "begin-without": (arg) => void send.beginWithout(arg),
    "seated-again": (arg) => void send.seatedAgain(Number(arg)),
    arrived: (arg) => void send.arrived(arg, () => fine(arg)),
    "late-foul": (arg) => fine(arg),

    // fouls
    foul: () => {
      view.foul ??= emptyFoul(view.state.may_record ? view.state.next : null);
      go("#foul");
    },
    "close-foul": () => {
      view.foul = null;
      forgive();
      go("");
    },
    "false-hu": () => {
      const entry = view.setup.fouls.find((/** @type {any} */ foul) => foul.key === "false_hu");
      const under = entry?.cases.find((/** @type {any} */ one) => one.key === "under_minimum");
      const short = opinion(view)?.data?.receipt;
      view.foul = { ...emptyFoul(view.draft.number), player: view.draft.winner, foul: "false_hu" };
      if (under && short) fact("circumstance", under.key);
      go("#foul");
    },
    offender: (arg) => {
      if (view.foul) Object.assign(view.foul, { player: Number(arg) });
      if (view.foul?.facts.victim === Number(arg)) fact("victim", null);
    },
    "this-foul": (arg) => {
      if (view.foul) Object.assign(view.foul, { foul: arg, facts: {}, search: "", instead: null, because: "" });
      view.problems = [];
    },
    "no-foul": () => {
      if (view.foul) Object.assign(view.foul, { foul: "", facts: {}, instead: null, because: "" });
    },
    ...forEachFact("fact-", (name, kind) => (/** @type {string} */ arg) => fact(name, answer(kind, arg))),
    seen: () => fact("tile_seen", !view.foul?.facts.tile_seen),
    "change-sanction": () => {
      const proposed = proposal(view)?.data.proposal;
      if (view.foul && proposed) Object.assign(view.foul, { instead: startFrom(proposed.imposed), explain: !proposed.open });
    },
    "book-sanction": () => {
      if (view.foul) Object.assign(view.foul, { instead: null, because: "" });
    },
    "sanction-points": (arg) => instead(withPoints(view.foul?.instead, Number(arg))),
    "sanction-paid": (arg) => instead(withReceiver(view.foul?.instead, arg)),
    "sanction-flag": (arg) => instead(withFlag(view.foul?.instead, arg)),
    give: () => void send.penalty(),
    "undo-penalty": (arg) => void send.undoPenalty(arg),
  };
}
