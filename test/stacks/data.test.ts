import { describe, expect, it } from "vitest";
import { makeServiceApp, resourceOf, resourcesOf, type Template, templatesOf } from "./synthesize.ts";

const { data } = templatesOf(makeServiceApp());
const { data: other } = templatesOf(makeServiceApp({ deployment: "second" }));

describe("the data stack", () => {
  it.each(["Table", "Files", "DataKey"])(
    "leaves %s in the account whatever is deleted, replaced or rolled back",
    (id) => {
      expect(data.Resources[id]).toMatchObject({
        DeletionPolicy: "RetainExceptOnCreate",
        UpdateReplacePolicy: "Retain",
      });
    },
  );

  it("gives nothing a name of its own, which would keep it from ever being replaced, but the bus that rules name", () => {
    const named = Object.entries(data.Resources).filter(
      ([, { Properties }]) => Properties.TableName ?? Properties.BucketName ?? Properties.Name,
    );
    expect(named.map(([id]) => id)).toEqual(["Events"]);
  });

  it("has a bus of the deployment's own under a logical id that never changes, and tells where it is", () => {
    expect(data.Resources.Events).toMatchObject({
      Type: "AWS::Events::EventBus",
      Properties: { Name: "das-main" },
    });
    expect(other.Resources.Events?.Properties.Name).toBe("das-second");
    expect(data.Outputs).toMatchObject({
      EventBusName: { Value: { Ref: "Events" } },
      EventBusArn: { Value: { "Fn::GetAtt": ["Events", "Arn"] } },
    });
    expect(resourcesOf(data, "AWS::Events::EventBusPolicy")).toEqual([]);
  });

  it("protects the table and can bring back its past", () => {
    expect(resourceOf(data, "AWS::DynamoDB::Table").Properties).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    });
  });

  it("makes the table last, since a failed first creation could not take it back", () => {
    const others = Object.keys(data.Resources).filter((id) => id !== "Table");
    expect(new Set(data.Resources.Table?.DependsOn)).toEqual(new Set(others));
  });

  it("has every index at once, of text keys and nothing else", () => {
    const { GlobalSecondaryIndexes, AttributeDefinitions } = resourceOf(
      data,
      "AWS::DynamoDB::Table",
    ).Properties;
    const index = (name: string) => ({
      IndexName: name,
      KeySchema: [
        { AttributeName: `${name}_pk`, KeyType: "HASH" },
        { AttributeName: `${name}_sk`, KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "KEYS_ONLY" },
    });
    expect(GlobalSecondaryIndexes).toEqual(
      ["list", "filter1", "filter2", "filter3", "filter4", "due"].map(index),
    );
    expect(
      new Set(AttributeDefinitions.map((each: { AttributeType: string }) => each.AttributeType)),
    ).toEqual(new Set(["S"]));
  });

  it("keeps the bucket private, encrypted and behind TLS 1.2", () => {
    expect(resourceOf(data, "AWS::S3::Bucket").Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
      },
    });
    const denied = resourceOf(data, "AWS::S3::BucketPolicy").Properties.PolicyDocument.Statement.filter(
      (statement: { Effect: string }) => statement.Effect === "Deny",
    );
    expect(denied.map((statement: { Condition: unknown }) => statement.Condition)).toEqual([
      { Bool: { "aws:SecureTransport": "false" } },
      { NumericLessThan: { "s3:TlsVersion": 1.2 } },
    ]);
  });

  it("lets the console and pages of the origins named, and no other, put and get by presigned URLs", () => {
    const rulesIn = (template: Template) =>
      resourceOf(template, "AWS::S3::Bucket").Properties.CorsConfiguration.CorsRules;
    const rule = { AllowedMethods: ["GET", "HEAD", "PUT"], AllowedHeaders: ["*"], MaxAge: 3_600 };
    const anyApi = ["https://*.execute-api.", { Ref: "AWS::Region" }, ".", { Ref: "AWS::URLSuffix" }];
    expect(rulesIn(data)).toEqual([{ AllowedOrigins: [{ "Fn::Join": ["", anyApi] }], ...rule }]);
    const corsOrigins = ["https://dashboard.example.com"];
    const httpCertificateArn = "arn:aws:acm:eu-central-1:123456789012:certificate/c";
    const named = { httpHostName: "api.example.com", httpCertificateArn, corsOrigins };
    const AllowedOrigins = ["https://api.example.com", ...corsOrigins];
    expect(rulesIn(templatesOf(makeServiceApp(named)).data)).toEqual([{ AllowedOrigins, ...rule }]);
  });

  it("throws away after a day what was only passing through, after thirty the pictures of steps", () => {
    const { Rules } = resourceOf(data, "AWS::S3::Bucket").Properties.LifecycleConfiguration;
    const gone = { NoncurrentVersionExpiration: { NoncurrentDays: 1 }, Status: "Enabled" };
    expect(Rules.filter((rule: object) => "ExpirationInDays" in rule)).toEqual([
      { Id: "expire-tunnel", Prefix: "tunnel/", ExpirationInDays: 1, ...gone },
      { Id: "expire-uploads", Prefix: "uploads/", ExpirationInDays: 1, ...gone },
      { Id: "expire-steps", Prefix: "steps/", ExpirationInDays: 30, ...gone },
    ]);
  });

  it("keeps what entities had for as long as the table can be restored, and no mark of it after", () => {
    const { LifecycleConfiguration, VersioningConfiguration } = resourceOf(
      data,
      "AWS::S3::Bucket",
    ).Properties;
    expect(VersioningConfiguration).toEqual({ Status: "Enabled" });
    const kept = { NoncurrentVersionExpiration: { NoncurrentDays: 35 }, Status: "Enabled" };
    expect(LifecycleConfiguration.Rules.slice(3)).toEqual([
      { Id: "keep-deleted-attachments", Prefix: "attachments/", ...kept },
      { Id: "keep-deleted-spill", Prefix: "spill/", ...kept },
      { Id: "remove-marks-of-deletions", ExpiredObjectDeleteMarker: true, Status: "Enabled" },
      {
        Id: "abort-uploads-left-unfinished",
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        Status: "Enabled",
      },
    ]);
  });

  it.each(["TunnelKey", "IdempotencyKey", "DataKey"])(
    "makes %s of 64 characters that no template holds",
    (id) => {
      const { SecretString, GenerateSecretString } = data.Resources[id]?.Properties ?? {};
      expect(SecretString).toBeUndefined();
      expect(GenerateSecretString).toMatchObject({
        SecretStringTemplate: "{}",
        GenerateStringKey: "key",
        PasswordLength: 64,
      });
    },
  );
});
