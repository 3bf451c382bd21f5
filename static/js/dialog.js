// Dialogs and menus. Without this script an opener works as a link or submit button.
//
//   <a href="/…/confirm" data-open="#really">…</a>   <dialog id="really"> … <button data-close>…</button></dialog>
//   <dialog data-shown> opens with the page. A response with `HX-Trigger: close-dialog` closes the open dialog.

/** @param {Event} event @param {string} selector @returns {HTMLElement | null} */
const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

document.addEventListener("click", (event) => {
  const opener = closest(event, "[data-open]");
  const dialog = opener?.dataset.open && document.querySelector(opener.dataset.open);
  if (dialog instanceof HTMLDialogElement) {
    event.preventDefault();
    dialog.showModal();
    return;
  }
  if (closest(event, "[data-close]")) {
    closest(event, "dialog")?.close();
    return;
  }
  if (event.target instanceof HTMLDialogElement) {
    const box = event.target.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!inside) event.target.close();
  }
  closeMenus(closest(event, "details.menu"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  closeMenus(null);
  menu?.querySelector("summary")?.focus();
});

document.addEventListener("close-dialog", () => document.querySelector("dialog[open]")?.close());

/** @param {HTMLElement | null} except the menu that stays open */
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.removeAttribute("open");
  }
}

for (const dialog of document.querySelectorAll("dialog[data-shown]")) dialog.showModal();
