// Follows a tournament's event stream (tournament/live) and dispatches its events.
//
//   <main data-live="/live/spring-open/" data-live-version="318">          the version this page shows
//   <div hx-get="…" hx-trigger="live from:body throttle:1s">               after every write
//
// Events on <body>: "live" after every write, and after too many missed ones; event.detail is the message, with the write's
// `topics` (tournament/base/engine/notices.py). "live:connected" whenever the stream is connected. It reconnects from the last version,
// with exponential backoff; meanwhile #offline is shown.

const MAX_WAIT = 30_000;
const BANNER_DELAY = 4_000; // ms: shorter interruptions are not shown
const TICK = 5_000; // ms
const SLEEP = 15_000; // ms: after a longer pause the connection may be dead without a sign of it

/** @param {string} name @param {object} [detail] */
const dispatch = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

/** Why the page may be out of date: lost streams, and parts that could not be loaded. @type {Set<object>} */
const reasons = new Set();

/** Show or hide #offline. @param {object} reason @param {boolean} isSo */
export function outOfDate(reason, isSo) {
  if (isSo) reasons.add(reason);
  else reasons.delete(reason);
  const banner = document.getElementById("offline");
  if (banner) banner.hidden = !reasons.size;
}

/**
 * Open a stream.
 * @param {string} url @param {string} version the version the page shows, or ""
 * @param {(detail: any) => void} onMessage  @param {() => void} onOpen whenever it is connected
 */
export function follow(url, version, onMessage, onOpen = () => {}) {
  const reason = {};
  let seen = version;
  let wait = 1_000;
  /** @type {EventSource | undefined} */
  let source;
  let retry = 0;
  let warning = 0;
  let awake = Date.now();

  const lost = () => {
    warning ||= window.setTimeout(() => outOfDate(reason, true), BANNER_DELAY);
  };

  const connected = () => {
    wait = 1_000;
    window.clearTimeout(warning);
    warning = 0;
    outOfDate(reason, false);
    onOpen();
  };

  const close = () => {
    window.clearTimeout(retry);
    source?.close();
  };

  const open = () => {
    close();
    const address = new URL(url, location.href);
    if (seen) address.searchParams.set("after", seen); // instead of the page's version
    const stream = new EventSource(address);
    source = stream;
    stream.onopen = connected;
    stream.onerror = () => {
      lost();
      if (stream.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      retry = window.setTimeout(open, wait * (0.75 + Math.random() / 2)); // a hall of phones must not reconnect at once
      wait = Math.min(wait * 2, MAX_WAIT);
    };
    for (const name of ["change", "reset"]) {
      stream.addEventListener(name, (event) => {
        seen = event.lastEventId || seen;
        onMessage(JSON.parse(event.data));
      });
    }
  };

  /** Reconnect at once when the device wakes, or the page is seen again after a while. */
  const wake = () => {
    if (document.hidden) return;
    if (Date.now() - awake > SLEEP) open();
    awake = Date.now();
  };

  open();
  window.setInterval(wake, TICK);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", open);
  window.addEventListener("offline", lost);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
}

for (const element of document.querySelectorAll("[data-live]")) {
  const { live, liveVersion } = /** @type {HTMLElement} */ (element).dataset;
  if (live) follow(live, liveVersion ?? "", (detail) => dispatch("live", detail), () => dispatch("live:connected"));
}
