import { html } from "hono/html";
import { codeBlock } from "../code/code-block.ts";
import { curlSample } from "../code/curl-sample.ts";
import { exampleOrigin } from "../code/samples.ts";
import { anchorOf, conventionsPath, operationAddress, type Reference, webhooksPath } from "../reference.ts";
import { blocks, type Html, inline } from "./html.ts";
import { methodMark, pathWords } from "./method-mark.ts";

const firstCall = {
  method: "GET",
  template: "/v1/machines",
  isPublic: false,
  takesIdempotencyKey: false,
  returns: "json",
} as const;

/** All operations by their groups, after what a newcomer needs for the first call. */
export function overviewMain({ document, groups }: Reference): Html {
  const { title, version, description = "" } = document.info;
  const [summary = ""] = description.split(/\n+## /);
  return html`<main id="main" class="overview">
<div class="lead">
<div><h1>${title}</h1>
<p class="quiet">API reference, release ${version}</p>
${blocks(summary)}
<p class="doors"><a class="button primary" href="${operationAddress("createRun")}">Start a run</a> <a class="button" href="${conventionsPath}">Conventions, errors, limits</a> <a class="button" href="${webhooksPath}">Webhooks</a></p></div>
<section class="card"><h2>The first call</h2>
${codeBlock(`export DAS_API_KEY=das_…\n\n${curlSample(firstCall, exampleOrigin)}`, "The first call in curl")}
<p class="quiet"><a href="/console">The console</a> makes keys. Each operation's page has its call in curl, TypeScript and Python, and a form that sends it.</p></section>
</div>
<div class="groups">${groups.map(
    ({
      name,
      description: said,
      operations,
    }) => html`<section class="group" id="${anchorOf(name)}"><h2>${name}</h2>
<p class="quiet">${inline(said)}</p>
<ul>${operations.map(
      ({ method, path, operation: { operationId, summary: does } }) =>
        html`<li><a href="${operationAddress(operationId)}">${methodMark(method, "short")}<span>${does}</span><code>${pathWords(path)}</code></a></li>`,
    )}</ul></section>
`,
  )}</div>
</main>`;
}

/** The page shows the document's own description, which holds for all operations. */
export function conventionsMain({ document }: Reference): Html {
  const [, ...sections] = (document.info.description ?? "").split(/\n+## /);
  return html`<main id="main" class="text">
<h1>Conventions</h1>
${sections.map((section) => {
  const [title = "", ...text] = section.split("\n");
  return html`<section id="${anchorOf(title)}"><h2>${title}</h2>${blocks(text.join("\n").trim())}</section>`;
})}
</main>`;
}
