// Shows push messages while no page is open, and opens the page of a message. It caches nothing and handles no requests: its
// scope is one player's page, so that each player has a subscription of their own.

/// <reference lib="webworker" />
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => void worker.skipWaiting());

worker.addEventListener("push", (event) => {
  const { title, body, path, tag, lang } = event.data.json();
  // A newer seat replaces the older one, and alerts again.
  event.waitUntil(worker.registration.showNotification(title, { body, tag, lang, renotify: tag === "seat", data: path }));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data, location.origin).href));
});

/** Focuses the page if it is open already. @param {string} address */
async function open(address) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((client) => client.url.split("#")[0] === address);
  await (page ? page.focus() : worker.clients.openWindow(address));
}

// Browsers may renew a subscription; the server deletes the old one when its push service answers that it is gone.
worker.addEventListener("pushsubscriptionchange", (event) => {
  const { newSubscription, oldSubscription } = /** @type {any} */ (event);
  event.waitUntil(renew(newSubscription, oldSubscription));
});

/** @param {PushSubscription | null} renewed @param {PushSubscription | null} old */
async function renew(renewed, old) {
  const subscription = renewed ?? (old && (await worker.registration.pushManager.subscribe(old.options)));
  if (!subscription) return;
  await fetch(new URL("phone/", worker.registration.scope), { method: "POST", body: JSON.stringify(subscription) });
}
