import { isLanguage, type Language } from '@parley/protocol/languages';

/** The service's own words in a push; everything else in it was written by people. */
export interface PushWords {
  /** Instead of a text that must not be shown, or that does not exist (PUSH-2). */
  message: string;
  photo: string;
  voiceMessage: string;
  /** The text of a reminder (SCHEDULE-21). */
  reminder: (sender: string) => string;
}

export const english: PushWords = {
  message: 'New message',
  photo: 'Photo',
  voiceMessage: 'Voice message',
  reminder: (sender) => `You asked to be reminded of a message from ${sender}.`,
};

const byLanguage: Readonly<Record<Language, PushWords>> = {
  en: english,
  de: {
    message: 'Neue Nachricht',
    photo: 'Foto',
    voiceMessage: 'Sprachnachricht',
    reminder: (sender) => `Du wolltest an eine Nachricht von ${sender} erinnert werden.`,
  },
  es: {
    message: 'Nuevo mensaje',
    photo: 'Foto',
    voiceMessage: 'Mensaje de voz',
    reminder: (sender) => `Pediste que te recordáramos un mensaje de ${sender}.`,
  },
  fr: {
    message: 'Nouveau message',
    photo: 'Photo',
    voiceMessage: 'Message vocal',
    reminder: (sender) => `Vous avez demandé un rappel pour un message envoyé par ${sender}.`,
  },
  pt: {
    message: 'Nova mensagem',
    photo: 'Foto',
    voiceMessage: 'Mensagem de voz',
    reminder: (sender) => `Você pediu um lembrete de uma mensagem de ${sender}.`,
  },
  ja: {
    message: '新しいメッセージ',
    photo: '写真',
    voiceMessage: 'ボイスメッセージ',
    reminder: (sender) => `${sender}さんのメッセージのリマインダーです。`,
  },
  zh: {
    message: '新消息',
    photo: '照片',
    voiceMessage: '语音消息',
    reminder: (sender) => `你设置了提醒：来自 ${sender} 的消息。`,
  },
  ar: {
    message: 'رسالة جديدة',
    photo: 'صورة',
    voiceMessage: 'رسالة صوتية',
    reminder: (sender) => `طلبت تذكيرك برسالة من \u2068${sender}\u2069.`,
  },
};

/** The words for the language of a device, such as `de` or `de-AT`; English for others (PUSH-27). */
export function pushWordsOf(locale: string | null): PushWords {
  const language = locale?.split('-', 1)[0]?.toLowerCase() ?? 'en';
  return isLanguage(language) ? byLanguage[language] : english;
}
