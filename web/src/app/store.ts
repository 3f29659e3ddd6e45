import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from '../lib/api/api.ts';
import { client } from '../lib/client.ts';

export function createStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer, [client.name]: client.reducer },
    middleware: (usual) => usual().concat(api.middleware),
  });
  setupListeners(store.dispatch);
  return store;
}
