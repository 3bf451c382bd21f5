// Writing: a hand, a correction, a penalty, the sheet. Each can be sent twice and counts once; nothing entered is lost.
// Hands, corrections and penalties go through the outbox: they are on this device before they are on their way.

import { ask } from "./api.js";
import { byPoints, draftOf, emptyDraft, handOf, isTouched, named, newUuid } from "./draft.js";
import { deliverer } from "./deliver.js";
import { keep } from "./outbox.js";
import { foulQuestion } from "./screens/foul.js";
import { adopt, current, emptyAppeal, isFixing, opinion, recorded, relay, setCurrent } from "./view.js";
import { shownHand, shownPenalty } from "./waiting.js";
import { t } from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./deliver.js").Fate} Fate */

const SAID_FOR = 6_000;
const PATIENCE = 4_000; // ms the umpire waits for an answer before going on; the write goes on by itself

/**
 * @param {View} view @param {(hash?: string) => void} show draws the screen, another one when a hash is given
 */
export function sender(view, show) {
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
    if (fate.kind === "waits") view.notice = waits(view, fate.answer);
    return fate.kind === "back" ? null : fate;
  }

  /** What became of a write nobody was waiting for any more. @param {Entry} entry @param {Fate} fate */
  function later(entry, fate) {
    if (fate.kind === "back") back(entry, fate);
    else if (fate.kind === "waits") view.notice = waits(view, fate.answer);
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
    else if (kind === "correction") view.fix = draft;
    else {
      const mine = view.draft;
      if (isTouched(mine) && mine.number !== draft.number) view.kept[mine.number] = mine;
      view.draft = draft;
    }
    show(screenOf(entry));
    if (fate.answer.kind === "refused") view.problems = fate.answer.problems;
    else stale(view, fate.answer.data);
    show();
  }

  /** Send a body at once: what cannot wait, for it needs what the server knows. @param {string} url @param {object} body @param {string} what */
  async function post(url, body, what) {
    if (view.busy) return null;
    if (view.waiting.length) {
      deliver.now();
      view.notice = { kind: "gold", title: t("waiting_first"), text: t("waiting_first_why") };
      show();
      return null;
    }
    Object.assign(view, { busy: what, problems: [], notice: null });
    show();
    const answer = await ask(url, { ...body, table_version: view.server.version });
    view.busy = "";
    view.unsaved = !["ok", "refused", "stale"].includes(answer.kind);
    const saved = told(view, answer, what);
    if (!saved) show();
    return saved ? answer : null;
  }

  return {
    deliver,

    async hand() {
      const fixing = isFixing(view);
      const draft = named(current(view));
      setCurrent(view, draft);
      const { correct, save } = view.setup.urls;
      const { number } = draft;
      const fate = await write(
        {
          ...common(view, draft.sent.uuid),
          kind: fixing ? "correction" : "hand",
          url: fixing ? correct.replace("/0/correct/", `/${number}/correct/`) : save,
          body: { uuid: draft.sent.uuid, number, ...handOf(draft), ...(fixing ? { reason: draft.reason } : {}) },
          number,
          draft,
          shown: shownHand(view, draft, opinion(view)),
        },
        "save",
      );
      if (!fate) return;
      if (fixing) view.fix = null;
      if (fate.kind === "same") view.notice = { kind: "ok", title: t("same_saved", { number }) };
      say(t(fate.kind === "waits" ? "hand_waits" : fixing ? "hand_replaced" : "hand_saved", { number }));
      show(fixing ? `#hand-${number}` : "");
    },

    /** Take the last hand back; what it said is entered again, to be changed. @param {number} number */
    async undo(number) {
      const before = recorded(view, number);
      const unsent = view.waiting.find((entry) => entry.kind === "hand" && entry.number === number);
      if (unsent) {
        await deliver.withdraw(unsent);
        view.draft = { ...unsent.draft, changing: true };
      } else {
        const answer = await post(view.setup.urls.undo.replace("/0/undo/", `/${number}/undo/`), {}, "undo");
        if (!answer) return;
        adopt(view, answer.data.state);
        if (before) view.draft = { ...draftOf(before), basis: 0, changing: true };
      }
      say(t("hand_undone", { number }));
      show("");
    },

    async penalty() {
      const form = view.foul;
      const asked = foulQuestion(view);
      if (!form || !asked) return;
      const content = JSON.stringify(asked);
      if (form.sent?.body !== content) form.sent = { uuid: newUuid(), body: content };
      const { uuid } = form.sent;
      const fate = await write(
        {
          ...common(view, uuid),
          kind: "penalty",
          url: view.setup.urls.penalty,
          body: { uuid, ...asked },
          number: 0,
          draft: form,
          shown: shownPenalty(view, uuid, asked),
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
      const url = view.setup.urls.cancel.replace("00000000-0000-0000-0000-000000000000", uuid);
      const answer = await post(url, { reason: view.reason }, "cancel");
      if (!answer) return;
      view.reason = "";
      adopt(view, answer.data.state);
      say(t("penalty_cancelled"));
      show("#sheet");
    },

    async appeal() {
      const { uuid, player, hand, text } = view.appeal;
      const answer = await post(view.setup.urls.appeal, { uuid, player, hand_number: hand, text }, "appeal");
      if (!answer) return;
      view.appeal = emptyAppeal();
      adopt(view, answer.data.state);
      say(t("appeal_opened"));
      show("#sheet");
    },

    /** @param {"sign" | "unsign"} what @param {number} player */
    async signature(what, player) {
      const answer = await post(view.setup.urls[what].replace("/sign/0/", `/sign/${player}/`), {}, what);
      if (!answer) return;
      adopt(view, answer.data.state);
      show();
    },

    /** Who is missing, who plays for them. @param {string} what @param {object} body @param {string} [uuid] of an absence @param {() => void} [onward] */
    async absence(what, body, uuid = "", onward = () => {}) {
      const answer = await post(view.setup.urls[what].replace("00000000-0000-0000-0000-000000000000", uuid), body, what);
      if (!answer) return;
      view.standIn = "";
      adopt(view, answer.data.state);
      onward();
      show();
    },

    /** @param {"hand_in" | "reopen"} what */
    async sheet(what) {
      const answer = await post(view.setup.urls[what], {}, what);
      if (!answer) return;
      adopt(view, answer.data.state);
      show("");
    },
  };

  /** @param {string} what */
  function say(what) {
    view.said = what;
    window.setTimeout(() => {
      if (view.said !== what) return;
      view.said = "";
      show();
    }, SAID_FOR);
  }
}

/** What every entry says. @param {View} view @param {string} uuid */
const common = (view, uuid) => ({ place: view.place, uuid, version: view.server.version });

/** Where a write that came back is changed. @param {Entry} entry */
function screenOf({ kind, draft }) {
  if (kind === "penalty") return "#foul";
  const bare = draft.outcome === "draw" || byPoints(draft);
  if (kind === "correction") return bare ? `#fix-${draft.number}` : `#fix-tiles-${draft.number}`;
  return bare ? "" : "#tiles";
}

/** Why a write waits, and what that means. @param {View} view @param {Answer} answer @returns {import("./view.js").Notice} */
function waits(view, answer) {
  if (answer.kind === "signed-out") {
    return { kind: "bad", title: answer.problems[0].message, text: t("waits_here"), href: view.setup.urls.login, label: t("sign_in") };
  }
  return { kind: "gold", title: t(answer.kind === "broken" ? "broken" : "no_network"), text: t("waits_here") };
}

/** Put what went wrong where it is seen. Gives whether it was saved. @param {View} view @param {Answer} answer @param {string} what */
function told(view, answer, what) {
  switch (answer.kind) {
    case "ok":
      return true;
    case "refused":
      view.problems = answer.problems;
      return false;
    case "stale":
      stale(view, answer.data);
      return false;
    case "signed-out":
      view.notice = { kind: "bad", title: answer.problems[0].message, href: view.setup.urls.login, label: t("sign_in") };
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
const again = (what) => ({ save: "save", undo: "undo", penalty: "give", cancel: "cancel-again", hand_in: "hand-in", reopen: "reopen", appeal: "appeal", sign: "", unsign: "", absent: "", arrived: "", absence_taken_back: "", stand_in: "", seated_again: "" })[what] ?? "save";

/** Another device was quicker. A hand that is recorded now makes the conflict screen; anything else is told. @param {View} view @param {any} data */
function stale(view, data) {
  const fate = adopt(view, data.state);
  if (fate === "same") {
    view.notice = { kind: "ok", title: t("same_saved", { number: data.state.played }) };
    return;
  }
  const last = data.changes.at(-1);
  if (!last) return;
  view.notice = { kind: "gold", title: t("conflict"), text: t("conflict_other", { text: last.text, by: last.by, at: last.at }) };
}
