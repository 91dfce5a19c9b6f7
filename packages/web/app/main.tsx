import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/tokens.css';
import { applyTheme } from './appearance.ts';
import { App } from './app.tsx';

applyTheme();
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no place for the app');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
