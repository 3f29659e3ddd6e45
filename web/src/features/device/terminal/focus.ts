export interface FocusClaim {
  /** Calls `focus` unless the person has moved the focus to another control since the claim. */
  take: (focus: () => void) => void;
  drop: () => void;
}

/**
 * Claims the focus for a part of the page that is still loading. A heading that has the focus after a navigation, and a dialog that returns
 * it, are not the person's choice.
 */
export function claimFocus(): FocusClaim {
  const from = document.activeElement;
  const listening = new AbortController();
  let acted = false;
  const act = () => {
    acted = true;
  };
  for (const event of ['keydown', 'pointerdown']) {
    window.addEventListener(event, act, { capture: true, signal: listening.signal });
  }
  const drop = () => listening.abort();
  return {
    take: (focus) => {
      drop();
      const at = document.activeElement;
      const chosen = acted && at instanceof HTMLElement && at !== from && at.tabIndex >= 0;
      if (!chosen) focus();
    },
    drop,
  };
}
