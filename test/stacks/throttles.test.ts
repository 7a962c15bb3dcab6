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

const whole = { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000, DetailedMetricsEnabled: false };
const twentieth = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100, DetailedMetricsEnabled: false };
const tenth = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200, DetailedMetricsEnabled: false };

describe("metrics of each route", () => {
  it("are off, since each costs as much as one of the service's own, until a setting asks for them", () => {
    const { service: detailed } = templatesOf(makeServiceApp({ detailedMetrics: true }));
    for (const name of ["$default", "prod"] as const) {
      for (const [template, isOn] of [
        [service, false],
        [detailed, true],
      ] as const) {
        const { DefaultRouteSettings, RouteSettings } = stageOf(template, name).Properties;
        expect(DefaultRouteSettings.DetailedMetricsEnabled ?? false).toBe(isOn);
        for (const { DetailedMetricsEnabled } of Object.values<{ DetailedMetricsEnabled: boolean }>(
          RouteSettings,
        ))
          expect(DetailedMetricsEnabled).toBe(isOn);
      }
    }
  });
});

describe("the throttle of an operation", () => {
  const settings = stageOf(service, "$default").Properties.RouteSettings;

  it("is its route's own, so that one flooded leaves the others", () => {
    const routeKeys = resourcesOf(service, "AWS::ApiGatewayV2::Route").map(
      ({ Properties }) => Properties.RouteKey,
    );
    const ofTunnel = ["$connect", "$disconnect"];
    expect(Object.keys(settings).toSorted()).toEqual(
      [...new Set(routeKeys)].filter((key) => !ofTunnel.includes(key)).toSorted(),
    );
    expect(settings["GET /v1/runs"]).toEqual(whole);
  });

  it("is a twentieth where anyone may call it", () => {
    const publicRoutes = [
      "$default",
      "GET /v1/health",
      "POST /api/driver/connection-token",
      "GET /openapi.json",
      "GET /console",
    ];
    const small = Object.keys(settings).filter(
      (key) => settings[key].ThrottlingRateLimit !== whole.ThrottlingRateLimit,
    );
    expect(small.toSorted()).toEqual(publicRoutes.toSorted());
    for (const key of publicRoutes) expect(settings[key]).toEqual(twentieth);
  });

  it("is set once the routes are there, without which API Gateway refuses the settings", () => {
    const stage = stageOf(service, "$default");
    expect(stage.DependsOn).toEqual(
      expect.arrayContaining(routeIds(service, "OperationsApi", Object.keys(settings))),
    );
  });

  it("lets something through however low the settings are", () => {
    expect(stageOf(tiny, "$default").Properties.RouteSettings["GET /v1/health"]).toMatchObject({
      ThrottlingRateLimit: 1,
      ThrottlingBurstLimit: 1,
    });
  });
});

describe("the throttle of the tunnel", () => {
  it("is each route's own, and a tenth for handshakes, which anyone may try", () => {
    const stage = stageOf(service, "prod");
    expect(stage.Properties.RouteSettings).toEqual({ $connect: tenth, $disconnect: whole, $default: whole });
    expect(stage.DependsOn).toEqual(
      expect.arrayContaining(routeIds(service, "TunnelApi", ["$connect", "$disconnect", "$default"])),
    );
  });
});
