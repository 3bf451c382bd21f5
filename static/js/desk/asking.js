// Asking what a hand, or a foul, comes to, while it is entered: the server, or the engine on this device without it.

import { ask } from "./api.js";
import { judge } from "./engine.js";
import { aboutFoul, foulQuestion } from "./screens/foul.js";
import { inWords } from "./verdict.js";
import { isFolded, question } from "./view.js";

/** @typedef {import("./view.js").View} View */

const TYPING_PAUSE = 120;

/**
 * @param {View} view @param {() => void} draw
 * @param {(kind: string) => void} heard told of every answer's kind, for it says whether there is a network
 */
export function asker(view, draw, heard) {
  /** @type {AbortController | null} */
  let asking = null;
  let asked = "";
  let pause = 0;

  /** Ask about what is on the screen, unless that is known or asked already. */
  function inquire() {
    const body = view.route.name === "foul" ? foulQuestion(view) : question(view);
    const kind = view.route.name === "foul" ? "proposal" : "opinion";
    const about = kind === "proposal" && body ? aboutFoul(body) : body;
    const key = about ? JSON.stringify(about) : "";
    if (!key || key === asked || view[kind]?.key === key) return;
    asking?.abort();
    window.clearTimeout(pause);
    asked = key;
    const wait = isFolded(view) ? 0 : TYPING_PAUSE;
    pause = window.setTimeout(() => void put(key, about, kind), wait);
  }

  /** @param {string} key @param {any} body @param {"opinion" | "proposal"} kind */
  async function put(key, body, kind) {
    asking = new AbortController();
    const { penalty_preview, preview } = view.server.urls;
    const answer = await ask(kind === "proposal" ? penalty_preview : preview, body, { signal: asking.signal });
    if (answer.kind === "superseded" || asked !== key) return;
    heard(answer.kind);
    const own = kind === "opinion" && answer.kind === "unreachable" ? await judge(view, body) : null;
    if (asked !== key) return;
    asked = "";
    const found = own ?? answer.data;
    const isOk = Boolean(own) || answer.kind === "ok";
    const data = isOk && kind === "opinion" ? inWords(view, found, body.number) : found;
    view[kind] = { key, kind: isOk ? "ok" : answer.kind, data, problems: found?.problems ?? answer.problems };
    draw();
  }

  return {
    inquire,

    /** Scores moved, so that what was said about payments is old. */
    forget() {
      Object.assign(view, { opinion: null, proposal: null });
      asked = "";
    },
  };
}
