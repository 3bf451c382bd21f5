// One write through the outbox: on the disk first, then on its way; the umpire goes on after four seconds at the latest.

import { stale, waits } from "./answers.js";
import { t } from "./dom.js";
import { byPoints, isTouched } from "./draft.js";
import { deliverer, keep } from "./outbox.js";
import { relay } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./outbox.js").Fate} Fate */

const PATIENCE = 4_000; // ms the umpire waits for an answer before going on; the write goes on by itself

/**
 * @param {View} view @param {(hash?: string) => void} show draws the screen, another one when a hash is given
 * @param {(what: string) => void} say
 */
export function writer(view, show, say) {
  /** @type {Map<string, (fate: Fate) => void>} */
  const awaited = new Map();
  const deliver = deliverer(view, (entry, fate) => {
    view.offline = fate.answer.kind === "unreachable";
    const answered = awaited.get(entry.uuid);
    if (answered) answered(fate);
    else later(entry, fate);
  });

  /** Keep a write and send it, however often the button is tapped. @param {Entry} entry @param {string} what */
  async function write(entry, what) {
    if (view.busy) return null;
    Object.assign(view, { busy: what, problems: [], notice: null, fresh: entry.uuid });
    show();
    await keep(entry).catch(() => undefined); // a full disk keeps nothing, and the write goes all the same
    view.waiting = [...view.waiting, entry];
    /** @type {Fate} */
    const fate = await new Promise((resolve) => {
      awaited.set(entry.uuid, resolve);
      window.setTimeout(() => resolve({ kind: "waits", answer: { kind: "unreachable", problems: [] } }), PATIENCE);
      deliver.now();
    });
    awaited.delete(entry.uuid);
    Object.assign(view, { busy: "", fresh: "", unsaved: false });
    if (fate.kind === "back") back(entry, fate);
    else relay(view);
    if (fate.kind === "waits") view.notice = waits(view, fate.answer);
    return fate.kind === "back" ? null : fate;
  }

  /** What became of a write nobody was waiting for any more. @param {Entry} entry @param {Fate} fate */
  function later(entry, fate) {
    if (fate.kind === "back") back(entry, fate);
    else if (fate.kind === "waits") view.notice = waits(view, fate.answer);
    else if (!view.waiting.length) {
      view.notice = null;
      say(t("all_sent"));
    }
    show();
  }

  /** A write the server did not take is entered again, to be changed. @param {Entry} entry @param {Fate} fate */
  function back(entry, fate) {
    const { draft, kind } = entry;
    if (kind === "penalty") view.foul = draft;
    else if (kind === "correction") view.fix = draft;
    else {
      const mine = view.draft;
      if (isTouched(mine) && mine.number !== draft.number) view.kept[mine.number] = mine;
      view.draft = draft;
    }
    show(screenOf(entry, fate.answer.problems));
    if (fate.answer.kind === "refused") view.problems = fate.answer.problems;
    else stale(view, fate.answer.data);
    show();
  }

  return { deliver, write };
}

/** Where a write that came back is changed; a reason is asked where the correction is confirmed. @param {Entry} entry @param {{where: string}[]} problems */
function screenOf({ kind, draft }, problems) {
  if (kind === "penalty") return "#foul";
  const unexplained = kind === "correction" && problems.length > 0 && problems.every((one) => one.where === "reason");
  if (unexplained) return `#fix-tiles-${draft.number}`;
  const bare = draft.outcome === "draw" || byPoints(draft);
  if (kind === "correction") return bare ? `#fix-${draft.number}` : `#fix-${draft.by}-${draft.number}`;
  return bare ? "" : `#${draft.by}`;
}
