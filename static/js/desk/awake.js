// The screen stays on while a session is played here, where the device lets a page ask for it.

/** @param {() => boolean} playing */
export function keepAwake(playing) {
  const ask = async () => {
    if (document.visibilityState !== "visible" || !playing() || !("wakeLock" in navigator)) return;
    await navigator.wakeLock.request("screen").catch(() => {}); // a battery running low says no
  };
  document.addEventListener("visibilitychange", () => void ask()); // the device lets go whenever the page is hidden
  void ask();
}
