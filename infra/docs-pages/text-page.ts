import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

const links = [
  ["/docs", "Reference"],
  ["/openapi.json", "OpenAPI 3.1"],
  ["/asyncapi.json", "AsyncAPI of the tunnel"],
  ["/compatibility", "Compatibility"],
  ["/changelog", "Changelog"],
] as const;

/** A page that is read without a script, with the style sheet and the colours of the reference. */
export async function textPage(title: string, body: Html): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Desktop Automation Service: ${title.toLowerCase()}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/assets/page.css" />
  </head>
  <body>
    <header class="page-header">
      <strong>Desktop Automation Service</strong>
      <nav aria-label="Documents">${links.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav>
    </header>
    <main class="text">
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;
  return String(page);
}

/** Markdown's code in backticks; all else is escaped. */
export function withCode(text: string): readonly Html[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

export function list(items: readonly string[]): Html {
  return html`<ul>${items.map((item) => html`<li>${withCode(item)}</li>`)}</ul>`;
}
