/** What a person moves the focus with. */
const ACTS = ['keydown', 'pointerdown'] as const;

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
  let acted = false;
  const act = () => {
    acted = true;
    drop();
  };
  const drop = () => {
    for (const event of ACTS) window.removeEventListener(event, act, { capture: true });
  };
  for (const event of ACTS) window.addEventListener(event, act, { capture: true });
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
