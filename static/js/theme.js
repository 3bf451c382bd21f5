// Light or dark, and the contrast. Runs before the page is painted: the cookie decides, so that cached pages agree too.
// tournament/base/requests.py reads and writes the same cookies.
(() => {
  const root = document.documentElement;
  root.classList.replace("no-js", "js");

  /** @param {string} name @returns {string} the cookie's value, or nothing */
  const cookie = (name) => document.cookie.match(`(?:^|; )${name}=([a-z]*)`)?.[1] ?? "";

  /** @type {Record<string, [string, string]>} what asks for the sheet, and how the device says so */
  const asks = { theme: ["dark", "(prefers-color-scheme: dark)"], contrast: ["more", "(prefers-contrast: more)"] };

  /** The media query of a sheet that all of these must ask for. @param {string[]} names */
  const media = (names) => {
    if (names.some((name) => (root.dataset[name] ?? asks[name][0]) !== asks[name][0])) return "not all";
    return names.filter((name) => !root.dataset[name]).map((name) => asks[name][1]).join(" and ") || "all";
  };

  const restyle = () => {
    for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-when]"))) {
      const wanted = media((link.dataset.when ?? "").split(" "));
      if (link.media !== wanted) link.media = wanted;
    }
  };

  /** @param {string} name @param {string} value */
  const show = (name, value) => {
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
    restyle();
  };

  for (const name of ["theme", "contrast"]) show(name, cookie(name));

  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (!("appearance" in form.dataset) || !button) return;
    event.preventDefault();
    const { name, value } = button;
    document.cookie = `${name}=${value}; path=/; samesite=lax; max-age=${value ? 31536000 : 0}`;
    show(name, value);
    for (const other of form.querySelectorAll(`button[name="${name}"]`)) {
      other.setAttribute("aria-pressed", String(other === button));
    }
  });
})();
