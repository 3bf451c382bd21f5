// The service worker: it shows this page again when there is no network. Browsers allow one on https and on this machine
// itself only; elsewhere the desk keeps working while it stays open.

/** @param {any} setup */
export async function install({ offline, sprite, marks }) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(offline.service_worker);
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    const ours = files.filter((url) => url.startsWith(`${location.origin}/static/`));
    const looks = [.../** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-when]"))].map((link) => link.href);
    // A first visit's sheet stands in the page; as it is fetched again it may name it.
    const sheets = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("style[data-sheet]"))].map((style) => style.dataset.sheet);
    const pages = [location.pathname + location.search, offline.tables];
    const line = new MessageChannel();
    line.port1.onmessage = () => {
      document.documentElement.dataset.held = "yes";
    };
    active?.postMessage({ urls: [...ours, ...looks, ...sheets, sprite, marks, offline.worker, offline.words, offline.engines, ...offline.parts, ...pages] }, [line.port2]);
  } catch (fault) {
    console.info(`no service worker: ${fault}`);
  }
}
