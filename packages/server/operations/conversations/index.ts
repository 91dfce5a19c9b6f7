export const conversationHandlers = {};
