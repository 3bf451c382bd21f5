// The scoring engine in this browser: Python through Pyodide, the sources the server runs. Loaded when the page has
// settled, in a thread of its own; it answers when the server cannot.

/// <reference lib="webworker" />

const ENTRY = "tournament.play.engine.opinion";

/** @type {Promise<(question: string) => string> | undefined} */
let engine;

self.addEventListener("message", async (event) => {
  const { id, pyodide, engines, question } = event.data;
  try {
    engine ??= start(pyodide, engines);
    const answer = (await engine)(JSON.stringify(question));
    self.postMessage({ id, answer: JSON.parse(answer) });
  } catch (fault) {
    self.postMessage({ id, fault: String(fault) });
  }
});

/** @param {string} folder @param {string} engines @returns {Promise<(question: string) => string>} */
async function start(folder, engines) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: folder });
  const sources = await fetch(engines);
  if (!sources.ok) throw new Error(`${engines}: ${sources.status}`);
  python.unpackArchive(await sources.arrayBuffer(), "zip");
  return python.pyimport(ENTRY).answer;
}
