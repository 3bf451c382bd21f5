// "Tell me on this phone": asks the browser, subscribes, and has the server keep it. What is shown follows from the
// browser's own subscription, for the page is the same for everybody.
//
//   <section id="phone" data-own data-worker="/t/push-worker.js" data-page="/t/spring-open/players/7/">
//     <div data-when="impossible"> … <div data-when="off" hidden> … <button data-tell> … <p role="alert">

/** @typedef {"impossible" | "forbidden" | "off" | "on"} State */

const DAY = 24 * 3600 * 1000;
const place = () => document.getElementById("phone");
const page = () => place()?.dataset.page ?? "";
const address = () => `${page()}phone/`;
const isPossible = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {State} state @param {string} [problem] */
function show(state, problem = "") {
  const here = place();
  if (!here) return;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (here.querySelectorAll("[data-when]"))) {
    each.hidden = each.dataset.when !== state;
    const alert = each.querySelector("[role=alert]");
    if (alert) alert.textContent = problem;
  }
}

/** The worker of this player's page alone: the desk has its own, and so has every other player. */
const known = () => navigator.serviceWorker.getRegistration(page()).then((found) => (found && new URL(found.scope).pathname === page() ? found : undefined));
const subscribed = async () => (await known())?.pushManager.getSubscription() ?? null;

/** @param {"POST" | "DELETE"} method @param {PushSubscription} subscription */
const write = (method, subscription) =>
  fetch(address(), { method, body: JSON.stringify(subscription), headers: { "Content-Type": "application/json" } });

/** @param {string} key base64url */
const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

/** A registration that can take a subscription. @returns {Promise<ServiceWorkerRegistration>} */
async function registered() {
  const made = await navigator.serviceWorker.register(place()?.dataset.worker ?? "", { scope: page() });
  const coming = made.installing ?? made.waiting;
  if (made.active || !coming) return made;
  return new Promise((resolve, reject) => {
    coming.addEventListener("statechange", () => {
      if (coming.state === "activated") resolve(made);
      if (coming.state === "redundant") reject(new Error("the worker could not be installed"));
    });
  });
}

async function tell() {
  if ((await Notification.requestPermission()) !== "granted") return look();
  const { key } = await (await fetch(address())).json();
  const subscription = await (await registered()).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const answer = await write("POST", subscription);
  if (answer.ok) {
    remember();
    return show("on");
  }
  const { problem } = await answer.json().catch(() => ({}));
  await forget();
  show("off", problem ?? place()?.dataset.failed);
}

async function stop() {
  const subscription = await subscribed();
  if (subscription && !(await write("DELETE", subscription)).ok) return show("on", place()?.dataset.failed);
  await forget();
  show("off");
}

/** Nothing is left on this phone. */
async function forget() {
  const registration = await known();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await registration?.unregister();
  localStorage.removeItem(address());
}

const remember = () => localStorage.setItem(address(), `${Math.floor(Date.now() / DAY)} ${document.documentElement.lang}`);

/** What this browser's state is; once a day, and in another language, the server hears of it again. */
async function look() {
  if (!isPossible) return show("impossible");
  if (Notification.permission === "denied") return show("forbidden");
  const subscription = await subscribed();
  show(subscription ? "on" : "off");
  const today = `${Math.floor(Date.now() / DAY)} ${document.documentElement.lang}`;
  if (!subscription || localStorage.getItem(address()) === today) return;
  const answer = await write("POST", subscription);
  if (answer.ok) remember();
  else if (answer.status === 409) await forget().then(() => show("off"));
}

/** @param {HTMLButtonElement} button @param {() => Promise<void>} step */
async function pressed(button, step) {
  button.disabled = true;
  try {
    await step();
  } catch (fault) {
    console.info(fault);
    show((await subscribed()) ? "on" : "off", place()?.dataset.failed);
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("#phone button") : null;
  if (button instanceof HTMLButtonElement) void pressed(button, "tell" in button.dataset ? tell : stop);
});

if (place()) void look();
