import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";
import {
  makeServiceApp,
  type Resource,
  resourceOf,
  resourcesOf,
  sampleRoutes,
  type Template,
  templatesOf,
} from "./synthesize.ts";

const certificate = "arn:aws:acm:us-east-1:111122223333:certificate/a";
const { service } = templatesOf(makeServiceApp());
const domains = {
  httpHostName: "api.example.com",
  httpCertificateArn: certificate,
  webSocketHostName: "tunnel.example.com",
  webSocketCertificateArn: certificate,
};
const { service: withDomains } = templatesOf(
  makeServiceApp({ ...domains, webSocketAccessLogs: true, apiGatewayLogRole: true }),
);

function api(template: Template, protocol: "HTTP" | "WEBSOCKET") {
  const found = Object.entries(template.Resources).find(
    ([, { Type, Properties }]) => Type === "AWS::ApiGatewayV2::Api" && Properties.ProtocolType === protocol,
  );
  if (found === undefined) throw new Error(`there is no ${protocol} API`);
  const [id, resource] = found;
  const parts = (type: string): readonly Resource[] =>
    resourcesOf(template, type).filter(({ Properties }) => Properties.ApiId.Ref === id);
  const [stage] = parts("AWS::ApiGatewayV2::Stage");
  return { id, resource, parts, stage: stage?.Properties };
}

describe("both APIs", () => {
  it("say in the console which deployment they are of", () => {
    const { service: second } = templatesOf(makeServiceApp({ deployment: "second" }));
    for (const [protocol, name] of [
      ["HTTP", "das-second-http"],
      ["WEBSOCKET", "das-second-websocket"],
    ] as const) {
      const { Name } = api(second, protocol).resource.Properties;
      expect(Name).toBe(name);
    }
  });
});

describe("the HTTP API", () => {
  const http = api(service, "HTTP");
  const routeKeys = http.parts("AWS::ApiGatewayV2::Route").map(({ Properties }) => Properties.RouteKey);

  it("has a route for each operation, one for all else, and no more", () => {
    const sampled = Object.values(sampleRoutes).flatMap((routes) =>
      routes.map(({ method, path }) => `${method} ${path}`),
    );
    expect(routeKeys.sort()).toEqual(["$default", ...sampled].sort());
  });

  it("serves the spec's paths as they stand, throttled and logged", () => {
    expect(http.stage).toMatchObject({
      StageName: "$default",
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
    });
    const format = JSON.parse(http.stage.AccessLogSettings.Format);
    expect(format).toMatchObject({ request_id: "$context.requestId", status: "$context.status" });
    expect(JSON.stringify(format)).not.toMatch(/header|query|authorizer/i);
  });

  it("may be called by no page in a browser, but for those of the origins named, without credentials of theirs", async () => {
    const origins = ["https://dashboard.example.com"];
    const { service: withOrigins } = templatesOf(makeServiceApp({ corsOrigins: origins }));
    expect(http.resource.Properties.CorsConfiguration).toBeUndefined();
    const { CorsConfiguration: cors } = api(withOrigins, "HTTP").resource.Properties;
    expect(cors).toMatchObject({
      AllowOrigins: origins,
      AllowHeaders: [
        ...["Authorization", "Content-Type", "Idempotency-Key", "Assignment-Id", "If-None-Match", "If-Match"],
      ],
      MaxAge: 3_600,
    });
    expect([...cors.AllowMethods].sort()).toEqual(["DELETE", "GET", "PATCH", "POST", "PUT"]);
    expect(cors.AllowCredentials).toBeUndefined();
    const named = JSON.stringify(await openApiDocument(allOperations)).matchAll(
      /components\/headers\/([\w-]+)/g,
    );
    expect(cors.ExposeHeaders).toEqual(
      expect.arrayContaining([...new Set([...named].map(([, name]) => name))]),
    );
    expect(cors.ExposeHeaders).toEqual(
      expect.arrayContaining(["X-Screen-Settled", "Deprecation", "Sunset", "Link"]),
    );
  });

  it("leaves the integrations' timeout to API Gateway and speaks payload 2.0", () => {
    for (const { Properties } of http.parts("AWS::ApiGatewayV2::Integration")) {
      expect(Properties.TimeoutInMillis).toBeUndefined();
      expect(Properties).toMatchObject({ IntegrationType: "AWS_PROXY", PayloadFormatVersion: "2.0" });
    }
  });

  it("may call each function by any route of its own, and the 404 one by the default route too", () => {
    const sources = resourcesOf(service, "AWS::Lambda::Permission")
      .map(({ Properties }) => [
        (Properties.FunctionName.Ref ?? Properties.FunctionName["Fn::GetAtt"][0]).replace(/Function.*/, ""),
        JSON.stringify(Properties.SourceArn),
      ])
      .filter(([, arn]) => arn?.includes(http.id))
      .map(([name, arn]) => `${name} ${/"(\/[^"]*)"\]\]\}$/.exec(arn ?? "")?.[1]}`);
    const own = Object.keys(sampleRoutes).map((group) => `${group.replaceAll("-", "")} /*/*/*`);
    expect(sources.sort()).toEqual([...own, "health /*/*"].sort());
  });
});

