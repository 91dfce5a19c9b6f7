import { calls, type GuideTexts, names } from './texts.ts';

export const german: GuideTexts = {
  overview: `Hallo! Ich bin der Guide von Parley, einem Chat, in dem Menschen und KI-Agenten auf Augenhöhe miteinander reden. Ich funktioniere ohne Schlüssel.

Das kannst du hier tun:

- **Rede** mit Menschen und Agenten, zu zweit oder in Gruppen mit Kanälen und Threads.
- **Sieh zu, wie Antworten entstehen.** Sie liegen auf dem Server: Wechsle das Gerät oder komm später wieder, der ganze Text ist da.
- **Bring deine eigenen Agenten mit.** \`<you>:provider_a\` und \`<you>:provider_b\` gehören dir schon. Sie brauchen nur einen Schlüssel.
- **Schreib einen Bot**, der mitmacht wie alle anderen.

Frag mich nach **Schlüsseln**, **Gruppen**, **Bots** oder allen **Befehlen**, oder wie man eine Antwort **stoppt**.`,

  unsure: `Das weiß ich nicht. Ich bin ein kleines Programm mit festen Antworten, kein Sprachmodell.

Frag mich nach **Schlüsseln**, **Gruppen**, **Bots** oder allen **Befehlen**, oder wie man eine Antwort **stoppt**. Für alles andere hinterlegst du einen Schlüssel für einen deiner Agenten und schreibst ihm.`,

  keys: `**Einen Schlüssel hinterlegen**

Du hast von Anfang an zwei Agenten: \`<you>:provider_a\` und \`<you>:provider_b\`. Wenn dieser Server nicht anders eingerichtet ist, nutzt der erste die Modelle von Anthropic und der zweite die von OpenAI. Sie antworten, sobald du deinen API-Schlüssel für den Anbieter hinterlegst.

In der App: Öffne **Menü → Agenten und Schlüssel** und füge den Schlüssel ein. Mit der API:

${calls.key}

- Dein Schlüssel wird verschlüsselt gespeichert. Danach werden nur noch seine letzten Zeichen angezeigt. Bitte schreib keine Schlüssel in einen Chat.
- \`getMyAgents\` zeigt, welche deiner Agenten einen Schlüssel haben. \`removeAgentKey\` entfernt ihn.
- Dann geht es los: \`startChat { "username": "<you>:provider_a" }\`, und schreib ihm so, wie du mir schreibst.`,

  groups: `**Agenten in Gruppen**

In der App: Drücke auf den Stift über deinen Unterhaltungen und wähle **Gruppe erstellen**. Öffne dann die Details der Gruppe, drücke **Agenten → Eigenen hinzufügen** und teile einen Einladungslink mit Personen, die noch kein Konto haben. Mit der API:

1. Erstelle eine Gruppe: \`startChat { "usernames": ["bob"], "title": "Pläne" }\`. Weitere Personen fügst du später mit \`addMembers\` hinzu.
2. Füge einen deiner Agenten hinzu:

${calls.addAgent}

3. Erwähne ihn in einer Nachricht, \`@<you>:provider_a was meinst du?\`, oder antworte auf eine seiner Nachrichten: Er antwortet.

- Mit \`"always_on": true\` antwortet er auf jede Nachricht eines Menschen. Das änderst du später mit \`setGroupAgentMode\`; mit \`removeGroupAgent\` entfernst du ihn.
- Mit \`"follows_threads": true\` (in \`setGroupAgentMode\`) antwortet er allen Personen in einem Thread, in dem er einmal gefragt wurde, bis dort 30 Minuten lang nichts geschrieben wurde oder ihn jemand entfernt.
- \`getGroupAgents\` zeigt die Agenten einer Gruppe.
- Agenten können einander erwähnen. So eine Kette endet nach ein paar Runden.`,

  stop: `**Eine Antwort stoppen**

In der App: Drücke **Stoppen** unter der Antwort oder die quadratische Schaltfläche neben deiner Nachricht, oder schreib \`/stop\`. Mit der API:

${calls.stop}

- \`message_id\` ist die Antwort, die gerade entsteht. Lass es weg, um alle Antworten in diesem Chat zu stoppen.
- Der bisherige Text bleibt. Eine Antwort ohne Text verschwindet.
- Du kannst Antworten stoppen, um die du gebeten hast, und die deiner eigenen Agenten. Besitzer und Admins einer Gruppe können jede Antwort in der Gruppe stoppen.`,

  bots: `**Einen Bot schreiben**

In der App: **Menü → Einstellungen → Bots** legt sein Konto an und zeigt einmal sein Token. Starte dann \`npm run new-bot -- my-bot\` im Ordner des Dienstes, und du bekommst ein Programm, das sofort läuft. Wenn du selbst eines mit der API schreiben willst:

1. Lege sein Konto an: \`createBot { "slug": "helper", "display_name": "Helper" }\` gibt \`<you>:helper\` und ein Token zurück, das nur einmal angezeigt wird. Ein neues bekommst du mit \`rotateBotToken\`.
2. Verbinde dich mit diesem Token unter \`/api/ws?token=mb_…\`. Nennt das \`dispatch\` einer Nachricht deinen Bot, ist er an der Reihe.
3. Streame seine Antwort:

${calls.stream}

- \`offset\` ist die Gesamtlänge in Bytes nach dem neuen Stück; deshalb darfst du ein Stück auch zweimal senden.
- Gibt ein Aufruf \`cancel_requested\` zurück, will jemand die Antwort stoppen: Beende sie als \`cancelled\`.
- Für eine kurze Antwort nimm einfach \`sendMessage\`.`,

  commands: `**Befehle**

In der App: Schreib \`/\` ins Eingabefeld für Befehle, drücke \`?\` für Tastenkürzel und \`Ctrl K\` oder \`⌘K\` zum Suchen. Mit der API: Jeder Befehl ist \`POST /api/<name>\` mit JSON, oder eine Anfrage über den Socket, \`{ "id": 1, "method": "<name>", "params": { … } }\`. Die ganze Liste mit allen Feldern steht unter \`/docs\`.

- **Nachrichten**: ${names.messages}
- **Chats und Gruppen**: ${names.chats}
- **Agenten**: ${names.agents}
- **Bots**: ${names.bots}
- **Verpasstes nachholen**: ${names.updates}

Frag mich nach **Schlüsseln**, **Gruppen**, **Bots** oder wie man eine Antwort **stoppt**.`,
};
