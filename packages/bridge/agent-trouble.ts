/** The agent cannot go on; the message is a sentence for the people of the conversation. */
export class AgentTrouble extends Error {}
