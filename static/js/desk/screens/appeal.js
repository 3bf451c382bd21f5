// An objection goes on record: who, to which hand, in their words. The umpires rule on it on a page of their own.

import { h, joined, t } from "../dom.js";
import { banner, bar, does, mainButton, problemsAt, savebar, seatPicker, sentences } from "../frame.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const ABOUT = ["hand_number", "penalty"];
const HERE = (/** @type {string} */ where) => ["player", "text", ...ABOUT].includes(where);

/** The penalties that can be appealed against. @param {View} view */
const standing = (view) => view.state.penalties.filter((/** @type {any} */ one) => !one.cancelled);

/** @param {View} view @returns {Screen} */
export function appealScreen(view) {
  const { state } = view;
  const form = view.appeal;
  return {
    header: bar(view, { back: "#sheet", title: t("appeal"), subtitle: t("table", { table: state.table }) }),
    main: [
      ...sentences(view, HERE),
      state.appeals_at_once ? h("p", { class: "small quiet" }, t("appeals_at_once")) : null,
      state.appeals_until ? h("p", { class: "small quiet" }, t("appeals_until", { until: state.appeals_until })) : null,
      h("p", { class: "question" }, t("who_appeals")),
      seatPicker(view, t("who_appeals"), form.player, "appellant"),
      ...problemsAt(view, (where) => where === "player"),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("about_hand")),
        h("select", { "data-input": "appeal-about", "data-key": "appeal-about", "aria-invalid": view.problems.some((one) => ABOUT.includes(one.where)) }, h("option", { value: "", selected: form.hand === null && form.penalty === null }, t("whole_sheet")), state.hands.map((/** @type {any} */ hand) => h("option", { value: hand.number, selected: form.hand === hand.number }, `${t("hand_title", { number: hand.number })}: ${hand.text}`)), standing(view).map((/** @type {any} */ one) => h("option", { value: one.uuid, selected: form.penalty === one.uuid }, t("penalty_of", { name: one.name, foul: one.foul })))),
        ...problemsAt(view, (where) => ABOUT.includes(where)),
      ),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("appeal_text")),
        h("textarea", { "data-input": "appeal-text", "data-key": "appeal-text", rows: 4, maxlength: 2000, "aria-invalid": view.problems.some((one) => one.where === "text") }, form.text),
        ...problemsAt(view, (where) => where === "text"),
      ),
    ],
    footer: savebar(mainButton(form.player === null ? t("choose_player") : t("open_appeal"), does("appeal"), { disabled: form.player === null || Boolean(view.busy) })),
  };
}

/** What was objected to at this table, and the way to object. @param {View} view */
export function appealsCard(view) {
  const { state, setup } = view;
  if (!state.appeals.length && !state.may_appeal && !state.is_final) return null;
  const open = state.appeals.some((/** @type {any} */ one) => one.open);
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("appeals")),
    state.is_final ? h("p", { class: "small quiet" }, t("result_final")) : null,
    state.appeals.length ? h("ul", { class: "lines" }, state.appeals.map(line)) : null,
    h("div", { class: "row" }, state.may_appeal ? h("a", { class: "btn", href: "#appeal" }, t("appeal")) : null, open ? h("a", { class: "btn", href: setup.urls.appeals }, t("to_rulings")) : null),
  );
}

/** @param {any} one */
function line(one) {
  const where = one.hand ? ` · ${t("in_hand", { number: one.hand })}` : one.penalty ? ` · ${t("against_penalty")}` : "";
  const pill = h("span", { class: `pill ${one.open ? "bad" : one.state === "dismissed" ? "open" : "ok"}` }, t(`appeal_${one.state}`));
  return h("li", { "data-key": one.uuid }, h("span", { class: "grow" }, h("b", {}, one.name), where, h("span", { class: "who" }, pill), h("span", { class: "who" }, one.text), one.ruling ? h("span", { class: "who" }, [one.ruling, one.settled_because].filter(Boolean).join(" · ")) : null, h("small", { class: "quiet who" }, `${one.at} ${one.by}`)));
}

/** That the result is contested, where it must be read. @param {View} view */
export function contested(view) {
  const open = view.state.appeals.filter((/** @type {any} */ one) => one.open);
  if (!open.length) return null;
  const ruled = open.every((/** @type {any} */ one) => one.state === "pending");
  return banner({ kind: "bad", title: t(ruled ? "to_carry_out" : "under_appeal"), text: joined(open.map((/** @type {any} */ one) => one.name)), href: view.setup.urls.appeals, label: t("to_rulings") });
}
