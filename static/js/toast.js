// Short messages at the bottom of the page. The server sends them with a response to htmx:
//
//   HX-Trigger: {"toast": {"text": "Hand 7 saved", "action": "Undo", "url": "/…/undo", "seconds": 60}}
//
// kind "bad" stays until closed. Failed requests of htmx show a message from #toasts.

/** @typedef {{text: string, kind?: string, action?: string, url?: string, seconds?: number}} Toast */

const place = document.getElementById("toasts");

/** @param {string} label @param {() => void} press @returns {HTMLButtonElement} */
function button(label, press) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.addEventListener("click", press);
  return element;
}

/** @param {Toast} toast */
function show({ text, kind = "", action, url, seconds = 6 }) {
  if (!place || !text) return;
  const box = document.createElement("div");
  box.className = `toast ${kind}`;
  const sentence = document.createElement("span");
  sentence.className = "grow";
  sentence.textContent = text;
  box.append(sentence);
  if (action && url) {
    box.append(
      button(action, () => {
        box.remove();
        window.htmx.ajax("POST", url, { swap: "none" });
      }),
    );
  }
  box.append(button(place.dataset.close ?? "×", () => box.remove()));
  place.append(box);
  while (place.children.length > 3) place.firstElementChild?.remove();
  if (kind !== "bad") window.setTimeout(() => box.remove(), seconds * 1000);
}

document.addEventListener("toast", (event) => show(/** @type {CustomEvent<Toast>} */ (event).detail));
document.addEventListener("htmx:sendError", () => show({ text: place?.dataset.offline ?? "", kind: "bad" }));
document.addEventListener("htmx:responseError", () => show({ text: place?.dataset.error ?? "", kind: "bad" }));
