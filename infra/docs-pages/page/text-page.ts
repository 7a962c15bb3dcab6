import { html } from "hono/html";
import { type Html, inline } from "./html.ts";
import { layout, type PageAssets } from "./layout.ts";

/** A page beside the reference, such as the changelog. */
export async function textPage(title: string, assets: PageAssets, body: Html): Promise<string> {
  return await layout({
    title,
    assets,
    main: html`<main id="main" class="text"><h1>${title}</h1>${body}</main>`,
  });
}

export function list(items: readonly string[]): Html {
  return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
}
