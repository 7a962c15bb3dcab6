import { html } from "hono/html";
import { createExampleMaker } from "../../openapi/example-values.ts";
import { codeBlock } from "../code/code-block.ts";
import {
  operationAddress,
  type Reference,
  schemaAddress,
  schemasPath,
  webhookAddress,
} from "../reference.ts";
import { schemaFields } from "../schema/fields.ts";
import { listedValues, typeWords } from "../schema/type-words.ts";
import type { SchemaUses } from "../schema/uses.ts";
import { blocks, type Html } from "./html.ts";

export function schemaMain({ schemas }: Reference, name: string, uses: SchemaUses): Html {
  const schema = schemas[name] ?? {};
  const { description, ...bare } = schema;
  const values = listedValues(schema);
  const example = createExampleMaker(schemas)(schema);
  const users = [
    ...(uses.operations.get(name) ?? []).map(
      ({ operationId, summary }) => html`<li><a href="${operationAddress(operationId)}">${summary}</a></li>`,
    ),
    ...(uses.webhooks.get(name) ?? []).map(
      (type) => html`<li><a href="${webhookAddress(type)}"><code>${type}</code></a></li>`,
    ),
    ...(uses.schemas.get(name) ?? []).map(
      (user) => html`<li><a href="${schemaAddress(user)}">${user}</a></li>`,
    ),
  ];
  return html`<main id="main" class="operation">
<div class="about">
<p class="crumb"><a href="${schemasPath}">Schemas</a></p>
<h1>${name}</h1>
<p class="quiet">${typeWords(bare)}</p>
${description === undefined ? "" : blocks(String(description))}
${values.length === 0 ? "" : html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`}
${schemaFields(schema, { schemas, anchor: "", levels: 0, marks: name.endsWith("Body") ? "required" : "optional" })}
</div>
<div class="beside">
<section class="card"><h2>Example</h2>${codeBlock(JSON.stringify(example, null, 2), "Example of the schema")}</section>
${users.length === 0 ? "" : html`<section class="card"><h2>Used by</h2><ul class="uses">${users}</ul></section>`}
</div>
</main>`;
}

export function schemasMain({ schemas }: Reference): Html {
  return html`<main id="main" class="text">
<h1>Schemas</h1>
<p>The ${Object.keys(schemas).length} bodies and parts of bodies that requests, responses and webhooks have.</p>
<ul class="columns">${Object.keys(schemas)
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => html`<li><a href="${schemaAddress(name)}">${name}</a></li>`)}</ul>
</main>`;
}
