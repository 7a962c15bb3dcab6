import { describe, expect, it } from "vitest";
import { SecretStore } from "../../../infra/local/aws/secrets/secret-store.ts";
import { edgeHeaders } from "../../../infra/local/edge-headers.ts";
import { readApplication } from "../../../infra/local/template/read-application.ts";
import { assemblyOnDisk } from "./assembly-on-disk.ts";
import { sampleStacks, serviceResources } from "./sample-app.ts";

function read(resources?: Readonly<Record<string, object>>) {
  return readApplication(assemblyOnDisk(sampleStacks(resources)));
}

describe("an app of two stacks", () => {
  const app = read();

  it("knows which pages may call the HTTP API, and none where the template names none", () => {
    const { Http } = serviceResources;
    const CorsConfiguration = {
      AllowOrigins: ["https://a.example"],
      AllowMethods: ["GET"],
      AllowHeaders: ["Authorization"],
      ExposeHeaders: ["Retry-After"],
      MaxAge: 3_600,
    };
    const Properties = { ...(Http as { Properties: object }).Properties, CorsConfiguration };
    const { httpApis } = read({ ...serviceResources, Http: { ...Http, Properties } });
    expect(httpApis[0]?.cors).toEqual({
      allowOrigins: ["https://a.example"],
      allowMethods: ["GET"],
      allowHeaders: ["Authorization"],
      exposeHeaders: ["Retry-After"],
      maxAgeSeconds: 3_600,
    });
    expect(app.httpApis[0]?.cors).toBeUndefined();
  });

  it("has no problem where everything in it is run here", () => {
    expect(app.problems).toEqual([]);
  });

  it("knows the function with its bundle, limits and environment", () => {
    const [fn] = app.functions;
    const [socketApi] = app.webSocketApis;
    expect(fn).toMatchObject({
      address: "service/Fn",
      name: "service-Fn",
      handler: "index.handler",
      timeoutSeconds: 29,
      memoryMb: 512,
    });
    expect(fn?.folder).toMatch(/\/asset\.abc$/);
    expect(fn?.environment).toEqual({
      TABLE_NAME: "data-Table",
      WEBSOCKET_URL: `wss://${socketApi?.id}.execute-api.us-east-1.amazonaws.com/tunnel`,
    });
  });

  it("collects the policies of the function's role, AWS's own ones too, with references to another stack resolved", () => {
    const statements = app.functions[0]?.role.policies.flatMap((policy) => policy.Statement);
    expect(statements).toContainEqual({
      Effect: "Allow",
      Action: "dynamodb:GetItem",
      Resource: "arn:aws:dynamodb:us-east-1:000000000000:table/data-Table",
    });
    expect(JSON.stringify(statements)).toContain("logs:PutLogEvents");
  });

  it("knows which roles the function's own policy lets in", () => {
    const [fn] = app.functions;
    expect(fn?.callers).toEqual([fn?.role.name]);
  });

  it("knows table, bucket, queue and secret", () => {
    expect(app.tables[0]).toMatchObject({ name: "data-Table" });
    expect(app.buckets[0]).toMatchObject({
      name: "data-files",
      cors: {
        allowOrigins: ["https://dashboard.example.com"],
        allowMethods: ["GET", "PUT"],
        maxAgeSeconds: 3_600,
      },
    });
    expect(app.queues[0]).toMatchObject({ arn: "arn:aws:sqs:us-east-1:000000000000:service-Failures" });
    expect(JSON.parse(app.secrets[0]?.value ?? "")).toEqual({
      key: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
    });
  });

  it("leads routes of both kinds of API to the function, with their throttles", () => {
    expect(app.httpApis[0]).toMatchObject({
      stage: "$default",
      throttle: { rate: 100, burst: 200 },
      routes: [
        {
          routeKey: "GET /v1/things/{thing_id}",
          functionAddress: "service/Fn",
          throttle: { rate: 5, burst: 6 },
        },
      ],
    });
    expect(app.webSocketApis[0]).toMatchObject({
      stage: "tunnel",
      routes: [{ routeKey: "$connect", functionAddress: "service/Fn" }],
    });
  });

  it("reads the event source mapping to the last setting", () => {
    expect(app.eventSources).toEqual([
      {
        address: "service/Stream",
        functionAddress: "service/Fn",
        sourceArn: app.tables[0]?.streamArn,
        enabled: true,
        batchSize: 50,
        parallelizationFactor: 10,
        startingPosition: "TRIM_HORIZON",
        filters: [{ dynamodb: { NewImage: { kind: { S: ["machine"] } } } }],
        bisectsOnError: true,
        reportsBatchItemFailures: true,
        retryAttemptsMax: 5,
        recordAgeSecondsMax: 3_600,
        onFailureArn: app.queues[0]?.arn,
      },
    ]);
  });

  it("reads the schedule with the input of its target", () => {
    expect(app.schedules).toMatchObject([
      { expression: "rate(1 minute)", enabled: true, functionAddress: "service/Fn", input: { sweep: true } },
    ]);
  });

  it("names everything the same way the next time, so that state is found again", () => {
    const again = read();
    expect(again.tables[0]?.name).toBe(app.tables[0]?.name);
    expect(again.webSocketApis[0]?.id).toBe(app.webSocketApis[0]?.id);
    expect(again.secrets[0]?.arn).toBe(app.secrets[0]?.arn);
  });
});

