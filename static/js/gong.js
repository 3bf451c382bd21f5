// A gong: one stroke at the warning, three at the end, with vibration. Off until it is turned on here, as browsers play no sound
// before a tap. The choice is stored. After a reload it needs another tap or key, which the button shows (data-waits).
//
//   <button type="button" class="chip" data-gong aria-pressed="false" hidden>Gong</button>
//
// Hidden if the device can neither sound nor vibrate.

import { stageAt } from "./time.js";

const KEY = "hule.gong";
const MAX_DELAY = 20_000; // ms after which a missed moment, as after sleep, is skipped
const STROKES = { warning: 1, over: 3 };
const STROKE_INTERVAL = 1.4; // s between two strokes
const STROKE_DURATION = 3.5; // s that a stroke lasts
const PARTIALS = [
  [110, 0.5],
  [163, 0.32],
  [233, 0.24],
  [328, 0.14],
  [512, 0.08],
]; // Hz and loudness: the partials of a gong are not harmonic

/** @type {AudioContext | null} */
let audio = null;

/** @returns {boolean} */
export const canRing = () => "AudioContext" in window || "vibrate" in navigator;

/** Whether it is turned on on this device. @returns {boolean} */
export function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // no storage
  }
}

/** Whether it is turned on and the browser waits for a tap. @returns {boolean} */
const needsTap = () => isOn() && "AudioContext" in window && audio?.state !== "running";

/** Call within an event of a tap or key. */
async function wake() {
  if (!isOn() || !("AudioContext" in window)) return;
  try {
    audio ??= new AudioContext();
    if (audio.state !== "running") await audio.resume();
  } catch {
    audio = null; // no sound on this device
  }
  label();
}

/** Turn the gong on or off; turning it on sounds once. */
export async function toggle() {
  const on = !isOn();
  try {
    if (on) localStorage.setItem(KEY, "on");
    else localStorage.removeItem(KEY);
  } catch {
    // no storage
  }
  label();
  await wake();
  if (on) strike("warning");
}

/** @param {"warning" | "over"} stage */
export function strike(stage) {
  const strokes = STROKES[stage];
  if (!isOn()) return;
  try {
    navigator.vibrate?.(Array.from({ length: strokes }, () => [400, 1000]).flat());
    if (audio?.state === "running") for (let at = 0; at < strokes; at += 1) stroke(audio, audio.currentTime + at * STROKE_INTERVAL);
  } catch {
    // not supported after all
  }
}

/** @param {AudioContext} context @param {number} at */
function stroke(context, at) {
  for (const [pitch, loudness] of PARTIALS) {
    const tone = new OscillatorNode(context, { frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(loudness, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + STROKE_DURATION);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + STROKE_DURATION);
  }
}

/** Update every button. */
function label() {
  for (const button of document.querySelectorAll("[data-gong]")) {
    button.toggleAttribute("hidden", !canRing());
    button.setAttribute("aria-pressed", String(isOn()));
    button.toggleAttribute("data-waits", needsTap());
  }
}

/**
 * Ring at the moments of a clock.
 * @param {() => {warns?: string, ends?: string, paused?: string | null} | null} clock the current times
 * @param {() => number} now by the server's clock
 */
export function ring(clock, now) {
  let before = "";
  window.setInterval(() => {
    const times = clock();
    const stage = times?.ends ? stageAt(times, now()) : "";
    const due = Date.parse((stage === "over" ? times?.ends : times?.warns) ?? "");
    const passed = (stage === "warning" && before === "playing") || (stage === "over" && ["playing", "warning"].includes(before));
    if (passed && now() - due < MAX_DELAY) strike(/** @type {"warning" | "over"} */ (stage));
    before = stage;
    if (document.querySelector("[data-gong]")) label();
  }, 250);
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-gong]")) void toggle();
  else void wake();
});
document.addEventListener("keydown", () => void wake());
label();
