import { html } from "hono/html";
import { type Html, inline } from "./page/html.ts";
import type { PageAssets } from "./page/layout.ts";
import { list, textPage } from "./page/text-page.ts";

/** Longer lists of places are closed until a reader opens them. */
const openPlacesMax = 3;

interface Day {
  readonly date: string;
  readonly added: readonly string[];
  /** The places by the reason of their change. */
  readonly changed: ReadonlyMap<string, readonly string[]>;
}

/** @throws {Error} for a line under a date that is neither an addition nor a change with its reason. */
export async function changelogPage(changes: string, assets: PageAssets): Promise<string> {
  const days = daysOf(changes).toSorted((a, b) => b.date.localeCompare(a.date));
  const body = await html`
      <p>What has changed in the API since release 1.0.0, the newest first. <a href="/compatibility">Compatibility</a> says
      what may be added without notice, and how long what goes away stays.</p>
      ${days.map(dayOf)}
`;
  return await textPage("Changelog", assets, body);
}

function daysOf(changes: string): readonly Day[] {
  const [, ...sections] = changes.split(/^### (?=\d{4}-\d\d-\d\d$)/m);
  return sections.map((section): Day => {
    const [date = "", ...lines] = section.split("\n").filter((line) => line !== "");
    const added: string[] = [];
    const changed = new Map<string, string[]>();
    for (const line of lines) {
      const [, place, reason] = /^- `([^`]+)`: (.+)$/.exec(line) ?? [];
      const addition = /^- Added: (.+)$/.exec(line)?.[1];
      if (addition !== undefined) added.push(addition);
      else if (place !== undefined && reason !== undefined)
        changed.set(reason, [...(changed.get(reason) ?? []), place]);
      else throw new Error(`the changelog cannot show the line ${line}`);
    }
    return { date, added, changed };
  });
}

function dayOf({ date, added, changed }: Day): Html {
  return html`<h2><time>${date}</time></h2>
      ${added.length === 0 ? "" : html`<h3>Added</h3>${list(added)}`}
      ${changed.size === 0 ? "" : html`<h3>Changed</h3>`}
      ${[...changed].map(([reason, places]) => changeOf(reason, places))}`;
}

function changeOf(reason: string, places: readonly string[]): Html {
  const listed = html`<ul>${places.map((place) => html`<li><code>${place}</code></li>`)}</ul>`;
  const sentence = inline(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
  if (places.length <= openPlacesMax) return html`<p>${sentence}</p>${listed}`;
  return html`<p>${sentence}</p><details><summary>${places.length} places</summary>${listed}</details>`;
}