describe("the WebSocket API", () => {
  const webSocket = api(service, "WEBSOCKET");

  it("hands every event to one function", () => {
    const routes = webSocket.parts("AWS::ApiGatewayV2::Route").map(({ Properties }) => Properties.RouteKey);
    expect(routes.sort()).toEqual(["$connect", "$default", "$disconnect"]);
    const targets = webSocket
      .parts("AWS::ApiGatewayV2::Integration")
      .map(({ Properties }) => /tunnelFunction/.test(JSON.stringify(Properties.IntegrationUri)));
    expect(targets).toEqual([true, true, true]);
  });

  it("has the stage that the functions post to", () => {
    expect(webSocket.stage).toMatchObject({
      StageName: "prod",
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
    });
    expect(webSocket.stage.AccessLogSettings).toBeUndefined();
    const variables = tunnelVariables(service);
    expect(JSON.stringify(variables.WEBSOCKET_CALLBACK_URL)).toMatch(
      /"https:\/\/",.*\.execute-api\..*"\/prod"/,
    );
    expect(JSON.stringify(variables.WEBSOCKET_URL)).toMatch(/"wss:\/\/",.*\.execute-api\..*"\/prod"/);
    expect(JSON.stringify(variables.FILES_URL)).toMatch(/"https:\/\/",.*RegionalDomainName/);
  });
});

describe("custom domains", () => {
  it("are one host name for each API, with nothing put before the paths", () => {
    const hosts = resourcesOf(withDomains, "AWS::ApiGatewayV2::DomainName").map(
      ({ Properties }) => Properties.DomainName,
    );
    expect(hosts.sort()).toEqual(["api.example.com", "tunnel.example.com"]);
    const mappings = resourcesOf(withDomains, "AWS::ApiGatewayV2::ApiMapping");
    expect(mappings).toHaveLength(2);
    for (const { Properties } of mappings) expect(Properties.ApiMappingKey).toBeUndefined();
  });

  it("are what drivers dial, while posts still go to the stage's own address, which stays on", () => {
    const variables = tunnelVariables(withDomains);
    expect(variables.WEBSOCKET_URL).toBe("wss://tunnel.example.com");
    expect(JSON.stringify(variables.WEBSOCKET_CALLBACK_URL)).toMatch(/\.execute-api\./);
    const { DisableExecuteApiEndpoint } = api(withDomains, "WEBSOCKET").resource.Properties;
    expect(DisableExecuteApiEndpoint).not.toBe(true);
  });
});

describe("DNS records", () => {
  it("are made by hand, unless a hosted zone is named", () => {
    expect(resourcesOf(withDomains, "AWS::Route53::RecordSet")).toEqual([]);
  });

  it("point each host name to its API's own address in the Region", () => {
    const { service: withZone } = templatesOf(makeServiceApp({ ...domains, hostedZoneId: "Z0123456789" }));
    const records = resourcesOf(withZone, "AWS::Route53::RecordSet").map(({ Properties }) => Properties);
    expect(records.map(({ Name }) => Name).sort()).toEqual(["api.example.com", "tunnel.example.com"]);
    for (const { Type, HostedZoneId, Name, AliasTarget } of records) {
      expect([Type, HostedZoneId]).toEqual(["A", "Z0123456789"]);
      const [domainId] = AliasTarget.DNSName["Fn::GetAtt"];
      expect(withZone.Resources[domainId]?.Properties.DomainName).toBe(Name);
      expect(AliasTarget.HostedZoneId).toEqual({ "Fn::GetAtt": [domainId, "RegionalHostedZoneId"] });
    }
  });
});

describe("WebSocket access logs", () => {
  it("come with the Region's log role when both are asked for", () => {
    expect(api(withDomains, "WEBSOCKET").stage.AccessLogSettings).toBeDefined();
    expect(resourcesOf(withDomains, "AWS::ApiGateway::Account")).toHaveLength(1);
    expect(resourcesOf(service, "AWS::ApiGateway::Account")).toHaveLength(0);
  });

  it("leave the Region its log role when the stack goes", () => {
    const account = resourceOf(withDomains, "AWS::ApiGateway::Account");
    const [roleId] = account.Properties.CloudWatchRoleArn["Fn::GetAtt"];
    for (const kept of [account, withDomains.Resources[roleId]]) {
      expect(kept).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
function tunnelVariables(template: Template): any {
  const found = Object.entries(template.Resources).find(([id]) => id.startsWith("tunnelFunction"));
  return found?.[1].Properties.Environment.Variables;
}
