import { html } from "hono/html";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { endOf, keptMonthsMin } from "../openapi/operation-end.ts";
import { type Html, inline } from "./page/html.ts";
import type { PageAssets } from "./page/layout.ts";
import { list, textPage } from "./page/text-page.ts";

const added = [
  "operations, and optional parameters and fields of requests",
  "fields of responses, events and webhooks: ignore those that you do not know, and rely on no order",
  "values of lists in responses, such as a status, a type of step or event, a provider: treat one that you do not know as none of those that you do",
  "an `error_code`, a status of refusals, a type of the items of a 422: where you do not know it, go by the status's class (4xx, 5xx)",
  "headers of responses, and names that a request may use beside those that there are",
  "wider limits, such as a longer text or a larger file; those that a deployment sets are its operator's",
  "another form of what is opaque: cursors, `ETag`s, links to files, API keys, ids of requests",
  "other words in `message` and `msg`, in descriptions and in examples: programs go by `error_code` and `type`",
] as const;

const kept = [
  "an operation, with its method, path and credentials, and its statuses of success",
  "a parameter, field, value or header that the documents name, with its type and meaning",
  "what a request may leave out, and what is used in its place",
  "the values that a request may have: they are not narrowed",
  "the messages and headers of the tunnel, and the events",
] as const;

const notices = [
  "`deprecated: true` in `/openapi.json`, with what to use in its place in the description",
  "a line in the changelog",
  "of an operation: in each of its responses `Deprecation` (RFC 9745: since when), `Sunset` (RFC 8594: the first day on which it may be gone) and a `Link` to this page, which lists it below",
] as const;

export async function compatibilityPage(
  operations: readonly Operation[],
  assets: PageAssets,
): Promise<string> {
  const body = await html`
      <p>The API has one version, <code>/v1</code>. A program that is written for it runs with each later release without
      a change, if it expects what may be added. A deployment has the release that its operator installed; the pages at
      its address are of that release.</p>
      <h2>What may be added without notice</h2>
      <p>Programs must expect, at any time:</p>
      ${list(added)}
      <h2>What stays</h2>
      <p>These are not removed or renamed, and get no other meaning, unless they have gone the way below:</p>
      ${list(kept)}
      <p>Each change is compared with the documents as they were, and made only if the
      <a href="/changelog">changelog</a> explains whatever in it would break a client. A hole in security, or what the law
      forbids, is closed at once; the changelog says so.</p>
      <h2>How long what goes away stays</h2>
      <p>What goes away is deprecated first, and stays and works for at least ${keptMonthsMin} months after that. It has:</p>
      ${list(notices)}
      <h2>What goes away now</h2>
      ${ending(operations)}
`;
  return await textPage("Compatibility", assets, body);
}

function ending(operations: readonly Operation[]): Html {
  const items = operations.flatMap((operation) => {
    const end = endOf(operation);
    if (end === undefined) return [];
    const { method, path } = operation;
    return [
      `\`${method} ${path}\`: deprecated since ${end.deprecatedOn}, until ${end.goneOn}. ${end.instead}`,
    ];
  });
  return items.length === 0 ? html`<p>${inline("Nothing.")}</p>` : list(items);
}
