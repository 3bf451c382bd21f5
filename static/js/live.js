// Follows a tournament's live stream (tournament/live) and tells the page.
//
//   <main data-live="/live/spring-open/" data-live-version="318">          the version this page shows
//   <div hx-get="…" hx-trigger="live from:body throttle:1s">               after every write
//
// Events on <body>: "live" after every write, and when too much was missed to tell it one by one; event.detail is what the
// stream said, of a write its `topics` (tournament/base/engine/notices.py). "live:stands" whenever the line stands: the server is
// there. After a cut the line is built up again from the last version seen, later and later up to half a minute; while it is
// cut #offline is shown.

const LONGEST_WAIT = 30_000;
const PATIENCE = 4_000; // a cut shorter than this is not worth a word

/** @param {string} name @param {object} [detail] */
const tell = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

/**
 * One line to the server.
 * @param {string} url @param {string} version the version the page shows, or ""
 * @param {(detail: any) => void} hear  @param {() => void} opened whenever the line stands
 */
export function follow(url, version, hear, opened = () => {}) {
  const banner = document.getElementById("offline");
  let seen = version;
  let wait = 1_000;
  /** @type {EventSource | undefined} */
  let source;
  let retry = 0;
  let warning = 0;

  const lost = () => {
    warning ||= window.setTimeout(() => banner && (banner.hidden = false), PATIENCE);
  };

  const found = () => {
    wait = 1_000;
    window.clearTimeout(warning);
    warning = 0;
    if (banner) banner.hidden = true;
    opened();
  };

  const close = () => {
    window.clearTimeout(retry);
    source?.close();
  };

  const open = () => {
    close();
    const address = new URL(url, location.href);
    if (seen) address.searchParams.set("after", seen); // in place of the version that the page came with
    const line = new EventSource(address);
    source = line;
    line.onopen = found;
    line.onerror = () => {
      lost();
      if (line.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
      retry = window.setTimeout(open, wait * (0.75 + Math.random() / 2)); // a hall of phones must not come back at once
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
    for (const name of ["change", "reset"]) {
      line.addEventListener(name, (event) => {
        seen = event.lastEventId || seen;
        hear(JSON.parse(event.data));
      });
    }
  };

  open();
  window.addEventListener("online", open);
  window.addEventListener("offline", lost);
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => event.persisted && open());
}

for (const element of document.querySelectorAll("[data-live]")) {
  const { live, liveVersion } = /** @type {HTMLElement} */ (element).dataset;
  if (live) follow(live, liveVersion ?? "", (detail) => tell("live", detail), () => tell("live:stands"));
}
