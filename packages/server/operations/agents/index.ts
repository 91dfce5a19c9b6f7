import addGroupAgent from './addGroupAgent.ts';
import getGroupAgents from './getGroupAgents.ts';
import removeGroupAgent from './removeGroupAgent.ts';
import setGroupAgentMode from './setGroupAgentMode.ts';

export const agentHandlers = {
  addGroupAgent,
  getGroupAgents,
  removeGroupAgent,
  setGroupAgentMode,
};
