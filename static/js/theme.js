// Theme and contrast, set before the first paint. Cookies decide, so that cached pages follow them too; tournament/base/requests.py
// reads and writes the same cookies.
(() => {
  const root = document.documentElement;
  root.classList.replace("no-js", "js");

  /** @param {string} name @returns {string} the cookie's value, or "" */
  const cookie = (name) => document.cookie.match(`(?:^|; )${name}=([a-z]*)`)?.[1] ?? "";

  /** @type {Record<string, [string, string]>} cookie → value that enables the sheet, media query of the device */
  const enabledBy = { theme: ["dark", "(prefers-color-scheme: dark)"], contrast: ["more", "(prefers-contrast: more)"] };

  /** The media query of a sheet that depends on these cookies. @param {string[]} names */
  const media = (names) => {
    if (names.some((name) => (root.dataset[name] ?? enabledBy[name][0]) !== enabledBy[name][0])) return "not all";
    return names.filter((name) => !root.dataset[name]).map((name) => enabledBy[name][1]).join(" and ") || "all";
  };

  const restyle = () => {
    for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-when]"))) {
      const query = media((link.dataset.when ?? "").split(" "));
      if (link.media !== query) link.media = query;
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
