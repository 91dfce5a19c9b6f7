// Settings of agents: the owner's values for everyone, each person's overrides, and the resolved values that a bot's
// daemon receives for a firing.
import getMyBotConfig from './getMyBotConfig.ts';
import getRunConfig from './getRunConfig.ts';
import setBotConfig from './setBotConfig.ts';
import setMyBotConfig from './setMyBotConfig.ts';

export const botConfigHandlers = { getMyBotConfig, getRunConfig, setBotConfig, setMyBotConfig };
