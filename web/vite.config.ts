import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { bundleFirstLoad, precompress, preloadRoutes } from './first-load.ts';
import { divideInter } from './fonts.ts';
import { keepFormerAssets } from './former-assets.ts';

const hub = 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), divideInter(), bundleFirstLoad(), preloadRoutes(), keepFormerAssets(), precompress()],
  // Packages of the workspace from their sources.
  resolve: { conditions: ['warren-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    sourcemap: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      '/scim/v2': hub,
      '/api': hub,
      '/auth': hub,
      '/server': hub,
      '/socketsio': { target: hub, ws: true },
    },
  },
});
