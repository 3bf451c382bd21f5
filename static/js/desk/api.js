// Requests to the server. Every outcome is an `Answer`; nothing is thrown.

/** @typedef {{code: string, where: string, message: string}} Problem */
/**
 * @typedef {object} Answer
 * @property {"ok" | "refused" | "stale" | "signed-out" | "unreachable" | "broken" | "superseded"} kind
 * @property {any} [data]
 * @property {Problem[]} problems
 */

const TIMEOUT = 15_000;

/** @returns {string} */
function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/**
 * @param {string} url @param {object} [body] sent as JSON; without it the method is GET
 * @param {{method?: "POST" | "PUT" | "PATCH" | "DELETE", signal?: AbortSignal}} [options] `signal`: aborts a request
 *   that a newer one supersedes
 * @returns {Promise<Answer>}
 */
export async function request(url, body, { method = "POST", signal } = {}) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = window.setTimeout(abort, TIMEOUT);
  signal?.addEventListener("abort", abort);
  try {
    const response = await fetch(url, {
      method: body ? method : "GET",
      headers: body ? { "Content-Type": "application/json", "X-CSRFToken": csrfToken(), Prefer: "return=representation" } : {},
      body: body && JSON.stringify(body),
      signal: controller.signal,
      credentials: "same-origin",
    });
    return await parseResponse(response);
  } catch {
    return { kind: signal?.aborted ? "superseded" : "unreachable", problems: [] };
  } finally {
    window.clearTimeout(timer);
  }
}

/** @param {Response} response @returns {Promise<Answer>} */
async function parseResponse(response) {
  const isJson = response.headers.get("content-type")?.includes("json");
  const data = isJson ? await response.json() : null;
  const problems = data?.problems ?? [];
  if (response.ok && data) return { kind: "ok", data, problems };
  if (response.status === 409) return { kind: "stale", data, problems };
  if (response.status === 401) return { kind: "signed-out", problems };
  if (response.status === 503) return { kind: "unreachable", problems: [] }; // while a backup is restored: try again later
  if (problems.length) return { kind: "refused", data, problems };
  return { kind: "broken", problems: [] };
}
