import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { routesOf } from "../../../infra/routes.ts";

interface Deps {
  readonly store: { readonly find: (id: string) => string };
}

describe("routesOf", () => {
  it("names each operation once, as API Gateway spells it", () => {
    const create = (deps: Deps) =>
      new Hono()
        .use("*", async (_context, next) => next())
        .get(
          "/v1/machines/:machine_id",
          async (_context, next) => next(),
          (context) => context.text(deps.store.find(context.req.param("machine_id"))),
        )
        .delete("/v1/machines/:machine_id", (context) => context.body(null, 204))
        .put("/v1/pools/:pool_id{[0-9a-f-]+}/machines", (context) => context.body(null, 204));
    expect(routesOf(create)).toEqual([
      { method: "GET", path: "/v1/machines/{machine_id}" },
      { method: "DELETE", path: "/v1/machines/{machine_id}" },
      { method: "PUT", path: "/v1/pools/{pool_id}/machines" },
    ]);
  });

  it("lets a factory take its dependencies apart and hand them on", () => {
    const create = ({ store: { find } }: Deps) =>
      new Hono().get("/v1/health", (context) => context.text(find("x")));
    expect(routesOf(create)).toEqual([{ method: "GET", path: "/v1/health" }]);
  });

  it("refuses a factory that calls a dependency while making the app, and names it", () => {
    const create = (deps: Deps) => {
      deps.store.find("x");
      return new Hono();
    };
    expect(() => routesOf(create)).toThrow("called `deps.store.find` while making the app");
  });

  it.each(["/v1/files/*", "/v1/machines/:id?", "/v1/:a-:b"])(
    "refuses %s, which API Gateway cannot express",
    (path) => {
      const create = () => new Hono().get(path, (context) => context.text(""));
      expect(() => routesOf(create)).toThrow("cannot be a route of API Gateway");
    },
  );

  it("refuses a method that no operation uses", () => {
    const create = () => new Hono().on("PURGE", "/v1/health", (context) => context.text(""));
    expect(() => routesOf(create)).toThrow("the route PURGE /v1/health");
  });
});
