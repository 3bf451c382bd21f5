// The one button that saves a hand announced by its points or its fans. Tapped before the hand is checked, it saves it as
// soon as it is: the thumb is quicker than the line, and a tap is not to be lost.

import { t } from "../dom.js";
import { does, mainButton } from "../frame.js";
import { current, isChecking, isReady } from "../view.js";

/** @param {import("../view.js").View} view @param {string} label */
export function saveAnnounced(view, label) {
  if (!isChecking(view)) return mainButton(label, does("save"), { disabled: !isReady(view) });
  const isTapped = view.eager === current(view);
  return mainButton(isTapped ? t("saving") : label, does("save-soon"), { disabled: isTapped });
}
