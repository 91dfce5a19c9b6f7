export { useCell } from '@parley/react';
