// The umpire's pages without a network: what was seen last, from this device. Only pages and files; what is written waits
// in the outbox, and what the server is asked it must answer itself.

/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const STORE = "hule-desk-1";
const PATIENCE = 4_000; // a page that takes longer is shown as it was last seen
const FILES = /^\/(static|umpire\/engines)\//; // their names change with their content
const WORDS = /^\/umpire\/[\w-]+\/words\/$/;

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(begin()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (FILES.test(url.pathname)) event.respondWith(kept(request));
  else if (WORDS.test(url.pathname)) event.respondWith(freshOrKept(request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});

// A page says what it is made of: it was loaded before this worker saw anything.
worker.addEventListener("message", (event) => {
  const done = keep(event.data.urls).then(() => event.ports[0]?.postMessage("kept"));
  event.waitUntil(done);
});

async function begin() {
  for (const name of await caches.keys()) if (name.startsWith("hule-desk-") && name !== STORE) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {string[]} urls */
async function keep(urls) {
  const store = await caches.open(STORE);
  await Promise.all(
    urls.map(async (url) => {
      if (FILES.test(new URL(url, location.origin).pathname) && (await store.match(url))) return;
      const response = await fetch(url, { credentials: "same-origin" }).catch(() => null);
      if (response?.ok && !response.redirected) await store.put(url, response);
    }),
  );
}

/** A file: from the store, else from the network and kept. @param {Request} request */
async function kept(request) {
  const store = await caches.open(STORE);
  const known = await store.match(request, { ignoreVary: true });
  if (known) return known;
  const response = await fetch(request);
  if (response.status === 200) await store.put(request, response.clone());
  return response;
}

/** @param {Request} request */
async function freshOrKept(request) {
  const store = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await store.put(request, response.clone());
    return response;
  } catch (fault) {
    const known = await store.match(request, { ignoreVary: true });
    if (known) return known;
    throw fault;
  }
}

/** A page: as it is now, or as it was last seen. One that leads elsewhere (to the sign-in) is forgotten. @param {Request} request */
async function page(request) {
  const store = await caches.open(STORE);
  const known = await store.match(request.url, { ignoreVary: true });
  const fresh = fetch(request).then(async (response) => {
    if (response.ok && response.type === "basic") await store.put(request.url, response.clone());
    else if (response.status < 500) await store.delete(request.url);
    return response;
  });
  if (!known) return fresh;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const first = await Promise.race([fresh.catch(() => undefined), late]);
  return first instanceof Response ? first : asSeen(known);
}

/** The page tells by a mark that it is old. @param {Response} known */
async function asSeen(known) {
  const text = await known.text();
  return new Response(text.replace("<html", "<html data-kept"), { headers: known.headers });
}
