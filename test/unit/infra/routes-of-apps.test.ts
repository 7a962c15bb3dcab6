import { describe, expect, it } from "vitest";
import { routeGroups } from "../../../infra/route-groups.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

describe("API Gateway's routes", () => {
  it("are the apps' own, each operation in one group only", () => {
    const { service } = templatesOf(makeServiceApp({}, routeGroups));
    const routeKeys = resourcesOf(service, "AWS::ApiGatewayV2::Route").map(
      ({ Properties }) => Properties.RouteKey,
    );
    const operations = Object.values(routeGroups).flatMap((routes) =>
      routes.map(({ method, path }) => `${method} ${path}`),
    );
    expect(new Set(operations).size).toBe(operations.length);
    expect(routeKeys.sort()).toEqual(
      [...operations, "$default", "$connect", "$disconnect", "$default"].sort(),
    );
  });
});
