import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The development server alone serves dev.html, the page with the fake bridge; the build starts from index.html.
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
    // The order of the rules is that of the imports, whichever page is fetched first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_500,
  },
});
