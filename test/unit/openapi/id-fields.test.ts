import { describe, expect, it } from "vitest";
import { idFieldsByRoute } from "../../support/openapi/id-fields.ts";
import { operations } from "../../support/stack/operations.ts";
import { requestWithId } from "../../support/stack/taken-id.ts";

const described = await idFieldsByRoute();

describe("the table of operations", () => {
  it.each(operations.map((operation) => [operation.route, operation] as const))(
    "names each id that %s takes in its query and body",
    (route, { takes = [] }) => {
      const named = takes.map(({ at }) => at);
      expect(named).toEqual(expect.arrayContaining([...(described.get(route) ?? [])]));
      expect(new Set(named).size).toBe(named.length);
    },
  );
});

describe("what a description says of ids", () => {
  it("is found in queries and bodies, in lists, and by name where any text is taken", () => {
    expect(described.get("GET /v1/connections")).toEqual(["query.machine_id[]"]);
    expect(described.get("GET /v1/workflows")).toEqual(["query.tag_ids[]"]);
    expect(described.get("PUT /v1/workflow-tags/reorder")).toEqual(["body.ids[]"]);
    expect(described.get("POST /v1/machines")).toEqual(["body.fingerprint"]);
    expect(described.get("POST /api/driver/connection-token")).toEqual([
      ...["body.remotePeerId", "body.selectedOrganizationId"],
    ]);
  });
});

describe("a request with an id in its place", () => {
  it("is the operation's own but for that place", () => {
    const own = { query: "limit=1", body: { name: "a", steps: [{ workflow_id: "1", n: 1 }], start: true } };
    expect(requestWithId(own, { at: "query.run_id", of: "run_id" }, "7")).toEqual({
      ...own,
      query: "limit=1&run_id=7",
    });
    expect(
      requestWithId(own, { at: "body.steps[].workflow_id", of: "workflow_id", without: ["start"] }, "7").body,
    ).toEqual({ name: "a", steps: [{ workflow_id: "7", n: 1 }] });
    expect(requestWithId({}, { at: "body.pool_ids[]", of: "pool_id" }, "7").body).toEqual({
      pool_ids: ["7"],
    });
  });
});
