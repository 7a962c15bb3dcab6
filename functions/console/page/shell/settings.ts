/** What `functions/console/console-page.ts` writes into the page. */
export interface PageSettings {
  readonly version: string;
}

export function readSettings(): PageSettings {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="console"]');
  return JSON.parse(meta?.content ?? "{}") as PageSettings;
}
