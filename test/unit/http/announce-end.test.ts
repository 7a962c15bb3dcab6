import { expect, it } from "vitest";
import * as z from "zod";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { defineOperations, type OperationEnd } from "../../../shared/contract/operations/operation.ts";
import { createHttpApp } from "../../../shared/http/create-http-app.ts";
import { serveOperations } from "../../../shared/http/serve-operations.ts";
import { createTestService } from "../../support/shared/test-service.ts";

const common = { access: "public", method: "GET", summary: "Reads" } as const;
const query = z.strictObject({
  old: z.string().optional().meta({ deprecated: true, description: "The field goes away." }),
});
const responses = { 200: { description: "The value.", schema: z.strictObject({}) } };

function operationsWith(end: OperationEnd) {
  return defineOperations("Health", [
    { ...common, id: "readOld", path: "/old", query, responses, end },
    { ...common, id: "readNew", path: "/new", responses },
  ]);
}

const end = { deprecatedOn: "2027-01-15", goneOn: "2028-01-15", instead: "Use `GET /new`." } as const;

it("each response of an operation that goes away says since when, until when, and where to read on", async () => {
  const { deps } = await createTestService();
  const app = createHttpApp(deps);
  serveOperations(app, deps, operationsWith(end), { readOld: () => ({}), readNew: () => ({}) });
  const headersOf = async (path: string) => {
    const { status, headers } = await app.request(path);
    return [status, ...["deprecation", "sunset", "link"].map((name) => headers.get(name))];
  };
  const announced = [
    "@1799971200",
    "Sat, 15 Jan 2028 00:00:00 GMT",
    '</compatibility>; rel="deprecation sunset"; type="text/html"',
  ];
  expect(await headersOf("/old")).toEqual([200, ...announced]);
  expect(await headersOf("/old?unknown=1")).toEqual([422, ...announced]);
  expect(await headersOf("/new")).toEqual([200, null, null, null]);
});

it("the document marks what goes away, operations and fields", async () => {
  const { paths } = await openApiDocument(operationsWith(end));
  const old = paths?.["/old"]?.get;
  expect(old).toMatchObject({
    deprecated: true,
    description: expect.stringContaining("2028-01-15 on. Use `GET /new`."),
    parameters: [{ name: "old", deprecated: true }],
    responses: { 200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } } },
  });
  expect(paths?.["/new"]?.get).not.toHaveProperty("deprecated");
});

it("the document is not made while an operation goes sooner than twelve months after it is deprecated", async () => {
  const tooSoon = openApiDocument(operationsWith({ ...end, goneOn: "2028-01-14" }));
  await expect(tooSoon).rejects.toThrow("readOld must stay until 2028-01-15");
});
