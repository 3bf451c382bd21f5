// Writing: a hand, a correction, a penalty, the sheet. Each can be sent twice and counts once; nothing entered is lost.
// Hands, corrections and penalties go through the outbox: they are on this device before they are on their way.

import { told } from "./answers.js";
import { ask } from "./api.js";
import { draftOf, emptyDraft, handOf, named, newUuid } from "./draft.js";
import { learn, ordered } from "./habits.js";
import { foulQuestion } from "./screens/foul.js";
import { adopt, current, emptyAppeal, isFixing, opinion, recorded, seated, setCurrent } from "./view.js";
import { shownHand, shownPenalty } from "./waiting.js";
import { t } from "./words.js";
import { writer } from "./writer.js";

/** @typedef {import("./view.js").View} View */

const SAID_FOR = 6_000;

/**
 * @param {View} view @param {(hash?: string) => void} show draws the screen, another one when a hash is given
 */
export function sender(view, show) {
  const { deliver, write } = writer(view, show, say);

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
      const draft = named(seated(view, current(view)));
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
      if (draft.by === "fans") {
        learn(draft.fans);
        view.setup.fans = ordered(view.setup.fans);
      }
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

    async extraTime() {
      const { minutes, reason } = view.extra;
      const answer = await post(view.setup.urls.extra_time, { minutes: Math.trunc(Number(minutes)), reason }, "extra_time");
      if (!answer) return;
      view.extra = { minutes: "", reason: "" };
      adopt(view, answer.data.state);
      say(t("extra_time_set"));
      show("#sheet");
    },

    async appeal() {
      const { uuid, player, hand, penalty, text } = view.appeal;
      const answer = await post(view.setup.urls.appeal, { uuid, player, hand_number: hand, penalty, text }, "appeal");
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
      Object.assign(view, { standIn: "", reason: "" });
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
