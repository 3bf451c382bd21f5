// Writes, all idempotent. Hands, corrections and penalties go through the outbox; the others are sent at once.

import { request } from "./api.js";
import { countFans, sortByUse } from "./device.js";
import { t } from "./dom.js";
import { byPoints, draftOf, emptyDraft, handOf, isTouched, newUuid, withUuid } from "./draft.js";
import { undoable } from "./frame.js";
import { createDelivery, handState, penaltyState, store } from "./outbox.js";
import { currentProposal, foulRequest } from "./screens/foul.js";
import { adoptState, conflictingHand, current, currentPreview, emptyAppeal, isFixing, recordedHand, refreshState, setCurrent, withEmptySeats } from "./view.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").WriteResult} WriteResult */
/** @typedef {import("./view.js").View} View */

const MESSAGE_TIME = 6_000; // ms for which the header tells what was saved
const RESULT_TIMEOUT = 4_000; // ms after which the umpire can go on while the write continues

/**
 * @param {View} view @param {(hash?: string) => void} show draws the screen, another one when a hash is given
 */
export function createSender(view, show) {
  const { deliver, write } = createWriter(view, show, showSaved);

  /**
   * Send a write at once and draw the new state. Refused while entries wait. Return whether it was saved.
   * @param {string} action @param {string} url @param {object} [body] @param {"POST" | "PATCH" | "DELETE"} [method]
   */
  async function sendNow(action, url, body = {}, method = "POST") {
    if (view.busy) return false;
    if (view.waiting.length) {
      deliver.now();
      view.notice = { kind: "gold", title: t("waiting_first"), text: t("waiting_first_why") };
      show();
      return false;
    }
    Object.assign(view, { busy: action, problems: [], notice: null });
    show();
    const answer = await request(url, { ...body, table_version: view.server.version }, { method });
    view.busy = "";
    view.unsaved = !["ok", "refused", "stale"].includes(answer.kind);
    const saved = showAnswer(view, answer, action);
    if (saved) adoptState(view, answer.data.state);
    else show();
    return saved;
  }

  return {
    deliver,

    async hand() {
      const fixing = isFixing(view);
      const draft = withUuid(withEmptySeats(view, current(view)));
      setCurrent(view, draft);
      const { number } = draft;
      const result = await write(
        {
          ...entryBase(view, draft.sent.uuid),
          kind: fixing ? "correction" : "hand",
          // in_time: time is not up, or the umpire has confirmed
          body: { uuid: draft.sent.uuid, number, ...handOf(draft), ...(fixing ? { reason: draft.reason } : { in_time: true }) },
          number,
          draft,
          shown: handState(view, draft, currentPreview(view)),
        },
        "save",
      );
      if (!result) return;
      if (draft.by === "fans") {
        countFans(draft.fans);
        view.setup.fans = sortByUse(view.setup.fans);
      }
      if (fixing) view.fix = null;
      if (result.kind === "same") view.notice = { kind: "ok", title: t("same_saved", { number }) };
      showSaved(t(result.kind === "waits" ? "hand_waits" : fixing ? "hand_replaced" : "hand_saved", { number }));
      show(fixing ? `#hand-${number}` : "");
    },

    /** Undo the last hand; its draft can be changed then. @param {number} number */
    async undo(number) {
      const before = recordedHand(view, number);
      const unsent = view.waiting.find((entry) => entry.kind === "hand" && entry.number === number);
      if (unsent) {
        await deliver.withdraw(unsent);
        view.draft = { ...unsent.draft, changing: true, overtypes: true };
      } else {
        if (!before || !(await sendNow("undo", before.url, {}, "DELETE"))) return;
        view.draft = { ...draftOf(before), basis: 0, changing: true };
      }
      showSaved(t("hand_undone", { number }));
      show("");
    },

    async penalty() {
      const form = view.foul;
      const question = foulRequest(view);
      if (!form || !question) return;
      const content = JSON.stringify(question);
      if (form.sent?.body !== content) form.sent = { uuid: newUuid(), body: content };
      const { uuid } = form.sent;
      const result = await write(
        {
          ...entryBase(view, uuid),
          kind: "penalty",
          body: { uuid, ...question },
          number: 0,
          draft: form,
          shown: penaltyState(view, uuid, question, currentProposal(view)?.data?.proposal ?? null),
        },
        "penalty",
      );
      if (!result) return;
      view.foul = null;
      if (form.foul === "false_hu" && form.player === view.draft.winner) view.draft = emptyDraft(view.draft.number);
      showSaved(t(result.kind === "waits" ? "penalty_waits" : "penalty_given"));
      show("");
    },

    /** @param {string} uuid */
    async cancel(uuid) {
      const { url } = view.server.penalties.find((/** @type {any} */ penalty) => penalty.uuid === uuid);
      if (!(await sendNow("cancel", url, { reason: view.reason }, "DELETE"))) return;
      view.reason = "";
      showSaved(t("penalty_cancelled"));
      show("#sheet");
    },

    /** Undo a penalty. @param {string} uuid */
    async undoPenalty(uuid) {
      const unsent = view.waiting.find((entry) => entry.kind === "penalty" && entry.uuid === uuid);
      if (unsent) await deliver.withdraw(unsent);
      else if (!(await sendNow("undo_penalty", undoable(view)?.undo.url))) return;
      showSaved(t("penalty_undone"));
      show();
    },

    async extraTime() {
      const { minutes, reason } = view.extra;
      if (!(await sendNow("extra_time", view.server.urls.extra_time, { minutes: Math.trunc(Number(minutes)), reason }))) return;
      view.extra = { minutes: "", reason: "" };
      showSaved(t("extra_time_set"));
      show("#sheet");
    },

    async appeal() {
      const { uuid, player, hand, penalty, text } = view.appeal;
      if (!(await sendNow("appeal", view.server.urls.appeals, { uuid, player, hand_number: hand, penalty, text }))) return;
      view.appeal = emptyAppeal();
      showSaved(t("appeal_opened"));
      show("#sheet");
    },

    /** @param {"sign" | "unsign"} action @param {number} player */
    async signature(action, player) {
      if (await sendNow(action, seatOf(player).signature_url, {}, action === "sign" ? "POST" : "DELETE")) show();
    },

    /** Note an absence. @param {number} player */
    absent: (player) => afterAttendance(sendNow("absent", view.server.urls.absences, { uuid: newUuid(), player })),

    /** Note an arrival. @param {string} uuid of the absence @param {() => void} onDone */
    arrived: (uuid, onDone) => afterAttendance(sendNow("arrived", absenceOf(uuid).url, { arrived: true }, "PATCH"), onDone),

    /** Take an absence back. @param {string} uuid */
    absenceBack: (uuid) => afterAttendance(sendNow("absence_cancelled", absenceOf(uuid).url, {}, "DELETE")),

    /** Let the others begin without a player. @param {string} uuid */
    beginWithout: (uuid) => afterAttendance(sendNow("begun_without", absenceOf(uuid).url, { begun_because: view.reason }, "PATCH")),

    /** Seat a stand-in. @param {number} player */
    standIn: (player) => afterAttendance(sendNow("stand_in", seatOf(player).stand_in_url, { name: view.standIn })),

    /** @param {number} player */
    seatedAgain: (player) => afterAttendance(sendNow("seated_again", seatOf(player).stand_in_url, {}, "DELETE")),

    /** @param {"hand_in" | "reopen"} action */
    async sheet(action) {
      if (await sendNow(action, view.server.urls[action])) show("");
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

  /** Clear the forms and draw after a change of attendance. @param {Promise<boolean>} writing @param {() => void} [onDone] */
  async function afterAttendance(writing, onDone = () => {}) {
    if (!(await writing)) return;
    Object.assign(view, { standIn: "", reason: "" });
    onDone();
    show();
  }

  /** Show what was saved in the header, for a while. @param {string} text */
  function showSaved(text) {
    view.justSaved = text;
    window.setTimeout(() => {
      if (view.justSaved !== text) return;
      view.justSaved = "";
      show();
    }, MESSAGE_TIME);
  }
}

/** The properties that all entries have. @param {View} view @param {string} uuid */
const entryBase = (view, uuid) => ({ place: view.place, uuid, version: view.server.version });

// --- outbox ---------------------------------------------------------------------------------------------------------
/**
 * Writes through the outbox: stored on the device first, then sent.
 * @param {View} view @param {(hash?: string) => void} show as above
 * @param {(text: string) => void} showSaved
 */
function createWriter(view, show, showSaved) {
  /** @type {Map<string, (result: WriteResult) => void>} */
  const listeners = new Map();
  const deliver = createDelivery(view, (entry, result) => {
    view.offline = result.answer.kind === "unreachable";
    const listener = listeners.get(entry.uuid);
    if (result.kind === "waits" && listeners.size) for (const tell of listeners.values()) tell(result); // those behind it wait too
    else if (listener) listener(result);
    else reportLate(entry, result);
  });

  /** Store an entry and send it; null if it returned to the form or another write is under way. @param {Entry} entry @param {string} action */
  async function write(entry, action) {
    if (view.busy) return null;
    Object.assign(view, { busy: action, problems: [], notice: null, fresh: entry.uuid });
    show();
    await store(entry).catch(() => undefined); // the disk may be full; the entry is sent anyway
    view.waiting = [...view.waiting, entry];
    /** @type {WriteResult} */
    const result = await new Promise((resolve) => {
      listeners.set(entry.uuid, resolve);
      window.setTimeout(() => resolve({ kind: "waits", answer: { kind: "unreachable", problems: [] } }), RESULT_TIMEOUT);
      deliver.now();
    });
    listeners.delete(entry.uuid);
    Object.assign(view, { busy: "", fresh: "", unsaved: false });
    if (result.kind === "back") returnToForm(entry, result);
    else refreshState(view);
    if (result.kind === "waits") view.notice = waitingNotice(view, result.answer);
    return result.kind === "back" ? null : result;
  }

  /** Handle the result of an entry after RESULT_TIMEOUT. @param {Entry} entry @param {WriteResult} result */
  function reportLate(entry, result) {
    if (result.kind === "back") returnToForm(entry, result);
    else if (result.kind === "waits") view.notice = waitingNotice(view, result.answer);
    else if (!view.waiting.length) {
      view.notice = null;
      showSaved(t("all_sent"));
    }
    show();
  }

  /** Return a refused write to its form. @param {Entry} entry @param {WriteResult} result */
  function returnToForm(entry, result) {
    const { draft, kind } = entry;
    if (kind === "penalty") view.foul = draft;
    else if (kind === "correction") view.fix = { ...draft, overtypes: true };
    else {
      const mine = view.draft;
      if (isTouched(mine) && mine.number !== draft.number) view.kept[mine.number] = mine;
      view.draft = { ...draft, overtypes: true };
    }
    show(hashOf(entry, result.answer.problems));
    if (result.answer.kind === "refused") view.problems = result.answer.problems;
    else showConflict(view, result.answer.data);
    show();
  }

  return { deliver, write };
}

/** The screen for a write that returned to its form. @param {Entry} entry @param {{where: string}[]} problems */
function hashOf({ kind, draft }, problems) {
  if (kind === "penalty") return "#foul";
  if (draft.outcome === "pending") return "#dispute";
  const lacksReason = kind === "correction" && problems.length > 0 && problems.every((problem) => problem.where === "reason");
  if (lacksReason) return `#fix-tiles-${draft.number}`;
  const hasNoTiles = draft.outcome === "draw" || byPoints(draft);
  if (kind === "correction") return hasNoTiles ? `#fix-${draft.number}` : `#fix-${draft.by}-${draft.number}`;
  return hasNoTiles ? "" : `#${draft.by}`;
}

// --- answers of the server ------------------------------------------------------------------------------------------
/** Show what went wrong. Return whether the write was saved. @param {View} view @param {Answer} answer @param {string} action */
function showAnswer(view, answer, action) {
  switch (answer.kind) {
    case "ok":
      return true;
    case "refused":
      view.problems = answer.problems;
      return false;
    case "stale":
      showConflict(view, answer.data);
      return false;
    case "signed-out":
      view.notice = signInNotice(view, answer);
      return false;
    case "broken":
      view.notice = { kind: "bad", title: t("broken"), text: t("broken_why"), action: retryAction(action), label: t("try_again") };
      return false;
    default:
      view.notice = { kind: "bad", title: t("unreachable"), text: t("unreachable_why"), action: retryAction(action), label: t("try_again") };
      return false;
  }
}

/** @param {string} action */
const retryAction = (action) => ({ save: "save", undo: "undo", penalty: "give", cancel: "cancel-again", undo_penalty: "", hand_in: "hand-in", reopen: "reopen", appeal: "appeal", extra_time: "extra-time", sign: "", unsign: "", absent: "", arrived: "", absence_cancelled: "", begun_without: "", stand_in: "", seated_again: "" })[action] ?? "save";

/** Adopt the newer state, and tell what another device changed. A hand recorded by both leads to the conflict screen. @param {View} view @param {any} data */
function showConflict(view, data) {
  const outcome = adoptState(view, data.state);
  if (outcome === "same") {
    view.notice = { kind: "ok", title: t("same_saved", { number: data.state.played }) };
    return;
  }
  const last = data.changes.at(-1);
  view.notice = null; // such as that there was no connection
  if (!last || conflictingHand(view, current(view))) return; // the conflict screen tells it
  view.notice = { kind: "gold", title: t("conflict"), text: t("conflict_other", { text: last.text, by: last.by, at: last.at }) };
}

/** The notice for a write that waits. @param {View} view @param {Answer} answer @returns {import("./view.js").Notice} */
function waitingNotice(view, answer) {
  if (answer.kind === "signed-out") return { ...signInNotice(view, answer), text: t("waits_here") };
  return { kind: "gold", title: t(answer.kind === "broken" ? "broken" : "no_network"), text: t("waits_here") };
}

/** The notice for a user who has been signed out. @param {View} view @param {Answer} answer @returns {import("./view.js").Notice} */
const signInNotice = (view, answer) => ({ kind: "bad", title: answer.problems[0].message, href: view.setup.urls.login, label: t("sign_in") });
