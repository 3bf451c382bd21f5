// Serves the umpire's pages and their files from a cache when there is no network. Writes wait in the outbox.

/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const STORE = "hule-desk-1";
const TIMEOUT = 4_000; // ms after which the cached page is shown
const FILES = /^\/(static|umpire\/engines)\//; // their names change with their content
const WORDS = /^\/umpire\/[\w-]+\/words\/$/;

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (FILES.test(url.pathname)) event.respondWith(cacheFirst(request));
  else if (WORDS.test(url.pathname)) event.respondWith(networkFirst(request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});

// A page sends the URLs of its files, which were loaded before this worker was active.
worker.addEventListener("message", (event) => {
  const done = addToCache(event.data.urls).then(() => event.ports[0]?.postMessage("kept"));
  event.waitUntil(done);
});

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("hule-desk-") && name !== STORE) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {string[]} urls */
async function addToCache(urls) {
  const store = await caches.open(STORE);
  await Promise.all(
    urls.map(async (url) => {
      if (FILES.test(new URL(url, location.origin).pathname) && (await store.match(url))) return;
      const response = await fetch(url, { credentials: "same-origin" }).catch(() => null);
      if (response?.ok && !response.redirected) await store.put(url, response);
    }),
  );
}

/** A file: from the cache, else from the network. @param {Request} request */
async function cacheFirst(request) {
  const store = await caches.open(STORE);
  const known = await store.match(request, { ignoreVary: true });
  if (known) return known;
  const response = await fetch(request);
  if (response.status === 200) await store.put(request, response.clone());
  return response;
}

/** @param {Request} request */
async function networkFirst(request) {
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

/** A page: from the network, else from the cache. Redirects and errors of the client delete it from the cache. @param {Request} request */
async function page(request) {
  const store = await caches.open(STORE);
  const known = await store.match(request.url, { ignoreVary: true });
  const fresh = fetch(request).then(async (response) => {
    if (response.ok && response.type === "basic") await store.put(request.url, response.clone());
    else if (response.status < 500) await store.delete(request.url);
    return response;
  });
  if (!known) return fresh;
  const late = new Promise((resolve) => setTimeout(resolve, TIMEOUT));
  const first = await Promise.race([fresh.catch(() => undefined), late]);
  return first instanceof Response ? first : asCached(known);
}

/** Mark the page as cached. @param {Response} known */
async function asCached(known) {
  const text = await known.text();
  return new Response(text.replace("<html", "<html data-kept"), { headers: known.headers });
}
