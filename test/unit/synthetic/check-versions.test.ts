import { expect, it } from "vitest";
import { failedVersions, type Invoked } from "../../../infra/synthetic/check-versions.ts";

interface Sent {
  readonly version: string;
  readonly rawPath: string;
  readonly method: string;
  readonly credentials: string | undefined;
}

async function check(outcome: () => Invoked, sent: Sent[] = []) {
  return await failedVersions({
    versions: { machines: "machines:7", computer: "computer:3" },
    key: "the-key",
    invoke: async (version, event) => {
      const { rawPath, requestContext, headers } = event as {
        readonly rawPath: string;
        readonly requestContext: { readonly http: { readonly method: string } };
        readonly headers: { readonly authorization?: string };
      };
      const { method } = requestContext.http;
      sent.push({ version, rawPath, method, credentials: headers.authorization });
      return outcome();
    },
  });
}

const responded = (statusCode: number) => () => ({
  functionError: undefined,
  payload: JSON.stringify({ statusCode }),
});

it("sends a list the key, and what is no list no credentials", async () => {
  const sent: Sent[] = [];
  expect(await check(responded(200), sent)).toEqual([]);
  expect(sent).toEqual([
    { version: "machines:7", rawPath: "/v1/machines", method: "GET", credentials: "Bearer the-key" },
    expect.objectContaining({ version: "computer:3", credentials: undefined }),
  ]);
  expect(sent[1]?.rawPath).toMatch(/^\/v1\/computer\/00000000-0000-0000-0000-000000000000\//);
});

it.each<[string, () => Invoked, number | string]>([
  ["500", responded(500), 500],
  ["no status", () => ({ functionError: undefined, payload: "null" }), "its response has no status"],
  ["an error", () => ({ functionError: "Unhandled", payload: "{}" }), "its function failed: Unhandled"],
  [
    "no invocation",
    () => {
      throw new Error("AccessDenied");
    },
    "AccessDenied",
  ],
])("refuses a version with %s", async (_, outcome, expected) => {
  const failed = await check(outcome);
  expect(failed.map(({ version, outcome }) => [version, outcome])).toEqual([
    ["machines:7", expected],
    ["computer:3", expected],
  ]);
});

it("takes a refusal for a response", async () => {
  expect(await check(responded(403))).toEqual([]);
});
