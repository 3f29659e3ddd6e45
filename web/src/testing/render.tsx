import { MantineProvider } from '@mantine/core';
import { configureStore } from '@reduxjs/toolkit';
import { render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter } from 'react-router';
import type { InitialEntry, RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { api } from '../lib/api/api.ts';
import { client } from '../lib/client.ts';
import { theme, variables } from '../ui/theme.ts';

/** Shows routes at an address, with a separate store. Returns the router, whose state holds the address. */
export function show(routes: RouteObject[], address: InitialEntry) {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer, [client.name]: client.reducer },
    middleware: (usual) => usual().concat(api.middleware),
  });
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(
    <MantineProvider theme={theme} cssVariablesResolver={variables} env="test">
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </MantineProvider>,
  );
  return router;
}
