import { html } from "hono/html";
import type { Html } from "../page/html.ts";
import { codeParts } from "./code-parts.ts";

/** Its lines wrap, so that nothing has to be scrolled sideways, but for long ones, which the keyboard can scroll down. */
export function codeBlock(code: string, label: string): Html {
  const parts = codeParts(code).map(({ kind, text }) =>
    kind === undefined ? html`${text}` : html`<i class="${kind}">${text}</i>`,
  );
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${parts}</code></pre>`;
}
