// Agents: their keys, their participation in groups, and bots, which run outside the service.
import addGroupAgent from './addGroupAgent.ts';
import createAgent from './createAgent.ts';
import createBot from './createBot.ts';
import deleteAgent from './deleteAgent.ts';
import deleteBot from './deleteBot.ts';
import dismissAgent from './dismissAgent.ts';
import getAgent from './getAgent.ts';
import getBotCommands from './getBotCommands.ts';
import getGroupAgents from './getGroupAgents.ts';
import getModels from './getModels.ts';
import getMyAgents from './getMyAgents.ts';
import previewDispatch from './previewDispatch.ts';
import removeAgentKey from './removeAgentKey.ts';
import removeGroupAgent from './removeGroupAgent.ts';
import rotateBotToken from './rotateBotToken.ts';
import setAgentKey from './setAgentKey.ts';
import setBotCommands from './setBotCommands.ts';
import setGroupAgentMode from './setGroupAgentMode.ts';
import updateAgent from './updateAgent.ts';

export const agentHandlers = {
  addGroupAgent,
  createAgent,
  createBot,
  deleteAgent,
  deleteBot,
  dismissAgent,
  getAgent,
  getBotCommands,
  getGroupAgents,
  getModels,
  getMyAgents,
  previewDispatch,
  removeAgentKey,
  removeGroupAgent,
  rotateBotToken,
  setAgentKey,
  setBotCommands,
  setGroupAgentMode,
  updateAgent,
};
