import { html } from "hono/html";
import type { oas32 } from "zod-openapi";
import type { Schema } from "../../openapi/schema-tree.ts";
import { codeBlock } from "../code/code-block.ts";
import { docsPath, type Reference, webhookAddress, webhooksPath } from "../reference.ts";
import { fieldList, schemaFields } from "../schema/fields.ts";
import { blocks, type Html, inline } from "./html.ts";

type Webhook = Reference["webhooks"][number];

export function webhookMain({ schemas }: Reference, { type, operation }: Webhook): Html {
  const { description = "", parameters = [], requestBody, responses = {} } = operation;
  const media = (requestBody as oas32.RequestBodyObject).content["application/json"] as oas32.MediaTypeObject;
  return html`<main id="main" class="operation">
<div class="about">
<p class="crumb"><a href="${webhooksPath}">Webhooks</a></p>
<h1><code>${type}</code></h1>
<p class="endpoint"><span class="method event">EVENT</span><span>The service sends a POST to your endpoint.</span></p>
${blocks(description)}
<section><h2>Headers</h2>${fieldList(headersOf(parameters), { schemas, anchor: "header.", levels: 0, marks: "optional" })}</section>
<section><h2>Body</h2>${schemaFields(media.schema as Schema, { schemas, anchor: "body.", levels: 2, marks: "optional" })}</section>
<section><h2>What your endpoint responds with</h2>${Object.entries(responses).map(
    ([status, response]) =>
      html`<p><code class="status s${status.charAt(0)}">${status === "default" ? "any other" : status}</code> ${inline((response as oas32.ResponseObject).description ?? "")}</p>`,
  )}</section>
</div>
<div class="beside">
<section class="card"><h2>Body</h2>${codeBlock(JSON.stringify(media.example, null, 2), "Example of the body")}</section>
${verification}
</div>
</main>`;
}

export function webhooksMain({ webhooks, schemas }: Reference): Html {
  const [first] = webhooks;
  const { description = "", parameters = [] } = first?.operation ?? {};
  return html`<main id="main" class="operation">
<div class="about">
<h1>Webhooks</h1>
<p>The service sends events to addresses of yours; a client receives these and calls none of them. <a href="${docsPath}#webhooks">Endpoints</a>
are created with the API or in the console.</p>
${blocks(description)}
<section><h2>Events</h2><ul class="index">${webhooks.map(
    ({ type }) => html`<li><a href="${webhookAddress(type)}"><code>${type}</code></a></li>`,
  )}</ul></section>
<section><h2>Headers of each</h2>${fieldList(headersOf(parameters), { schemas, levels: 0, marks: "optional" })}</section>
</div>
<div class="beside">${verification}</div>
</main>`;
}

function headersOf(parameters: readonly (oas32.ParameterObject | oas32.ReferenceObject)[]) {
  return parameters
    .filter((one) => "name" in one)
    .map(({ name, schema, description = "", example }) => {
      return { name, schema: (schema ?? {}) as Schema, isRequired: true, description, example };
    });
}

/** The libraries of the Standard Webhooks do what the header's description says. */
const verification = html`<section class="card samples"><h2>Check the signature</h2>
<fieldset class="languages"><legend class="unseen">Language</legend><label><input type="radio" name="language" value="typescript" checked />TypeScript</label><label><input type="radio" name="language" value="python" />Python</label></fieldset>
<div class="sample typescript">${codeBlock(
  `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// Throws for a body that the service has not signed.
const event = webhook.verify(rawBody, headers);
`,
  "The check in TypeScript",
)}</div>
<div class="sample python">${codeBlock(
  `import os
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# Raises for a body that the service has not signed.
event = webhook.verify(raw_body, headers)
`,
  "The check in Python",
)}</div></section>`;
