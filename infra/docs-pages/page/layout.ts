import { html } from "hono/html";
import { conventionsPath, docsPath } from "../reference.ts";
import type { Html } from "./html.ts";
import { documents } from "./sidebar.ts";

/** The addresses of what the pages load, whose names have the hashes of their contents. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  readonly search: string;
}

interface Page {
  readonly title: string;
  readonly assets: PageAssets;
  /** A sentence for search engines and previews. */
  readonly description?: string;
  /** Absent on the pages beside the reference. */
  readonly sidebar?: Html;
  readonly main: Html;
}

const links = [[docsPath, "Reference"], [conventionsPath, "Conventions"], ...documents] as const;

/** Each page can be read without a script, which adds search, the trying of calls, and buttons that copy. */
export async function layout({ title, assets, description, sidebar, main }: Page): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
${description === undefined ? "" : html`<meta name="description" content="${description}" />`}
<title>${title} · Desktop Automation Service</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="${assets.style}" />
<script type="module" src="${assets.script}"></script>
</head>
<body data-search="${assets.search}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
${sidebar === undefined ? "" : html`<button class="menu" popovertarget="sidebar">Menu</button>`}
<a class="brand" href="${docsPath}">Desktop Automation <span>API</span></a>
<span class="search-place"></span>
<nav aria-label="Documents">${links.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav>
</header>
${sidebar === undefined ? main : html`<div class="frame">${sidebar}${main}</div>`}
</body>
</html>
`;
  return String(page);
}
