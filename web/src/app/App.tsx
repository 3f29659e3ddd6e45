import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { keys } from '../lib/storage.ts';
import { theme, variables } from '../ui/theme.ts';
import { createRouter } from './router.tsx';
import { createStore } from './store.ts';

const TOAST_MS = 5_000;
const schemes = localStorageColorSchemeManager({ key: keys.scheme });

export function App() {
  const store = useMemo(createStore, []);
  const router = useMemo(createRouter, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" autoClose={TOAST_MS} />
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>
  );
}
