import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
// The fonts are imported here instead of in styles.css, because the list of licences only contains the packages of
// imported files.
import '@fontsource-variable/inter/wght.css';
import './styles.css';
import { App } from './shell/app.tsx';
import { start } from './shell/start.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
void start();
