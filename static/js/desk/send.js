// Writing: a hand, a correction, a penalty, the sheet. Each can be sent twice and counts once; nothing entered is lost.
// Hands, corrections and penalties go through the outbox: they are on this device before they are on their way.

import { ask } from "./api.js";
import { learn, ordered } from "./device.js";
import { t } from "./dom.js";
import { byPoints, draftOf, emptyDraft, handOf, isTouched, named, newUuid } from "./draft.js";
import { undoable } from "./frame.js";
import { deliverer, keep, shownHand, shownPenalty } from "./outbox.js";
import { foulQuestion, proposal } from "./screens/foul.js";
import { adopt, current, emptyAppeal, isFixing, opinion, recorded, relay, seated, setCurrent } from "./view.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Fate} Fate */
/** @typedef {import("./view.js").View} View */

const SHOWN_FOR = 6_000; // ms for which the bar says what was just saved
const PATIENCE = 4_000; // ms the umpire waits for an answer before going on; the write goes on by itself

/**
 * @param {View} view @param {(hash?: string) => void} show draws the screen, another one when a hash is given
 */
export function sender(view, show) {
  const { deliver, write } = writer(view, show, say);

  /**
   * Send a body at once: what cannot wait, for it needs what the server knows. The table is drawn as it stands then.
   * @param {string} what @param {string} url @param {object} [body] @param {"POST" | "PATCH" | "DELETE"} [method]
   */
  async function put(what, url, body = {}, method = "POST") {
    if (view.busy) return false;
    if (view.waiting.length) {
      deliver.now();
      view.notice = { kind: "gold", title: t("waiting_first"), text: t("waiting_first_why") };
      show();
      return false;
    }
    Object.assign(view, { busy: what, problems: [], notice: null });
    show();
    const answer = await ask(url, { ...body, table_version: view.server.version }, { method });
    view.busy = "";
    view.unsaved = !["ok", "refused", "stale"].includes(answer.kind);
    const saved = showAnswer(view, answer, what);
    if (saved) adopt(view, answer.data.state);
    else show();
    return saved;
  }

  return {
    deliver,

    async hand() {
      const fixing = isFixing(view);
      const draft = named(seated(view, current(view)));
      setCurrent(view, draft);
      const { number } = draft;
      const fate = await write(
        {
          ...common(view, draft.sent.uuid),
          kind: fixing ? "correction" : "hand",
          // in time: the gong has not sounded, or the umpire was asked
          body: { uuid: draft.sent.uuid, number, ...handOf(draft), ...(fixing ? { reason: draft.reason } : { in_time: true }) },
          number,
          draft,
          shown: shownHand(view, draft, opinion(view)),
        },
        "save",
      );
      if (!fate) return;
      if (draft.by === "fans") {
        learn(draft.fans);
        view.setup.fans = ordered(view.setup.fans);
      }
      if (fixing) view.fix = null;
      if (fate.kind === "same") view.notice = { kind: "ok", title: t("same_saved", { number }) };
      say(t(fate.kind === "waits" ? "hand_waits" : fixing ? "hand_replaced" : "hand_saved", { number }));
      show(fixing ? `#hand-${number}` : "");
    },

    /** Take the last hand back; it is entered again, to be changed. @param {number} number */
    async undo(number) {
      const before = recorded(view, number);
      const unsent = view.waiting.find((entry) => entry.kind === "hand" && entry.number === number);
      if (unsent) {
        await deliver.withdraw(unsent);
        view.draft = { ...unsent.draft, changing: true, overtypes: true };
      } else {
        if (!before || !(await put("undo", before.url, {}, "DELETE"))) return;
        view.draft = { ...draftOf(before), basis: 0, changing: true };
      }
      say(t("hand_undone", { number }));
      show("");
    },

    async penalty() {
      const form = view.foul;
      const question = foulQuestion(view);
      if (!form || !question) return;
      const content = JSON.stringify(question);
      if (form.sent?.body !== content) form.sent = { uuid: newUuid(), body: content };
      const { uuid } = form.sent;
      const fate = await write(
        {
          ...common(view, uuid),
          kind: "penalty",
          body: { uuid, ...question },
          number: 0,
          draft: form,
          shown: shownPenalty(view, uuid, question, proposal(view)?.data?.proposal ?? null),
        },
        "penalty",
      );
      if (!fate) return;
      view.foul = null;
      if (form.foul === "false_hu" && form.player === view.draft.winner) view.draft = emptyDraft(view.draft.number);
      say(t(fate.kind === "waits" ? "penalty_waits" : "penalty_given"));
      show("");
    },

    /** @param {string} uuid */
    async cancel(uuid) {
      const { url } = view.server.penalties.find((/** @type {any} */ penalty) => penalty.uuid === uuid);
      if (!(await put("cancel", url, { reason: view.reason }, "DELETE"))) return;
      view.reason = "";
      say(t("penalty_cancelled"));
      show("#sheet");
    },

    /** Take back the penalty just given. @param {string} uuid */
    async undoPenalty(uuid) {
      const unsent = view.waiting.find((entry) => entry.kind === "penalty" && entry.uuid === uuid);
      if (unsent) await deliver.withdraw(unsent);
      else if (!(await put("undo_penalty", undoable(view)?.undo.url))) return;
      say(t("penalty_undone"));
      show();
    },

    async extraTime() {
      const { minutes, reason } = view.extra;
      if (!(await put("extra_time", view.server.urls.extra_time, { minutes: Math.trunc(Number(minutes)), reason }))) return;
      view.extra = { minutes: "", reason: "" };
      say(t("extra_time_set"));
      show("#sheet");
    },

    async appeal() {
      const { uuid, player, hand, penalty, text } = view.appeal;
      if (!(await put("appeal", view.server.urls.appeals, { uuid, player, hand_number: hand, penalty, text }))) return;
      view.appeal = emptyAppeal();
      say(t("appeal_opened"));
      show("#sheet");
    },

    /** @param {"sign" | "unsign"} what @param {number} player */
    async signature(what, player) {
      if (await put(what, seatOf(player).signature_url, {}, what === "sign" ? "POST" : "DELETE")) show();
    },

    /** Somebody is missing. @param {number} player */
    absent: (player) => present(put("absent", view.server.urls.absences, { uuid: newUuid(), player })),

    /** Who was missing is here. @param {string} uuid of the absence @param {() => void} onward */
    arrived: (uuid, onward) => present(put("arrived", absenceOf(uuid).url, { arrived: true }, "PATCH"), onward),

    /** Nobody was missing. @param {string} uuid */
    absenceBack: (uuid) => present(put("absence_taken_back", absenceOf(uuid).url, {}, "DELETE")),

    /** The others do not wait. @param {string} uuid */
    beginWithout: (uuid) => present(put("begun_without", absenceOf(uuid).url, { begun_because: view.reason }, "PATCH")),

    /** Somebody plays for a player. @param {number} player */
    standIn: (player) => present(put("stand_in", seatOf(player).stand_in_url, { name: view.standIn })),

    /** @param {number} player */
    seatedAgain: (player) => present(put("seated_again", seatOf(player).stand_in_url, {}, "DELETE")),

    /** @param {"hand_in" | "reopen"} what */
    async sheet(what) {
      if (await put(what, view.server.urls[what])) show("");
    },
  };

  /** @param {number} player */
  function seatOf(player) {
    return view.server.seats.find((/** @type {any} */ seat) => seat.player === player);
  }

  /** @param {string} uuid */
  function absenceOf(uuid) {
    return view.server.absences.find((/** @type {any} */ absence) => absence.uuid === uuid);
  }

  /** Who is there has changed. @param {Promise<boolean>} writing @param {() => void} [onward] */
  async function present(writing, onward = () => {}) {
    if (!(await writing)) return;
    Object.assign(view, { standIn: "", reason: "" });
    onward();
    show();
  }

  /** What was saved, in the bar on top, for a while. @param {string} text */
  function say(text) {
    view.justSaved = text;
    window.setTimeout(() => {
      if (view.justSaved !== text) return;
      view.justSaved = "";
      show();
    }, SHOWN_FOR);
  }
}

