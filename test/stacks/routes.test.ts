import { expect, it } from "vitest";
import { allOperations, routeGroups } from "../../shared/contract/operations/all-operations.ts";
import { makeServiceApp, resourcesOf, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp({}, routeGroups));

it("API Gateway has a route for each operation, once, and no other", () => {
  const routeKeys = resourcesOf(service, "AWS::ApiGatewayV2::Route").map(
    ({ Properties }) => Properties.RouteKey,
  );
  const operations = allOperations.map(({ method, path }) => `${method} ${path}`);
  expect(routeKeys.sort()).toEqual([...operations, "$default", "$connect", "$disconnect", "$default"].sort());
});
