// A gong: one stroke at the warning, three at the end, with vibration. Off until it is turned on here, as browsers play no sound
// before a tap; the choice is stored. After a reload it waits for the next tap or key, which the button shows (data-waits).
//
//   <button type="button" class="chip" data-gong aria-pressed="false" hidden>Gong</button>
//
// Hidden if the device can neither sound nor vibrate.

import { stageAt } from "./time.js";

const KEY = "hule.gong";
const LATE = 20_000; // ms after which a missed moment, as after sleep, is skipped
const STROKES = { warning: 1, over: 3 };
const APART = 1.4; // s between two strokes
const RINGS = 3.5; // s that a stroke lasts
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

/** Whether somebody has turned it on here. @returns {boolean} */
export function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // no storage
  }
}

/** Turned on, and waiting for a tap. @returns {boolean} */
const waits = () => isOn() && "AudioContext" in window && audio?.state !== "running";

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

/** Toggle; turning it on sounds once. */
export async function turn() {
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
    if (audio?.state === "running") for (let at = 0; at < strokes; at += 1) stroke(audio, audio.currentTime + at * APART);
  } catch {
    // not supported after all
  }
}

/** @param {AudioContext} on @param {number} at */
function stroke(on, at) {
  for (const [pitch, loudness] of PARTIALS) {
    const tone = new OscillatorNode(on, { frequency: pitch });
    const volume = new GainNode(on, { gain: 0 });
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(loudness, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + RINGS);
    tone.connect(volume).connect(on.destination);
    tone.start(at);
    tone.stop(at + RINGS);
  }
}

/** Update every button. */
function label() {
  for (const button of document.querySelectorAll("[data-gong]")) {
    button.toggleAttribute("hidden", !canRing());
    button.setAttribute("aria-pressed", String(isOn()));
    button.toggleAttribute("data-waits", waits());
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
    if (passed && now() - due < LATE) strike(/** @type {"warning" | "over"} */ (stage));
    before = stage;
    if (document.querySelector("[data-gong]")) label();
  }, 250);
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-gong]")) void turn();
  else void wake();
});
document.addEventListener("keydown", () => void wake());
label();