/** What every entry has. @param {View} view @param {string} uuid */
const common = (view, uuid) => ({ place: view.place, uuid, version: view.server.version });

// --- through the outbox ---------------------------------------------------------------------------------------------
/**
 * One write through the outbox: on the disk first, then on its way; the umpire goes on after four seconds at the latest.
 * @param {View} view @param {(hash?: string) => void} show as above
 * @param {(text: string) => void} say
 */
function writer(view, show, say) {
  /** @type {Map<string, (fate: Fate) => void>} */
  const awaited = new Map();
  const deliver = deliverer(view, (entry, fate) => {
    view.offline = fate.answer.kind === "unreachable";
    const answered = awaited.get(entry.uuid);
    if (answered) answered(fate);
    else later(entry, fate);
  });

  /** Keep a write and send it, however often the button is tapped. @param {Entry} entry @param {string} what */
  async function write(entry, what) {
    if (view.busy) return null;
    Object.assign(view, { busy: what, problems: [], notice: null, fresh: entry.uuid });
    show();
    await keep(entry).catch(() => undefined); // a full disk keeps nothing, and the write goes all the same
    view.waiting = [...view.waiting, entry];
    /** @type {Fate} */
    const fate = await new Promise((resolve) => {
      awaited.set(entry.uuid, resolve);
      window.setTimeout(() => resolve({ kind: "waits", answer: { kind: "unreachable", problems: [] } }), PATIENCE);
      deliver.now();
    });
    awaited.delete(entry.uuid);
    Object.assign(view, { busy: "", fresh: "", unsaved: false });
    if (fate.kind === "back") back(entry, fate);
    else relay(view);
    if (fate.kind === "waits") view.notice = waitingNotice(view, fate.answer);
    return fate.kind === "back" ? null : fate;
  }

  /** What became of a write nobody was waiting for any more. @param {Entry} entry @param {Fate} fate */
  function later(entry, fate) {
    if (fate.kind === "back") back(entry, fate);
    else if (fate.kind === "waits") view.notice = waitingNotice(view, fate.answer);
    else if (!view.waiting.length) {
      view.notice = null;
      say(t("all_sent"));
    }
    show();
  }

  /** A write the server did not take is entered again, to be changed. @param {Entry} entry @param {Fate} fate */
  function back(entry, fate) {
    const { draft, kind } = entry;
    if (kind === "penalty") view.foul = draft;
    else if (kind === "correction") view.fix = { ...draft, overtypes: true };
    else {
      const mine = view.draft;
      if (isTouched(mine) && mine.number !== draft.number) view.kept[mine.number] = mine;
      view.draft = { ...draft, overtypes: true };
    }
    show(hashOf(entry, fate.answer.problems));
    if (fate.answer.kind === "refused") view.problems = fate.answer.problems;
    else overtaken(view, fate.answer.data);
    show();
  }

  return { deliver, write };
}

