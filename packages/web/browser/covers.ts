/** Whether something lies over the page: keys for the page then do nothing, and Escape belongs to what lies over it. */
export const isCovered = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
