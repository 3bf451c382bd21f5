// Talking to the server. Every answer is one of a few kinds; none is thrown, so that no screen forgets one.

/** @typedef {{code: string, where: string, message: string}} Problem */
/**
 * @typedef {object} Answer
 * @property {"ok" | "refused" | "stale" | "signed-out" | "unreachable" | "broken" | "superseded"} kind
 * @property {any} [data]
 * @property {Problem[]} problems
 */

const PATIENCE = 15_000;

/** @returns {string} */
function token() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/**
 * @param {string} url @param {object} [body] sent as JSON; without one the address is read
 * @param {{method?: "POST" | "PUT" | "PATCH" | "DELETE", signal?: AbortSignal}} [how] the signal is aborted when a newer
 *   question makes this one pointless
 * @returns {Promise<Answer>}
 */
export async function ask(url, body, { method = "POST", signal } = {}) {
  const line = new AbortController();
  const hangUp = () => line.abort();
  const limit = window.setTimeout(hangUp, PATIENCE);
  signal?.addEventListener("abort", hangUp);
  try {
    const response = await fetch(url, {
      method: body ? method : "GET",
      headers: body ? { "Content-Type": "application/json", "X-CSRFToken": token(), Prefer: "return=representation" } : {},
      body: body && JSON.stringify(body),
      signal: line.signal,
      credentials: "same-origin",
    });
    return await understood(response);
  } catch {
    return { kind: signal?.aborted ? "superseded" : "unreachable", problems: [] };
  } finally {
    window.clearTimeout(limit);
  }
}

/** @param {Response} response @returns {Promise<Answer>} */
async function understood(response) {
  const isJson = response.headers.get("content-type")?.includes("json");
  const data = isJson ? await response.json() : null;
  const problems = data?.problems ?? [];
  if (response.ok && data) return { kind: "ok", data, problems };
  if (response.status === 409) return { kind: "stale", data, problems };
  if (response.status === 401) return { kind: "signed-out", problems };
  if (response.status === 503) return { kind: "unreachable", problems: [] }; // a backup is being put back: it waits, and goes again
  if (problems.length) return { kind: "refused", data, problems };
  return { kind: "broken", problems: [] };
}
