// Prevents a form from being sent twice. Forms of htmx use hx-disabled-elt.

const RESEND_AFTER = 4_000; // ms until the form can be sent again, if there is no response

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  if ("sent" in form.dataset) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "";
  window.setTimeout(() => delete form.dataset.sent, RESEND_AFTER);
});

// A page restored by the back button can be sent again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
