// Alerts, inline queries, actions of components.
import answerInlineQuery from './answerInlineQuery.ts';
import pushAlert from './pushAlert.ts';
import queryInline from './queryInline.ts';
import sendComponentAction from './sendComponentAction.ts';

export const interactionHandlers = { answerInlineQuery, pushAlert, queryInline, sendComponentAction };
