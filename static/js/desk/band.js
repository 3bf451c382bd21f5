// What the organiser says to everybody or to this table, above whatever is being done.

import { h } from "./dom.js";

/** What has not ended yet, by the server's clock. @param {import("./view.js").View} view @returns {any[]} */
export const spoken = (view) =>
  view.state.announcements.filter((/** @type {any} */ one) => !one.ends || Date.parse(one.ends) > Date.now() + view.setup.skew);

/** @param {import("./view.js").View} view */
export function band(view) {
  const said = spoken(view).map((one) =>
    h(
      "div",
      { class: "banner slim", "data-key": one.uuid },
      h("p", { class: "grow" }, one.tables && h("b", {}, one.tables), one.tables && " ", h("span", { lang: one.language || null }, one.text)),
      h("time", { class: "quiet" }, one.at),
    ),
  );
  return h("div", { class: "announcements", role: "status", "data-key": "announcements" }, ...said);
}
