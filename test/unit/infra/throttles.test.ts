import { describe, expect, it } from "vitest";
import { makeServiceApp, type Resource, resourcesOf, type Template, templatesOf } from "./synthesize.ts";

const { service } = templatesOf(makeServiceApp());
const { service: tiny } = templatesOf(makeServiceApp({ throttleRate: 10, throttleBurst: 10 }));

type Stage = Resource & { readonly DependsOn?: readonly string[] };

function stageOf(template: Template, name: "$default" | "prod"): Stage {
  const found: Stage | undefined = resourcesOf(template, "AWS::ApiGatewayV2::Stage").find(
    ({ Properties }) => Properties.StageName === name,
  );
  if (found === undefined) throw new Error(`there is no stage ${name}`);
  return found;
}

function routeIds(template: Template, api: string, routeKeys: readonly string[]): string[] {
  return Object.entries(template.Resources)
    .filter(([id]) => id.startsWith(api))
    .filter(
      ([, { Type, Properties }]) =>
        Type === "AWS::ApiGatewayV2::Route" && routeKeys.includes(Properties.RouteKey),
    )
    .map(([id]) => id);
}

describe("the throttle of what anyone may call", () => {
  const settings = stageOf(service, "$default").Properties.RouteSettings;

  it("is each route's own, and a twentieth of the stage's", () => {
    const own = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, DetailedMetricsEnabled: true };
    expect(settings).toEqual({
      $default: own,
      "GET /v1/health": own,
      "POST /api/driver/connection-token": own,
      "GET /openapi.json": own,
    });
  });

  it("is set once the routes are there, without which API Gateway refuses the settings", () => {
    const stage = stageOf(service, "$default");
    expect(stage.DependsOn).toEqual(
      expect.arrayContaining(routeIds(service, "OperationsApi", Object.keys(settings))),
    );
  });

  it("lets something through however low the stage's is set", () => {
    const [first] = Object.values(stageOf(tiny, "$default").Properties.RouteSettings);
    expect(first).toMatchObject({ ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 });
  });
});

describe("the throttle of handshakes", () => {
  it("is their own, so that drivers' answers keep the stage's", () => {
    const stage = stageOf(service, "prod");
    expect(stage.Properties.RouteSettings).toEqual({
      $connect: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200, DetailedMetricsEnabled: true },
    });
    expect(stage.Properties.DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 1000 });
    expect(stage.DependsOn).toEqual(expect.arrayContaining(routeIds(service, "TunnelApi", ["$connect"])));
  });
});
