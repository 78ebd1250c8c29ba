import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Only the development server serves dev.html, the page with the fake bridge. The build starts from index.html.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  server: { host: '127.0.0.1' },
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome140',
    cssTarget: 'chrome140',
    // The content security policy allows no data: URLs for fonts and scripts.
    assetsInlineLimit: 0,
    // Style rules keep the order of the imports, whichever page is loaded first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_500,
  },
});
