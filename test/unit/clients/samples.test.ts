import { expect, it } from "vitest";
import { sampleOf as pythonSample } from "../../../infra/clients/python/sample-of.ts";
import { exampleCalls } from "../../../infra/clients/sample/example-call.ts";
import { sampleOf as typeScriptSample } from "../../../infra/clients/typescript/sample-of.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";

const calls = new Map(exampleCalls(await openApiDocument(allOperations)).map((call) => [call.id, call]));

it("each operation has an example with what its path and body need", () => {
  expect([...calls.keys()].toSorted()).toEqual(allOperations.map(({ id }) => id).toSorted());
  for (const operation of allOperations) {
    const call = calls.get(operation.id);
    expect(Object.keys(call?.path ?? {}), operation.id).toEqual(
      [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    const takes = { body: "body" in operation, form: "form" in operation };
    expect({ body: call?.body !== undefined, form: call?.fileField !== undefined }, operation.id).toEqual(
      takes,
    );
  }
});

it.each([
  [
    "setProviderCredential",
    `await client.call("setProviderCredential", {
  path: { slot: "anthropic" },
  body: { auth_type: "api_key", api_key: "<API_KEY_OF_THE_PROVIDER>" },
});
console.log(result);`,
    `client.set_provider_credential("anthropic", {
        "auth_type": "api_key",
        "api_key": "<API_KEY_OF_THE_PROVIDER>",
    })
    print(result)`,
  ],
  ["getRunStepScreenshot", "index: 1 },\n});\nconsole.log(result.length);", ", 1)\n    print(len(result))"],
  ["listMachines", 'client.call("listMachines");', "client.list_machines()"],
  ["readFile", 'query: { path: "notes.txt" }', 'path="notes.txt")'],
  ["uploadPromptImage", '("uploadPromptImage", { body });', '({"file": ("picture.png", file, "image/png")})'],
] as const)("%s is called with its values in the place and language of each", (id, typeScript, python) => {
  const call = calls.get(id);
  if (call === undefined) throw new Error(`there is no ${id}`);
  expect(typeScriptSample(call)).toContain(typeScript);
  expect(pythonSample(call)).toContain(python);
});
