import { html } from "hono/html";
import {
  anchorOf,
  conventionsPath,
  docsPath,
  type Group,
  operationAddress,
  type Reference,
  schemasPath,
  webhookAddress,
  webhooksPath,
} from "../reference.ts";
import type { Html } from "./html.ts";
import { methodMark } from "./method-mark.ts";

const pages = [
  [docsPath, "Overview"],
  [conventionsPath, "Conventions"],
  [schemasPath, "Schemas"],
] as const;

export const documents = [
  ["/changelog", "Changelog"],
  ["/compatibility", "Compatibility"],
  ["/openapi.json", "OpenAPI"],
  ["/asyncapi.json", "AsyncAPI"],
  ["/console", "Console"],
] as const;

/** @param current is the address of the page that it stands on: its group is open. */
export function sidebar({ groups, webhooks }: Reference, current: string): Html {
  return html`<nav class="sidebar" id="sidebar" aria-label="Reference" popover>
<ul>${pages.map(([address, name]) => html`<li>${link(address, name, current)}</li>`)}</ul>
<h2>Operations</h2>
${groups.map((group) => groupOf(group, current))}
<h2>Webhooks</h2>
<details${webhooks.some(({ type }) => webhookAddress(type) === current) || current === webhooksPath ? openMark : ""}><summary>Events sent to you</summary><ul>
<li>${link(webhooksPath, "How they come", current)}</li>
${webhooks.map(({ type }) => html`<li>${link(webhookAddress(type), html`<code>${type}</code>`, current)}</li>`)}</ul></details>
<div class="documents"><h2>Documents</h2>
<ul>${documents.map(([address, name]) => html`<li>${link(address, name, current)}</li>`)}</ul></div>
</nav>`;
}

const openMark = html` open`;

function groupOf({ name, operations }: Group, current: string): Html {
  const isOpen = operations.some(({ operation }) => operationAddress(operation.operationId) === current);
  const items = operations.map(({ method, operation: { operationId, summary } }) => {
    const text = html`${methodMark(method, "short")}<span>${summary}</span>`;
    return html`<li>${link(operationAddress(operationId), text, current)}</li>`;
  });
  return html`<details${isOpen ? openMark : ""} data-group="${anchorOf(name)}"><summary>${name}</summary><ul>${items}</ul></details>
`;
}

function link(address: string, text: Html | string, current: string): Html {
  return address === current
    ? html`<a href="${address}" aria-current="page">${text}</a>`
    : html`<a href="${address}">${text}</a>`;
}
