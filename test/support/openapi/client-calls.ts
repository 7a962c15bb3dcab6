import { componentSchemas, type OpenApiDocument } from "../../../infra/openapi/document-parts.ts";
import { createExampleMaker } from "../../../infra/openapi/example-values.ts";
import { isSchema, type Schema } from "../../../infra/openapi/schema-tree.ts";
import { operationsIn } from "./document-parts.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** Writes a call of each operation in `openapi-fetch`: all parameters, with body and response from the examples. */
export function callsOf(document: OpenApiDocument): readonly string[] {
  const exampleOf = createExampleMaker(componentSchemas(document));
  const shared = (document.components?.parameters ?? {}) as Readonly<Record<string, Parameter>>;
  const calls = operationsIn(document).map(({ route, operation }) => {
    const [method = "", path = ""] = route.split(" ");
    const params: Record<string, Record<string, unknown>> = {};
    for (const one of operation.parameters ?? []) {
      const parameter = "$ref" in one ? shared[String(one.$ref).split("/").at(-1) ?? ""] : (one as Parameter);
      if (parameter === undefined) throw new Error(`${route} has a parameter that is not there`);
      const value = parameter.example ?? exampleOf(parameter.schema ?? {});
      params[parameter.in] = { ...params[parameter.in], [parameter.name]: value };
    }
    const body = contentOf(operation.requestBody);
    const form = contentOf(operation.requestBody, "multipart/form-data");
    const options = {
      params,
      ...(body === undefined ? {} : { body: body.example }),
      ...(form === undefined ? {} : { body: exampleOf(form.schema as Schema) }),
    };
    const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith("2"))?.[1];
    const response = contentOf(success);
    const isJson = isSchema(response?.schema) && response.example !== undefined;
    const call = `const { data } = await client.${method}(${JSON.stringify(path)}, ${JSON.stringify(options)});`;
    const use = isJson
      ? `data satisfies Returned; const returned: NonNullable<typeof data> = ${JSON.stringify(response.example)};`
      : "data satisfies Returned;";
    return `export async function ${operation.operationId}() { ${call} ${use} ${isJson ? "return returned;" : ""} }`;
  });
  const head = [
    'import createClient from "openapi-fetch";',
    'import type { paths } from "./api.d.ts";',
    'const client = createClient<paths>({ baseUrl: "https://example.com" });',
    "type Returned = unknown;",
  ];
  return calls.map((call, at) => (at === 0 ? `${head.join("\n")}\n${call}` : call));
}

function contentOf(
  holder: unknown,
  type = "application/json",
): { readonly schema?: unknown; readonly example?: unknown } | undefined {
  const { content = {} } = (holder ?? {}) as { content?: Record<string, { example?: unknown }> };
  return content[type];
}
