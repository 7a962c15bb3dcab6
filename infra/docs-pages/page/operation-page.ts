import { html } from "hono/html";
import type { ExampleCall } from "../../clients/sample/call.ts";
import { codeBlock } from "../code/code-block.ts";
import { sampleTabs } from "../code/sample-tabs.ts";
import { anchorOf, docsPath, type Reference } from "../reference.ts";
import { fieldList, schemaFields } from "../schema/fields.ts";
import { tryForm } from "../try/try-form.ts";
import { blocks, type Html, inline, nothing } from "./html.ts";
import { methodMark, pathWords } from "./method-mark.ts";
import type { OperationParts, ParameterPlace } from "./operation-parts.ts";

const placeTitles: Readonly<Record<ParameterPlace, string>> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
};

/** Bodies are shown three schemas deep, since they are written by hand; responses two. */
const bodyLevels = 3;
const responseLevels = 1;

export function operationMain(
  reference: Reference,
  group: string,
  parts: OperationParts,
  call: ExampleCall,
): Html {
  const { method, path, summary, description, isDeprecated, parameters, body, responses } = parts;
  const { schemas } = reference;
  const parametersIn = (place: ParameterPlace) =>
    parameters[place].length === 0
      ? ""
      : html`<section><h2>${placeTitles[place]}</h2>
${fieldList(parameters[place], { schemas, anchor: `${place}.`, levels: bodyLevels, marks: "required" })}</section>`;
  return html`<main id="main" class="operation">
<div class="about">
<p class="crumb"><a href="${docsPath}#${anchorOf(group)}">${group}</a></p>
<h1>${summary}</h1>
<p class="endpoint">${methodMark(method)}<code>${pathWords(path)}</code></p>
${isDeprecated ? html`<p><b class="deprecated">deprecated</b></p>` : ""}
${blocks(description)}
${parametersIn("path")}${parametersIn("query")}${
  body === undefined
    ? ""
    : html`<section><h2>Body</h2><p class="quiet">${inline(body.description)}</p>
${schemaFields(body.schema, { schemas, anchor: "body.", levels: bodyLevels, marks: "required" })}</section>`
}${parametersIn("header")}
<section><h2>Responses</h2>${responses.map((response) => responseOf(response, reference))}</section>
</div>
<div class="beside">
${sampleTabs(parts, call)}
${tryForm(reference, parts, call)}
${exampleResponse(responses)}
</div>
</main>`;
}

function responseOf(response: OperationParts["responses"][number], { schemas }: Reference): Html {
  const { status, description, headers, schema, contentType } = response;
  const isSuccess = status.startsWith("2");
  const [first = "", ...rest] = description.split(/(?<=\.)\s+/);
  const fields =
    isSuccess && schema !== undefined && contentType === "application/json"
      ? schemaFields(schema, { schemas, levels: responseLevels, marks: "optional" })
      : nothing;
  const shownHeaders =
    headers.length === 0
      ? ""
      : html`<h3>Headers</h3>${fieldList(headers, { schemas, levels: 0, marks: "required" })}`;
  const kind = contentType === undefined || contentType === "application/json" ? "" : ` ${contentType}.`;
  return html`<details class="response"${isSuccess ? html` open` : ""}><summary><code class="status s${status.charAt(0)}">${status}</code> <span>${inline(first)}${kind}</span></summary>
${rest.length === 0 ? "" : blocks(description.slice(first.length).trim())}${shownHeaders}${fields}</details>
`;
}

function exampleResponse(responses: OperationParts["responses"]): Html {
  const shown = responses.find(({ status, example }) => status.startsWith("2") && example !== undefined);
  if (shown === undefined || shown.contentType !== "application/json") return nothing;
  const json = JSON.stringify(shown.example, null, 2);
  return html`<section class="card"><h2>Response <code class="status s2">${shown.status}</code></h2>${codeBlock(json, "Example of the response")}</section>`;
}
