// "Tell me on this phone": asks for permission, subscribes to push messages and sends the subscription to the server. What
// is shown follows from the browser's own subscription, for the page is the same for everybody.
//
//   <section id="phone" data-own data-worker="/t/push-worker.js" data-page="/t/spring-open/players/7/">
//     <div data-when="impossible"> … <div data-when="off" hidden> … <button data-subscribe> … <p role="alert">

/** @typedef {"impossible" | "forbidden" | "off" | "on"} State */

const DAY = 24 * 3600 * 1000;
const section = () => document.getElementById("phone");
const page = () => section()?.dataset.page ?? "";
const address = () => `${page()}phone/`;
const isPossible = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {State} state @param {string} [problem] */
function show(state, problem = "") {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (section()?.querySelectorAll("[data-when]") ?? [])) {
    part.hidden = part.dataset.when !== state;
    const alert = part.querySelector("[role=alert]");
    if (alert) alert.textContent = problem;
  }
}

/** The service worker of this player's page alone: the desk has another one, and so has every other player. */
async function getRegistration() {
  const registration = await navigator.serviceWorker.getRegistration(page());
  return registration && new URL(registration.scope).pathname === page() ? registration : undefined;
}
const getSubscription = async () => (await getRegistration())?.pushManager.getSubscription() ?? null;

/** @param {"POST" | "DELETE"} method @param {PushSubscription} subscription */
const send = (method, subscription) =>
  fetch(address(), { method, body: JSON.stringify(subscription), headers: { "Content-Type": "application/json" } });

/** @param {string} key base64url */
const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));

/** Resolves once the service worker is active. @returns {Promise<ServiceWorkerRegistration>} */
async function register() {
  const registration = await navigator.serviceWorker.register(section()?.dataset.worker ?? "", { scope: page() });
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return registration;
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(registration);
      if (worker.state === "redundant") reject(new Error("the worker could not be installed"));
    });
  });
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return refresh();
  const { key } = await (await fetch(address())).json();
  const subscription = await (await register()).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const answer = await send("POST", subscription);
  if (answer.ok) {
    storeSent();
    return show("on");
  }
  const { problem } = await answer.json().catch(() => ({}));
  await remove();
  show("off", problem ?? section()?.dataset.failed);
}

async function unsubscribe() {
  const subscription = await getSubscription();
  if (subscription && !(await send("DELETE", subscription)).ok) return show("on", section()?.dataset.failed);
  await remove();
  show("off");
}

/** Removes subscription and service worker from this browser. */
async function remove() {
  const registration = await getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await registration?.unregister();
  localStorage.removeItem(address());
}

const today = () => `${Math.floor(Date.now() / DAY)} ${document.documentElement.lang}`;
const storeSent = () => localStorage.setItem(address(), today());

/** Shows this browser's state; once a day, and in another language, the subscription is sent again. */
async function refresh() {
  if (!isPossible) return show("impossible");
  if (Notification.permission === "denied") return show("forbidden");
  const subscription = await getSubscription();
  show(subscription ? "on" : "off");
  if (!subscription || localStorage.getItem(address()) === today()) return;
  const answer = await send("POST", subscription);
  if (answer.ok) storeSent();
  else if (answer.status === 409) await remove().then(() => show("off"));
}

/** @param {HTMLButtonElement} button @param {() => Promise<void>} action */
async function run(button, action) {
  button.disabled = true;
  try {
    await action();
  } catch (error) {
    console.info(error);
    show((await getSubscription()) ? "on" : "off", section()?.dataset.failed);
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("#phone button") : null;
  if (button instanceof HTMLButtonElement) void run(button, "subscribe" in button.dataset ? subscribe : unsubscribe);
});

if (section()) void refresh();
