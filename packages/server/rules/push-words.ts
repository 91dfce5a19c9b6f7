/** The service's own words in a push; everything else in it was written by people. */
export interface PushWords {
  /** Instead of a text that must not be shown, or that does not exist (PUSH-2). */
  message: string;
  photo: string;
  voiceMessage: string;
}

export const english: PushWords = { message: 'New message', photo: 'Photo', voiceMessage: 'Voice message' };

const byLanguage: Readonly<Record<string, PushWords>> = {
  en: english,
  de: { message: 'Neue Nachricht', photo: 'Foto', voiceMessage: 'Sprachnachricht' },
  es: { message: 'Mensaje nuevo', photo: 'Foto', voiceMessage: 'Mensaje de voz' },
  fr: { message: 'Nouveau message', photo: 'Photo', voiceMessage: 'Message vocal' },
  ja: { message: '新しいメッセージ', photo: '写真', voiceMessage: 'ボイスメッセージ' },
  ar: { message: 'رسالة جديدة', photo: 'صورة', voiceMessage: 'رسالة صوتية' },
};

/** The words for the language of a device, such as `de` or `de-AT`; English for others (PUSH-27). */
export function pushWordsOf(locale: string | null): PushWords {
  const language = locale?.split('-', 1)[0]?.toLowerCase() ?? 'en';
  return Object.hasOwn(byLanguage, language) ? (byLanguage[language] ?? english) : english;
}
