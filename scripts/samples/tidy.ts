import type { Samples } from '@parley/protocol/samples';

/** Replaces values that differ between runs, and secrets: ids are numbered, tokens and signatures are masked. */
export function tidy(samples: Samples, toolOrigin: string): Samples {
  const numbers = new Map<string, number>();
  const text = JSON.stringify(samples)
    .replaceAll(toolOrigin, 'https://tools.example')
    .replaceAll(encodeURIComponent(toolOrigin), encodeURIComponent('https://tools.example'))
    .replace(/\b(state|code_challenge)=[\w-]{43}/g, `$1=${'x'.repeat(43)}`)
    .replaceAll(`"host":"https://tools.example"`, `"host":"tools.example"`)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id, version: string) => {
      if (id.startsWith('00000000')) return id;
      const number = numbers.get(id) ?? numbers.size + 1;
      numbers.set(id, number);
      return `019b75d0-0000-${version}000-8000-${number.toString(16).padStart(12, '0')}`;
    })
    .replace(/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g, '"<a JWT>"')
    // Signatures of URLs.
    .replace(/&s=[\w-]{22,}/g, `&s=${'x'.repeat(22)}`)
    .replace(
      /(["/#=])(s|mb|i|v|p|d|bk|wh|at|oc|pg)_[\w-]{43}(?=["&])/g,
      (_token, before: string, prefix: string) => `${before}${prefix}_${'x'.repeat(43)}`,
    )
    .replace(/"rt_[\w-]{86}"/g, `"rt_${'x'.repeat(86)}"`)
    // A second factor: its key, the codes of an app and those for recovery.
    .replace(/(["=])[A-Z2-7]{32}(?=["&])/g, `$1${'A'.repeat(32)}`)
    .replace(/"(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}"/g, '"ABCD-EFGH-IJKL-MNOP"')
    .replace(/"code":"\d{6}"/g, '"code":"123456"')
    .replace(/"pc_[\w-]+\.[\w-]{32}"/g, `"pc_${'x'.repeat(86)}.${'x'.repeat(32)}"`)
    // Chance decides about the names of webhooks' accounts and the addresses of custom emoji.
    .replace(/:webhook_[0-9a-f]{12}"/g, ':webhook_0123456789ab"')
    .replace(/"\/emoji\/[\w-]{22}"/g, `"/emoji/${'x'.repeat(22)}"`);
  return JSON.parse(text) as Samples; // the same, with other strings
}
