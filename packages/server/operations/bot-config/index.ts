// Settings of agents: the owner's values for everyone, what each person sets over them, and what a bot's daemon
// gets of both when it runs for someone.
import getMyBotConfig from './getMyBotConfig.ts';
import getRunConfig from './getRunConfig.ts';
import setBotConfig from './setBotConfig.ts';
import setMyBotConfig from './setMyBotConfig.ts';

export const botConfigHandlers = { getMyBotConfig, getRunConfig, setBotConfig, setMyBotConfig };
