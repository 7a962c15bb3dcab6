import { describe, expect, it } from "vitest";
import { RouteTable } from "../../../infra/local/gateway/route-table.ts";

function tableOf(...routeKeys: string[]): RouteTable {
  return new RouteTable(routeKeys.map((routeKey) => ({ routeKey, functionName: routeKey })));
}

describe("RouteTable", () => {
  const documented = tableOf(
    "$default",
    "ANY /{proxy+}",
    "GET /pets/{proxy+}",
    "GET /pets/dog/{id}",
    "GET /pets/dog/1",
  );

  it.each([
    ["GET", "/pets/dog/1", "GET /pets/dog/1"],
    ["GET", "/pets/dog/2", "GET /pets/dog/{id}"],
    ["GET", "/pets/cat/1", "GET /pets/{proxy+}"],
    ["POST", "/test/5", "ANY /{proxy+}"],
    ["POST", "/pets/dog/1", "ANY /{proxy+}"],
    ["GET", "/", "$default"],
  ])("sends %s %s to %s", (method, path, routeKey) => {
    expect(documented.match(method, path)?.route.routeKey).toBe(routeKey);
  });

  it("prefers a full match of any method to a greedy one of the very method", () => {
    const table = tableOf("GET /a/{rest+}", "ANY /a/{id}");
    expect(table.match("GET", "/a/b")?.route.routeKey).toBe("ANY /a/{id}");
  });

  it("prefers the method itself to ANY on the same path", () => {
    const table = tableOf("ANY /a/{id}", "GET /a/{id}");
    expect(table.match("GET", "/a/b")?.route.routeKey).toBe("GET /a/{id}");
    expect(table.match("PUT", "/a/b")?.route.routeKey).toBe("ANY /a/{id}");
  });

  it("hands on path parameters decoded, and an encoded slash stays in its segment", () => {
    const table = tableOf("GET /a/{one}/b/{two+}");
    expect(table.match("GET", "/a/x%2Fy%20z/b/c/d%C3%A9")?.pathParameters).toEqual({
      one: "x/y z",
      two: "c/dé",
    });
  });

  it("takes neither an empty segment nor a trailing slash for a match", () => {
    const table = tableOf("GET /a/{id}");
    expect(table.match("GET", "/a/")).toBeUndefined();
    expect(table.match("GET", "/a/b/")).toBeUndefined();
    expect(table.match("GET", "/a")).toBeUndefined();
  });

  it("keeps the literal route apart from the variable one beside it", () => {
    const table = tableOf("PUT /v1/tags/{tag_id}", "PUT /v1/tags/reorder");
    expect(table.match("PUT", "/v1/tags/reorder")?.route.routeKey).toBe("PUT /v1/tags/reorder");
    expect(table.match("PUT", "/v1/tags/re%6Frder")?.route.routeKey).toBe("PUT /v1/tags/reorder");
  });

  it("throws for a path that is not valid percent-encoding", () => {
    expect(() => documented.match("GET", "/%zz")).toThrow(URIError);
    expect(() => documented.match("GET", "/%E0%A4%A")).toThrow(URIError);
  });

  it("refuses a route key that is none", () => {
    expect(() => tableOf("/v1/machines")).toThrow('route key "/v1/machines"');
  });
});
