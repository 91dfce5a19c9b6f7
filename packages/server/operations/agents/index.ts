export const agentHandlers = {};
