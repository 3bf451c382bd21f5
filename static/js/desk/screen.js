// Which screen an address shows: the table unless something else is there to be done.

import { byFans } from "./draft.js";
import { fansScreen } from "./screens/announced.js";
import { extraTimeScreen, lateScreen } from "./screens/clock.js";
import { foulScreen } from "./screens/foul.js";
import { appealScreen, cancelScreen, handScreen, sheetScreen, signingScreen } from "./screens/sheet.js";
import { conflictScreen, tableScreen } from "./screens/table.js";
import { tilesScreen } from "./screens/tiles.js";
import { current, isFixing, recorded, rival } from "./view.js";

/** What is to be shown. @param {import("./view.js").View} view @returns {import("./frame.js").Screen} */
export function screenOf(view) {
  const { route } = view;
  const draft = current(view);
  const theirs = ["table", "fans", "tiles", "fix", "fix-fans", "fix-tiles"].includes(route.name) && !view.busy ? rival(view, draft) : null;
  if (theirs) return conflictScreen(view, theirs);
  const penalty = view.state.penalties.find((/** @type {any} */ penalty) => penalty.uuid === route.arg);
  if (route.name === "foul" && view.foul) return foulScreen(view);
  if (route.name === "late") return lateScreen(view);
  if (route.name === "extra-time" && view.state.may_give_time) return extraTimeScreen(view);
  if (route.name === "appeal" && view.state.may_appeal) return appealScreen(view);
  if (route.name === "sheet") return sheetScreen(view);
  if (route.name === "hand" && recorded(view, Number(route.arg))) return handScreen(view);
  if (route.name === "hand-in" && view.state.played) return signingScreen(view);
  if (route.name === "cancel" && penalty && !penalty.cancelled) return cancelScreen(view, penalty);
  const open = route.name.startsWith("fix") ? isFixing(view) : view.state.may_record;
  if (open && route.name.endsWith("fans") && draft.decided && byFans(draft)) return fansScreen(view);
  const entering = open && route.name.endsWith("tiles");
  if (entering && (draft.decided || (draft.outcome === "draw" && isFixing(view)))) return tilesScreen(view);
  return tableScreen(view);
}
