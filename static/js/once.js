// A form is sent once: the second tap of an impatient thumb is no second write. Forms that htmx sends look after themselves
// (hx-disabled-elt).

const REST = 4_000; // ms after which the same form can be sent again, should no answer come

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  if ("sent" in form.dataset) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "";
  window.setTimeout(() => delete form.dataset.sent, REST);
});

// A page that comes back by the back button can be sent anew.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
