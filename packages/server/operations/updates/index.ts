export const updateHandlers = {};
