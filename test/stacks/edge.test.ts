import { describe, expect, it } from "vitest";
import {
  makeServiceApp,
  type Resource,
  resourceOf,
  resourcesOf,
  type Template,
  templatesOf,
} from "./synthesize.ts";

const settings = {
  edge: "require",
  httpHostName: "api.example.com",
  httpCertificateArn: "arn:aws:acm:eu-west-1:000000000000:certificate/regional",
  edgeCertificateArn: "arn:aws:acm:us-east-1:000000000000:certificate/edge",
};

const edgeApp = makeServiceApp({ ...settings, hostedZoneId: "Z0123456789" });
const assembly = edgeApp.app.synth();
const edge: Template = assembly.getStackArtifact("das-main-edge").template;
const { service } = templatesOf(edgeApp);

const functionsOf = (template: Template) => resourcesOf(template, "AWS::Lambda::Function");
const readsSecret = ({ Properties }: Resource) =>
  "ORIGIN_SECRET" in (Properties.Environment?.Variables ?? {});

describe("the edge before the HTTP API", () => {
  const { DistributionConfig: distribution } = resourceOf(
    service,
    "AWS::CloudFront::Distribution",
  ).Properties;

  it("is where the host name's DNS record points to, not the API behind it", () => {
    const { Name, AliasTarget } = resourceOf(service, "AWS::Route53::RecordSet").Properties;
    expect(Name).toBe("api.example.com");
    const [id, attribute] = AliasTarget.DNSName["Fn::GetAtt"];
    expect([service.Resources[id]?.Type, attribute]).toEqual(["AWS::CloudFront::Distribution", "DomainName"]);
    // CloudFront's own.
    expect(AliasTarget.HostedZoneId).toBe("Z2FDTNDATAQYW2");
  });

  it("is not there unless it is asked for", () => {
    const app = makeServiceApp();
    expect(app.edge).toBeUndefined();
    const { service: plain } = templatesOf(app);
    expect(resourcesOf(plain, "AWS::CloudFront::Distribution")).toEqual([]);
    expect(functionsOf(plain).filter(readsSecret)).toEqual([]);
  });

  it("lets an address have 6,000 requests in a minute, and does not count the public health checks", () => {
    const { Rules, DefaultAction, Scope } = resourceOf(edge, "AWS::WAFv2::WebACL").Properties;
    expect([Scope, DefaultAction, assembly.getStackArtifact("das-main-edge").environment.region]).toEqual([
      "CLOUDFRONT",
      { Allow: {} },
      "us-east-1",
    ]);
    const { RateBasedStatement: rate } = Rules[0].Statement;
    expect(rate).toMatchObject({ AggregateKeyType: "IP", EvaluationWindowSec: 60, Limit: 6_000 });
    const excluded = rate.ScopeDownStatement.NotStatement.Statement.OrStatement.Statements;
    expect(
      excluded.map(({ ByteMatchStatement: match }: { ByteMatchStatement: Record<string, unknown> }) => [
        match.PositionalConstraint,
        match.SearchString,
      ]),
    ).toEqual([
      ["EXACTLY", "/v1/health"],
      ["EXACTLY", "/v1/health/db"],
    ]);
    expect(Rules[0].Action.Block.CustomResponse).toMatchObject({ ResponseCode: 429 });
  });

  it("stands at the API's host name, caches nothing and hands on the host and the viewer's address", () => {
    expect(distribution).toMatchObject({
      Aliases: ["api.example.com"],
      ViewerCertificate: {
        AcmCertificateArn: settings.edgeCertificateArn,
        MinimumProtocolVersion: "TLSv1.2_2021",
      },
      WebACLId: {
        "Fn::GetStackOutput": { StackName: "das-main-edge", OutputName: "WebAclArn", Region: "us-east-1" },
      },
      // The managed policies CachingDisabled, and AllViewerAndCloudFrontHeaders-2022-06.
      DefaultCacheBehavior: {
        CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
        OriginRequestPolicyId: "33f36d7e-f396-46d9-90e0-52428a34d9dc",
        ViewerProtocolPolicy: "https-only",
      },
    });
    const [origin] = distribution.Origins;
    expect(origin.DomainName).toEqual({
      "Fn::GetAtt": [expect.stringContaining("CustomDomain"), "RegionalDomainName"],
    });
    expect(origin.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: "https-only",
      OriginReadTimeout: 35,
    });
  });

  it("sends a secret that every function that judges credentials asks for", () => {
    const [header] = distribution.Origins[0].OriginCustomHeaders;
    expect(header.HeaderName).toBe("x-origin-secret");
    expect(JSON.stringify(header.HeaderValue)).toMatch(
      /resolve:secretsmanager:.*EdgeOriginSecret.*:SecretString:key/,
    );
    const asking = functionsOf(service).filter(readsSecret);
    const served = functionsOf(service).filter(
      ({ Properties }) => "JWT_ISSUER" in Properties.Environment.Variables,
    );
    expect(served.length).toBeGreaterThan(5);
    expect(asking).toEqual(served);
  });

  it("is sent the secret one step before functions ask for it, with nothing else changed", () => {
    const { service: sending } = templatesOf(makeServiceApp({ ...settings, edge: "send" }));
    const distributionOf = (template: Template) => resourceOf(template, "AWS::CloudFront::Distribution");
    expect(distributionOf(sending)).toEqual(distributionOf(service));
    expect(functionsOf(sending).filter(readsSecret)).toEqual([]);
  });

  it("leaves the host name's record its logical id, whichever way it points", () => {
    const recordIn = (step: string) =>
      Object.entries(
        templatesOf(makeServiceApp({ ...settings, edge: step, hostedZoneId: "Z0123456789" })).service
          .Resources,
      ).flatMap(([id, { Type }]) => (Type === "AWS::Route53::RecordSet" ? [id] : []));
    const [before] = [recordIn("none")];
    expect(before).toHaveLength(1);
    expect([recordIn("send"), recordIn("require")]).toEqual([before, before]);
  });

  it("sends another version of its secret once a setting names it", () => {
    const versionId = "0190a5c8-0000-7000-8000-000000000001";
    const { service: rotated } = templatesOf(makeServiceApp({ ...settings, edgeSecretVersionId: versionId }));
    const [origin] = resourceOf(rotated, "AWS::CloudFront::Distribution").Properties.DistributionConfig
      .Origins;
    expect(JSON.stringify(origin.OriginCustomHeaders)).toContain(`:SecretString:key::${versionId}}}`);
  });

  it.each([
    ["httpHostName", { edge: "send", edgeCertificateArn: settings.edgeCertificateArn }],
    ["edgeCertificateArn", { ...settings, edgeCertificateArn: undefined }],
  ])("needs the setting %s", (name, incomplete) => {
    expect(() => makeServiceApp(incomplete)).toThrow(`the setting ${name} is needed with edge`);
  });

  it("takes a certificate of us-east-1 only", () => {
    const elsewhere = { ...settings, edgeCertificateArn: settings.httpCertificateArn };
    expect(() => makeServiceApp(elsewhere)).toThrow("the setting edgeCertificateArn must be the ARN of acm");
  });
});

describe("the API's own endpoint", () => {
  const endpointIsOff = (template: Template) =>
    resourcesOf(template, "AWS::ApiGatewayV2::Api").map(({ Properties }) => [
      Properties.ProtocolType,
      Properties.DisableExecuteApiEndpoint ?? false,
    ]);

  it("is off where it has a host name, and the WebSocket API's stays on for posts", () => {
    expect(endpointIsOff(service)).toEqual([
      ["HTTP", true],
      ["WEBSOCKET", false],
    ]);
    expect(endpointIsOff(templatesOf(makeServiceApp()).service)).toEqual([
      ["HTTP", false],
      ["WEBSOCKET", false],
    ]);
  });
});
