import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { useRecentSignInWanted } from '../lib/recent-sign-in.ts';
import { keys } from '../lib/storage.ts';
import { useToastsWanted } from '../lib/toasts-wanted.ts';
import { part } from '../ui/part.tsx';
import { theme, variables } from '../ui/theme.ts';
import { createRouter } from './router.tsx';
import { createStore } from './store.ts';

// The first toast follows an action, so the first load does without them.
const Toasts = part(async () => (await import('./Toasts.tsx')).Toasts);
const SignInAgain = part(async () => (await import('./SignInAgain.tsx')).SignInAgain);
const schemes = localStorageColorSchemeManager({ key: keys.scheme });

export function App() {
  const store = useMemo(createStore, []);
  const toasts = useToastsWanted();
  const again = useRecentSignInWanted();
  const router = useMemo(createRouter, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <Suspense>{toasts ? <Toasts /> : null}</Suspense>
      <Suspense>{again ? <SignInAgain /> : null}</Suspense>
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  );
}
