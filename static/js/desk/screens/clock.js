// The session clock on the desk: what its stage means for the hand under way, and extra time for this table.

import { canRing, isOn } from "../../gong.js";
import { h, t } from "../dom.js";
import { banner, bar, does, mainButton, problemsAt, savebar, sentences, stageOf } from "../frame.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const HERE = (/** @type {string} */ where) => ["minutes", "reason"].includes(where);

/** The warning, and that the time is up, with what that means. @param {View} view */
export function clockNotice(view) {
  const { clock, may_record: open, is_full: full, played } = view.state;
  const stage = stageOf(view);
  if (clock && stage === "paused") return banner({ kind: "gold", title: t("clock_paused"), text: t("clock_paused_why") });
  if (!clock || !open || full || stage === "playing") return null;
  const text = t(clock.counts_last_hand ? "last_hand_counts" : "last_hand_void");
  const title = stage === "over" ? t("time_up") : t("last_minutes", { minutes: clock.warning });
  const way = stage === "over" && played ? { href: "#hand-in", label: t("hand_in_now") } : {};
  return banner({ kind: "gold", title, text, ...way });
}

/** Whether this device rings at the warning and at the end (gong.js fills it in). @param {View} view */
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

/** @param {View} view */
export function extraTimeCard(view) {
  const { clock, may_give_time: may } = view.state;
  if (!clock || (!may && !clock.extra)) return null;
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("extra_time")),
    clock.extra ? h("p", {}, t("extra_time_now", { minutes: clock.extra })) : null,
    may ? h("div", { class: "row" }, h("a", { class: "btn", href: "#extra-time" }, t("extra_time"))) : null,
  );
}

/** @param {View} view @returns {Screen} */
export function extraTimeScreen(view) {
  const form = view.extra;
  return {
    header: bar(view, { back: "#sheet", title: t("extra_time"), subtitle: t("table", { table: view.state.table }), clock: true }),
    main: [
      ...sentences(view, HERE),
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
    footer: savebar(mainButton(t("extra_time_give"), does("extra-time"), { disabled: Boolean(view.busy) || form.minutes === "" })),
  };
}
