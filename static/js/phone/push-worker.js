// Shows a player's messages while no page is open, and opens the page that one is about. It keeps nothing and answers for
// no request: its scope is one player's page, so that each has a subscription of its own.

/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => void worker.skipWaiting());

worker.addEventListener("push", (event) => {
  const { title, body, path, tag, lang } = event.data.json();
  // A newer seat replaces the older one, and is heard all the same.
  event.waitUntil(worker.registration.showNotification(title, { body, tag, lang, renotify: tag === "seat", data: path }));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data, location.origin).href));
});

/** A page that is open already comes to the front. @param {string} address */
async function open(address) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url.split("#")[0] === address);
  await (there ? there.focus() : worker.clients.openWindow(address));
}

// Browsers may give a subscription a new address; the old one is found gone when it is written to.
worker.addEventListener("pushsubscriptionchange", (event) => {
  const { newSubscription, oldSubscription } = /** @type {any} */ (event);
  event.waitUntil(tell(newSubscription, oldSubscription));
});

/** @param {PushSubscription | null} found @param {PushSubscription | null} old */
async function tell(found, old) {
  const now = found ?? (old && (await worker.registration.pushManager.subscribe(old.options)));
  if (!now) return;
  await fetch(new URL("phone/", worker.registration.scope), { method: "POST", body: JSON.stringify(now) });
}