describe("what the local stack cannot do", () => {
  it("is reported when a resource has a type that it does not run", () => {
    const app = read({
      ...serviceResources,
      Cache: { Type: "AWS::ElastiCache::ServerlessCache", Properties: {} },
    });
    expect(app.problems).toEqual([
      "service/Cache is a AWS::ElastiCache::ServerlessCache, which the local stack does not run",
    ]);
  });

  it("is reported when nothing lets API Gateway invoke the function, which would be a 500 on AWS", () => {
    const { ApiMayInvoke: _left, ...others } = serviceResources;
    expect(read(others).problems).toContain(
      "service/Http GET /v1/things/{thing_id}: apigateway.amazonaws.com may not invoke service/Fn",
    );
  });

  it("is reported when a rule matches events", () => {
    const app = read({
      ...serviceResources,
      OnEvent: { Type: "AWS::Events::Rule", Properties: { EventPattern: { source: ["x"] }, Targets: [] } },
    });
    expect(app.problems).toEqual([
      "the rule service/OnEvent matches events, which the local stack hands to nobody",
    ]);
  });

  it("is an error when the environment sets what Lambda keeps to itself", () => {
    const { Fn } = serviceResources as Record<string, { Properties?: object }>;
    const environment = { Variables: { AWS_REGION: "eu-west-1" } };
    const reserved = { ...Fn, Properties: { ...Fn?.Properties, Environment: environment } };
    expect(() => read({ ...serviceResources, Fn: reserved })).toThrow("service/Fn sets AWS_REGION");
  });
});

describe("a distribution before the API", () => {
  const template = {
    Resources: {
      Secret: {
        Type: "AWS::SecretsManager::Secret",
        Properties: { Name: "origin", SecretString: '{"key":"shared"}' },
      },
      Edge: {
        Type: "AWS::CloudFront::Distribution",
        Properties: {
          DistributionConfig: {
            Origins: [
              {
                OriginCustomHeaders: [
                  {
                    HeaderName: "X-Origin-Secret",
                    HeaderValue: {
                      "Fn::Join": [
                        "",
                        ["{{resolve:secretsmanager:", { Ref: "Secret" }, ":SecretString:key::}}"],
                      ],
                    },
                  },
                ],
              },
            ],
          },
        },
      },
    },
  };

  it("is read with what it sends, whose secret is the one that functions read", () => {
    const app = readApplication(assemblyOnDisk({ service: { template } }));
    expect(app.problems).toEqual([]);
    const [edge] = app.edges;
    const [secret] = app.secrets;
    if (edge === undefined || secret === undefined) throw new Error("the template has both");
    const secrets = new SecretStore({});
    const version = (versionId: string, key: string, stage: string) => ({
      versionId,
      secretString: JSON.stringify({ key }),
      createdAtMs: 0,
      stages: [stage],
    });
    secrets.put({
      arn: secret.arn,
      name: secret.name,
      tags: {},
      createdAtMs: 0,
      changedAtMs: 0,
      versions: [version("1", "before", "AWSPREVIOUS"), version("2", "shared", "AWSCURRENT")],
    });
    expect(edgeHeaders(edge, secrets)).toEqual({ "x-origin-secret": "shared" });
    const named = edge.originHeaders.map(({ name, value }) => ({
      name,
      value: value.replace(/:\}\}$/, ":1}}"),
    }));
    expect(edgeHeaders({ originHeaders: named }, secrets)).toEqual({ "x-origin-secret": "before" });
    const missing = [{ name: "a", value: "{{resolve:secretsmanager:arn:a:b:c:d:e:f:SecretString:key::}}" }];
    expect(() => edgeHeaders({ originHeaders: missing }, secrets)).toThrow("no such secret");
  });
});
