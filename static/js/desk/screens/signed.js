// Who stands for the sheet, in a sentence.

import { joined, t } from "../dom.js";

/** @typedef {import("../view.js").View} View */

/** Whose signature is missing, in a sentence. @param {View} view */
export function whoSigned(view) {
  const missing = view.state.seats.filter((/** @type {any} */ seat) => !seat.signed);
  if (!missing.length) return t("signed_by_all");
  if (missing.length === view.state.seats.length) return t("signed_by_nobody");
  return t("not_signed_by", { names: joined(missing.map((/** @type {any} */ seat) => seat.name)) });
}
