import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
// Here and not in styles.css: the packages of imported files, unlike those of style sheets, get into the licences.
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
