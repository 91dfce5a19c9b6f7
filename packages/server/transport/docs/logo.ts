import { Html } from './html.ts';

/** The app's icon, which needs no request of its own. */
export const logo = new Html(
  '<svg class="logo" viewBox="0 0 64 64" width="28" height="28" aria-hidden="true"><rect width="64" height="64" rx="16" fill="#1f6f5c"/><path d="M14 20a6 6 0 0 1 6-6h16a6 6 0 0 1 6 6v8a6 6 0 0 1-6 6H26l-7 6v-6.1A6 6 0 0 1 14 28z" fill="#f7f5f1"/><path d="M46 26h1a5 5 0 0 1 5 5v8a5 5 0 0 1-4 4.9V50l-7-6h-9a5 5 0 0 1-4.4-2.6" fill="none" stroke="#f2b45a" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);
