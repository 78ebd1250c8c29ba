import { defineConfig } from 'vite';

// A sandboxed window needs its preload script as one CommonJS file; the rest of the main process runs from source.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist',
    emptyOutDir: false,
    target: 'node24',
    minify: false,
    lib: { entry: 'preload.ts', formats: ['cjs'], fileName: () => 'preload.cjs' },
    rollupOptions: { external: ['electron'] },
  },
});
