// Writing: a hand, a correction, a penalty, the sheet. Each can be sent twice and counts once; nothing entered is lost.

import { ask } from "./api.js";
import { draftOf, emptyDraft, handOf, named, newUuid } from "./draft.js";
import { foulQuestion } from "./screens/foul.js";
import { adopt, current, emptyAppeal, isFixing, setCurrent } from "./view.js";
import { t } from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./api.js").Answer} Answer */

const SAID_FOR = 6_000;

/**
 * @param {View} view @param {(hash?: string) => void} show draws the screen, another one when a hash is given
 */
export function sender(view, show) {
  /** Send a body once, however often the button is tapped. @param {string} url @param {object} body @param {string} what */
  async function post(url, body, what) {
    if (view.busy) return null;
    Object.assign(view, { busy: what, problems: [], notice: null });
    show();
    const answer = await ask(url, { ...body, table_version: view.state.version });
    view.busy = "";
    view.unsaved = !["ok", "refused", "stale"].includes(answer.kind);
    const saved = told(view, answer, what);
    if (!saved) show();
    return saved ? answer : null;
  }

  return {
    async hand() {
      const fixing = isFixing(view);
      const draft = named(current(view));
      setCurrent(view, draft);
      const { correct, save } = view.setup.urls;
      const url = fixing ? correct.replace("/0/correct/", `/${draft.number}/correct/`) : save;
      const body = { uuid: draft.sent.uuid, number: draft.number, ...handOf(draft), ...(fixing ? { reason: draft.reason } : {}) };
      const answer = await post(url, body, "save");
      if (!answer) return;
      adopt(view, answer.data.state);
      if (fixing) view.fix = null;
      else view.draft = emptyDraft(view.state.next);
      say(t(fixing ? "hand_replaced" : "hand_saved", { number: draft.number }));
      show(fixing ? `#hand-${draft.number}` : "");
    },

    /** Take the last hand back; what it said is entered again, to be changed. @param {number} number */
    async undo(number) {
      const before = view.state.hands.find((/** @type {any} */ hand) => hand.number === number);
      const answer = await post(view.setup.urls.undo.replace("/0/undo/", `/${number}/undo/`), {}, "undo");
      if (!answer) return;
      adopt(view, answer.data.state);
      if (before) view.draft = { ...draftOf(before), basis: 0, changing: true };
      say(t("hand_undone", { number }));
      show("");
    },

    async penalty() {
      const form = view.foul;
      const asked = foulQuestion(view);
      if (!form || !asked) return;
      const content = JSON.stringify(asked);
      if (form.sent?.body !== content) form.sent = { uuid: newUuid(), body: content };
      const answer = await post(view.setup.urls.penalty, { uuid: form.sent.uuid, ...asked }, "penalty");
      if (!answer) return;
      view.foul = null;
      if (form.foul === "false_hu" && form.player === view.draft.winner) view.draft = emptyDraft(view.draft.number);
      adopt(view, answer.data.state);
      say(t("penalty_given"));
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
