// What is said of the server's answer to a write, and where.

import { t } from "./dom.js";
import { adopt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./api.js").Answer} Answer */

/** Why a write waits, and what that means. @param {View} view @param {Answer} answer @returns {import("./view.js").Notice} */
export function waits(view, answer) {
  if (answer.kind === "signed-out") {
    return { kind: "bad", title: answer.problems[0].message, text: t("waits_here"), href: view.setup.urls.login, label: t("sign_in") };
  }
  return { kind: "gold", title: t(answer.kind === "broken" ? "broken" : "no_network"), text: t("waits_here") };
}

/** Put what went wrong where it is seen. Gives whether it was saved. @param {View} view @param {Answer} answer @param {string} what */
export function told(view, answer, what) {
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
const again = (what) => ({ save: "save", undo: "undo", penalty: "give", cancel: "cancel-again", undo_penalty: "", hand_in: "hand-in", reopen: "reopen", appeal: "appeal", extra_time: "extra-time", sign: "", unsign: "", absent: "", arrived: "", absence_taken_back: "", begun_without: "", stand_in: "", seated_again: "" })[what] ?? "save";

/** Another device was quicker. A hand that is recorded now makes the conflict screen; anything else is told. @param {View} view @param {any} data */
export function stale(view, data) {
  const fate = adopt(view, data.state);
  if (fate === "same") {
    view.notice = { kind: "ok", title: t("same_saved", { number: data.state.played }) };
    return;
  }
  const last = data.changes.at(-1);
  if (!last) return;
  view.notice = { kind: "gold", title: t("conflict"), text: t("conflict_other", { text: last.text, by: last.by, at: last.at }) };
}
