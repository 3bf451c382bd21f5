// What an umpire states with a foul: the list of penalties/engine/facts.py, which a test holds it to.

/** @typedef {"whole" | "yes_no" | "choice" | "player"} FactKind */

/** @type {Record<string, FactKind>} */
export const FACTS = {
  minutes: "whole",
  points: "whole",
  victim: "player",
  hu_was_valid: "yes_no",
  circumstance: "choice",
  tile_seen: "yes_no",
};

/** What was tapped or typed; null for nothing. @param {FactKind} kind @param {string} said */
export function answer(kind, said) {
  if (said === "") return null;
  if (kind === "yes_no") return said === "true";
  return kind === "choice" ? said : Math.trunc(Number(said));
}

/** Something for each fact, under a name of its own. @template T @param {string} before @param {(name: string, kind: FactKind) => T} each @returns {Record<string, T>} */
export const forEachFact = (before, each) => Object.fromEntries(Object.entries(FACTS).map(([name, kind]) => [before + name, each(name, kind)]));
