import type { HelpTexts } from './topics.ts';

export const german: HelpTexts = {
  name: 'Hilfe',
  hello:
    'Hallo! Ich bin der Guide von Parley. Ich brauche keinen Schlüssel und beantworte Fragen zur App. Frag zum Beispiel: „Wie mache ich einen Agenten?“, „Wie lade ich jemanden ein?“ oder „Wie schalte ich den Dunkelmodus ein?“',
  unknown:
    'Das weiß ich nicht. Ich bin ein kleines Programm, das die App kennt, kein Sprachmodell. Frag mich, wie hier etwas geht: Agenten, Schlüssel, Gruppen, Dateien, Suche oder Benachrichtigungen.',
  found: 'Ich bin nicht sicher, aber in der Dokumentation (auf Englisch) steht:',
  open: 'Öffnen',
  more: 'Die ganze Hilfe',
  sections: {
    start: 'Erste Schritte',
    chats: 'Chats und Gruppen',
    agents: 'Agenten',
    keys: 'Schlüssel und Geld',
    files: 'Dateien',
    search: 'Suche',
    notifications: 'Benachrichtigungen',
    privacy: 'Privatsphäre und Sicherheit',
  },
  topics: {
    agent: {
      title: 'Einen Agenten machen, ohne Code',
      text: 'Öffne {Menu} → {Agents and keys} und drücke {New agent}. Gib ihm einen Namen, beschreibe mit eigenen Worten, was er tun soll, und wähle, wer ihn benutzen darf. Neben dem Formular kannst du ihn ausprobieren, bevor du speicherst.',
      words: 'agent assistent erstell mach bau anleg code programmier',
    },
    key: {
      title: 'Einen API-Schlüssel hinterlegen',
      text: 'Öffne {Menu} → {Agents and keys}, wähle den Agenten und füge deinen Schlüssel von Anthropic oder OpenAI ein. Er wird verschlüsselt gespeichert, und nur seine letzten Zeichen werden je gezeigt. Schreib nie einen Schlüssel in einen Chat.',
      words: 'schlüssel api key anthropic claude openai gpt anbieter modell',
    },
    cost: {
      title: 'Was es kostet, und Grenzen',
      text: 'Der Anbieter stellt dem Besitzer des Schlüssels die Kosten in Rechnung. Über dem Textfeld steht vor dem Senden, wer zahlt. In den Einstellungen eines Agenten setzt du Grenzen: {Monthly token limit}, {Monthly tokens in each group} und {Daily tokens for each of them}.',
      words: 'kost preis zahl bezahl geld budget grenze limit token rechnung teuer gratis',
    },
    stop: {
      title: 'Eine Antwort stoppen',
      text: 'Drücke {Stop} unter der Antwort oder das Quadrat neben dem Textfeld. Was schon geschrieben ist, bleibt.',
      words: 'stopp beend abbrech unterbrech anhalt',
    },
    agentInGroup: {
      title: 'Agenten in einer Gruppe',
      text: 'Öffne die Details der Gruppe und drücke unter {Agents} auf {Add yours}. Der Agent antwortet, wenn ihn jemand mit `@` erwähnt oder ihm antwortet. Wähle {Answer every message}, wenn er immer antworten soll.',
      words: 'agent gruppe erwähn hinzufüg immer',
    },
    actions: {
      title: 'Was Agenten für dich tun',
      text: 'Bevor ein Agent ein Werkzeug benutzt, das etwas ändern kann, fragt er dich, außer du oder sein Besitzer habt es vorher erlaubt. Unter {Menu} → {Settings} → {Agent actions} siehst du, was Agenten in deinem Namen getan haben, und nimmst Erlaubtes zurück.',
      words: 'werkzeug aktion erlaub berechtig mcp tool',
    },
    bots: {
      title: 'Bots, für Leute, die programmieren',
      text: 'Unter {Menu} → {Settings} → {Bots} legst du das Konto eines Bots an und bekommst seinen Token. Die Dokumentation für Entwickler führt in fünf Minuten zu einem Bot.',
      words: 'bot bots webhook sdk entwickl programm',
    },
    invite: {
      title: 'Jemanden einladen',
      text: 'Öffne eine Gruppe, dann ihre Details, und wähle {Invite link}. Erstelle einen Link und schick ihn weiter: Wer ihn öffnet, kann ein Konto anlegen und ist gleich in der Gruppe. Wer schon ein Konto hat, kommt mit {Add people} dazu.',
      words: 'einlad lade freund kolleg beitret link',
    },
    browse: {
      title: 'Öffentliche Gruppen finden',
      text: 'Öffne {Menu} → {Browse groups}. Bei jeder Gruppe steht, worum es geht. Ihre Nachrichten liest du, sobald du beigetreten bist.',
      words: 'öffentlich entdeck durchsuch beitret',
    },
    group: {
      title: 'Eine Gruppe erstellen',
      text: 'Drücke den Stift über deinen Unterhaltungen, wähle {Make a group}, gib ihr einen Namen und füge Personen hinzu. In ihren Details findest du {Channels}, Mitglieder und Einstellungen.',
      words: 'gruppe team kanal kanäle erstell mitglied',
    },
    later: {
      title: 'Später senden und erinnern',
      text: 'Schreib deine Nachricht, öffne das Menü des Sendeknopfs und wähle {Send later}. Für eine Erinnerung an eine Nachricht öffne ihr Menü und wähle {Remind me}. Was wartet, steht unter {Menu} → {Scheduled}.',
      words: 'später planen geplant erinner morgen wiederhol',
    },
    messages: {
      title: 'Antworten, reagieren, bearbeiten, löschen',
      text: 'Zeig auf eine Nachricht, oder halte sie auf dem Telefon gedrückt: Dort sind {Reply}, {React}, {Forward}, {Edit} und {Delete}. Mit {Reply in thread} redet ihr neben der Unterhaltung darüber.',
      words: 'nachricht antwort bearbeit lösch weiterleit reaktion reagier thread anheft',
    },
    chat: {
      title: 'Jemandem schreiben',
      text: 'Drücke den Stift über deinen Unterhaltungen und tippe einen Namen. Personen und Agenten stehen in derselben Liste.',
      words: 'chat schreib rede unterhaltung kontakt',
    },
    voice: {
      title: 'Sprachnachrichten',
      text: 'Drücke {Record a voice message} neben dem Textfeld, sprich, und drücke {Send the voice message}. Agenten, die es können, lesen eine Abschrift.',
      words: 'sprachnachricht stimme aufnehm aufnahme mikrofon sprech abschrift',
    },
    files: {
      title: 'Fotos und Dateien senden',
      text: 'Zieh Dateien in die Unterhaltung, füge sie ein oder drücke die Büroklammer. Agenten sehen Fotos, PDF-, Office- und Textdateien der Unterhaltung. Alle Dateien eines Chats stehen in seinen Details unter {Photos and files}.',
      words: 'datei foto bild bilder pdf dokument hochlad anhäng anhang video',
    },
    search: {
      title: 'Etwas finden',
      text: 'Drücke {Search} über deinen Unterhaltungen oder Strg K (⌘K auf dem Mac). Gefunden werden Nachrichten, Wörter in Dateien, Personen und was die App kann. Die Filter beschränken die Suche auf eine Person, einen Tag oder eine Unterhaltung.',
      words: 'such find filter tastatur tastenkürzel',
    },
    mute: {
      title: 'Eine Unterhaltung stummschalten',
      text: 'Öffne in der Liste das Menü der Unterhaltung und wähle {Mute}: für eine Stunde, eine Woche oder bis du es änderst.',
      words: 'stumm ruhe leise ruhig',
    },
    notifications: {
      title: 'Benachrichtigungen',
      text: 'Öffne {Menu} → {Settings} → {Notifications} und schalte {Notifications on this device} ein. Dort wählst du auch, was dich erreicht, und Töne.',
      words: 'benachrichtig mitteilung push ton klang',
    },
    inbox: {
      title: 'Was dich betrifft',
      text: '{For you} über der Liste sammelt Erwähnungen, Antworten und Fragen an dich aus allen Unterhaltungen, bis du sie abhakst.',
      words: 'eingang erwähnung verpasst ungelesen betrifft',
    },
    language: {
      title: 'Die Sprache ändern',
      text: 'Öffne {Menu} → {Settings} → {Appearance} und wähle sie unter {Language}.',
      words: 'sprache deutsch englisch übersetz',
    },
    dark: {
      title: 'Dunkelmodus und Textgröße',
      text: 'Öffne {Menu} → {Settings} → {Appearance}. Unter {Colours} wählst du {Dark}, {Light} oder {System}, unter {Text size} größere Buchstaben.',
      words: 'dunkel hell farbe design schrift textgröße nacht darstellung modus',
    },
    password: {
      title: 'Dein Passwort ändern',
      text: 'Öffne {Menu} → {Settings} → {Profile} und wähle {Change password}. Alle anderen Geräte werden abgemeldet.',
      words: 'passwort kennwort',
    },
    deletion: {
      title: 'Deine Daten, und dein Konto löschen',
      text: 'Öffne {Menu} → {Settings} → {Profile}. Unter {Your data} lädst du eine Kopie herunter; {Delete account} löscht dein Konto endgültig.',
      words: 'konto daten export herunterlad',
    },
    profile: {
      title: 'Dein Name, Bild und Status',
      text: 'Öffne {Menu} → {Settings} → {Profile}: Ändere deinen Namen, {Change picture} oder {Set a status}.',
      words: 'name profil profilbild avatar status',
    },
    devices: {
      title: 'Wo du angemeldet bist',
      text: 'Öffne {Menu} → {Settings} → {Devices}. Melde dort ein Gerät ab, das du nicht kennst, oder wähle {Sign out all others}.',
      words: 'gerät sitzung angemeldet abmeld anmeld',
    },
    block: {
      title: 'Jemanden blockieren',
      text: 'Öffne euren Chat, dann seine Details, und wähle {Block}. Unter {Menu} → {Settings} → {Privacy} siehst du, wen du blockiert hast. Mit {Report …} im Menü einer Nachricht meldest du sie denen, die den Server betreiben.',
      words: 'blockier sperr spam meld belästig',
    },
    receipts: {
      title: 'Was andere von dir sehen',
      text: 'Öffne {Menu} → {Settings} → {Privacy}: Wähle, ob andere {When you’re online} und {Read receipts} sehen.',
      words: 'privatsphäre lesebestätigung online gelesen sehen',
    },
    emoji: {
      title: 'Eigene Emojis',
      text: 'Öffne {Menu} → {Settings} → {Emoji} und wähle {Add an emoji}. Alle hier können es benutzen.',
      words: 'emoji smiley',
    },
  },
};
