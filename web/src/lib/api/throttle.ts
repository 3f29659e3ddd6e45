/**
 * Calls `run` at once, and then at most once in `ms`; calls in between become one call at the end.
 * @returns the throttled call, and `cancel` that drops what is still waiting
 */
export function throttle(run: () => void, ms: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const tick = () => {
    timer = undefined;
    if (!again) return;
    again = false;
    call();
  };
  const call = () => {
    if (timer !== undefined) {
      again = true;
      return;
    }
    timer = setTimeout(tick, ms);
    run();
  };
  return {
    call,
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  };
}
