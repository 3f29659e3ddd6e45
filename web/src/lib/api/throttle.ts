/**
 * Throttles `run`: calls it at once, then at most once in `ms` milliseconds, and once more for the calls in between.
 * @returns the throttled function, and `cancel` to drop a pending call
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
