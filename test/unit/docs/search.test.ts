import { describe, expect, it } from "vitest";
import { findEntries } from "../../../infra/docs-pages/browser/search/find-entries.ts";
import { entriesOf } from "../../../infra/docs-pages/browser/search/load-entries.ts";
import type { SearchEntry } from "../../../infra/docs-pages/browser/search/search-entry.ts";
import { searchFile } from "../../../infra/docs-pages/reference-pages.ts";
import { componentSchemas } from "../../../infra/openapi/document-parts.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { propertiesOf } from "../../../infra/openapi/schema-tree.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";

const document = await openApiDocument(allOperations);
const entries: readonly SearchEntry[] = JSON.parse(searchFile(document));

function addresses(text: string): readonly string[] {
  return findEntries(entries, text).map(([, , , address]) => address);
}

describe("the search of the reference", () => {
  it("finds each operation by its summary and by its path", () => {
    const missed = allOperations.flatMap(({ id, method, path, summary }) => {
      const address = `/docs/operations/${id}`;
      return [summary, `${method} ${path}`].filter((text) => !addresses(text).includes(address));
    });
    expect(missed).toEqual([]);
  });

  it("finds each field of each schema by its name", () => {
    const titles = new Set(entries.filter(([kind]) => kind === "FIELD").map(([, title]) => title));
    const names = Object.values(componentSchemas(document)).flatMap((schema) =>
      propertiesOf(schema).map(([name]) => name),
    );
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter((name) => !titles.has(name))).toEqual([]);
  });

  it("leads to a body's field on the page of its operation, and to its words", () => {
    expect(addresses("start_session")[0]).toBe("/docs/operations/createRun#body.start_session");
    expect(addresses("post runs start_sess")[0]).toBe("/docs/operations/createRun#body.start_session");
    expect(addresses("last heard of")).toContain("/docs/schemas/Machine#last_seen");
    expect(addresses("run.held")[0]).toBe("/docs/webhooks/run.held");
    expect(addresses("limits")[0]).toBe("/docs/conventions#limits");
  });

  it("shows nothing for nothing, and for what there is not", () => {
    expect(addresses(" ")).toEqual([]);
    expect(addresses("machine zzzz")).toEqual([]);
  });

  it("loads its file once, and again where that failed", async () => {
    const replies = [new TypeError("offline"), new Response("{}", { status: 404 }), Response.json([])];
    let asked = 0;
    const load = entriesOf(async () => {
      const reply = replies[asked] ?? new Error("no more replies");
      asked += 1;
      if (reply instanceof Error) throw reply;
      return reply;
    });
    await expect(load()).rejects.toThrow("offline");
    await expect(load()).rejects.toThrow("404");
    expect(await Promise.all([load(), load()])).toEqual([[], []]);
    expect(asked).toBe(3);
  });
});
