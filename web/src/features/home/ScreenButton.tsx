import { Button } from '@mantine/core';
import { IconMaximize, IconMinimize } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { home as text } from '../../lib/messages/home.ts';

/** Shows the page alone, for a screen on a wall: without sidebar and bar, and over the whole screen where the browser allows it. */
export function ScreenButton() {
  const [query, setQuery] = useSearchParams();
  const alone = query.has('screen');
  const put = (shown: boolean) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (shown) next.set('screen', '');
        else next.delete('screen');
        return next;
      },
      { replace: true },
    );
  const enter = () => {
    put(true);
    // Phones have no full screen for pages; the page stands alone there too.
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
  };
  const leave = () => {
    put(false);
    if (document.fullscreenElement) void document.exitFullscreen();
  };
  useEffect(() => {
    if (!alone) return undefined;
    const left = () => {
      if (!document.fullscreenElement) put(false);
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') leave();
    };
    document.addEventListener('fullscreenchange', left);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('fullscreenchange', left);
      document.removeEventListener('keydown', pressed);
    };
  }, [alone]);
  const Icon = alone ? IconMinimize : IconMaximize;
  return (
    <Button
      variant="default"
      visibleFrom={alone ? undefined : 'sm'}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={alone ? leave : enter}
    >
      {alone ? text.leaveScreen : text.screen}
    </Button>
  );
}
