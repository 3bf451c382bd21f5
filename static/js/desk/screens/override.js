// What was announced counts all the same, below the minimum, against the tiles or where no hand counts it: only with a
// reason.

import { h, t } from "../dom.js";
import { isAnnounced } from "../draft.js";
import { does, problemsAt } from "../frame.js";
import { current, isFixing, opinion } from "../view.js";

/** @typedef {import("../view.js").View} View */

export const SHORT = "announced_below_minimum";
const HERE = (/** @type {string} */ where) => where === "override";

/** Why it counts, where the umpire says that it does; before that, the way to say so. @param {View} view */
export function overrideField(view) {
  const draft = current(view);
  const asked = opinion(view);
  if (isAnnounced(draft) && !draft.overrides) {
    if (asked?.kind !== "ok" || !asked.data.overridable) return null;
    const short = asked.problems.some((one) => one.code === SHORT) && !isFixing(view);
    const falseHu = short ? h("button", { class: "btn plain danger", ...does("false-hu") }, t("false_hu")) : null;
    const override = view.state.judges ? h("button", { class: "btn plain", ...does("override") }, t("override")) : null;
    return h("div", { class: "row", "data-key": "overridable" }, falseHu, override);
  }
  if (!draft.overrides || !asked?.data?.overridden) return null;
  const faults = problemsAt(view, HERE);
  return h(
    "label",
    { class: "stack-form", "data-key": "override" },
    h("span", {}, h("b", {}, t("override_why")), " ", h("span", { class: "quiet" }, t("override_marked"))),
    h("input", { "data-input": "override", "data-key": "override-why", value: draft.override, maxlength: 300, autocomplete: "off", "aria-invalid": faults.length > 0 }),
    faults,
  );
}
