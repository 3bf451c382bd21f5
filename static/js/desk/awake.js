// The screen stays on while a table is being played here, where the device lets a page ask for it.

const LOOK = 5_000; // ms: a session begins, and a table is handed in, without a page being loaded

/** @param {() => boolean} playing */
export function keepAwake(playing) {
  /** @type {WakeLockSentinel | null} */
  let held = null;
  const look = async () => {
    if (!("wakeLock" in navigator)) return;
    const wanted = document.visibilityState === "visible" && playing();
    if (!wanted) await held?.release();
    if (wanted && (!held || held.released)) held = await navigator.wakeLock.request("screen").catch(() => null); // a battery running low says no
  };
  document.addEventListener("visibilitychange", () => void look()); // the device lets go whenever the page is hidden
  window.setInterval(() => void look(), LOOK);
  void look();
}
