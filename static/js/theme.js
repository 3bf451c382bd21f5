// Light or dark, and the contrast. Runs before the page is painted: the cookie decides, so that cached pages agree too.
// tournament/display/appearance.py reads and writes the same cookies.
(() => {
  const root = document.documentElement;
  root.classList.replace("no-js", "js");

  /** @param {string} name @returns {string} the cookie's value, or nothing */
  const cookie = (name) => document.cookie.match(`(?:^|; )${name}=([a-z]*)`)?.[1] ?? "";

  /** @param {string} name @param {string} value */
  const show = (name, value) => {
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
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
