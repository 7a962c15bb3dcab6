import type { ExampleCall } from "../sample/call.ts";
import { type LiteralStyle, literal } from "../sample/literal.ts";

const style: LiteralStyle = {
  words: { true: "true", false: "false", null: "null" },
  quotedKey: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  indent: "  ",
  padding: " ",
};

const shown = { json: "console.log(result);", bytes: "console.log(result.length);" } as const;

/** A module that makes the call with the published client. `test/clients` compiles that of each operation. */
export function sampleOf(call: ExampleCall, baseUrl = "https://api.example.com"): string {
  const { id, path, query, body, fileField, returns } = call;
  const input = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  };
  const form =
    fileField === undefined
      ? []
      : [
          "const body = new FormData();",
          `body.append(${JSON.stringify(fileField)}, await openAsBlob("picture.png"), "picture.png");`,
        ];
  const isEmpty = Object.keys(input).length === 0;
  const given = fileField === undefined ? (isEmpty ? "" : `, ${literal(input, style, 0, 50)}`) : ", { body }";
  const called = `await client.call(${JSON.stringify(id)}${given});`;
  return [
    ...(fileField === undefined ? [] : ['import { openAsBlob } from "node:fs";']),
    'import { createClient } from "@desktop-automation-service/client";',
    "",
    `const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, credentials: process.env.DAS_API_KEY });`,
    ...form,
    ...(returns === "nothing" ? [called] : [`const result = ${called}`, shown[returns]]),
    "",
  ].join("\n");
}
