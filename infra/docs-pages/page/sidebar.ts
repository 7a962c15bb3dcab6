import { html } from "hono/html";
import {
  conventionsPath,
  docsPath,
  operationAddress,
  type Reference,
  schemasPath,
  webhookAddress,
  webhooksPath,
} from "../reference.ts";
import type { Html } from "./html.ts";
import { methodMark } from "./method-mark.ts";

type Link = readonly [address: string, text: Html | string];

/** A part of the list, open on the pages that it leads to. */
interface Part {
  readonly title: string;
  readonly links: readonly Link[];
}

const pages: readonly Link[] = [
  [docsPath, "Overview"],
  [conventionsPath, "Conventions"],
  [schemasPath, "Schemas"],
];

export const documents: readonly Link[] = [
  ["/changelog", "Changelog"],
  ["/compatibility", "Compatibility"],
  ["/openapi.json", "OpenAPI"],
  ["/asyncapi.json", "AsyncAPI"],
  ["/console", "Console"],
];

/** Makes the list beside the page of an address. A part is made once for all pages on which it is closed. */
export function createSidebar({ groups, webhooks }: Reference): (current: string) => Html {
  const operations = groups.map((group) =>
    createPart({
      title: group.name,
      links: group.operations.map(({ method, operation: { operationId, summary } }) => [
        operationAddress(operationId),
        html`${methodMark(method, "short")}<span>${summary}</span>`,
      ]),
    }),
  );
  const events = createPart({
    title: "Events sent to you",
    links: [
      [webhooksPath, "How they come"],
      ...webhooks.map(({ type }): Link => [webhookAddress(type), html`<code>${type}</code>`]),
    ],
  });
  return (current) => html`<nav class="sidebar" id="sidebar" aria-label="Reference" popover>
${linkList(pages, current)}
<h2>Operations</h2>
${operations.map((part) => part(current))}
<h2>Webhooks</h2>
${events(current)}
<div class="documents"><h2>Documents</h2>
${linkList(documents, current)}</div>
</nav>`;
}

function createPart({ title, links }: Part): (current: string) => Html {
  const inside = (current: string) => html`<summary>${title}</summary>${linkList(links, current)}</details>
`;
  const closed = html`<details>${inside("")}`;
  return (current) =>
    links.some(([address]) => address === current) ? html`<details open>${inside(current)}` : closed;
}

function linkList(links: readonly Link[], current: string): Html {
  return html`<ul>${links.map(([address, text]) =>
    address === current
      ? html`<li><a href="${address}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${address}">${text}</a></li>`,
  )}</ul>`;
}
