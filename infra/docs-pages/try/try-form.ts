import { html } from "hono/html";
import type { ExampleCall } from "../../clients/sample/call.ts";
import { referredName } from "../../openapi/schema-tree.ts";
import { sampledOperation } from "../code/sample-tabs.ts";
import { type Html, nothing } from "../page/html.ts";
import type { OperationParts } from "../page/operation-parts.ts";
import type { Reference } from "../reference.ts";
import { type Field, fieldsOf } from "../schema/fields.ts";
import { type Control, controlOf } from "./control.ts";

/** The script sends a fresh one with each call. */
const withoutControl: ReadonlySet<string> = new Set(["Idempotency-Key"]);

/** Hidden until the script is there. Nothing is filled in: an example would narrow a list, or name what does not exist. */
export function tryForm(reference: Reference, parts: OperationParts, call: ExampleCall): Html {
  const { method, isPublic, parameters } = parts;
  const fields = [
    ...parameters.path.map((field) => controlOf("path", field, reference)),
    ...parameters.query.map((field) => controlOf("query", field, reference)),
    ...bodyControls(parts, call, reference),
    ...parameters.header
      .filter(({ name }) => !withoutControl.has(name))
      .map((field) => controlOf("header", field, reference)),
  ];
  const needed = fields.filter(({ isRequired }) => isRequired);
  const others = fields.filter(({ isRequired }) => !isRequired);
  const known = JSON.stringify({ operation: sampledOperation(parts, call), call });
  return html`<form class="card try" id="try" data-known="${known}" hidden>
<h2>Try it</h2>
${isPublic ? "" : html`<p class="control"><label for="credentials">API key</label><input id="credentials" type="password" autocomplete="off" spellcheck="false" placeholder="das_…" /><small>Kept by this tab alone, until it is closed. <a href="/console">The console</a> makes keys.</small></p>`}
${needed.map(controlItem)}
${others.length === 0 ? "" : html`<details class="inside"><summary>Optional (${others.length})</summary>${others.map(controlItem)}</details>`}
<p><button class="primary">Send ${method.toUpperCase()}</button></p>
<div class="result" role="status"></div>
</form>`;
}

function bodyControls({ body }: OperationParts, call: ExampleCall, reference: Reference): readonly Control[] {
  if (body === undefined) return [];
  const schema = reference.schemas[referredName(body.schema) ?? ""] ?? body.schema;
  if (body.isForm) {
    return fieldsOf(schema).map(({ name }) => ({ place: "body", name, kind: "file", isRequired: true }));
  }
  const fields = fieldsOf(schema);
  if (fields.length === 0) return [wholeBody(body.isRequired, call.body)];
  return [
    ...fields.map((field: Field) =>
      controlOf("body", { ...field, example: exampleIn(call.body, field) }, reference),
    ),
    wholeBody(false, call.body),
  ];
}

function wholeBody(isRequired: boolean, example: unknown): Control {
  return {
    place: "whole",
    name: "body",
    label: "The whole body as JSON, in place of its fields",
    kind: "json",
    isRequired,
    example,
  };
}

function exampleIn(body: unknown, { name, schema, example }: Field): unknown {
  const given =
    typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined;
  return given ?? example ?? (schema.examples as readonly unknown[] | undefined)?.[0];
}

function controlItem({ place, name, label, kind, isRequired, example, values, min, max }: Control): Html {
  const id = `try.${place}.${name}`;
  const required = isRequired ? html` required` : nothing;
  const facts = html`id="${id}" data-place="${place}" data-name="${name}" data-kind="${kind}" autocomplete="off"${required}`;
  const hint = example === undefined ? "" : typeof example === "string" ? example : JSON.stringify(example);
  const text = label === undefined ? html`<code>${name}</code>` : label;
  return html`<p class="control"><label for="${id}">${text}${isRequired ? html` <b class="required">required</b>` : ""}</label>${input()}</p>`;

  function input(): Html {
    if (values !== undefined) {
      return html`<select ${facts}><option value=""></option>${values.map((value) => html`<option>${value}</option>`)}</select>`;
    }
    if (kind === "json" || kind === "prose") {
      return html`<textarea ${facts} rows="${kind === "json" ? 3 : 2}" placeholder="${hint}" spellcheck="false"></textarea>`;
    }
    if (kind === "file") return html`<input type="file" ${facts} />`;
    if (kind === "number") {
      return html`<input type="number" step="any" ${facts}${min === undefined ? "" : html` min="${min}"`}${max === undefined ? "" : html` max="${max}"`} placeholder="${hint}" />`;
    }
    return html`<input ${facts} placeholder="${hint}" spellcheck="false" />`;
  }
}