/** Where a write that came back is changed; a reason is asked where the correction is confirmed. @param {Entry} entry @param {{where: string}[]} problems */
function hashOf({ kind, draft }, problems) {
  if (kind === "penalty") return "#foul";
  const unexplained = kind === "correction" && problems.length > 0 && problems.every((problem) => problem.where === "reason");
  if (unexplained) return `#fix-tiles-${draft.number}`;
  const bare = draft.outcome === "draw" || byPoints(draft);
  if (kind === "correction") return bare ? `#fix-${draft.number}` : `#fix-${draft.by}-${draft.number}`;
  return bare ? "" : `#${draft.by}`;
}

// --- what the server answered ---------------------------------------------------------------------------------------
/** Put what went wrong where it is seen. Gives whether it was saved. @param {View} view @param {Answer} answer @param {string} what */
function showAnswer(view, answer, what) {
  switch (answer.kind) {
    case "ok":
      return true;
    case "refused":
      view.problems = answer.problems;
      return false;
    case "stale":
      overtaken(view, answer.data);
      return false;
    case "signed-out":
      view.notice = signedOut(view, answer);
      return false;
    case "broken":
      view.notice = { kind: "bad", title: t("broken"), text: t("broken_why"), action: again(what), label: t("try_again") };
      return false;
    default:
      view.notice = { kind: "bad", title: t("unreachable"), text: t("unreachable_why"), action: again(what), label: t("try_again") };
      return false;
  }
}

/** @param {string} what */
const again = (what) => ({ save: "save", undo: "undo", penalty: "give", cancel: "cancel-again", undo_penalty: "", hand_in: "hand-in", reopen: "reopen", appeal: "appeal", extra_time: "extra-time", sign: "", unsign: "", absent: "", arrived: "", absence_taken_back: "", begun_without: "", stand_in: "", seated_again: "" })[what] ?? "save";

/** Another device was quicker. A hand that is recorded now makes the conflict screen; anything else is a notice. @param {View} view @param {any} data */
function overtaken(view, data) {
  const fate = adopt(view, data.state);
  if (fate === "same") {
    view.notice = { kind: "ok", title: t("same_saved", { number: data.state.played }) };
    return;
  }
  const last = data.changes.at(-1);
  if (!last) return;
  view.notice = { kind: "gold", title: t("conflict"), text: t("conflict_other", { text: last.text, by: last.by, at: last.at }) };
}

/** Why a write waits, and what that means. @param {View} view @param {Answer} answer @returns {import("./view.js").Notice} */
function waitingNotice(view, answer) {
  if (answer.kind === "signed-out") return { ...signedOut(view, answer), text: t("waits_here") };
  return { kind: "gold", title: t(answer.kind === "broken" ? "broken" : "no_network"), text: t("waits_here") };
}

/** Who is signed out signs in. @param {View} view @param {Answer} answer @returns {import("./view.js").Notice} */
const signedOut = (view, answer) => ({ kind: "bad", title: answer.problems[0].message, href: view.setup.urls.login, label: t("sign_in") });
