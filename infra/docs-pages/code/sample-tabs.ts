import { html } from "hono/html";
import type { ExampleCall } from "../../clients/sample/call.ts";
import type { Html } from "../page/html.ts";
import type { OperationParts } from "../page/operation-parts.ts";
import { codeBlock } from "./code-block.ts";
import { exampleOrigin, type SampledOperation, sampleLanguages, sampleOf } from "./samples.ts";

/** The languages are radio buttons, of which the styles show the chosen one's sample: no script is needed. */
export function sampleTabs(parts: OperationParts, call: ExampleCall): Html {
  const operation = sampledOperation(parts, call);
  const languages = sampleLanguages.filter(({ id }) => id === "curl" || operation.isCalledByClients);
  return html`<section class="card samples"><h2>Request</h2>
<fieldset class="languages"><legend class="unseen">Language</legend>${languages.map(
    ({ id, name }, at) =>
      html`<label><input type="radio" name="language" value="${id}"${at === 0 ? html` checked` : ""} />${name}</label>`,
  )}</fieldset>
${languages.map(
  ({ id, name }) =>
    html`<div class="sample ${id}">${codeBlock(sampleOf(id, operation, call, exampleOrigin), `The call in ${name}`)}</div>`,
)}
</section>`;
}

export function sampledOperation(
  { method, path, isPublic, parameters }: OperationParts,
  { returns }: ExampleCall,
): SampledOperation {
  return {
    method: method.toUpperCase(),
    template: path,
    isPublic,
    isCalledByClients: true,
    takesIdempotencyKey: parameters.header.some(({ name }) => name === "Idempotency-Key"),
    returns,
  };
}
