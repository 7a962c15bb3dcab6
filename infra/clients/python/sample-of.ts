import type { ExampleCall } from "../sample/call.ts";
import { type LiteralStyle, literal } from "../sample/literal.ts";
import { argumentNameOf, methodNameOf } from "./names.ts";

const style: LiteralStyle = {
  words: { true: "True", false: "False", null: "None" },
  quotedKey: (name) => JSON.stringify(name),
  indent: "    ",
  padding: "",
};

const shown = { json: "print(result)", bytes: "print(len(result))" } as const;

/** A program that makes the call with the published client. `test/clients` checks the types of that of each operation. */
export function sampleOf(call: ExampleCall, baseUrl = "https://api.example.com"): string {
  const { id, path, query, body, fileField, returns } = call;
  const write = (value: unknown) => literal(value, style, 1, 40);
  const given = [
    ...Object.values(path).map(write),
    ...(body === undefined ? [] : [write(body)]),
    ...(fileField === undefined
      ? []
      : [`{${JSON.stringify(fileField)}: ("picture.png", file, "image/png")}`]),
    ...Object.entries(query).map(([name, value]) => `${argumentNameOf(name)}=${write(value)}`),
  ];
  const called = `client.${methodNameOf(id)}(${given.join(", ")})`;
  const opened = fileField === undefined ? "" : ', open("picture.png", "rb") as file';
  return [
    "import os",
    "",
    "from desktop_automation_service import Client",
    "",
    `with Client(${JSON.stringify(baseUrl)}, os.environ["DAS_API_KEY"]) as client${opened}:`,
    ...(returns === "nothing" ? [`    ${called}`] : [`    result = ${called}`, `    ${shown[returns]}`]),
    "",
  ].join("\n");
}
