// Writing: a hand, a correction, a penalty, the sheet. Each can be sent twice and counts once; nothing entered is lost.
// Hands, corrections and penalties go through the outbox: they are on this device before they are on their way.

import { told } from "./answers.js";
import { ask } from "./api.js";
import { t } from "./dom.js";
import { draftOf, emptyDraft, handOf, named, newUuid } from "./draft.js";
import { undoable } from "./frame.js";
import { learn, ordered } from "./habits.js";
import { shownHand, shownPenalty } from "./outbox.js";
import { foulQuestion } from "./screens/foul.js";
import { adopt, current, emptyAppeal, isFixing, opinion, recorded, seated, setCurrent } from "./view.js";
import { writer } from "./writer.js";

/** @typedef {import("./view.js").View} View */

const SAID_FOR = 6_000;

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
    const saved = told(view, answer, what);
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
        if (!before || !(await put("undo", before.url, {}, "DELETE"))) return;
        view.draft = { ...draftOf(before), basis: 0, changing: true };
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
      const { url } = view.server.penalties.find((/** @type {any} */ one) => one.uuid === uuid);
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
    return view.server.absences.find((/** @type {any} */ one) => one.uuid === uuid);
  }

  /** Who is there has changed. @param {Promise<boolean>} writing @param {() => void} [onward] */
  async function present(writing, onward = () => {}) {
    if (!(await writing)) return;
    Object.assign(view, { standIn: "", reason: "" });
    onward();
    show();
  }

  /** @param {string} what */
  function say(what) {
    view.justSaved = what;
    window.setTimeout(() => {
      if (view.justSaved !== what) return;
      view.justSaved = "";
      show();
    }, SAID_FOR);
  }
}

/** What every entry says. @param {View} view @param {string} uuid */
const common = (view, uuid) => ({ place: view.place, uuid, version: view.server.version });
