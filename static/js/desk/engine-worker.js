// Runs the server's engines in the browser with Pyodide, for previews without a network.

/// <reference lib="webworker" />

const MODULES = { hand: "tournament.play.engine.preview", foul: "tournament.fouls.engine" };

/** @type {Promise<any> | undefined} */
let python;

self.addEventListener("message", async (event) => {
  const { id, pyodide, engines, question, about = "hand" } = event.data;
  try {
    python ??= start(pyodide, engines);
    const engine = (await python).pyimport(MODULES[/** @type {keyof typeof MODULES} */ (about)]);
    const answer = engine.answer(JSON.stringify(question));
    engine.destroy();
    self.postMessage({ id, answer: JSON.parse(answer) });
  } catch (fault) {
    self.postMessage({ id, fault: String(fault) });
  }
});

/** @param {string} folder @param {string} engines @returns {Promise<any>} */
async function start(folder, engines) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const loaded = await loadPyodide({ indexURL: folder });
  const sources = await fetch(engines);
  if (!sources.ok) throw new Error(`${engines}: ${sources.status}`);
  loaded.unpackArchive(await sources.arrayBuffer(), "zip");
  return loaded;
}
